Feature: Turns in a session
  Two runs that answer in one conversation at the same time would write over each other: each waits for its turn.

  Rule: One at a time, in the order of asking, whatever happens meanwhile

    Scenario: However turns are asked for, ended and given up
      Then for 150 drawn orders nobody's turn overlaps another, and those that wait get theirs in order

    Scenario: From threads with loops of their own
      When 6 threads take 30 turns each
      Then no two of the 180 turns were at the same time

    Scenario: Somebody whose loop has ended is passed over
      When one who waits is on a loop that ends, and another waits behind
      Then the other one gets the turn

    Scenario: Somebody who is cancelled in the moment of the turn passes it on
      When one who waits is cancelled just as the turn comes, and another waits behind
      Then the other one gets the turn

    Scenario: The wait is bounded
      When a turn that is taken is waited for, for 0.01 s
      Then waiting for the turn ends with TimeoutError, and leaves nobody in the queue

  Rule: Runs of a session take turns

    Scenario: Runs that are asked for together answer one after the other, each going on from the one before
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When 5 runs of one session are asked for at the same time
      Then the histories that they began with have 0, 2, 4, 6, 8 messages

    Scenario: Runs of different sessions do not wait for each other
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
        | Two. | 10     | 2          | before |
      When runs of two sessions are asked for, and both have reached the provider
      Then both sessions hold 2 messages

    Scenario: A run waits no longer than it may take
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
      When a run waits for the turn of another, with the options {"timeout": 0.05}
      Then the waiting run fails with ExecutorBusyError: "session 's1' is busy"
      And it has a bill without rows
      And session "s1" holds 2 messages

    Scenario: A run that is aborted while it waits has not begun
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
      When a run waits for the turn of another, and is aborted
      Then the waiting run has ended with "aborted"
      And it has a bill without rows
      And session "s1" holds 2 messages

    Scenario: A run that is cancelled while it waits leaves the queue
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
        | Two. | 10     | 2          |        |
      When a run waits for the turn of another, and is cancelled
      Then the waiting run has ended with "cancelled"
      And another run of the session is answered
      And session "s1" holds 4 messages

    Scenario: Closing the executor ends the waits
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
      When a run waits for the turn of another, and the executor is closed
      Then the waiting run has ended with "aborted"
