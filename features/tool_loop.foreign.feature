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

  Scenario Outline: Figures within it, <how>
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send <pieces>
    When the loop is asked "Go" as a stream of tokens
    Then the loop's result has
      | field            | value |
      | prompt_tokens    | 10    |
      | cached_tokens    | 6     |
      | reasoning_tokens | 2     |

    Examples:
      | how                              | pieces |
      | at the end                       | [[{"content": "Yes."}, {"usage": [10, 3], "input": {"cache_read": 6}, "output": {"reasoning": 2}, "finish": "stop"}]] |
      | in parts                         | [[{"content": "Yes.", "usage": [10, 0], "input": {"cache_read": 6}}, {"usage": [0, 3], "output": {"reasoning": 2}}]] |
      | by the tier that the server took | [[{"content": "Yes.", "usage": [10, 3], "input": {"priority_cache_read": 6, "audio": 1}, "output": {"priority_reasoning": 2}}]] |

  Scenario: Figures that are none are not told
    Given a loop with the tools "echo"
    And the loop's own model can't stream, and will send [[{"content": "Yes.", "usage": [null, 3]}]]
    When the loop is asked "Go"
    Then the loop answers "Yes."
    And the loop's rows have the states "unmeasured"

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

  Scenario: What a model tells beside its words is kept
    Given a loop with the tools "echo"
    And the loop's own model, whose usage is its sum, will send [[{"content": "Ye"}, {"content": "s.", "extra": {"seen": 1}}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Yes."
    And the loop's last message keeps {"seen": 1}

  Scenario: A model that a factory makes, and that knows no choice of tools, wraps up all the same
    Given a loop with the tools "echo"
    And the loop's settings {"tool_max_rounds": 1}
    And the loop's own model is made by a factory and knows no choice of tools, and will send [[{"chunks": [{"id": "x", "name": "echo", "args": "{\"text\": \"a\"}"}]}], [{"chunks": [{"id": "y", "name": "echo", "args": "{\"text\": \"b\"}"}]}], [{"content": "Enough.", "usage": [9, 2]}]]
    When the loop is asked "Go" as a stream of tokens
    Then the loop answers "Enough."
    And the loop's result has
      | field       | value      |
      | stop_reason | max_rounds |

  Scenario Outline: Arguments of <levels> nested lists that the model has made as values
    Given a loop with the tools "echo"
    And the loop's own model can't stream, and calls echo with <levels> nested lists around a word
    When the loop is asked "Go"
    Then the loop answers "Yes."
    And the loop's tool results are
      | status | says                                                                  |
      | error  | not run: the arguments are nested too deeply, 200 levels are allowed… |

    Examples:
      | levels |
      | 300    |
      | 5000   |

  Scenario: A broken call beside a good one, of which the model has kept only one as it came
    Given a loop with the tools "echo"
    And the loop's own model can't stream, and will send [[{"calls": [{"name": "echo", "args": {"text": "a"}, "id": "x"}], "broken": [{"name": "echo", "args": "{", "id": "y", "error": "no JSON", "type": "invalid_tool_call"}], "extra": {"tool_calls": [{"id": "x", "function": {"name": "echo", "arguments": "{}"}}]}}], [{"content": "Yes."}]]
    When the loop is asked "Go"
    Then the loop answers "Yes."
    And the loop's tool results are
      | status  | says                                       |
      | success | a                                          |
      | error   | not run: the arguments are not valid JSON… |

  Scenario: A message that is no answer
    Given a loop with the tools "echo"
    And the loop's settings {"retry": {"attempts": 1}}
    And the loop's own model can't stream, and will send [[{"content": "Yes?", "says": "human"}]]
    When the loop is asked "Go"
    Then the loop fails with ModelOutputError "answered a HumanMessage, not an AIMessage"
    And the loop's rows have the states "unmeasured"

  Scenario: A stream of the model's own in which nothing comes
    Given a loop with the tools "echo"
    And the loop's settings {"retry": {"attempts": 1}}
    And the loop's own model has a stream of its own, in which nothing comes
    When the loop is asked "Go" as a stream of tokens
    Then the loop fails with ModelOutputError "ended without any answer"

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

  Scenario Outline: An error whose <what> can't be read
    When a host's model raises an error whose <what> can't be read
    Then that error leaves the run, and its <what> still can't be read
    And one bill was delivered, whose row is unmeasured, and nothing stays reserved

    Examples:
      | what   |
      | code   |
      | text   |
      | status |

  Scenario Outline: Figures that are no counts are not told: <prompt> and <completion>
    When a host's model tells the figures <prompt> and <completion>
    Then one bill was delivered, whose row is unmeasured, and nothing stays reserved

    Examples:
      | prompt  | completion |
      | -100000 | 5          |
      | 5       | -1         |
      | true    | 5          |
      | 5       | 1.5        |
