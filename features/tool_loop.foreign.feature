Feature: A host's own chat model in the loop

  Any LangChain chat model may answer. What it streams is put together once, strictly, and its usage is read as it is
  meant: parts that add up, or a running total.

  Scenario Outline: Usage that is <told>
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its <rule>, will send <pieces>
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's rows are
      | state   | tokens   |
      | <state> | <tokens> |

    Examples:
      | told                     | rule | pieces                                                                                                | state   | tokens |
      | in parts                 | sum  | [[{"content": "Ye", "usage": [10, 0]}, {"content": "s.", "usage": [0, 2]}, {"usage": [0, 1]}]]         | settled | 10, 3  |
      | a running total          | sum  | [[{"content": "Ye", "usage": [10, 1]}, {"content": "s.", "usage": [10, 3]}]]                           | settled | 10, 3  |
      | a running total, as told | last | [[{"content": "Ye", "usage": [10, 1]}, {"content": "s.", "usage": [10, 3]}, {"finish": "stop"}]]       | settled | 10, 3  |
      | at the end               | sum  | [[{"content": "Ye"}, {"content": "s."}, {"usage": [10, 3], "finish": "stop"}]]                         | settled | 10, 3  |

  Scenario: Usage that is not told is estimated, and not exact
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send [[{"content": "Ye"}, {"content": "s."}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's rows have the states "unmeasured"
    And the loop's result has
      | field | value |
      | exact | false |

  Scenario Outline: Calls whose pieces have <what>
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send [[<pieces>], [{"content": "Yes."}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's tool results are
      | status  | says |
      | success | a    |
      | success | b    |

    Examples:
      | what                    | pieces |
      | places                  | {"chunks": [{"index": 0, "id": "x", "name": "echo", "args": "{\"text\": "}, {"index": 1, "id": "y", "name": "echo", "args": "{\"text\""}]}, {"chunks": [{"index": 1, "args": ": \"b\"}"}, {"index": 0, "args": "\"a\"}"}]} |
      | places, and a name each | {"chunks": [{"index": 0, "id": "x", "name": "echo", "args": "{\"text\": "}]}, {"chunks": [{"index": 0, "name": "echo", "args": "\"a\"}"}]}, {"chunks": [{"index": 1, "id": "y", "name": "echo", "args": "{\"text\": \"b\"}"}]} |
      | one place for two ids   | {"chunks": [{"index": 0, "id": "x", "name": "echo", "args": "{\"text\": \"a\"}"}]}, {"chunks": [{"index": 0, "id": "y", "name": "echo", "args": "{\"text\": \"b\"}"}]} |
      | ids alone               | {"chunks": [{"id": "x", "name": "echo", "args": "{\"text\": "}]}, {"chunks": [{"id": "x", "args": "\"a\"}"}]}, {"chunks": [{"id": "y", "name": "echo", "args": "{\"text\": \"b\"}"}]} |
      | neither, in their turn  | {"chunks": [{"name": "echo", "args": "{\"text\": "}]}, {"chunks": [{"args": "\"a\"}"}]}, {"chunks": [{"name": "echo", "args": "{\"text\": \"b\"}"}]} |

  Scenario: Content in blocks
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send [[{"content": [{"type": "text", "text": "Ye", "index": 0}]}, {"content": [{"type": "text", "text": "s.", "index": 0}], "finish": "end_turn"}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's text is "Yes."

  Scenario: A model that can't stream sends one message
    Given a loop with the tools "echo"
    And the loop's own model can't stream, and will send [[{"calls": [{"name": "echo", "args": {"text": "a"}, "id": "x"}], "usage": [9, 2]}], [{"content": "Yes.", "usage": [12, 1]}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's result has
      | field        | value |
      | total_tokens | 24    |

  Scenario: A stream without anything is no answer
    Given a loop with the tools "echo"
    And the loop's settings {"retry": {"attempts": 1}}
    And the loop's own model, whose usage is its sum, will send [[]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop failed
    And the loop's rows have the states "unmeasured"

  Scenario: Characters in halves are joined before they are sent again
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send [[{"content": "\ud83d"}, {"content": "\ude00 Yes."}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "😀 Yes."
