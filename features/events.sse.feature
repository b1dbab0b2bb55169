Feature: A run's events as server-sent events

  A page shows an answer while it is written. What goes to a browser holds no prompt, argument, result or figure
  unless the host says so, and a browser that leaves ends the run.

  Background:
    Given a stream of
      | event                                                                   | agent |
      | ReactStartEvent()                                                       | entry |
      | LLMCallStartEvent([HumanMessage("secret")])                             | entry |
      | LLMChunkArriveEvent(AIMessageChunk("Let me"), "Let me", 0, "Let me")    | entry |
      | LLMCallEndEvent(AIMessage("Let me"), [], [CALL], 0.1, "Let me")         | entry |
      | CustomEvent("usage", {"spent": 5})                                      | entry |
      | ToolCallStartEvent("ask", "1", {"a": "secret"})                         | entry |
      | ReactStartEvent()                                                       | child |
      | LLMChunkArriveEvent(AIMessageChunk("inner"), "inner", 0, "inner")       | child |
      | CustomEvent("stream_reset", {"attempt": 1})                             | child |
      | ReactEndEvent([], "inner")                                              | child |
      | CustomEvent("progress", {"done": 0.5}, "1")                             | entry |
      | ToolCallEndEvent("ask", "1", {"a": "secret"}, "secret", 0.25, True)     | entry |
      | LLMCallStartEvent([])                                                   | entry |
      | LLMChunkArriveEvent(AIMessageChunk("half"), "half", 0, "half")          | entry |
      | CustomEvent("stream_reset", {"attempt": 1})                             | entry |
      | LLMCallStartEvent([], "turn", 2)                                        | entry |
      | LLMChunkArriveEvent(AIMessageChunk("Line\n"), "Line\n", 0, "Line\n")    | entry |
      | LLMChunkArriveEvent(AIMessageChunk("two"), "Line\ntwo", 1, "two")       | entry |
      | ReactEndEvent([HumanMessage("secret")], "Line\ntwo", "completed", {"total_tokens": 9}, Decimal("0.5")) | entry |
      | ResponseYield("Line\ntwo", [])                                          |       |

  Scenario: What a browser sees
    When its chat frames are read
    Then the frames are
      | id | event      | data                                       |
      | 1  | start      | {"run_id": "run-1"}                        |
      | 3  | text       | {"text": "Let me"}                         |
      | 6  | tool_start | {"id": "1", "name": "ask"}                 |
      | 11 | custom     | {"name": "progress", "data": {"done": 0.5}} |
      | 12 | tool_end   | {"id": "1", "ok": true, "seconds": 0.25}   |
      | 14 | text       | {"text": "\n\nhalf"}                       |
      | 15 | reset      | {}                                         |
      | 17 | text       | {"text": "\n\nLine\n"}                     |
      | 18 | text       | {"text": "two"}                            |
      | 19 | done       | {"stop_reason": "completed"}               |
    And no frame holds "secret", "spent" or "inner"

  Scenario Outline: What the host includes: <part>
    When its chat frames are read, with <part>
    Then a frame "<event>" is <data>

    Examples:
      | part      | event      | data                                                                        |
      | prompts   | prompt     | {"messages": [{"role": "user", "content": "secret"}]}                       |
      | arguments | tool_start | {"id": "1", "name": "ask", "arguments": {"a": "secret"}}                    |
      | results   | tool_end   | {"id": "1", "ok": true, "seconds": 0.25, "result": "secret"}                |
      | usage     | custom     | {"name": "usage", "data": {"spent": 5}}                                     |
      | usage     | done       | {"stop_reason": "completed", "usage": {"total_tokens": 9}, "cost": "0.5"}   |
      | histories | done       | {"stop_reason": "completed", "messages": [{"role": "user", "content": "secret"}]} |

  Scenario: Every event, for a server
    When its events frames are read
    Then there are 20 frames, "react_start" first and "response" last, which are read as the same outputs

  Scenario: Every event with its messages
    When its events frames are read, with histories
    Then the stream comes back equal

  Scenario Outline: What is not known is refused: <option>
    When the frames are asked for with <option>
    Then asking for them fails with "<problem>"

    Examples:
      | option                   | problem                |
      | {"format": "html"}       | format='html'          |
      | {"include": ["secrets"]} | include='secrets'      |
      | {"include": "usage "}    | include='usage '       |

  Scenario Outline: A run that fails: <error>
    Given the stream then raises <error>
    When its chat frames are read
    Then the last frame is "error" with code "<code>" and a sentence of our own

    Examples:
      | error                                | code         |
      | ProviderBusy("secret")               | rate_limited |
      | ValueError("secret")                 | internal     |
      | TimeoutError("secret")               | timeout      |
      | ConnectionError("secret")            | unavailable  |
      | ValueError("maximum context length") | too_long     |
      | ExecutorBusyError("secret")          | busy         |
      | Looped()                             | internal     |

  Scenario: Text that was not streamed, and an answer that no model wrote
    Given a stream of
      | event                                                          |
      | LLMCallStartEvent([])                                          |
      | LLMCallEndEvent(AIMessage("whole"), [], [], 0.1, "whole")      |
      | LLMCallStartEvent([], "pruning")                               |
      | LLMChunkArriveEvent(AIMessageChunk("x"), "x", 0, "x", "pruning") |
      | LLMCallEndEvent(AIMessage("x"), [], [], 0.1, "x")              |
      | CustomEvent("approval", {"calls": [{"id": "1", "name": "f", "args": {"a": 1}}]}) |
      | ReactEndEvent([], "It was stopped.", "approval")               |
    When its chat frames are read
    Then the frames are
      | id | event    | data                                    |
      | 2  | text     | {"text": "whole"}                       |
      | 6  | approval | {"calls": [{"id": "1", "name": "f"}]}   |
      | 7  | text     | {"text": "\n\nIt was stopped."}         |
      | 7  | done     | {"stop_reason": "approval"}             |

  Scenario: An answer that is no text
    Given a stream of
      | event                                      |
      | LLMChunkArriveEvent(AIMessageChunk(""), "", 0) |
      | CustomEvent("stream_reset", {"attempt": 1}) |
      | CustomEvent("kernel_stdout", {"text": "secret"}, "1") |
      | ReactEndEvent([], {"a": 1})                |
    When its chat frames are read
    Then the frames are
      | id | event | data                         |
      | 4  | done  | {"stop_reason": "completed"} |

  Scenario: Half an emoji in each of two texts
    Given a stream of
      | event                                                        |
      | LLMChunkArriveEvent(AIMessageChunk("a"), "a", 0, "\ud83d")   |
      | LLMChunkArriveEvent(AIMessageChunk("b"), "b", 0, "\ude00")   |
    When its chat frames are read
    Then the frames' texts together are "😀"

  Scenario: A comment in the silence does not break what is waited for
    Given the stream then waits for a gate
    When chat frames with a ping of 0.01 s are read until 2 comments have come, and the gate opens
    Then nothing of the stream was cancelled, and the frames end with "done"

  Scenario: A wait that is cancelled takes nothing away
    Given the stream then waits for a gate
    When the wait for a chat frame is cancelled, and the gate opens
    Then nothing of the stream was cancelled, and the frames end with "done"

  Scenario Outline: Leaving the frames closes the run: <way>
    Given the stream then waits for ever
    When 9 frames are read and then <way>
    Then the run is closed, and no task is left

    Examples:
      | way                                   |
      | the frames are closed                 |
      | the frames are closed while waited for |
      | the frames are dropped                |
      | the wait for the next is cancelled and the frames are closed |

  Scenario: A reader that is slow holds the run up
    Given a stream of 200 texts
    When 2 frames are read, and then all
    Then at most 67 outputs had been taken by then, and 201 frames were read

  Scenario: Frames that are closed have no more
    Given the stream then waits for ever
    When 9 frames are read and then the frames are closed
    Then the frames that were closed have no more

  Scenario: A stream that can't be closed is logged
    Given the stream can't be closed
    When its chat frames are read
    Then the frames end with "done", and the log says "could not be closed: OSError"

  Scenario: Nothing starts before the first frame is asked for
    When the frames are made and closed
    Then the stream was closed and never begun

  Scenario Outline: A response on ASGI <spec> sends all, and closes the run
    Given a server of ASGI <spec>
    When a browser reads the response to the end
    Then its headers are those of an event stream that nobody may hold back
    And it has read 10 frames, the run is closed, and the background task has run

    Examples:
      | spec |
      | 2.0  |
      | 2.3  |
      | 2.4  |

  Scenario Outline: A browser that leaves, on ASGI <spec>
    Given a server of ASGI <spec>
    And the stream then waits for ever
    When a browser leaves after 3 frames, with a ping of 0.01 s
    Then the run is closed, and no task is left

    Examples:
      | spec |
      | 2.3  |
      | 2.4  |

  Scenario Outline: A framework that cancels the response with a scope, on ASGI <spec>
    Given a server of ASGI <spec>
    And the stream then waits for ever
    When the scope of the response is cancelled
    Then the run is closed, and no task is left

    Examples:
      | spec |
      | 2.3  |
      | 2.4  |

  Scenario: A framework that cancels the response before its first frame
    When the scope of the response is cancelled while its head is being sent
    Then the stream was closed and never begun

  Scenario: A request for the head alone costs nothing
    When the head of the response is asked for
    Then the stream was closed and never begun

  Scenario: A client of a real server leaves
    Given the stream then waits for ever
    When a client leaves a real server after the first text
    Then the run is closed, and no task is left

  Scenario: A handler that does not stream hears that its client has left
    When a client leaves a real server's handler
    Then the handler was told "the client disconnected", and could read the body all the same

  Scenario: A request that is lost before its body has come, and one whose body was read as a stream
    Then the signal of a request that is lost is aborted, and that of one read as a stream is not

  Scenario: Without Starlette the extra is named
    Then importing the web room without Starlette fails with "pip install 'cleveractors[web]'"
