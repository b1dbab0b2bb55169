Feature: Attempts

  A model call may take several attempts. Each has a row of its own, which says what the provider may have billed; the
  provider's wishes are heeded; and nothing is sent again that was probably paid, or that somebody has read already.

  Rule: What is tried again

    Scenario Outline: <status> is tried again
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01, "maximum": 0.01}}
      And the provider will answer the loop
        | says | fault    |
        |      | <status> |
        | Yes. |          |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And the loop's rows are
        | attempt | state   | outcome |
        | 1       | <state> | error   |
        | 2       | settled | answer  |
      And the loop's result has
        | field            | value       |
        | unmeasured_calls | <unmeasured> |

      Examples: certainly not billed
        | status | state    | unmeasured |
        | 409    | rejected | 0          |
        | 425    | rejected | 0          |
        | 429    | rejected | 0          |
        | 500    | rejected | 0          |
        | 503    | rejected | 0          |
        | 529    | rejected | 0          |

      Examples: perhaps billed
        | status | state      | unmeasured |
        | 408    | unmeasured | 1          |
        | 502    | unmeasured | 1          |
        | 504    | unmeasured | 1          |
        | drop   | unmeasured | 1          |

    Scenario Outline: <status> is not
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01}}
      And the provider will answer the loop
        | fault    |
        | <status> |
      When the loop is asked "Well?"
      Then the loop failed
      And the loop's rows are
        | attempt | state    | outcome | tokens |
        | 1       | rejected | error   | 0, 0   |

      Examples:
        | status |
        | 400    |
        | 401    |
        | 403    |
        | 404    |
        | 413    |
        | 422    |

    Scenario: A refused connection, of which nothing was billed
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01}}
      And nobody listens at the loop's provider
      When the loop is asked "Well?"
      Then the loop failed
      And the loop's rows are
        | attempt | state  | outcome |
        | 1       | unsent | error   |
        | 2       | unsent | error   |
        | 3       | unsent | error   |
      And the loop's result has
        | field | value |
        | exact | true  |

    Scenario Outline: Attempts count the first: <attempts>
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": <attempts>, "initial": 0.01}}
      And the provider will answer the loop
        | fault | times      |
        | 500   | <attempts> |
      When the loop is asked "Well?"
      Then the loop failed
      And the loop made <attempts> requests

      Examples:
        | attempts |
        | 1        |
        | 2        |
        | 4        |

    Scenario: All attempts are one model call
      Given a loop with the tools "echo"
      And the loop's settings {"retry": {"attempts": 4, "initial": 0.01}}
      And the loop's limits {"max_model_calls": 3}
      And the provider will answer the loop
        | says | calls | fault |
        |      |       | 500   |
        |      |       | 500   |
        |      | echo  |       |
        |      |       | 500   |
        | Yes. |       |       |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And the loop's rows are
        | round | attempt | state    |
        | 1     | 1       | rejected |
        | 1     | 2       | rejected |
        | 1     | 3       | settled  |
        | 2     | 1       | rejected |
        | 2     | 2       | settled  |

  Rule: How long is waited

    Scenario: As many seconds as the provider asks for, which may be more than our own maximum
      Given a loop without tools
      And the loop's settings {"retry": {"initial": 0.01, "maximum": 0.01, "deadline": 5}}
      And the provider will answer the loop
        | says | fault         |
        |      | 429 after 0.3 |
        | Yes. |               |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And between the loop's requests 1 and 2 lie 0.3 to 3 seconds

    Scenario: Until the date that the provider gives
      Given a loop without tools
      And the loop's settings {"retry": {"initial": 0.01, "maximum": 0.01, "deadline": 5}}
      And the provider will answer the loop
        | says | fault            |
        |      | 503 after a date |
        | Yes. |                  |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And between the loop's requests 1 and 2 lie 0.5 to 4 seconds

    Scenario Outline: By its own rules, where what the provider says is <what>
      Given a loop without tools
      And the loop's settings {"retry": {"initial": 0.01, "maximum": 0.01, "deadline": 5}}
      And the provider will answer the loop
        | says | fault              |
        |      | 503 with <header>  |
        | Yes. |                    |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And between the loop's requests 1 and 2 lie 0 to 3 seconds

      Examples:
        | what                          | header                          |
        | no time                       | soon                            |
        | no finite time                | inf                             |
        | a date that has passed        | Tue, 01 Dec 2020 02:00:00 GMT   |
        | such a date without a zone    | Tue, 01 Dec 2020 02:00:00 -0000 |

    Scenario: Endpoints that need not be left alone any more are not remembered
      Then of 1000 endpoints that had to be left alone one after the other at most 2 are remembered

    Scenario: Not at all, where the deadline does not allow it
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "deadline": 5}}
      And the provider will answer the loop
        | fault        |
        | 429 after 30 |
      When the loop is asked "Well?"
      Then the loop failed
      And the loop made 1 requests

    Scenario: The host aborts the wait
      Given a loop without tools
      And the provider will answer the loop
        | fault        |
        | 429 after 20 |
      When the loop is asked "Well?", and aborted in a wait
      Then the loop ends with "aborted"
      And the loop's rows are
        | state    |
        | rejected |

    Scenario: The run's clock ends the wait
      Given a loop without tools
      And the loop's run has the options {"timeout": 0.3}
      And the provider will answer the loop
        | fault        |
        | 429 after 20 |
      When the loop is asked "Well?"
      Then the loop ends with "timeout"

    Scenario: After a 429 all runs wait together
      Given a loop without tools
      And the loop's settings {"retry": {"initial": 0.01, "maximum": 0.01}}
      And the provider will answer the loop
        | says | fault         | times |
        |      | 429 after 0.4 |       |
        | Yes. |               | 2     |
      When a second run of the loop begins after the first one's 429
      Then between the loop's requests 1 and 2 lie 0.35 to 3 seconds
      And the loop made 3 requests

    Scenario: No run waits for longer than its own deadline because of another's 429
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "deadline": 1}}
      And the provider will answer the loop
        | says | fault        |
        |      | 429 after 60 |
        | Yes. |              |
      When the loop is asked "Well?"
      Then the loop failed
      When the loop is asked "And now?"
      Then the loop answers "Yes."

  Rule: What was probably paid is not sent again

    Scenario Outline: A blocking call that runs into model_timeout, with <rule>
      Given a loop without tools
      And the loop's settings {"model_timeout": 0.2, "retry": <rule>}
      And the provider will answer the loop
        | says | stands |
        | Late | here   |
        | Late | here   |
      When the loop is asked "Well?"
      Then the loop fails with TimeoutError "model openai/scripted-model did not answer within 0.2 s (model_timeout)"
      And the loop's rows have the states "<states>"

      Examples:
        | rule                                                     | states                 |
        | {"attempts": 2, "initial": 0.01}                         | unmeasured             |
        | {"attempts": 2, "initial": 0.01, "after_timeout": true}  | unmeasured, unmeasured |

    Scenario: A stream that falls silent
      Given a loop without tools
      And the loop's settings {"stream_idle_timeout": 0.2, "retry": {"attempts": 2, "initial": 0.01}}
      And the provider will answer the loop
        | says                  | stands |
        | Once upon a time, far | 2      |
      When the loop is asked "Well?" as a stream of tokens
      Then the loop fails with TimeoutError "sent nothing more for 0.2 s (stream_idle_timeout)"
      And the loop's text is "Once upo"
      And the loop's rows have the states "unmeasured"
      And the loop's estimate is 1 to 60 prompt and 2 to 4 completion tokens

    Scenario: Text that somebody has read is not written a second time
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01}}
      And the provider will answer the loop
        | says                  | fault        |
        | Once upon a time, far | drop after 2 |
      When the loop is asked "Well?" as a stream of tokens
      Then the loop failed
      And the loop's text is "Once upo"
      And the loop's rows have the states "unmeasured"

    Scenario: A stream that breaks before its first text is tried again
      Given a loop without tools
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01}}
      And the provider will answer the loop
        | says                  | fault        |
        | Once upon a time, far | drop after 0 |
        | Once upon a time, far |              |
      When the loop is asked "Well?" as a stream of tokens
      Then the loop answers "Once upon a time, far"
      And the loop's text is "Once upon a time, far"
      And the loop's rows have the states "unmeasured, settled"

    Scenario: A stream that nobody reads yet is tried again at any place
      Given a loop with the tools "echo"
      And the loop's settings {"retry": {"attempts": 3, "initial": 0.01}}
      And the provider will answer the loop
        | says | calls              | fault        |
        |      | echo {"text": "a"} | drop after 2 |
        |      | echo {"text": "a"} |              |
        | Yes. |                    |              |
      When the loop is asked "Well?" as a stream of tokens
      Then the loop answers "Yes."
      And the loop's tools did
        | what   |
        | echo a |
      And the loop's rows have the states "unmeasured, settled, settled"

  Rule: Each attempt asks the budget anew

    Scenario: What was perhaps billed is charged, and the next attempt finds no room
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 2000}, "retry": {"attempts": 3, "initial": 0.01}}
      And the loop has a budget of 2100 tokens
      And the provider will answer the loop
        | fault |
        | 502   |
      When the loop is asked "Well?"
      Then the loop fails with OpenAIAPIError "502"
      And the loop made 1 requests
      And the loop's budget has spent all that was reserved

    Scenario: What was perhaps billed is charged, and the next attempt gets what is left
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 2000}, "retry": {"attempts": 3, "initial": 0.01}}
      And the loop has a budget of 3000 tokens
      And the provider will answer the loop
        | says | fault |
        |      | 502   |
        | Yes. |       |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And the caps of the loop's requests fall from 2000 to 500 and more

    Scenario: What was certainly not billed leaves its room to the next attempt
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 2000}, "retry": {"attempts": 3, "initial": 0.01}}
      And the loop has a budget of 2100 tokens
      And the provider will answer the loop
        | says | fault |
        |      | 500   |
        | Yes. |       |
      When the loop is asked "Well?"
      Then the loop answers "Yes."
      And the loop's requests have
        | cap  |
        | 2000 |
        | 2000 |
