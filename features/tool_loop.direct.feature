Feature: The loop by itself

  `LLMAgent._execute_tool_loop` is where `process_message` and `stream_message` meet. It is tried here without either,
  with a chat model that plays a script.

  Rule: What it returns

    Scenario: A single round
      Given a lone agent with the tools "echo"
      And its model will answer
        | says | calls | tokens  |
        |      | echo  | 100, 10 |
        | Yes. |       | 120, 2  |
      When its loop is run on "Go"
      Then its loop returned
        | field                  | value       |
        | text                   | "Yes."      |
        | accumulated_prompt     | 220         |
        | accumulated_completion | 12          |
        | budget_exhausted       | false       |
        | synthesis_was_run      | false       |
        | rounds                 | 1           |
        | stop_reason            | "completed" |
      And the last message of its list is the final response

    Scenario: Several rounds
      Given a lone agent with the tools "echo"
      And its model will answer
        | says | calls                   | tokens | times |
        |      | echo & echo {"text": 1} | 10, 1  | 3     |
        | Yes. |                         | 10, 1  |       |
      When its loop is run on "Go"
      Then its loop returned
        | field                  | value       |
        | accumulated_prompt     | 40          |
        | accumulated_completion | 4           |
        | rounds                 | 3           |
        | stop_reason            | "completed" |

    Scenario: Rounds are exhausted
      Given a lone agent with the tools "echo"
      And its settings {"tool_max_rounds": 1}
      And its model will answer
        | says  | calls | tokens | times |
        |       | echo  | 10, 1  | 2     |
        | So so |       | 10, 2  |       |
      When its loop is run on "Go"
      Then its loop returned
        | field              | value        |
        | text               | "So so"      |
        | accumulated_prompt | 30           |
        | synthesis_was_run  | true         |
        | rounds             | 1            |
        | stop_reason        | "max_rounds" |

    Scenario: The budget is exhausted
      Given a lone agent with the tools "big"
      And its settings {"token_budget": 4000}
      And its model will answer
        | says  | calls               |
        |       | big {"size": 40000} |
        | So so |                     |
      When its loop is run on "Go"
      Then its loop returned
        | field             | value          |
        | text              | "So so"        |
        | budget_exhausted  | true           |
        | synthesis_was_run | true           |
        | stop_reason       | "token_budget" |

    Scenario: Tools only
      Given a lone agent with the tools "echo"
      And its model will answer
        | says | calls |
        |      | echo  |
        |      |       |
        | Then |       |
      When its loop is run on "Go"
      Then its loop returned
        | field             | value       |
        | text              | "Then"      |
        | synthesis_was_run | true        |
        | stop_reason       | "tool_only" |

    Scenario: A pruning pass is counted
      Given a lone agent with the tools "big"
      And its settings {"pruning": {"trigger_tokens": 100}}
      And its model will answer
        | says     | calls              | tokens  |
        |          | big {"size": 2000} | 50, 1   |
        |          | big {"size": 2000} | 500, 1  |
        | Letters. |                    | 700, 4  |
        | Yes.     |                    | 600, 1  |
      When its loop is run on "Go"
      Then its loop returned
        | field                  | value  |
        | accumulated_prompt     | 1850   |
        | accumulated_completion | 7      |
        | rounds                 | 2      |

    Scenario: A tool's error is captured, and the loop goes on
      Given a lone agent with the tools "fails"
      And its model will answer
        | says    | calls |
        |         | fails |
        | Oh dear |       |
      When its loop is run on "Go"
      Then its loop returned
        | field       | value       |
        | text        | "Oh dear"   |
        | stop_reason | "completed" |

  Rule: What it raises

    Scenario: Partial counts on a failure
      Given a lone agent with the tools "echo"
      And its settings {"retry": {"attempts": 1}}
      And its model will answer
        | calls | tokens  | fault     |
        | echo  | 100, 10 |           |
        | echo  | 120, 10 |           |
        |       |         | broken in |
      When its loop is run on "Go"
      Then its loop raised RuntimeError "broken in", with
        | field                  | value |
        | accumulated_prompt     | 220   |
        | accumulated_completion | 20    |
        | any_invocation_made    | true  |
      And its list has 5 messages

    Scenario: A fatal tool
      Given a lone agent with the tools "fatal"
      And its model will answer
        | calls | tokens  |
        | fatal | 100, 10 |
      When its loop is run on "Go"
      Then its loop raised FatalToolError "the database is gone", with
        | field               | value |
        | accumulated_prompt  | 100   |
        | any_invocation_made | true  |

    Scenario: A failure before any call
      Given a lone agent with the tools "echo"
      And its model can't call tools
      When its loop is run on "Go"
      Then its loop raised ConfigurationError "can't call tools", with
        | field                  | value |
        | accumulated_prompt     | 0     |
        | accumulated_completion | 0     |
        | any_invocation_made    | false |

    Scenario: A cancellation passes as it is
      Given a lone agent with the tools "waits"
      And its model will answer
        | calls | tokens  |
        | waits | 100, 10 |
      When its loop is run on "Go", and cancelled in its tool
      Then its loop was cancelled, with 100 and 10 tokens told
      And its list has 3 messages

  Rule: Its callers

    Scenario: Both callers give the answer
      Given a lone agent with the tools "echo"
      And its model will answer
        | says   | calls | tokens |
        |        | echo  | 10, 1  |
        | First  |       | 20, 2  |
        |        | echo  | 30, 3  |
        | Second |       | 40, 4  |
      Then it answers "Go" with "First", and tells 30 and 3 tokens
      And it streams "Go" as "Second", and tells 70 and 7 tokens

    Scenario: Both callers raise the cause itself, with its traceback
      Given a lone agent with the tools "fatal"
      And its model will answer
        | calls | tokens | times |
        | fatal | 10, 1  | 2     |
      Then answering "Go" raises the tool's own error, and tells 10 and 1 tokens
      And streaming "Go" raises the tool's own error, and tells 10 and 1 tokens

  Rule: Its names

    Scenario: The tools as LangChain binds them, and the bare model
      Given a lone agent with the tools "echo, poll"
      And its model will answer
        | says |
        | Hm   |
      Then its tools are bound as "echo, poll", ready made
      And a call of its bare model is on no bill

    Scenario Outline: The pruning pass by itself, when the model <does>
      Given a lone agent with the tools "echo"
      And its settings {"retry": {"attempts": 1}}
      And its model will answer
        | says   | tokens   | fault   |
        | <says> | <tokens> | <fault> |
      Then its pruning pass gives <gives>, and <tokens> tokens are told

      Examples:
        | does         | says    | tokens | fault | gives     |
        | answers      | In brief | 50, 5 |       | "In brief" |
        | says nothing |         | 50, 0  |       | null      |
        | fails        |         | 0, 0   | no    | null      |

  Rule: Its seams

    Scenario: A model seam that answers by itself costs nothing
      Given a lone agent that knows the answer by itself
      When its loop is run on "Go"
      Then its loop returned
        | field              | value       |
        | text               | "I know."   |
        | accumulated_prompt | 0           |
        | stop_reason        | "completed" |
      And no model call of it is counted

    Scenario: The model seam is the loop's own
      Given a lone agent with the tools "echo"
      Then its model seam outside a loop is refused with "outside it use context.call_model(messages)"

    Scenario: What a model seam answers is not judged by the call before
      Given a lone agent that knows the answer after one call of its model
      And its model will answer
        | calls | finish |
        | echo  | length |
      When its loop is run on "Go"
      Then its loop returned
        | field       | value       |
        | text        | "I know."   |
        | stop_reason | "completed" |

    Scenario Outline: A tool seam that <does>
      Given a lone agent whose tool seam <does>
      And its model will answer
        | says | calls       |
        |      | echo & echo |
        | Yes. |             |
      When its loop is run on "Go"
      Then its tool results are <results>

      Examples:
        | does                  | results                                        |
        | answers another call  | ["seam", "seam"]                               |
        | answers a plain value | ["{\"a\": 1}", "{\"a\": 1}"]                   |
        | raises                | ["KeyError: 'lost'", "KeyError: 'lost'"]       |
        | cancels itself        | ["the tool was cancelled by itself", "the tool was cancelled by itself"] |

    Scenario: What is prepared is sent, and measured
      Given a lone agent that sends its last 2 messages
      And its settings {"token_budget": 12000}
      And its model will answer
        | says | calls              | times |
        |      | big {"size": 4000} | 2     |
        | Yes. |                    |       |
      When its loop is run on "Go"
      Then its model was sent 1, 2 and 2 messages
