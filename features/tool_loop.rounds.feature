Feature: Rounds of tool calls, counted exactly

  A host that allows an agent three rounds pays for three rounds and one answer, whatever the model asks for.
  Every scenario's bill is held against the provider's own ledger, and its history against a strict checker.

  Scenario: No round
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says  | tokens |
      | Hello | 10, 2  |
    When the loop is asked "Hi"
    Then the loop ends with "completed"
    And the loop answers "Hello"
    And the loop's result has
      | field             | value |
      | rounds            | 0     |
      | tool_calls        | 0     |
      | synthesis_was_run | false |
      | total_tokens      | 12    |

  Scenario: One round
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says         | calls                | tokens  |
      |              | echo {"text": "15°"} | 100, 10 |
      | Take a coat. |                      | 150, 12 |
    When the loop is asked "What to wear?"
    Then the loop's rows are
      | round | purpose | outcome | state   | tokens  |
      | 1     | turn    | tools   | settled | 100, 10 |
      | 2     | turn    | answer  | settled | 150, 12 |
    And the loop's new messages are
      | who   | says          |
      | human | What to wear? |
      | asks  | echo          |
      | tool  | 15°           |
      | ai    | Take a coat.  |

  Scenario: Several rounds, with several calls at once
    Given a loop with the tools "echo, poll"
    And the provider will answer the loop
      | says  | calls                                        | tokens  |
      |       | echo {"text": "a"} & poll & echo {"text": "b"} | 100, 10 |
      |       | echo {"text": "c"}                           | 150, 12 |
      | Done. |                                              | 200, 3  |
    When the loop is asked "Go"
    Then the loop's result has
      | field             | value |
      | rounds            | 2     |
      | tool_calls        | 4     |
      | prompt_tokens     | 450   |
      | completion_tokens | 25    |
      | unmeasured_calls  | 0     |
    And the loop's new messages are
      | who   | says               |
      | human | Go                 |
      | asks  | echo & poll & echo |
      | tool  | a                  |
      | tool  | not yet            |
      | tool  | b                  |
      | asks  | echo               |
      | tool  | c                  |
      | ai    | Done.              |

  Scenario Outline: Three rounds are allowed, the model asks for <asked>
    Given a loop with the tools "echo"
    And the loop's settings {"tool_max_rounds": 3, "max_repeated_calls": null}
    And the provider will answer the loop
      | calls | times   |
      | echo  | <asked> |
    And the provider will answer the loop
      | says  |
      | Done. |
    When the loop is asked "Go"
    Then the loop ends with "<reason>"
    And the loop answers "Done."
    And the loop's result has
      | field             | value       |
      | rounds            | <ran>       |
      | tool_calls        | <ran>       |
      | synthesis_was_run | <synthesis> |

    Examples:
      | asked | ran | reason     | synthesis |
      | 2     | 2   | completed  | false     |
      | 3     | 3   | completed  | false     |
      | 4     | 3   | max_rounds | true      |

  Scenario: No round at all is allowed
    Given a loop with the tools "echo"
    And the loop's settings {"tool_max_rounds": 0}
    And the provider will answer the loop
      | says              | calls |
      |                   | echo  |
      | I can only guess. |       |
    When the loop is asked "Go"
    Then the loop ends with "max_rounds"
    And the loop's tools did nothing
    And the loop's new messages are
      | who   | says              |
      | human | Go                |
      | asks  | echo              |
      | error | not run: …        |
      | ai    | I can only guess. |

  Scenario: Text beside calls is not the answer
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says           | calls |
      | Let me look.   | echo  |
      | It is 15°.     |       |
    When the loop is asked "Go"
    Then the loop answers "It is 15°."
    And the loop's new messages are
      | who   | says                |
      | human | Go                  |
      | asks  | Let me look. & echo |
      | tool  | echo                |
      | ai    | It is 15°.          |

  Scenario: White space beside calls is no answer either
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says | calls |
      | \n   | echo  |
      | Yes. |       |
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's tools did
      | what      |
      | echo echo |

  Scenario: The wrap-up carries the tools and forbids them, and calls in it are ignored
    Given a loop with the tools "echo"
    And the loop's settings {"tool_max_rounds": 1}
    And the provider will answer the loop
      | says              | calls | times |
      |                   | echo  | 2     |
      | All that I found. | echo  |       |
    When the loop is asked "Go"
    Then the loop ends with "max_rounds"
    And the loop answers "All that I found."
    And the loop's requests have
      | tools | tool_choice |
      | echo  |             |
      | echo  |             |
      | echo  | none        |
    And the loop's tools did
      | what      |
      | echo echo |
    And the loop's rows are
      | round | purpose   | outcome |
      | 1     | turn      | tools   |
      | 2     | turn      | tools   |
      | 2     | synthesis | tools   |

  Scenario Outline: An answer stream of <kind> has the same rounds and the same bill
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says           | calls | tokens |
      | Let me look.   | echo  | 50, 9  |
      |                | echo  | 60, 7  |
      | It is 15°.     |       | 70, 5  |
    When the loop is asked "Go" as a stream of <kind>
    Then the loop answers "It is 15°."
    And the loop's text is <text>
    And the loop's result has
      | field             | value |
      | rounds            | 2     |
      | prompt_tokens     | 180   |
      | completion_tokens | 21    |

    Examples:
      | kind   | text                         |
      | answer | "It is 15°."                 |
      | tokens | "Let me look.\n\nIt is 15°." |

  Scenario: Tools that a run may not use can't be called
    Given a loop with the tools "echo, poll"
    And the loop's run has the options {"tools": ["poll"]}
    And the provider will answer the loop
      | says  | calls |
      |       | echo  |
      | Done. |       |
    When the loop is asked "Go"
    Then the loop's tools did nothing
    And the loop's new messages are
      | who   | says                                               |
      | human | Go                                                 |
      | asks  | echo                                               |
      | error | there is no tool 'echo'; the tools are poll        |
      | ai    | Done.                                              |
