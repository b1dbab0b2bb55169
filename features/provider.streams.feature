Feature: What a scripted provider streams
  A stream is what OpenAI sends, chunk by chunk; a turn says where it is cut, when usage is told, and in which of
  the peculiar forms of compatible servers it comes.

  Scenario: A text is streamed, and usage told at the end where it was asked for
    Given the script is Turn("Hello"), Turn("Hello")
    When a client of it asks for a stream
    Then the response has the headers {"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked"}
    And the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage null
      0 {"content":"Hell"} usage null
      0 {"content":"o"} usage null
      0 stop usage null
      usage 8+2
      [DONE]
      """
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"Hell"}
      0 {"content":"o"}
      0 stop
      [DONE]
      """
    And the ledger of the provider has
      | streamed | outcome    | completion_tokens | told_completion_tokens | told  |
      | true     | "answered" | 2                 | 2                      | true  |
      | true     | "answered" | 2                 | null                   | false |

  Scenario: Reasoning, text, refusal, calls and further choices come in this order
    Given the script is Turn("Hi", reasoning_content="Hm", refusal="No", calls=[("f", {})], alternatives=["Ho"])
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      1 {"role":"assistant","content":"","refusal":null}
      0 {"reasoning_content":"Hm"}
      0 {"content":"Hi"}
      0 {"refusal":"No"}
      0 {"tool_calls":[{"index":0,"id":"call_000000_0","type":"function","function":{"name":"f","arguments":""}}]}
      0 {"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}
      1 {"content":"Ho"}
      0 tool_calls
      1 tool_calls
      [DONE]
      """

  Scenario Outline: The text's pieces: <chunks>
    Given the script is Turn("Hello", chunks=<chunks>, honour_cap=True)
    When a client of it asks with {"stream": True, "max_tokens": <cap>}
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      <lines>
      [DONE]
      """

    Examples:
      | chunks             | cap | lines                                                                                          |
      | 1                  | 9   | 0 {"content":"Hello"} ⏎ 0 stop                                                            |
      | 2                  | 9   | 0 {"content":"He"} ⏎ 0 {"content":"llo"} ⏎ 0 stop                                    |
      | ["H", "", "ello"]  | 9   | 0 {"content":"H"} ⏎ 0 {"content":""} ⏎ 0 {"content":"ello"} ⏎ 0 stop            |
      | ["H", "ello"]      | 1   | 0 {"content":"H"} ⏎ 0 {"content":"ell"} ⏎ 0 length                                   |

  Scenario: Pieces that no longer fit the text are kept as far as they do
    Given the script is Turn("Hi", chunks=["H", "i"], calls=[("f", {})], respect_tool_choice=True), Turn("", chunks=[""], calls=[("f", {})], respect_tool_choice=True)
    When a client of it asks with {"stream": True}
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"H"}
      0 {"content":"i"}
      0 stop
      [DONE]
      """
    When a client of it asks with {"stream": True}
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":""}
      0 {"content":"No tool was called."}
      0 stop
      [DONE]
      """

  Scenario: A stream without a finish reason has no finish chunk
    Given the script is Turn("Hi", finish_reason=None)
    When a client of it asks for a stream
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage null
      0 {"content":"Hi"} usage null
      usage 8+1
      [DONE]
      """

  Scenario: Usage on every chunk grows with what is said; hidden reasoning was before it
    Given the script is Turn("HelloYou", usage="every", reasoning_tokens=5)
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage 8+0
      0 {"content":"Hell"} usage 8+6
      0 {"content":"oYou"} usage 8+7
      0 stop usage 8+7
      [DONE]
      """

  Scenario Outline: Usage of a stream under "<mode>"
    Given the script is Turn("Hi", usage="<mode>")
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} <filler>
      0 {"content":"Hi"} <filler>
      0 stop <end>
      [DONE]
      """
    And the ledger of the provider has
      | told_prompt_tokens | told_completion_tokens |
      | <prompt>           | <answer>               |

    Examples:
      | mode        | filler     | end                  | prompt | answer |
      | always      |            |  ⏎ usage 8+1    | 8      | 1      |
      | with_finish |            | usage 8+1         | 8      | 1      |
      | never       |            |                      | null   | null   |
      | null        | usage null | usage null     | null   | null   |
      | partial     |            |  ⏎ usage 8+None | 8      | null   |

  Scenario Outline: Where a call's id and name stand: <wire>
    Given the script is Turn(calls=[Call("f", "12", id="x", index=7)], argument_chunk=1, wire=Wire(<wire>))
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":null,"refusal":null}
      0 {"tool_calls":[{"index":7<id 1>,"type":"function","function":{<name 1>"arguments":""}}]}
      0 {"tool_calls":[{"index":7<id 2>,"function":{<name 2>"arguments":"1"}}]}
      0 {"tool_calls":[{"index":7<id 3>,"function":{<name 3>"arguments":"2"}}]}
      0 tool_calls
      [DONE]
      """

    Examples:
      | wire                        | id 1      | id 2      | id 3      | name 1      | name 2      | name 3      |
      | ids="first", names="first"  | ,"id":"x" |           |           | "name":"f", |             |             |
      | ids="every", names="every"  | ,"id":"x" | ,"id":"x" | ,"id":"x" | "name":"f", | "name":"f", | "name":"f", |
      | ids="blank", names="late"   | ,"id":"x" | ,"id":""  | ,"id":""  |             |             | "name":"f", |
      | ids="late", names="blank"   |           |           | ,"id":"x" | "name":"f", | "name":"",  | "name":"",  |

  Scenario: Calls without ids and indexes, each in one delta
    Given the script is Turn(calls=[Call("f", {}, id=None, index=None)], argument_chunk=0)
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":null,"refusal":null}
      0 {"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}
      0 tool_calls
      [DONE]
      """

  Scenario: Calls and choices may be mixed
    Given the script is Turn(calls=[Call("f", "1", id="x"), Call("g", "2", id="y")], alternatives=["Ho"], wire=Wire(interleave=True))
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":null,"refusal":null}
      1 {"role":"assistant","content":"","refusal":null}
      0 {"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}]}
      0 {"tool_calls":[{"index":1,"id":"y","type":"function","function":{"name":"g","arguments":""}}]}
      1 {"content":"Ho"}
      0 {"tool_calls":[{"index":0,"function":{"arguments":"1"}}]}
      0 {"tool_calls":[{"index":1,"function":{"arguments":"2"}}]}
      0 tool_calls
      1 tool_calls
      [DONE]
      """

  Scenario: The finish chunk may come twice, and [DONE] not at all
    Given the script is Turn("Hi", wire=Wire(repeat_finish=True, done=False))
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"Hi"}
      0 stop
      0 stop
      """

  Scenario Outline: The bytes of an event: <wire>
    Given the script is Turn("Hi", wire=Wire(<wire>))
    When a client of it asks for a stream
    Then the body of the response begins with <bytes>
    And the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage null
      0 {"content":"Hi"} usage null
      0 stop usage null
      usage 8+1
      [DONE]
      """

    Examples:
      | wire                         | bytes                                       |
      | space=False                  | b'data:{"id"'                               |
      | newline="\r\n"               | b'data: {"id"'                              |
      | comments=True                | b': keep-alive\n\ndata: {'                  |
      | blank_lines=2                | b'\n\ndata: {'                              |
      | comments=True, blank_lines=1, newline="\r\n" | b': keep-alive\r\n\r\n\r\ndata: {' |

  Scenario: A stream may be cut into packets of any size
    Given the script is Turn("ü", finish_reason=None, wire=Wire(packet=100)), Turn("ü", finish_reason=None, wire=Wire(packet=1))
    When a client of it asks for a stream without usage
    Then the packets of the response are [100, 100, 100, 100, 84] bytes
    When a client of it asks for a stream without usage
    Then the packets of the response are [1] * 484 bytes
    And the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"ü"}
      [DONE]
      """

  Scenario: A long stream comes whole
    Given the script is Turn("word" * 5000)
    When a client of it asks for a stream
    Then the response ends complete
    And the ledger of the provider has
      | outcome    | completion_tokens | told |
      | "answered" | 5000              | true |
