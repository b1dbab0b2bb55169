Feature: The host's sinks
  `on_usage` hears of every row, `on_result` of every bill. A sink that is slow, hangs or raises never loses a run, and
  is never lost itself: what it did not take stands in the result or in the log.

  Background:
    Given the actor has the tools "get_weather"
    And the actor's provider will answer
      | text         | calls       | prompt | completion | held |
      |              | get_weather | 120    | 18         |      |
      | Take a coat. |             | 170    | 12         |      |

  Rule: on_result is called once, or until it takes the bill

    Scenario Outline: A sink of any kind takes the bill once: <kind>
      Given on_result is <kind>
      When the actor is asked, and its ways to the bill are looked at
      Then every way to the bill shows it
      And the answer is "Take a coat.", after 1 rounds and 1 tool calls

      Examples:
        | kind                       |
        | a function                 |
        | a coroutine function       |
        | an object with a coroutine |
        | a partial of a coroutine   |

    Scenario Outline: A sink that fails <times> times
      Given the log is kept
      And on_result raises <times> times
      When the actor is asked, and its ways to the bill are looked at
      Then on_result was called <calls> times
      And the answer is "Take a coat.", after 1 rounds and 1 tool calls
      And the log has <lines> lines at ERROR

      Examples:
        | times | calls | lines |
        | 1     | 2     | 0     |
        | 2     | 3     | 0     |
        | 3     | 3     | 1     |

    Scenario: A bill that nobody took is one JSON line in the log
      Given the log is kept
      And on_result raises 3 times
      And the runs' options {"tenant": "t1", "session_id": "s1", "run_id": "r1", "metadata": {"plan": "pro"}}
      When the actor is asked
      Then the log's line carries
        | key               | value           |
        | run_id            | "r1"            |
        | session_id        | "s1"            |
        | tenant            | "t1"            |
        | metadata          | {"plan": "pro"} |
        | prompt_tokens     | 290             |
        | completion_tokens | 30              |
        | unmeasured_calls  | 0               |
        | unpriced_calls    | 2               |
        | cost              | null            |
        | stop_reason       | "completed"     |
      And the log's line is labelled run_id "r1" and tenant "t1"
      And nothing that was said is in the log

    Scenario: A sink that hangs is cut off, not called again, and the bill goes to the log
      Given the log is kept
      And the executor's options {"sink_timeout": 0.05}
      And on_result hangs
      When the actor is asked, and its ways to the bill are looked at
      Then on_result was called 1 times
      And the log has 1 lines at ERROR
      And the answer is "Take a coat.", after 1 rounds and 1 tool calls

    Scenario: A sink that is cancelled by itself is one that fails
      Given the log is kept
      And on_result raises CancelledError
      When the actor is asked, and its ways to the bill are looked at
      Then the answer is "Take a coat.", after 1 rounds and 1 tool calls
      And the log has 1 lines at ERROR

    Scenario: A run that ends at a sink's failure still raises its own error
      Given on_result raises 3 times
      And the actor has the tools "fatal"
      And the actor's provider now asks for "fatal" alone
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with FatalToolError
      And the bill's stop_reason is "error"

  Rule: on_usage never stops a run, unless it is required

    Scenario Outline: An on_usage that <fails>
      Given the log is kept
      And the executor's options {"sink_timeout": 0.05}
      And on_usage <fails>
      When the actor is asked
      Then the answer is "Take a coat.", after 1 rounds and 1 tool calls
      And all rows stand in the bill's undelivered
      And the log has 1 lines at ERROR

      Examples:
        | fails                 |
        | raises                |
        | hangs                 |
        | raises CancelledError |

    Scenario: A required sink that fails refuses the request
      Given a required on_usage that raises on open rows
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with Odd
      And 0 requests have arrived
      And its rows are
        | state  | prompt_tokens | outcome |
        | unsent | 0             | error   |
      And every way to the bill shows it

    Scenario: A required sink that fails later refuses nothing
      Given a required on_usage that raises on settled rows
      When the actor is asked
      Then the answer is "Take a coat.", after 1 rounds and 1 tool calls
      And all rows stand in the bill's undelivered

    Scenario: What a sink raises while the run is cancelled is not lost
      Given an on_usage that raises after the run was cancelled
      When the run is cancelled while its row is delivered
      Then the run fails with CancelledError
      And all rows stand in the bill's undelivered
      And its rows are
        | state  |
        | unsent |
      And 0 requests have arrived

    Scenario: A required sink may be a part of another one
      Given a required on_usage that hands on to another required one
      When the actor is asked
      Then the answer is "Take a coat.", after 1 rounds and 1 tool calls
      And on_usage saw each row open before its request arrived, and settled before the next began

    Scenario: A sink that hangs at many rows holds the end up for a bounded time
      Given the log is kept
      And the executor's options {"sink_timeout": 0.05}
      And a tool that reports its spend 100 times, and then ends the run
      And on_usage hangs
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with FatalToolError
      And all rows stand in the bill's undelivered
      And on_usage was called for less than 10 of 101 rows

    Scenario: A sink that does not even let itself be cancelled is waited for no longer
      Given the log is kept
      And the executor's options {"sink_timeout": 0.05}
      And on_result holds on, whoever cancels it
      When the actor is asked, and its ways to the bill are looked at
      Then the answer is "Take a coat.", after 1 rounds and 1 tool calls

  Rule: Rows come in order, and none is forgotten

    Scenario: A run that is cancelled while a tool's row is delivered delivers the rest too
      Given an on_usage that is slow with a tool's rows
      And the actor has a tool that reports 40 prompt and 2 completion tokens
      And the actor's provider now asks for "spend" first
      When the run is cancelled while its row is delivered
      Then the run fails with CancelledError
      And on_usage saw in this order
        | purpose | state   | arrived |
        | turn    | open    | 0       |
        | turn    | settled | 1       |
        | tool    | settled | 1       |
        | turn    | open    | 1       |
        | turn    | unsent  | 1       |
      And no row of the bill is undelivered

    Scenario: What a tool spent by itself is delivered before the next request
      Given the actor has a tool that reports 40 prompt and 2 completion tokens
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then on_usage saw in this order
        | purpose | state   | arrived |
        | turn    | open    | 0       |
        | turn    | settled | 1       |
        | tool    | settled | 1       |
        | turn    | open    | 1       |
        | turn    | settled | 2       |
      And the bill has 210 prompt and 17 completion tokens
