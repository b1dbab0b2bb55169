Feature: What a scripted model's answers are made of

  Its answers have chunks, figures and a reason to end, as a provider's: told as the script has them, else counted.

  Scenario Outline: The same answer, asked <way>
    Given a scripted model that plays
      """
      [
          {"text": "Let me see.", "calls": [call("look", city="Åre"), call("wait", raw="{not")], "usage": (7, 3)},
          {"text": "ab", "chunks": ["a", "", "b"]},
          "",
          {"text": "Slow", "finish_reason": "length"},
          {"text": "Cut", "finish_reason": ""},
      ]
      """
    When the scripted model is asked "A" <way>
    And the scripted model is asked "B" <way>
    And the scripted model is asked "C" <way>
    And the scripted model is asked "D" <way>
    And the scripted model is asked "E" <way>
    Then the scripted model's answers are
      | text        | calls                            | ids            | finish     | prompt | completion | model    |
      | Let me see. | look {"city": "Åre"} & wait {not | call_1, call_2 | tool_calls | 7      | 3          | scripted |
      | ab          |                                  |                | stop       | 1      | 1          | scripted |
      |             |                                  |                | stop       | 1      | 0          | scripted |
      | Slow        |                                  |                | length     | 1      | 1          | scripted |
      | Cut         |                                  |                |            | 1      | 1          | scripted |

    Examples:
      | way            |
      | without a loop |
      | in a stream    |

  Scenario: Text comes word by word, or in the chunks of the script
    Given a scripted model that plays
      """
      [" Two words,  and\nmore", {"chunks": ["Two wo", "rds"]}]
      """
    When the scripted model is asked "A" in a stream
    Then its chunks have the texts [" ", "Two ", "words,  ", "and\n", "more", ""]
    When the scripted model is asked "B" in a stream
    Then its chunks have the texts ["Two wo", "rds", ""]

  Scenario: A call comes in pieces, after its name
    Given a scripted model that plays
      """
      [call("look", city="Kristiansand"), call("look", raw="x" * 200), call("look", raw="")]
      """
    When the scripted model is asked "A" in a stream
    Then its chunks have the arguments ["", "{\"city\": \"Kr", "istiansand\"}"]
    When the scripted model is asked "B" in a stream
    Then there are 8 pieces of the arguments
    When the scripted model is asked "C" in a stream
    Then its chunks have the arguments [""]

  Scenario: The raw calls tell in which order they were asked for
    Given a scripted model that plays
      """
      [[call("wait", raw="[1]"), call("look", id="a")]]
      """
    When the scripted model is asked "A"
    Then its raw calls are [{"id": "call_1", "type": "function", "function": {"name": "wait", "arguments": "[1]"}}, {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}]

  Scenario Outline: Arguments <raw> are <judged>
    Given a scripted model that plays
      """
      [call("look", raw=<raw>)]
      """
    When the scripted model is asked "A"
    Then its call is told as <judged>

    Examples:
      | raw          | judged                                                                                     |
      | " "          | valid                                                                                      |
      | "{\"a\": 1}" | valid                                                                                      |
      | "[1]"        | the arguments are not an object                                                            |
      | "{"          | the arguments are not JSON: Expecting property name enclosed in double quotes              |
      | "[" * 100000 | the arguments are not JSON:                                                                |

  Scenario: A ready message keeps what it has
    Given a scripted model that plays
      """
      [
          AIMessage("Ready.", id="m1", response_metadata={"finish_reason": "stop!", "model_name": "mine"}),
          AIMessage(
              "",
              tool_calls=[{"name": "look", "args": {"n": 1}, "id": "c1"}, {"name": "look", "args": {}, "id": None}],
              usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
          ),
          AIMessage("", invalid_tool_calls=[{"name": "look", "args": None, "id": "c2", "error": "cut"}]),
          AIMessage("None told.", usage_metadata=None),
          ScriptedTurn(message=AIMessage("Mine."), usage=(1, 2), finish_reason="length"),
          ScriptedTurn(message=AIMessage("Cut.", response_metadata={"finish_reason": "stop"}), finish_reason=""),
          ScriptedTurn(message=AIMessage("Broken"), error=RuntimeError("boom")),
      ]
      """
    When the scripted model is asked 7 times
    Then the scripted model's answers are
      | text       | calls                 | ids      | finish     | prompt | completion | model    | error              |
      | Ready.     |                       |          | stop!      | 3      | 2          | mine     |                    |
      |            | look {"n": 1} & look {} | c1, None | tool_calls | 5      | 2          | scripted |                  |
      |            | look {}               | c2       | tool_calls | 3      | 1          | scripted |                    |
      | None told. |                       |          | stop       |        |            | scripted |                    |
      | Mine.      |                       |          | length     | 1      | 2          | scripted |                    |
      | Cut.       |                       |          |            | 3      | 1          | scripted |                    |
      |            |                       |          |            |        |            |          | RuntimeError: boom |

  Scenario Outline: A ready message of several parts, asked <way>
    Given a scripted model with {"repeat": true} that plays
      """
      [AIMessage([{"type": "text", "text": "See: "}, {"type": "image_url", "image_url": {"url": "data:,"}}], id="m1")]
      """
    When the scripted model is asked "A" <way>
    Then the scripted model's answer has the content [{"type": "text", "text": "See: "}, {"type": "image_url", "image_url": {"url": "data:,"}}]

    Examples:
      | way            |
      | in a stream    |
      | without a loop |

  Scenario: A ready message breaks off where it was streamed
    Given a scripted model that plays
      """
      [ScriptedTurn(message=AIMessage("Half an answer"), error=RuntimeError("boom"))]
      """
    When the scripted model is asked "A" in a stream
    Then its chunks have the texts ["Half ", "an ", "answer"]
    And the scripted model's answers are
      | text           | error              |
      | Half an answer | RuntimeError: boom |

  Scenario: An error that stands for a status
    Given a scripted model that plays
      """
      [{"error": {"message": "busy", "status_code": 503}}, {"text": "", "error": {"message": "no"}}]
      """
    When the scripted model is asked 2 times
    Then the scripted model's errors have the statuses [503, null]

  Rule: Usage

    Scenario: Told as the script has it
      Given a scripted model that plays
        """
        [
            {"text": "a", "usage": [10, 2]},
            {"text": "a", "usage": {"prompt_tokens": 10}},
            {"text": "a", "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 4, "reasoning_tokens": 3}},
            {"text": "a", "usage": {"prompt_tokens": 10, "cache_write_tokens": 8}},
            {"text": "a", "usage": None},
            {"text": "a", "usage": "counted"},
        ]
        """
      When the scripted model is asked 6 times
      Then the scripted model's answers are
        | prompt | completion | cached | written | reasoning |
        | 10     | 2          |        |         |           |
        | 10     | 0          |        |         |           |
        | 10     | 5          | 4      | 0       | 3         |
        | 10     | 0          | 0      | 8       |           |
        |        |            |        |         |           |
        | 3      | 1          |        |         |           |

    Scenario: Counted, a token is four bytes of messages, calls and tools
      Given the scripted model is offered the tools
        | tool | parameters |
        | look | {}         |
      And the scripted model hears
        | from         | text       |
        | system       | 12345678   |
        | user         | Åå         |
        | model look 1 | {"n": 1}   |
        | tool success 1 | 1234     |
      And a scripted model that plays
        """
        [{"text": "Åå", "calls": [call("look")]}]
        """
      When the scripted model is asked
      Then the scripted model's answers are
        | prompt | completion |
        | 23     | 3          |

  Rule: The cap

    Scenario Outline: A cap of <cap> tokens
      Given a scripted model that plays
        """
        [{"text": "Åbcd", "calls": [call("look", n=1), call("wait")], "usage": "counted"}]
        """
      And the scripted model is called with {"max_tokens": <cap>}
      When the scripted model is asked "A" in a stream
      Then the scripted model's answers are
        | text   | calls   | finish   | completion  |
        | <text> | <calls> | <finish> | <completion> |

      Examples:
        | cap | text | calls                   | finish     | completion |
        | 6   | Åbcd | look {"n": 1} & wait {} | tool_calls | 6          |
        | 5   | Åbcd | look {"n": 1}           | length     | 5          |
        | 4   | Åbcd | look {"n": 1            | length     | 4          |
        | 2   | Åbcd |                         | length     | 2          |
        | 1   | Åbc  |                         | length     | 1          |
        | 0   |      |                         | length     | 0          |

    Scenario: The call's cap goes before the model's
      Given a scripted model with {"max_tokens": 1, "repeat": true} that plays
        """
        ["twelve bytes"]
        """
      When the scripted model is asked "A"
      And the scripted model is asked with {"max_tokens": 2}
      Then the scripted model's answers are
        | text     | finish |
        | twel     | length |
        | twelve b | length |

    Scenario: A provider that ignores the cap
      Given a scripted model with {"max_tokens": 1, "ignore_cap": true} that plays
        """
        ["twelve bytes"]
        """
      When the scripted model is asked "A"
      Then the scripted model's answers are
        | text         | finish | completion |
        | twelve bytes | stop   | 3          |

    Scenario: What is told of the tokens of a cut answer is no more than was said
      Given a scripted model with {"max_tokens": 2} that plays
        """
        [{"text": "twelve bytes", "usage": (5, 9)}, {"text": "short", "usage": (5, 9)}, AIMessage("twelve bytes", id="m")]
        """
      When the scripted model is asked 3 times
      Then the scripted model's answers are
        | text     | finish | prompt | completion |
        | twelve b | length | 5      | 2          |
        | short    | stop   | 5      | 9          |
        | twelve b | length | 3      | 2          |

    Scenario: Chunks are cut where the cap is
      Given a scripted model with {"max_tokens": 2} that plays
        """
        [{"chunks": ["twelve", " by", "tes"]}, {"chunks": ["a", ""]}]
        """
      When the scripted model is asked "A" in a stream
      Then its chunks have the texts ["twelve", " b", ""]
      When the scripted model is asked "B" in a stream
      Then its chunks have the texts ["a", ""]
