Feature: What becomes of a run whose caller leaves
  A browser is closed, and the host decides for each run: stop at once, go on to the end, or go on for a while. Whatever
  it decides, the leaver's handle shows how things stood, and the bill comes when the run has ended.

  Background:
    Given bills go into a real database
    And a shared budget of 100000 tokens

  Rule: finish

    Scenario Outline: The run goes on without its <who>
      Given the runs' options {"on_disconnect": "finish", "streaming": "tokens"}
      And the actor's provider will answer
        | text                       | prompt | completion | chunks | held   |
        | It rains today, as always. | 31     | 7          | 5      | <held> |
      When the <who> leaves in the call
      Then the leaver's own handle shows "detached"
      And the run is listed as one without a caller
      And nothing was billed yet
      When the gate is opened, and the run is waited for
      Then the bill's stop_reason is "completed"
      And the bill has 31 prompt and 7 completion tokens
      And the database holds it, and nothing is listed

      Examples:
        | who     | held   |
        | asker   | before |
        | reader  | 3      |
        | watcher | 3      |
        | closer  | 3      |
        | spectator | 3    |

    Scenario: The run goes on without a stream that was dropped
      Given the runs' options {"on_disconnect": "finish", "streaming": "tokens"}
      And the actor's provider will answer
        | text                       | prompt | completion | chunks | held |
        | It rains today, as always. | 31     | 7          | 5      | 3    |
      When the dropper leaves in the call
      Then the run is listed as one without a caller
      When the gate is opened, and the run is waited for
      Then the bill has 31 prompt and 7 completion tokens
      And the database holds it, and nothing is listed

    Scenario: A run that fails when nobody is there any more is billed, and logs no error that nobody fetched
      Given the runs' options {"on_disconnect": "finish"}
      And the actor's provider will answer
        | held   | fault |
        | before | 400   |
      When the asker leaves in the call
      And the gate is opened, and the run is waited for
      Then the bill's stop_reason is "error"
      And the database holds it, and nothing is listed

    Scenario: Several may wait for it, one may give up, and its result is kept
      Given the runs' options {"on_disconnect": "finish"}
      And the actor's provider will answer
        | text      | prompt | completion | held   |
        | It rains. | 31     | 7          | before |
      When the asker leaves in the call
      Then all who wait for it get the same bill

    Scenario: Nobody can wait for a run that never was
      When an unknown run is waited for
      Then it fails with LookupError "no run 'nobody'"

  Rule: A grace period

    Scenario Outline: The <who> leaves, and the run is aborted when its seconds are over
      Given the runs' options {"on_disconnect": 0.1, "streaming": "tokens"}
      And the actor's provider will answer
        | text                       | prompt | completion | chunks | held   |
        | It rains today, as always. | 31     | 7          | 5      | <held> |
      When the <who> leaves in the call
      And the run is waited for
      Then the bill's stop_reason is "aborted"
      And its rows are
        | state      |
        | unmeasured |
      And the database holds it, and nothing is listed
      And no reservation is left in the house's budget

      Examples:
        | who     | held   |
        | asker   | before |
        | reader  | 3      |
        | watcher | 3      |
        | dropper | 3      |

    Scenario: A run that ends in time is not held on to
      Given the runs' options {"on_disconnect": 3600}
      And the actor's provider will answer
        | text      | prompt | completion | held   |
        | It rains. | 31     | 7          | before |
      When the asker leaves in the call
      And the gate is opened, and the run is waited for
      Then the bill's stop_reason is "completed"
      And no timer of it is left

  Rule: abort

    Scenario: A run without a caller is aborted by its id
      Given the runs' options {"on_disconnect": "finish"}
      And the actor's provider will answer
        | text      | prompt | completion | held   |
        | It rains. | 31     | 7          | before |
      When the asker leaves in the call
      And the run is aborted because of "the budget meeting"
      Then the bill's stop_reason is "aborted"
      And its stop detail says "the budget meeting"
      And the database holds it, and nothing is listed

  Rule: Bounds

    Scenario: No more than a hundred runs go on without a caller
      Given the runs' options {"on_disconnect": "finish", "parameters": {"max_tokens": 100}}
      When the callers of 103 runs leave that would finish
      Then 100 of them have finished and 3 were cancelled, each with its bill
      And no reservation is left in the house's budget
