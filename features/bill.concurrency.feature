Feature: Many runs at a time
  One executor serves a whole backend. No run sees another's rows, and every task reads its own last result.

  Scenario: Sixty runs at a time, a third of them failing
    Given a provider that bills every question differently, and refuses every third
    When 60 questions are asked at the same time, each in a task of its own
    Then 40 were answered and 20 failed, each with the bill of its own question
    And each task read its own last result and its own tokens
    And on_result came 60 times, once for each run
    And all bills together equal the provider's ledger
    And no reservation is left in the shared budget, which has spent what was billed

  Scenario: Sixty streams at a time, a third of them failing
    Given a provider that bills every question differently, and refuses every third
    And the runs' options {"streaming": "tokens"}
    When 60 questions are asked at the same time, each as a stream
    Then 40 were answered and 20 failed, each with the bill of its own question
    And each task read its own last result and its own tokens
    And on_result came 60 times, once for each run
    And all bills together equal the provider's ledger

  Rule: The last result is the one that ended in this context

    Background:
      Given a provider that bills every question differently, and refuses every third

    Scenario Outline: After <story>, the last result is <which>
      When the story "<story>" is told
      Then the last result is <which>

      Examples:
        | story                                   | which            |
        | no run                                  | none             |
        | a run                                   | of the 1st run   |
        | two runs                                | of the 2nd run   |
        | a failed run                            | of the 1st run   |
        | a run in a task                         | of the 1st run   |
        | two runs in a gather                    | none             |
        | a run, then one in a task               | of the 1st run   |
        | a run, then a look from another task    | of the 1st run   |
        | two runs, then a look from another task | none             |
        | a run, then a look from a thread        | of the 1st run   |
        | two runs, then a look from a thread     | of the 2nd run   |
        | a stream that was left                  | of the 1st run   |
        | two streams that were dropped           | of the 2nd run   |
        | a stream that never began               | none             |

    Scenario: Two executors in one task have a last result each
      When two executors are asked in one task
      Then each has the last result of its own run
