Feature: Events as JSON, and back

  A host puts events into a queue or a file, and reads them in another process: types and fields survive.

  Scenario Outline: <event> survives
    Given the event to send is <event>
    When the event travels as JSON
    Then the event comes back equal

    Examples:
      | event |
      | ReactStartEvent() |
      | ReactIterationStartEvent(2) |
      | ReactEndEvent([HumanMessage("hi"), AIMessage("yo")], "yo", "completed", {"total_tokens": 3}, Decimal("0.10")) |
      | LLMCallStartEvent([SystemMessage("s"), ToolMessage("r", tool_call_id="1")], "pruning", 2, "row") |
      | LLMChunkArriveEvent(AIMessageChunk("Hi", id="x", usage_metadata=USED), "Hi", 0, "Hi") |
      | LLMChunkArriveEvent(AIMessageChunk("", tool_call_chunks=[PIECE]), "", 1) |
      | LLMChunkArriveEvent(AIMessage("whole"), "whole", 0) |
      | LLMCallEndEvent(AIMessage("", tool_calls=[CALL]), [HumanMessage("hi")], [CALL], 0.5, "", {"total_tokens": 3}) |
      | ToolCallsBatchStartEvent([CALL]) |
      | ToolCallStartEvent("f", "1", {"when": datetime.date(2026, 1, 2)}) |
      | ToolCallArgumentsDeltaEvent("f", "1", "city", "half \ud83d", 3) |
      | ToolCallEndEvent("f", "1", {}, (1, b"\xff"), 0.25, False) |
      | ToolCallErrorEvent("f", "1", "why") |
      | CustomEvent("progress", {"done": 0.5}, "1") |
      | ResponseYield("the answer", [HumanMessage("hi"), AIMessage("the answer")]) |

  Scenario Outline: The value <value> comes back
    Then the value <value> arrives as <back>

    Examples: as it was
      | value                              | back                               |
      | (1, ["a", (2,)])                   | (1, ["a", (2,)])                   |
      | {1, 2}                             | {1, 2}                             |
      | frozenset("a")                     | frozenset("a")                     |
      | float("inf")                       | float("inf")                       |
      | 10 ** 5000                         | 10 ** 5000                         |
      | datetime.timedelta(1, 2, 3)        | datetime.timedelta(1, 2, 3)        |
      | datetime.time(1, 2)                | datetime.time(1, 2)                |
      | datetime.datetime(2026, 1, 2, 3)   | datetime.datetime(2026, 1, 2, 3)   |
      | UUID(int=5)                        | UUID(int=5)                        |
      | {1: 2, (3, 4): None}               | {1: 2, (3, 4): None}               |
      | {"__tuple__": [1]}                 | {"__tuple__": [1]}                 |
      | [HumanMessage("hi")]               | [HumanMessage("hi")]               |

    Examples: as what can be told of it
      | value                              | back                               |
      | Pair(1, Anything(it=[2]))          | {"left": 1, "right": {"it": [2]}}  |
      | Secretive("a", "b")                | {"shown": "a"}                     |
      | Opaque()                           | {"__text__": "<Opaque>"}           |
      | range(3)                           | {"__text__": "range(0, 3)"}        |
      | knot("list")                       | [1, {"__text__": "<cycle>"}]       |
      | {Opaque(): 1}                      | {"<Opaque>": 1}                    |
      | Shy()                              | {"__text__": "<Shy>"}              |
      | ShyTable()                         | {"__text__": "<ShyTable>"}         |
      | dict.fromkeys(range(300000))       | {"__text__": "<left out>"}         |
      | decode({"__date__": 5})            | {"__date__": 5}                    |
      | ProviderBusy("slow down")          | ErrorInfo("ProviderBusy", "slow down", "429", True) |
      | Looped()                           | ErrorInfo("Looped", "")            |
      | ChatMessage("x", role="critic")    | {"role": "chat", "content": "x"}   |
      | AIMessage("", tool_calls=[ODD])    | {"__text__": ANY}                  |
      | {"__date__": 5}                    | {"__date__": 5}                    |

  Scenario: An error comes back as what is known of it
    Given the event to send is LLMCallErrorEvent(ProviderBusy("slow down, sk-proj-1234567890"), True)
    When the event travels as JSON
    Then the event's error is ErrorInfo("ProviderBusy", "slow down, sk-***", "429", True)

  Scenario Outline: <text> is covered
    Then the text <text> arrives as <covered>

    Examples:
      | text                                | covered                      |
      | "my key is sk-proj-abc_DEF123."     | "my key is sk-***."          |
      | "Authorization: Bearer abc.def-123" | "Authorization: Bearer ***"  |
      | "AKIAIOSFODNN7EXAMPLE"              | "AKIA***"                    |
      | "task-management of risk-averse bearer instruments" | "task-management of risk-averse bearer instruments" |

  Scenario: The lean form has neither the text so far nor lists of messages
    Given the event to send is LLMChunkArriveEvent(AIMessageChunk("b"), "ab", 1, "b")
    When the event travels as JSON, lean
    Then the event has the fields ["chunk", "chunk_index", "text", "purpose", "attempt"], and "accumulated_content" reads as ""
    Given the event to send is ReactEndEvent([HumanMessage("hi")], "yo")
    When the event travels as JSON, lean
    Then the event has the fields ["response", "stop_reason", "usage", "cost", "error"], and "final_messages" reads as []

  Scenario Outline: What is no event is refused: <entry>
    When the entry <entry> is read as an event
    Then reading the entry fails with "<problem>"

    Examples:
      | entry                                                              | problem      |
      | {"version": 2}                                                     | version 2    |
      | {"version": 1, "kind": "event", "event_type": "party"}             | 'party'      |
      | {"version": 1, "kind": "event", "event_type": "custom", "event": {}} | CustomEvent |

  Scenario: A small object that is very large when written is cut
    Given the event to send is CustomEvent("large", {"it": diamond()})
    When the event travels as JSON
    Then what arrived is shorter than 20 million characters

  Scenario: No event makes it raise
    Then every event of any values is written and read
