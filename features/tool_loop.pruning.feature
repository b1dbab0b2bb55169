Feature: Old tool output shrinks in what is sent, never in the record

  A long run's prompt is mostly tool output that has done its work. The loop sends less of it; the history that a run
  returns keeps every result whole, and a condensing pass stands on the bill.

  Scenario: Truncated
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 500, "mode": "truncate"}}
    And the provider will answer the loop
      | says  | calls              | times |
      |       | big {"size": 3000} | 3     |
      | Done. |                    |       |
    When the loop is asked "Go"
    Then the loop's requests sent results of these lengths
      | lengths        |
      |                |
      | 3000           |
      | 228, 3000      |
      | 228, 228, 3000 |
    And the loop's tool results have the lengths 3000, 3000, 3000
    And the loop's rows are
      | purpose | round |
      | turn    | 1     |
      | turn    | 2     |
      | turn    | 3     |
      | turn    | 4     |

  Scenario: Condensed by a pass that is on the bill
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 500, "mode": "condense"}}
    And the provider will answer the loop
      | says           | calls              | tokens   |
      |                | big {"size": 3000} | 50, 10   |
      |                | big {"size": 3000} | 800, 10  |
      | Only letters.  |                    | 900, 5   |
      | Done.          |                    | 1000, 3  |
    When the loop is asked "Go"
    Then the loop answers "Done."
    And the loop's rows are
      | purpose | outcome | round | tokens  |
      | turn    | tools   | 1     | 50, 10  |
      | turn    | tools   | 2     | 800, 10 |
      | pruning | answer  | 2     | 900, 5  |
      | turn    | answer  | 3     | 1000, 3 |
    And the loop's result has
      | field             | value |
      | prompt_tokens     | 2750  |
      | completion_tokens | 28    |
      | rounds            | 2     |
    And the last request of the loop holds "[condensed results of 1 tool calls] Only letters."
    And the loop's tool results have the lengths 3000, 3000
    And the loop's requests have
      | tools |
      | big   |
      | big   |
      |       |
      | big   |

  Scenario: Several results are condensed into one
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 500, "mode": "condense"}}
    And the provider will answer the loop
      | says          | calls                                   |
      |               | big {"size": 3000} & big {"size": 2000} |
      |               | big {"size": 1000}                      |
      | Only letters. |                                         |
      | Done.         |                                         |
    When the loop is asked "Go"
    Then the last request of the loop holds "[condensed results of 2 tool calls] Only letters."
    And the last request of the loop holds "[condensed into an earlier result]"
    And the loop's tool results have the lengths 3000, 2000, 1000

  Scenario: Nothing happens below the trigger
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 100000, "mode": "truncate"}}
    And the provider will answer the loop
      | says  | calls              | times |
      |       | big {"size": 3000} | 2     |
      | Done. |                    |       |
    When the loop is asked "Go"
    Then the loop's requests sent results of these lengths
      | lengths    |
      |            |
      | 3000       |
      | 3000, 3000 |

  Scenario: As many of the newest rounds as are to be kept stay whole
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 500, "mode": "truncate", "keep_last_rounds": 2}}
    And the provider will answer the loop
      | says  | calls              | times |
      |       | big {"size": 3000} | 3     |
      | Done. |                    |       |
    When the loop is asked "Go"
    Then the loop's requests sent results of these lengths
      | lengths         |
      |                 |
      | 3000            |
      | 3000, 3000      |
      | 228, 3000, 3000 |

  Scenario Outline: A pass that <fails> falls back to truncation
    Given a loop with the tools "big"
    And the loop's settings {"retry": {"attempts": 1}, "pruning": {"trigger_tokens": 500, "mode": "condense"}}
    And the provider will answer the loop
      | says  | calls              | fault   |
      |       | big {"size": 3000} |         |
      |       | big {"size": 3000} |         |
      |       |                    | <fault> |
      | Done. |                    |         |
    When the loop is asked "Go"
    Then the loop ends with "completed"
    And the loop answers "Done."
    And the loop's requests sent results of these lengths
      | lengths    |
      |            |
      | 3000       |
      |            |
      | 228, 3000  |
    And the loop's tool results have the lengths 3000, 3000

    Examples:
      | fails        | fault |
      | is rejected  | 400   |
      | breaks       | drop  |
      | says nothing |       |

  Scenario: A pass that no limit allows is not made
    Given a loop with the tools "big"
    And the loop's settings {"pruning": {"trigger_tokens": 500, "mode": "condense"}}
    And the loop's limits {"max_model_calls": 3}
    And the provider will answer the loop
      | says  | calls              | times |
      |       | big {"size": 3000} | 2     |
      | Done. |                    |       |
    When the loop is asked "Go"
    Then the loop ends with "model_calls"
    And the loop answers "Done."
    And the loop's rows are
      | purpose   |
      | turn      |
      | turn      |
      | synthesis |

  Scenario: A prompt that is too long for the model is shortened once, and sent again
    Given a loop with the tools "big"
    And the provider will answer the loop
      | says  | calls              | fault    |
      |       | big {"size": 3000} |          |
      |       | big {"size": 3000} |          |
      |       |                    | overflow |
      | Done. |                    |          |
    When the loop is asked "Go"
    Then the loop ends with "completed"
    And the loop's requests sent results of these lengths
      | lengths    |
      |            |
      | 3000       |
      | 3000, 3000 |
      | 228, 3000  |
    And the loop's tool results have the lengths 3000, 3000

  Scenario: A prompt that stays too long ends the run
    Given a loop with the tools "big"
    And the provider will answer the loop
      | calls              | fault    |
      | big {"size": 3000} |          |
      |                    | overflow |
      |                    | overflow |
    When the loop is asked "Go"
    Then the loop failed
    And the loop's tool results have the lengths 3000
