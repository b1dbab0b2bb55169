Feature: The bill when a run fails
  Whatever ends a run, the host learns what it has cost: on the exception, on the executor, in the context, and in
  its database, before it sees the exception.

  Background:
    Given bills go into a real database

  Rule: Errors leave unwrapped, and carry the bill

    Scenario Outline: A provider fails in the second round: <fault>
      Given the actor has the tools "get_weather"
      And the runs' options {"streaming": "<streaming>"}
      And the actor's provider will answer
        | calls       | prompt | completion | fault   |
        | get_weather | 120    | 18         |         |
        |             |        |            | <fault> |
        |             |        |            | <fault> |
        |             |        |            | <fault> |
      When the actor is <asked>, and its ways to the bill are looked at
      Then the run fails with <error>
      And the bill has 120 prompt and 18 completion tokens
      And the bill equals the provider's ledger
      And the bill's stop_reason is "error"
      And every way to the bill shows it
      And the database holds it
      And no _ToolLoopError is on the way to it
      And its first rows are
        | state   | attempt | outcome | error_type |
        | settled | 1       | tools   |            |
        | <state> | 1       | error   | <error>    |
      And <more> further attempts ended like the last row

      Examples: whole answers
        | fault   | streaming | asked              | error                   | state      | more |
        | 401     | answer    | asked              | OpenAIAuthenticationError | rejected   | 0    |
        | 400     | answer    | asked              | OpenAIInvalidRequestError | rejected   | 0    |
        | 500     | answer    | asked              | OpenAIAPIError            | rejected   | 2    |
        | html    | answer    | asked              | ModelOutputError         | unmeasured | 0    |
        | dropped | answer    | asked              | OpenAIConnectionError     | unmeasured | 2    |

      Examples: tokens
        | fault       | streaming | asked              | error                    | state      | more |
        | 401         | tokens    | asked as a stream  | OpenAIAuthenticationError | rejected   | 0    |
        | 500         | tokens    | asked as a stream  | OpenAIAPIError            | rejected   | 2    |
        | html        | tokens    | asked as a stream  | ModelOutputError         | unmeasured | 0    |
        | dropped     | tokens    | asked as a stream  | OpenAIConnectionError     | unmeasured | 2    |

    Scenario Outline: A tool ends the run with <error>
      Given the actor has the tools "get_weather, <tool>"
      And the runs' options {"streaming": "<streaming>"}
      And the actor's provider will answer
        | text          | calls               | prompt | completion |
        | I look it up. | get_weather, <tool> | 120    | 18         |
      When the actor is <asked>, and its ways to the bill are looked at
      Then the run fails with <error> "database"
      And the cause is <error>, and its traceback leads into "<tool>"
      And no _ToolLoopError is on the way to it
      And the bill has 120 prompt and 18 completion tokens
      And every way to the bill shows it
      And the database holds it
      And the history is valid, and the sibling has answered

      Examples:
        | tool          | error              | streaming | asked              |
        | fatal         | FatalToolError     | answer    | asked |
        | misconfigured | ConfigurationError | answer    | asked |
        | fatal         | FatalToolError     | answer    | asked as a stream |
        | misconfigured | ConfigurationError | tokens    | asked as a stream |
        | fatal         | FatalToolError     | tokens    | asked as a stream |

    Scenario Outline: An error of LangChain's or Python's own leaves as it is: <error>
      Given a model that answers a call and then raises <error>
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with <error> "boom"
      And the bill has 11 prompt and 3 completion tokens
      And every way to the bill shows it
      And no _ToolLoopError is on the way to it

      Examples:
        | error                |
        | OutputParserException |
        | RuntimeError         |
        | TimeoutError         |
        | KeyError             |
        | StopAsyncIteration   |

  Rule: A cancelled run has paid too

    Scenario Outline: Cancelled in the second call by <way>
      Given the actor has the tools "get_weather"
      And the actor's provider will answer
        | calls       | prompt | completion | held   |
        | get_weather | 120    | 18         |        |
        |             | 170    | 12         | before |
      When the run is cancelled in the call by <way>
      Then the run fails with <error>
      And the bill has 120 prompt and 18 completion tokens
      And the bill's stop_reason is "cancelled"
      And every way to the bill shows it
      And the database holds it
      And its rows are
        | state      | outcome | estimated |
        | settled    | tools   | False     |
        | unmeasured | error   | True      |
      And the provider's connections are closed

      Examples:
        | way                            | error          |
        | task.cancel()                  | CancelledError |
        | a cancelled scope              | CancelledError |
        | a failing task group           | CancelledError |
        | asyncio.timeout                | TimeoutError   |
        | anyio.fail_after               | CancelledError |
        | task.cancel() again and again  | CancelledError |

    Scenario Outline: A <kind> stream cancelled in its second call by <way>
      Given the actor has the tools "get_weather"
      And the runs' options {"streaming": "<kind>"}
      And the actor's provider will answer
        | text       | calls       | prompt | completion | held   |
        |            | get_weather | 120    | 18         |        |
        | Take that. |             | 170    | 12         | <held> |
      When the stream is cancelled in the call by <way>
      Then the run fails with <error>
      And the bill has 120 prompt and 18 completion tokens
      And the bill's stop_reason is "cancelled"
      And every way to the bill shows it
      And the database holds it
      And the provider's connections are closed

      Examples:
        | kind   | held   | way                           | error          |
        | answer | before | task.cancel()                 | CancelledError |
        | answer | before | a cancelled scope             | CancelledError |
        | answer | before | a failing task group          | CancelledError |
        | tokens | 2      | task.cancel()                 | CancelledError |
        | tokens | 2      | a cancelled scope             | CancelledError |
        | tokens | 2      | a failing task group          | CancelledError |
        | tokens | 2      | asyncio.timeout               | TimeoutError   |
        | tokens | 2      | anyio.fail_after              | CancelledError |
        | tokens | 2      | task.cancel() again and again | CancelledError |

    Scenario: Cancelled while a tool works
      Given a tool that waits until it is released
      And the actor's provider will answer
        | calls | prompt | completion |
        | wait  | 120    | 18         |
      When the run is cancelled while its tool works
      Then the run fails with CancelledError
      And the bill has 120 prompt and 18 completion tokens
      And every way to the bill shows it
      And the database holds it
      And the history is valid, and its calls are answered "interrupted"

  Rule: An outer run's bill replaces an inner one's

    Scenario: A tool asks another executor, whose run fails
      Given the actor has a tool that asks an actor whose provider refuses the key
      And the actor's provider will answer
        | calls    | prompt | completion |
        | ask_more | 120    | 18         |
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with FatalToolError "the other actor failed"
      And the bill has 120 prompt and 18 completion tokens
      And the error and its cause carry two bills
