Feature: Answers without tools
  An actor without tools hands out the model's own tokens as they come, whatever its file says of streaming.

  Background:
    Given the actor's provider will answer
      | text                 | prompt | completion | chunks |
      | It rains, as always. | 31     | 7          | 5      |

  Scenario Outline: The tokens of the model are the texts of the stream
    Given the executor's options {"streaming": <streaming>}
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream has 5 texts
    And the provider was asked in streams
    And the bill equals the provider's ledger
    And every way to the bill shows it
    And the answer is "It rains, as always.", after 0 rounds and 0 tool calls

    Examples:
      | streaming |
      | null      |
      | "answer"  |
      | "tokens"  |

  Scenario: Asked for the whole answer, the same is counted
    When the actor is asked, and its ways to the bill are looked at
    Then the bill has 31 prompt and 7 completion tokens
    And the bill equals the provider's ledger
    And every way to the bill shows it
