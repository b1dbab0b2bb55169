Feature: A ceiling is a ceiling

  Room for a call is taken before it is made: what the prompt may come to, and a cap on the output that is sent on the
  wire. While the provider heeds the cap, no sum of its bill passes a ceiling.

  Rule: The provider's bill stays under the ceiling

    Scenario: The history dominates
      Given a loop with the tools "big"
      And the loop's settings {"token_budget": 20000, "tool_max_rounds": 50, "max_repeated_calls": null}
      And the provider asks the loop for big {"size": 10000} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop answers "What I have."
      And the provider bills the loop at most 20000 tokens
      And the provider bills the loop at least 15000 tokens

    Scenario: Any budget, any size of tool output, any text
      Then no drawn budget is passed in 60 draws

    Scenario: Any money ceiling
      Then no drawn money ceiling is passed in 25 draws

    Scenario: A strict budget holds for text of which every byte is a token
      Given a loop with the tools "big"
      And the loop's settings {"max_repeated_calls": null, "tool_max_rounds": 50}
      And the loop has a budget of 30000 tokens, strictly estimated
      And every byte of the loop's requests is a token
      And the provider asks the loop for big {"size": 2000} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the provider bills the loop at most 30000 tokens

    Scenario: A strict budget refuses earlier
      Given a loop with the tools "echo"
      And the loop has a budget of 900 tokens, strictly estimated
      And the provider will answer the loop
        | says |
        | Yes. |
      When the loop is asked with 1500 letters
      Then the loop ends with "token_budget"
      And the loop has no rows

  Rule: Refused before it is sent

    Scenario Outline: A budget of <tokens> tokens is too small for the first call
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": <tokens>}
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop has no rows
      And the loop answers in a sentence with "the token budget is used up"
      And the loop's stop detail says "the agent's token_budget: 0 of <tokens> tokens spent"
      And the loop's result has
        | field             | value     |
        | budget_exhausted  | true      |
        | budget_refusal    | exhausted |
        | synthesis_was_run | false     |

      Examples:
        | tokens |
        | 1      |
        | 90     |

    Scenario: A purse that others have emptied
      Given a loop with the tools "echo"
      And the loop has a budget of 5000 tokens, named "june", of which 4990 are spent
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop has no rows
      And the loop's stop detail says "budget 'june': 4990 of 5000 tokens spent"

    Scenario: Ten runs at once share a purse that has room for two
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 900}}
      And the loop has a budget of 2000 tokens
      And the provider answers the loop with 900 tokens for ever, at the gate
      When 10 runs of the loop ask with 300 letters, while the gate is closed
      Then at most 2 of the loop's runs have made a call
      And the others end with "token_budget", for contention
      And the provider bills the loop at most 2000 tokens

    Scenario: A run waits for room that another one holds
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 1100}}
      And the loop has a budget of 1200 tokens, for which runs wait
      And the provider will answer the loop
        | says   | stands |
        | First  | here   |
        | Second |        |
      When 2 runs of the loop ask with 20 letters, and the gate is opened when one waits
      Then the loop's runs end with "completed, completed"

    Scenario: A run does not wait for room that will not come
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 1100}}
      And the loop has a budget of 1200 tokens, for which runs wait
      And the provider will answer the loop
        | says   | stands |
        | First  | here   |
      When 2 runs of the loop ask with 20 letters, and the first is cancelled when one waits
      Then the loop is cancelled
      And the loop's runs end with "cancelled, token_budget"
      And the loop made 1 requests

    Scenario: At no moment of many runs at once is a purse overdrawn
      Given a loop with the tools "big"
      And the loop's settings {"max_repeated_calls": null}
      And the loop has a watched budget of 30000 tokens
      And the provider asks the loop for big {"size": 3000} until it must say "What I have."
      When 8 runs of the loop ask at once
      Then the watched budget was never overdrawn, and had 15000 tokens out at least
      And the provider bills the loop at most 30000 tokens

    Scenario: A model whose output can't be bounded
      Given a loop without tools
      And the loop's model is one without a cap
      And the loop has a budget of 2000 tokens
      When the loop is asked "Well?"
      Then the loop's model is refused with "can't be held to a budget"

  Rule: The cap

    Scenario: It is on the wire wherever a budget applies
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": 100000, "tool_max_rounds": 1}
      And the provider asks the loop for echo until it must say "Done."
      When the loop is asked "Well?"
      Then the loop's rows were capped at what was reserved
      And the loop's requests have
        | tool_choice | cap   |
        |             | 16384 |
        |             | 16384 |
        | none        | 10000 |

    Scenario: Without a budget there is none
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says |
        | Yes. |
      When the loop is asked "Well?"
      Then the loop's requests have
        | cap |
        |     |

    Scenario: The agent's own max_tokens is the cap, where there is room for it
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": 100000, "parameters": {"max_tokens": 500}}
      And the provider will answer the loop
        | says |
        | Yes. |
      When the loop is asked "Well?"
      Then the loop's requests have
        | cap |
        | 500 |

    Scenario: An answer that is cut at a cap of ours
      Given a loop without tools
      And the loop's settings {"token_budget": 200}
      And the provider answers the loop with 900 tokens
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the provider bills the loop at most 200 tokens
      And the loop's result has
        | field            | value  |
        | finish_reason    | length |
        | budget_exhausted | true   |

    Scenario: An answer that is cut at a cap that money set
      Given a loop without tools
      And the loop's model is priced
      And the loop's limits {"max_cost": "0.0005"}
      And the provider answers the loop with 900 tokens
      When the loop is asked "Well?"
      Then the loop ends with "cost_budget"
      And the loop cost at most 0.0005

    Scenario: The crossing call has answered: a paid answer is never thrown away
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": 1000}
      And the provider will answer the loop, and heed no cap
        | says      | tokens  |
        | The lot.  | 990, 20 |
      When the loop is asked "Well?"
      Then the loop ends with "completed"
      And the loop answers "The lot."
      And the loop's result has
        | field            | value |
        | budget_exhausted | true  |

    Scenario: A provider that heeds no cap
      Given a loop with the tools "echo"
      And the loop's settings {"max_repeated_calls": null}
      And the loop has a budget of 3000 tokens
      And the provider will answer the loop, and heed no cap
        | calls | tokens   |
        | echo  | 100, 4000 |
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop's rows are
        | state   | tokens    | over_reserved |
        | settled | 100, 4000 | yes           |
      And the loop's budget has spent 4100 tokens
      When the loop is asked "Again?"
      Then the loop ends with "token_budget"
      And the loop has no new rows

  Rule: What is reserved comes back

    Scenario Outline: After a run that <ends>
      Given a loop with the tools "echo, waits, fatal"
      And the loop's settings {"retry": {"attempts": 1}}
      And the loop has a budget of 50000 tokens
      And the provider will answer the loop
        | says   | calls   | fault   | stands   |
        | <says> | <calls> | <fault> | <stands> |
      When the loop is asked "Well?", and <action>
      Then the loop's budget has nothing reserved
      And the loop's budget has spent <spent>

      Examples:
        | ends                       | says | calls | fault | stands | action                      | spent                   |
        | is aborted in a call       | Late |       |       | here   | aborted in a model call     | all that was reserved   |
        | is aborted mid-stream      | abcdefghijklmnop | |   | 2      | aborted mid-stream          | what the rows estimate  |
        | is aborted in a tool       |      | waits |       |        | aborted in a tool           | what the provider bills |
        | never starts               |      |       |       |        | aborted before it starts    | nothing                 |

    Scenario Outline: After a run that is cancelled in a <place>
      Given a loop with the tools "waits"
      And the loop has a budget of 50000 tokens
      And the provider will answer the loop
        | says | calls   | stands   |
        |      | <calls> | <stands> |
      When the loop is asked "Well?", and cancelled in a <place>
      Then the loop is cancelled
      And the loop's budget has nothing reserved
      And the loop's budget has spent <spent>

      Examples:
        | place      | calls | stands | spent                   |
        | model call |       | here   | all that was reserved   |
        | tool       | waits |        | what the provider bills |

    Scenario Outline: After a call that meets <fault>
      Given a loop with the tools "echo"
      And the loop's settings {"retry": {"attempts": 1}}
      And the loop has a budget of 50000 tokens
      And the provider will answer the loop
        | fault   |
        | <fault> |
      When the loop is asked "Well?"
      Then the loop failed
      And the loop's budget has nothing reserved
      And the loop's budget has spent <spent>

      Examples:
        | fault | spent                 |
        | 400   | nothing               |
        | 500   | nothing               |
        | 502   | all that was reserved |
        | 504   | all that was reserved |
        | drop  | all that was reserved |

  Rule: The wrap-up is paid from a reserve

    Scenario: One result is larger than all that is left: the wrap-up is sent its beginning
      Given a loop with the tools "big"
      And the loop's settings {"token_budget": 4000}
      And the provider asks the loop for big {"size": 40000} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop answers "What I have."
      And the last request of the loop holds "Earlier steps were left out here"
      And the last request of the loop holds "characters left out"
      And the provider bills the loop at most 4000 tokens

    Scenario: Several large results: the newest are sent
      Given a loop with the tools "big"
      And the loop's settings {"token_budget": 12000, "max_repeated_calls": null}
      And the provider asks the loop for big {"size": 6000} & big {"size": 500} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop answers "What I have."
      And the provider bills the loop at most 12000 tokens

    Scenario: Nothing is left even for that
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": 300}
      And the provider will answer the loop, and heed no cap
        | says         | calls | tokens   |
        | Let me look. | echo  | 100, 150 |
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop answers "Let me look."
      And the loop's result has
        | field             | value |
        | synthesis_was_run | false |

    Scenario: Figures that no text could have do not blow up what is reserved next
      Given a loop with the tools "echo"
      And the loop's settings {"token_budget": 20000}
      And the provider will answer the loop
        | says  | calls | tokens   |
        |       | echo  | 5000, 10 |
        | Done. |       | 5100, 3  |
      When the loop is asked "Well?"
      Then the loop ends with "completed"

  Rule: What tools spend is on the same purse

    Scenario: A tool reports its own spend, and asks the model by itself
      Given a loop with the tools "spends, thinks"
      And the loop's settings {"token_budget": 50000}
      And the loop has a budget of 50000 tokens
      And the provider will answer the loop
        | says  | calls           | tokens |
        |       | spends & thinks | 50, 10 |
        | Hm.   |                 | 20, 3  |
        | Done. |                 | 90, 4  |
      When the loop is asked "Well?"
      Then the loop ends with "completed"
      And the loop's rows are in any order
        | purpose | provider | tokens |
        | turn    | openai   | 50, 10 |
        | tool    | tool     | 30, 4  |
        | tool    | openai   | 20, 3  |
        | turn    | openai   | 90, 4  |
      And the loop's budget has spent 211 tokens
