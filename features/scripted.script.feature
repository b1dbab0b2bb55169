Feature: A scripted model plays its script

  In place of a real model it answers with the turns of a script, one for each call, and tells what it was asked.

  Scenario: Turns of every kind, in order
    Given a scripted model that plays
      """
      [
          "Hello.",
          call("look", city="Oslo"),
          [call("look"), call("wait", id="mine")],
          {"text": "First this.", "calls": [{"name": "look", "arguments": {"n": 1}}]},
          {"name": "look", "args": {"n": 2}, "id": "given", "type": "tool_call"},
          {"calls": call("look", raw="{not json")},
          ScriptedTurn("In full.", finish_reason="length"),
          AIMessage("Ready."),
          RuntimeError("boom"),
          KeyError,
          {"error": "overloaded"},
          lambda: "From a function.",
      ]
      """
    When the scripted model is asked 12 times
    Then the scripted model's answers are
      | text             | calls                 | ids            | finish     | error                     |
      | Hello.           |                       |                | stop       |                           |
      |                  | look {"city": "Oslo"} | call_1         | tool_calls |                           |
      |                  | look {} & wait {}     | call_2, mine   | tool_calls |                           |
      | First this.      | look {"n": 1}         | call_3         | tool_calls |                           |
      |                  | look {"n": 2}         | given          | tool_calls |                           |
      |                  | look {not json        | call_4         | tool_calls |                           |
      | In full.         |                       |                | length     |                           |
      | Ready.           |                       |                | stop       |                           |
      |                  |                       |                |            | RuntimeError: boom        |
      |                  |                       |                |            | KeyError                  |
      |                  |                       |                |            | ScriptedError: overloaded |
      | From a function. |                       |                | stop       |                           |
    And the scripted model's script is complete

  Scenario: Arguments are what pydantic makes JSON of
    Given a scripted model that plays
      """
      [
          call("look", order=Order(item="tea", kind=Kind.LOOSE, by=date(2026, 1, 2))),
          call("look", orders=[{"order": Order(item="tea")}], kind=Kind.LOOSE, line=Line("tea", 2)),
          {"calls": [{"name": "look", "arguments": {"order": Order(item="tea")}}]},
      ]
      """
    When the scripted model is asked 3 times
    Then the scripted model's answers are
      | calls                                                                                                      |
      | look {"order": {"for": "tea", "kind": "loose", "by": "2026-01-02"}}                                        |
      | look {"orders": [{"order": {"for": "tea", "kind": "bags", "by": null}}], "kind": "loose", "line": {"item": "tea", "count": 2}} |
      | look {"order": {"for": "tea", "kind": "bags", "by": null}}                                                 |

  Scenario: A function is asked with the messages and the tools, as many of them as it takes
    Given the scripted model is offered the tools
      | tool | parameters         |
      | look | {"type": "object"} |
    And a scripted model that plays
      """
      [
          lambda: "nothing",
          lambda messages: messages[-1].text,
          lambda messages, tools: [call(tools[0]["function"]["name"], said=messages[-1].text)],
          lambda messages, *, mood="good": mood,
          everything,
          later,
          next_reply,
          lambda: call("look"),
          lambda: {"text": "Wrong", "error": "worse"},
          lambda: RuntimeError("boom"),
          lambda: lambda messages: later,
      ]
      """
    When the scripted model is asked 11 times
    Then the scripted model's answers are
      | text               | calls                        | error                |
      | nothing            |                              |                      |
      | question 2         |                              |                      |
      |                    | look {"said": "question 3"}  |                      |
      | good               |                              |                      |
      | 2 given            |                              |                      |
      | later, question 6  |                              |                      |
      | one                |                              |                      |
      |                    | look {}                      |                      |
      |                    |                              | ScriptedError: worse |
      |                    |                              | RuntimeError: boom   |
      | later, question 11 |                              |                      |

  Scenario: A function in place of the list answers every call
    Given a scripted model that plays
      """
      lambda messages: f"{messages[-1].text}!"
      """
    When the scripted model is asked 3 times
    Then the scripted model's answers are
      | text        |
      | question 1! |
      | question 2! |
      | question 3! |
    And the scripted model's script is complete

  Scenario: What has not been played is told
    Given a scripted model that plays
      """
      [
          "One.",
          "Two.",
          ScriptedTurn("Three.", [call("look"), call("wait")]),
          call("look"),
          AIMessage("Five."),
          {"error": "worse"},
          ValueError,
          ScriptedTurn(),
          len,
          "x" * 100,
      ]
      """
    When the scripted model is asked 1 times
    Then the scripted model says that its script is not complete
      """
      turns that have not been played:
        turn 2: 'Two.' (str)
        turn 3: 'Three.' (str) calls look, wait
        turn 4: calls look
        turn 5: 'Five.' (str)
        turn 6: ScriptedError('worse')
        turn 7: <class 'ValueError'> (type)
        turn 8: '' (str)
        turn 9: <built-in function len> (builtin_function_or_method)
        turn 10: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (str)
      """

  Scenario: A call too many says what was asked
    Given the scripted model is offered the tools
      | tool | parameters         |
      | look | {"type": "object"} |
      | wait | {"type": "object"} |
    And a scripted model that plays
      """
      ["One."]
      """
    When the scripted model is asked 2 times
    Then the scripted model's script has ended: "the script has 1 turn, all played; the model was asked again: human message 'question 2', tools: look, wait"

  Scenario Outline: A script of <turns> is at its end at once
    When a scripted model is made of <turns>
    And the scripted model is asked <times> times
    Then the scripted model's script has ended: "the script has <number>, all played; the model was asked again: human message 'question <times>', tools: none"

    Examples:
      | turns      | times | number  |
      | []         | 1     | 0 turns |
      | ("a", "b") | 3     | 2 turns |

  Scenario: A script that repeats
    Given a scripted model with {"repeat": true} that plays
      """
      ["One.", "Two."]
      """
    When the scripted model is asked 5 times
    Then the scripted model's answers are
      | text |
      | One. |
      | Two. |
      | One. |
      | Two. |
      | One. |
    And the scripted model's script is complete

  Scenario: A script without turns can't repeat
    Given a scripted model with {"repeat": true} that plays
      """
      []
      """
    When the scripted model is asked 1 times
    Then the scripted model's script has ended: "the script has 0 turns, all played; the model was asked again: human message 'question 1', tools: none"

  Scenario: Copies of a model play the same script on, and their requests are told together
    Given a scripted model that plays
      """
      ["One.", "Two.", "Three."]
      """
    When the scripted model is asked "A"
    And a copy of the scripted model is asked
    And the scripted model is asked "B"
    Then the scripted model's answers are
      | text   |
      | One.   |
      | Two.   |
      | Three. |
    And the scripted model was asked
      | text | tools | streamed | choice | others |
      | A    |       | False    | null   | {}     |
      | Hi   |       | False    | null   | {}     |
      | B    |       | False    | null   | {}     |

  Scenario: Threads share a script, and each call has an id of its own
    Given a scripted model that plays
      """
      [ScriptedTurn(f"turn {n}", [call("look")]) for n in range(200)]
      """
    When the scripted model is asked 200 times from threads
    Then each answer of the scripted model is another of 200
    And the scripted model's script is complete

  Scenario: What the model was asked
    Given the scripted model is offered the tools
      | tool | parameters         |
      | look | {"type": "object"} |
      | wait | {"type": "object"} |
    And a scripted model that plays
      """
      ["One.", "Two."]
      """
    And the scripted model is called with {"max_tokens": 20, "stop": ["."], "tool_choice": "auto"}
    When the scripted model is asked "A"
    And the scripted model is asked "B" in a stream
    Then the scripted model was asked
      | text | tools      | streamed | choice | others                            |
      | A    | look, wait | False    | "auto" | {"max_tokens": 20, "stop": ["."]} |
      | B    | look, wait | True     | "auto" | {"max_tokens": 20, "stop": ["."]} |

  Scenario: Without messages
    Given a scripted model that plays
      """
      []
      """
    When the scripted model is asked
    Then the scripted model's script has ended: "the script has 0 turns, all played; the model was asked again: nothing, tools: none"

  Scenario Outline: Asked <way>
    Given a scripted model that plays
      """
      ["One and two.", RuntimeError("boom"), ScriptedTurn("Cut", error=RuntimeError("short")), later]
      """
    When the scripted model is asked "A" <way>
    And the scripted model is asked "B" <way>
    And the scripted model is asked "C" <way>
    And the scripted model is asked "D" <way>
    Then the scripted model's answers are
      | text         | error               |
      | One and two. |                     |
      |              | RuntimeError: boom  |
      | <cut>        | RuntimeError: short |
      | <later>      | <refused>           |

    Examples:
      | way                        | cut | later    | refused                                                                                                  |
      | in a stream                | Cut | later, D |                                                                                                          |
      | without a loop             |     |          | RuntimeError: the script's turn waits for something, which takes an event loop: use ainvoke or astream |
      | in a stream without a loop | Cut |          | RuntimeError: the script's turn waits for something, which takes an event loop: use ainvoke or astream |

  Scenario: Something is done before an answer, and between its chunks
    Given a scripted model that plays
      """
      [
          ScriptedTurn("One two", before=lambda: note("before"), between=note),
          ScriptedTurn("Three", between=note),
          ScriptedTurn("Four", before=later_note),
      ]
      """
    When the scripted model is asked "A" in a stream
    And the scripted model is asked "B" in a stream without a loop
    And the scripted model is asked "C"
    Then it has noted ["before", 1, 2, 3, 1, 2, "late"]

  Scenario: What is waited for between chunks takes an event loop
    Given a scripted model that plays
      """
      [ScriptedTurn("One", between=lambda sent: never())]
      """
    When the scripted model is asked "A" in a stream without a loop
    Then the scripted model's answers are
      | text | error                                                                                                  |
      | One  | RuntimeError: the script's turn waits for something, which takes an event loop: use ainvoke or astream |
