Feature: Streams that are left
  A client goes away in every way there is. The provider's connection is closed, the rows are settled, the
  reservations are given back, the bill is delivered once, and nothing stays behind.

  Background:
    Given bills go into a real database
    And a shared budget of 100000 tokens

  Rule: Whatever way a stream is left, all is settled

    Scenario Outline: A stream of tokens without tools is <left>
      Given the actor's provider will answer
        | text                        | prompt | completion | chunks | held |
        | It rains today, as always.  | 31     | 7          | 5      | 3    |
      When the stream is <left> after 2 texts
      Then the bill's stop_reason is <stop>
      And its rows are
        | state      | estimated |
        | unmeasured | True      |
      And the bill has 0 prompt and 0 completion tokens
      And the bill holds what was streamed
      And nothing is left of the run

      Examples:
        | left                         | stop        |
        | dropped                      | "cancelled" |
        | broken out of                | "cancelled" |
        | closed                       | "cancelled" |
        | left by an error             | "cancelled" |
        | closed by another task       | "aborted"   |
        | cancelled                    | "cancelled" |
        | aborted from a thread        | "aborted"   |
        | dropped in a task that fails | "cancelled" |
        | dropped from another thread  | "cancelled" |

    Scenario Outline: A stream of tokens with tools is <left>
      Given the actor has the tools "get_weather"
      And the runs' options {"streaming": "tokens"}
      And the actor's provider will answer
        | text                       | calls       | prompt | completion | chunks | held |
        |                            | get_weather | 120    | 18         |        |      |
        | It rains today, as always. |             | 170    | 12         | 5      | 3    |
      When the stream is <left> after 2 texts
      Then the bill's stop_reason is <stop>
      And its rows are
        | state      | outcome |
        | settled    | tools   |
        | unmeasured | error   |
      And the bill has 120 prompt and 18 completion tokens
      And the bill holds what was streamed
      And nothing is left of the run

      Examples:
        | left                         | stop        |
        | dropped                      | "cancelled" |
        | broken out of                | "cancelled" |
        | closed                       | "cancelled" |
        | left by an error             | "cancelled" |
        | closed by another task       | "aborted"   |
        | cancelled                    | "cancelled" |
        | aborted from a thread        | "aborted"   |
        | dropped in a task that fails | "cancelled" |
        | dropped from another thread  | "cancelled" |

    Scenario Outline: An answer stream is <left> while it waits for its answer
      Given the actor has the tools "get_weather"
      And the actor's provider will answer
        | text  | calls       | prompt | completion | held   |
        |       | get_weather | 120    | 18         |        |
        | Rain. |             | 170    | 12         | before |
      When the stream is <left> after 0 texts
      Then the bill's stop_reason is <stop>
      And its rows are
        | state      | outcome |
        | settled    | tools   |
        | unmeasured | error   |
      And the bill has 120 prompt and 18 completion tokens
      And nothing is left of the run

      Examples:
        | left                   | stop        |
        | closed by another task | "aborted"   |
        | cancelled              | "cancelled" |
        | aborted from a thread  | "aborted"   |

    Scenario Outline: The stream of a custom agent is <left> in its model call
      Given a custom agent that yields a text, asks its model, and yields what it said
      And the actor's provider will answer
        | text  | prompt | completion | held   |
        | Rain. | 31     | 7          | before |
      When the stream is <left> after 1 texts
      Then the bill's stop_reason is <stop>
      And its rows are
        | state      |
        | unmeasured |
      And the custom agent's stream was closed
      And the bill holds what was streamed
      And nothing is left of the run

      Examples:
        | left                   | stop        |
        | closed by another task | "aborted"   |
        | cancelled              | "cancelled" |
        | aborted from a thread  | "aborted"   |

    Scenario Outline: The stream of a custom agent is <left> between two texts
      Given a custom agent that yields a text, asks its model, and yields what it said
      When the stream is <left> before its next step
      Then the bill's stop_reason is "cancelled"
      And its rows are
        | state |
      And the custom agent's stream was closed
      And the bill holds what was streamed
      And nothing is left of the run

      Examples:
        | left                        |
        | dropped                     |
        | broken out of               |
        | closed                      |
        | left by an error            |
        | dropped from another thread |

  Rule: What has ended, or never began, is not left

    Scenario Outline: A stream that is <unused> is no run
      When a stream is <unused>
      Then it was no run

      Examples:
        | unused                     |
        | never read                 |
        | closed before it was read  |
        | entered and never read     |
        | aborted and never read     |

    Scenario: An answer stream that is left at its one chunk has its whole bill
      Given the actor has the tools "get_weather"
      And the actor's provider will answer
        | text  | calls       | prompt | completion |
        |       | get_weather | 120    | 18         |
        | Rain. |             | 170    | 12         |
      When the stream is broken out of at its chunk
      Then the bill's stop_reason is "completed"
      And the bill has 290 prompt and 30 completion tokens
      And nothing is left of the run

    Scenario: A stream that was aborted before it began calls nobody
      When a stream is aborted, and then read
      Then the bill's stop_reason is "aborted"
      And 0 requests have arrived
      And its rows are
        | state |
      And on_result came once

    Scenario: A stream is read once
      Given the actor's provider will answer
        | text  | prompt | completion | chunks |
        | Rain. | 31     | 7          | 2      |
      When a stream is read, and read again
      Then the second reading gave nothing
      And 1 requests have arrived
      And on_result came once

    Scenario: Two tasks cannot read one stream at a time, and the first one goes on
      Given the actor's provider will answer
        | text            | prompt | completion | chunks | held |
        | It rains today. | 31     | 7          | 4      | 2    |
      When a second task reads a stream that the first one waits for
      Then the second one is told that another task reads it
      And the answer is "It rains today.", after 0 rounds and 0 tool calls
      And the bill has 31 prompt and 7 completion tokens

  Rule: Leaving never hides what was paid

    Scenario: The connection is cut right after the usage was told
      Given the actor's provider will answer
        | text  | prompt | completion | chunks | held  |
        | Rain. | 31     | 7          | 1      | usage |
      When the stream is closed when its usage has been told
      Then the bill has 31 prompt and 7 completion tokens
      And its rows are
        | state   |
        | settled |
