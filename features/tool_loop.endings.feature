Feature: Every ending of the tool loop

  A run that returns has an answer in words, a reason from a closed table and one sentence of figures; its history
  can be sent again, and its bill is the provider's.

  Rule: The model ends it

    Scenario: The model answers
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says | tokens |
        | Yes. | 9, 1   |
      When the loop is asked "Well?"
      Then the loop ends with "completed"
      And the loop's result has
        | field            | value |
        | finish_reason    | stop  |
        | budget_exhausted | false |

    Scenario: The provider cuts the answer
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says       | finish |
        | Half an an | length |
      When the loop is asked "Well?"
      Then the loop ends with "length"
      And the loop answers "Half an an"

    Scenario: The answer is cut at the agent's own max_tokens
      Given a loop with the tools "echo"
      And the loop's settings {"parameters": {"max_tokens": 2}}
      And the provider will answer the loop
        | says              |
        | A very long story |
      When the loop is asked "Well?"
      Then the loop ends with "length"
      And the loop answers "A very l"

    Scenario: The provider cuts the answer before it has any text
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says         | calls | finish |
        | Let me look. | echo  |        |
        |              |       | length |
      When the loop is asked "Well?"
      Then the loop ends with "length"
      And the loop answers in a sentence with "cut off by the provider before it had any text"
      And the loop's result has
        | field             | value |
        | synthesis_was_run | false |

    Scenario: The provider filters the answer
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says | finish         |
        |      | content_filter |
      When the loop is asked "Well?"
      Then the loop ends with "refused"
      And the loop answers in a sentence with "the provider filtered the answer"

    Scenario: The model refuses
      Given a loop with the tools "echo"
      And the provider will refuse the loop with "I can't help with that"
      When the loop is asked "Well?"
      Then the loop ends with "refused"
      And the loop answers in a sentence with "I can't help with that"

    Scenario: The model says nothing at all
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says |
        |      |
      When the loop is asked "Well?"
      Then the loop ends with "completed"
      And the loop answers in a sentence with "empty answer"

    Scenario: The model calls tools and then says nothing
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says       | calls |
        |            | echo  |
        |            |       |
        | It echoed. |       |
      When the loop is asked "Well?"
      Then the loop ends with "tool_only"
      And the loop answers "It echoed."
      And the loop's result has
        | field             | value |
        | synthesis_was_run | true  |
        | rounds            | 1     |

  Rule: A limit ends it

    Scenario Outline: <limit> model calls are allowed, of which one is kept for the wrap-up
      Given a loop with the tools "echo"
      And the loop's limits {"max_model_calls": <limit>}
      And the loop's settings {"max_repeated_calls": null}
      And the provider will answer the loop
        | calls | times   |
        | echo  | <turns> |
      And the provider will answer the loop
        | says          |
        | What I have.  |
      When the loop is asked "Well?"
      Then the loop ends with "model_calls"
      And the loop answers "What I have."
      And the loop's stop detail says "<turns> of <limit> model calls made"
      And the loop made <limit> requests

      Examples:
        | limit | turns |
        | 2     | 1     |
        | 4     | 3     |

    Scenario: One model call is allowed
      Given a loop with the tools "echo"
      And the loop's limits {"max_model_calls": 1}
      And the provider will answer the loop
        | says         | calls |
        | Let me look. | echo  |
      When the loop is asked "Well?"
      Then the loop ends with "model_calls"
      And the loop answers "Let me look."
      And the loop made 1 requests

    Scenario: Of five calls the two that are still allowed run
      Given a loop with the tools "echo"
      And the loop's limits {"max_tool_calls": 3}
      And the provider will answer the loop
        | says        | calls                                                                                    |
        |             | echo {"text": "1"}                                                                       |
        |             | echo {"text": "2"} & echo {"text": "3"} & echo {"text": "4"} & echo {"text": "5"} & echo |
        | Three done. |                                                                                          |
      When the loop is asked "Well?"
      Then the loop ends with "tool_calls"
      And the loop's result has
        | field      | value |
        | tool_calls | 3     |
        | rounds     | 2     |
      And the loop's new messages are
        | who   | says                             |
        | human | Well?                            |
        | asks  | echo                             |
        | tool  | 1                                |
        | asks  | echo & echo & echo & echo & echo |
        | tool  | 2                                |
        | tool  | 3                                |
        | error | not run: …                       |
        | error | not run: …                       |
        | error | not run: …                       |
        | ai    | Three done.                      |

    Scenario Outline: No call is allowed any more, the limit being <limit>
      Given a loop with the tools "echo"
      And the loop's limits {"max_tool_calls": <limit>}
      And the provider will answer the loop
        | says  | calls                                   | times   |
        |       | echo {"text": "1"} & echo {"text": "2"} | <turns> |
        | Done. |                                         |         |
      When the loop is asked "Well?"
      Then the loop ends with "tool_calls"
      And the loop answers "Done."
      And the loop's result has
        | field      | value   |
        | tool_calls | <limit> |

      Examples:
        | limit | turns |
        | 0     | 1     |
        | 2     | 2     |

    Scenario: The model repeats itself
      Given a loop with the tools "echo"
      And the loop's settings {"max_repeated_calls": 3, "tool_max_rounds": 20}
      And the provider will answer the loop
        | says       | calls              | times |
        |            | echo {"text": "a"} | 2     |
        |            | echo {"text": "b"} |       |
        |            | echo {"text": "a"} | 3     |
        | I give up. |                    |       |
      When the loop is asked "Well?"
      Then the loop ends with "repeated_calls"
      And the loop answers "I give up."
      And the loop's stop detail says "3 rounds running were equal: echo"
      And the loop's result has
        | field  | value |
        | rounds | 6     |

    Scenario Outline: It is no repetition to <do>
      Given a loop with the tools "echo, poll"
      And the loop's settings {"max_repeated_calls": <most>, "tool_max_rounds": 20}
      And the provider will answer the loop
        | says  | calls   | times |
        |       | <calls> | 4     |
        | Done. |         |       |
      When the loop is asked "Well?"
      Then the loop ends with "completed"
      And the loop's result has
        | field  | value |
        | rounds | 4     |

      Examples:
        | do                               | most | calls |
        | call a repeatable tool           | 2    | poll  |
        | call as often as is allowed      | 5    | echo  |
        | call at all where it is switched off | null | echo |

    Scenario: The same broken arguments again and again are a repetition too
      Given a loop with the tools "echo"
      And the loop's settings {"max_repeated_calls": 2, "tool_max_rounds": 20}
      And the provider will answer the loop
        | says       | calls   | times |
        |            | echo {" | 2     |
        | I give up. |         |       |
      When the loop is asked "Well?"
      Then the loop ends with "repeated_calls"
      And the loop's tools did nothing

    Scenario: Calls that were cut again and again are a repetition too
      Given a loop with the tools "echo"
      And the loop's settings {"max_repeated_calls": 2, "tool_max_rounds": 20}
      And the provider will answer the loop
        | says       | calls | finish | times |
        |            | echo  | length | 2     |
        | I give up. |       |        |       |
      When the loop is asked "Well?"
      Then the loop ends with "repeated_calls"
      And the loop's tools did nothing

    Scenario: The token budget is used up
      Given a loop with the tools "big"
      And the loop's settings {"token_budget": 10000}
      And the provider asks the loop for big {"size": 4000} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "token_budget"
      And the loop answers "What I have."
      And the loop's stop detail says "the agent's token_budget"
      And the loop's result has
        | field             | value     |
        | budget_exhausted  | true      |
        | budget_refusal    | exhausted |
        | synthesis_was_run | true      |

    Scenario: The cost budget is used up
      Given a loop with the tools "big"
      And the loop's model is priced
      And the loop's limits {"max_cost": "0.01"}
      And the provider asks the loop for big {"size": 4000} until it must say "What I have."
      When the loop is asked "Well?"
      Then the loop ends with "cost_budget"
      And the loop answers "What I have."
      And the loop cost at most 0.01

  Rule: The clock or the host ends it

    Scenario: Time is up in a model call
      Given a loop with the tools "echo"
      And the loop's run has the options {"timeout": 0.2}
      And the provider will answer the loop
        | says | stands |
        | Late | here   |
      When the loop is asked "Well?"
      Then the loop ends with "timeout"
      And the loop answers in a sentence with "time was up"
      And the loop's rows are
        | state      | outcome | error_type   |
        | unmeasured | error   | TimeoutError |

    Scenario: Time is up in a tool
      Given a loop with the tools "hangs, echo"
      And the loop's limits {"timeout": 0.3}
      And the provider will answer the loop
        | calls        |
        | hangs & echo |
      When the loop is asked "Well?"
      Then the loop ends with "timeout"
      And the loop's new messages are
        | who   | says                               |
        | human | Well?                              |
        | asks  | hangs & echo                       |
        | error | not finished: the run's time is up |
        | tool  | echo                               |
        | ai    | The run's time was up…             |

    Scenario: Aborted before it starts
      Given a loop with the tools "echo"
      When the loop is asked "Well?", and aborted before it starts
      Then the loop ends with "aborted"
      And the loop has no rows
      And the loop's stop detail says "never mind"

    Scenario: Aborted in a blocking call
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says | stands |
        | Late | here   |
      When the loop is asked "Well?", and aborted in a model call
      Then the loop ends with "aborted"
      And the loop's rows are
        | state      | outcome | error_type |
        | unmeasured | error   | Aborted    |
      And the loop's result has
        | field | value |
        | exact | false |

    Scenario: Aborted while text streams
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says                  | stands |
        | Once upon a time, far | 3      |
      When the loop is asked "Well?", and aborted mid-stream
      Then the loop ends with "aborted"
      And the loop answers "Once upon a "
      And the loop's text is "Once upon a "

    Scenario: Aborted in a tool
      Given a loop with the tools "waits"
      And the provider will answer the loop
        | says         | calls |
        | Let me look. | waits |
      When the loop is asked "Well?", and aborted in a tool
      Then the loop ends with "aborted"
      And the loop answers "Let me look."
      And the loop's new messages are
        | who   | says                           |
        | human | Well?                          |
        | asks  | Let me look. & waits           |
        | error | aborted before it had answered |
        | ai    | Let me look.                   |

    Scenario: Aborted by one of three tools, of which one had answered
      Given a loop with the tools "echo, waits, aborts"
      And the provider will answer the loop
        | calls                 |
        | echo & waits & aborts |
      When the loop is asked "Well?"
      Then the loop ends with "aborted"
      And the loop's stop detail says "the tool said so"
      And the loop's tools did
        | what                |
        | echo echo           |
        | aborts              |
        | waits was cancelled |
      And the loop's new messages are
        | who   | says                           |
        | human | Well?                          |
        | asks  | echo & waits & aborts          |
        | tool  | echo                           |
        | error | aborted before it had answered |
        | tool  | aborted it                     |
        | ai    | The run was aborted…           |

    Scenario: Cancelled in a blocking call
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | calls | stands |
        | echo  |        |
        |       | here   |
      When the loop is asked "Well?", and cancelled in a model call
      Then the loop is cancelled
      And the loop's rows are
        | state      | outcome |
        | settled    | tools   |
        | unmeasured | error   |

    Scenario: Cancelled in one of three tools, of which one had answered
      Given a loop with the tools "echo, waits, hangs"
      And the provider will answer the loop
        | calls                |
        | echo & waits & hangs |
      When the loop is asked "Well?", and cancelled in a tool
      Then the loop is cancelled
      And the loop's new messages are
        | who   | says                 |
        | human | Well?                |
        | asks  | echo & waits & hangs |
        | tool  | echo                 |
        | error | interrupted: …       |
        | error | interrupted: …       |

    Scenario: The provider fails for good
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | calls | fault | tokens |
        | echo  |       | 100, 9 |
        |       | 400   |        |
      When the loop is asked "Well?"
      Then the loop fails with OpenAIInvalidRequestError "400"
      And the loop's rows are
        | state    | outcome | tokens |
        | settled  | tools   | 100, 9 |
        | rejected | error   | 0, 0   |

  Rule: There is always an answer in words

    Scenario Outline: The wrap-up <trouble>, and nothing was ever said
      Given a loop with the tools "echo"
      And the loop's settings {"tool_max_rounds": 1, "retry": {"attempts": 1}}
      And the provider will answer the loop
        | calls | times | fault   |
        | echo  | 2     |         |
        |       |       | <fault> |
      When the loop is asked "Well?"
      Then the loop ends with "max_rounds"
      And the loop answers in a sentence with "stopped before it was finished: the limit of tool rounds is reached"

      Examples:
        | trouble     | fault |
        | says nothing |      |
        | is refused  | 400   |
        | breaks      | drop  |

    Scenario: What was said last is better than a sentence of ours
      Given a loop with the tools "echo"
      And the loop's settings {"tool_max_rounds": 1, "retry": {"attempts": 1}}
      And the provider will answer the loop
        | says         | calls | fault |
        | Let me look. | echo  |       |
        |              | echo  |       |
        |              |       | 500   |
      When the loop is asked "Well?"
      Then the loop ends with "max_rounds"
      And the loop answers "Let me look."
      And the loop's result carries the error OpenAIAPIError "500"
      And the loop's result has
        | field             | value |
        | synthesis_was_run | true  |

    Scenario: The clock strikes in the wrap-up
      Given a loop with the tools "echo"
      And the loop's settings {"tool_max_rounds": 1}
      And the loop's run has the options {"timeout": 0.4}
      And the provider will answer the loop
        | says  | calls | stands | times |
        |       | echo  |        | 2     |
        | Late. |       | here   |       |
      When the loop is asked "Well?"
      Then the loop ends with "timeout"
      And the loop answers in a sentence with "time was up"

    Scenario Outline: In a text stream the wrap-up <does>
      Given a loop with the tools "echo"
      And the loop's settings {"tool_max_rounds": 1, "retry": {"attempts": 1}}
      And the provider will answer the loop
        | says   | calls | times | fault   |
        | Hm.    | echo  | 2     |         |
        | <says> |       |       | <fault> |
      When the loop is asked "Well?" as a stream of tokens
      Then the loop ends with "max_rounds"
      And the loop answers "<answer>"
      And the loop's text is <text>

      Examples:
        | does               | says              | fault        | answer            | text                              |
        | comes as it is made | What I have.      |              | What I have.      | "Hm.\n\nHm.\n\nWhat I have."      |
        | breaks off         | What I have, that | drop after 2 | What I h          | "Hm.\n\nHm.\n\nWhat I h"          |
