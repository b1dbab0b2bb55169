Feature: A log of usage
  JsonlUsageLog is a ready on_usage: one line a row, appended, by any number of processes, through crashes and full disks,
  and never a word of what was said.

  Rule: What stands in it

    Scenario: Each row, open and as it ended; the last word counts
      Given rows go into a log
      And the actor has the tools "get_weather"
      And the actor's provider will answer
        | text  | calls       | prompt | completion | fault |
        |       | get_weather | 120    | 18         |       |
        |       |             |        |            | 500   |
        | Rain. |             | 170    | 12         |       |
      When the actor is asked
      Then the log has 6 lines, and reads as the bill's rows

    Scenario: Never content, never keys
      Given rows go into a log
      And the actor has the tools "get_weather"
      And the actor's provider will answer
        | text            | calls       | prompt | completion |
        | Let me see.     | get_weather | 120    | 18         |
        | Take a sou'wester. |          | 170    | 12         |
      When the actor is asked with the options {"tenant": "t1", "metadata": {"shop": "7"}}
      Then the log says nothing of "Paris, wear, Let me see, sou'wester, sk-secret, rain in"
      And each of its rows has the tenant "t1" and the metadata {"shop": "7"}

    Scenario: It is the owner's alone
      Given rows go into a log
      Then the log's mode is 600

    Scenario Outline: The disk is waited for, where that is asked for: <fsync>
      Given rows go into a log with fsync <fsync>
      And the actor's provider will answer
        | text  | prompt | completion |
        | Rain. | 31     | 7          |
      When the actor is asked, and calls of fsync are counted
      Then there were <calls> of them

      Examples:
        | fsync | calls |
        | off   | 0     |
        | on    | 2     |

  Rule: What it survives

    Scenario Outline: A line that a crash has torn <where>
      Given a log of 3 rows whose last line is torn <where>
      When 2 more rows are appended by a new log
      Then it reads as <rows> rows

      Examples:
        | where             | rows |
        | in the middle     | 4    |
        | in a character    | 4    |
        | before its end    | 5    |

    Scenario: A disk that is full, and then is not
      Given a log of 3 rows
      When a row is written half, and 2 more whole
      Then the half one was an OSError
      And it reads as 5 rows

    Scenario: What is no row is passed over
      Given a log of 3 rows
      And these lines are in it
        | line                                                       |
        |                                                            |
        | []                                                         |
        | null                                                       |
        | {"id": "x"}                                                |
        | {"id": "x", "revision": "1", "state": "settled"}           |
        | {"id": "x", "revision": 1, "state": "settled"}             |
        | not JSON                                                   |
        | {"id": "x", "run_id": "r", "agent": "a", "provider": "p", "model": "m", "state": "settled", "revision": 1, "started_at": 1, "prompt_tokens": 1, "completion_tokens": 1} |
      Then it reads as 3 rows

    Scenario: A row of a later version, with fields that are not known here
      Given a log of 3 rows
      And the last row is there once more, with a revision of 9 and the field "colour"
      Then it reads as 3 rows

    Scenario: Several processes write at once
      When 4 processes write 300 rows each to one log
      Then it reads as 1200 rows, and every line is whole

    Scenario: A process dies in a call
      When a process is killed while its provider answers
      Then the sums have 1 open call of no tokens

    Scenario: A log that was closed
      Given rows go into a log that was closed
      And the actor's provider will answer
        | text  | prompt | completion |
        | Rain. | 31     | 7          |
      When the actor is asked
      Then all rows stand in the bill's undelivered

  Rule: Its sums

    Scenario: By tenant, model and day
      Given a log with the rows
        | tenant | model | day        | state      | prompt_tokens | completion_tokens | cost |
        | b      | m1    | 2026-01-31 | settled    | 100           | 10                | 0.5  |
        | a      | m1    | 2026-01-31 | settled    | 100           | 10                | 0.1  |
        | a      | m1    | 2026-01-31 | settled    | 200           | 20                | 0.2  |
        | a      | m1    | 2026-01-31 | unmeasured | 50            | 5                 | 0.05 |
        | a      | m1    | 2026-01-31 | rejected   | 0             | 0                 |      |
        | a      | m1    | 2026-01-31 | unsent     | 0             | 0                 |      |
        | a      | m1    | 2026-01-31 | open       | 0             | 0                 |      |
        | a      | m1    | 2026-02-01 | settled    | 1             | 1                 |      |
        | a      | m2    | 2026-01-31 | settled    | 7             | 3                 | 0    |
        |        | m1    | 2026-01-31 | settled    | 9             | 9                 | 1    |
      Then its sums are
        | tenant | model | day        | calls | prompt_tokens | completion_tokens | unmeasured_calls | estimated_prompt_tokens | open_calls | cost | estimated_cost | unpriced_calls |
        |        | m1    | 2026-01-31 | 1     | 9             | 9                 | 0                | 0                       | 0          | 1    | 0              | 0              |
        | a      | m1    | 2026-01-31 | 4     | 300           | 30                | 1                | 50                      | 1          | 0.3  | 0.05           | 0              |
        | a      | m1    | 2026-02-01 | 1     | 1             | 1                 | 0                | 0                       | 0          | 0    | 0              | 1              |
        | a      | m2    | 2026-01-31 | 1     | 7             | 3                 | 0                | 0                       | 0          | 0    | 0              | 0              |
        | b      | m1    | 2026-01-31 | 1     | 100           | 10                | 0                | 0                       | 0          | 0.5  | 0              | 0              |
