Feature: The life of a scripted provider, and what its user asks it
  A provider is started once, listens on loopback alone, and leaves nothing when it is closed; what happened can
  be asked and waited for from any thread and any loop.

  Scenario: Closing ends every connection, also one that waits for its answer, and can be done twice
    Given a scripted provider with Turn("x", hold_before=gate)
    When a client of it waits for the answer to {}
    And a request stands at the gate
    And a client of it connects
    And the provider is closed
    And the provider is closed
    Then every client's connection is ended
    And the provider's user reads provider.open_connections as 0
    And the ledger of the provider has
      | outcome |
      | "cut"   |
    And evaluating provider.start() fails with ValueError "a provider is started only once; make a new one"

  Scenario: Closing while clients come leaves no socket open
    When 40 providers are closed at once, each while 5 clients connect
    Then each of those clients was ended

  Scenario: A provider that was never started has no address, and is closed for good
    Then evaluating ScriptedProvider().port fails with ValueError "the provider has no address yet: start it"
    And evaluating ScriptedProvider().base_url fails with ValueError "the provider has no address yet: start it"
    And a provider that is closed before it was started can't be started

  Scenario: A port may be chosen, if it is free
    Given a scripted provider with port=0
    Then the provider's user reads provider.base_url as f"http://127.0.0.1:{provider.port}/v1"
    And evaluating ScriptedProvider(port=provider.port).start() fails with OSError "address"
    And a provider whose start failed is not started again

  Scenario Outline: Mistakes of the provider's user: <mistake>
    Then evaluating <mistake> fails with ValueError "<text>"

    Examples: of the provider
      | mistake                                  | text                                                      |
      | ScriptedProvider(api_key=" ")            | api_key is blank; None accepts any request                |
      | ScriptedProvider(port=65536)             | port is 0 to 65535, not 65536                             |
      | ScriptedProvider(port=-1)                | port is 0 to 65535, not -1                                |
      | ScriptedProvider("Hello")                | a script consists of Turn and fault values, not 'Hello'   |
      | ScriptedProvider().script(Turn(), None)  | a script consists of Turn and fault values, not None      |
      | ScriptedProvider().script_forever(3)     | a script consists of Turn and fault values, not 3         |
      | ScriptedProvider(DropFault(after=3))     | write Turn('…', fault=DropFault(after=3))                 |
      | ScriptedProvider(StreamFault(2))         | write Turn('…', fault=StreamFault(after=2))               |

    Examples: of turns
      | mistake                                                 | text                                                                                     |
      | Turn(prompt_tokens=-1)                                  | prompt_tokens is >= 0, not -1                                                            |
      | Turn(argument_chunk=-1)                                 | argument_chunk is >= 0, not -1                                                           |
      | Turn(delay=-0.1)                                        | delay is a number of seconds >= 0, not -0.1                                              |
      | Turn(delay=float("nan"))                                | delay is a number of seconds >= 0, not nan                                               |
      | Turn(chunk_delay=-1)                                    | chunk_delay is a number of seconds >= 0, not -1                                          |
      | Turn(prompt_tokens=1, cached_tokens=2)                  | cached_tokens 2 exceed prompt_tokens 1                                                   |
      | Turn(completion_tokens=1, reasoning_tokens=2)           | reasoning_tokens 2 exceed completion_tokens 1                                            |
      | Turn("Hi", chunks=0)                                    | chunks is a number of pieces >= 1, not 0                                                 |
      | Turn("Hi", chunks=["H"])                                | chunks do not make up the text: 'H' is not 'Hi'                                          |
      | Turn(usage="sometimes")                                 | usage is one of last, always, every, with_finish, never, null, partial, not 'sometimes'  |
      | Turn(calls=["f"])                                       | calls are Call values or (name, arguments) pairs, not 'f'                                |
      | Turn(calls=[("f", {1, 2})])                             | pairs of JSON values: Object of type set is not JSON serializable                        |
      | Turn(calls=[("f",), ("f", {}, "a", 0, 0)])              | calls are Call values or (name, arguments) pairs of JSON values                          |
      | Turn(calls=[("", {})])                                  | a call needs the name of its tool                                                        |
      | Turn(calls=[("f", {"a": "\ud83d"})])                    | the call of 'f' holds half a surrogate pair                                              |
      | Turn("\ud83d")                                          | text holds half a surrogate pair, which no JSON can carry                                |
      | Turn(5)                                                 | text is a text, not 5                                                                    |
      | Turn("a", alternatives="bc")                            | alternatives are texts in a list, not 'bc'                                               |
      | Turn("a", alternatives=["b", 3])                        | alternatives[1] is a text, not 3                                                         |
      | Turn(headers={"x": "a\r\ny: b"})                        | not a header that can be sent                                                            |
      | Turn(headers={"x": "☂"})                                | not a header that can be sent                                                            |
      | Turn(hold_before=True)                                  | hold_before is a Gate, not True                                                          |
      | Turn(hold_after_chunk=(2, "gate"))                      | hold_after_chunk is a place and a Gate, not 'gate'                                       |
      | Turn(hold_after_chunk=2)                                | hold_after_chunk is a place and a Gate, not 2                                            |
      | Turn(hold_after_chunk=(-1, gate))                       | the place in hold_after_chunk is a number of chunks >= 0, 'finish' or 'usage', not -1    |
      | Turn(fault=Turn())                                      | fault is a fault, not Turn(                                                              |
      | Turn(wire="odd")                                        | wire is a Wire, not 'odd'                                                                |

    Examples: of faults and wires
      | mistake                                                 | text                                                                                     |
      | StatusFault(200)                                        | the status of a fault is 400 to 599, not 200                                             |
      | StatusFault(429, retry_after=datetime(2026, 1, 1))      | retry_after as a moment needs a time zone                                                |
      | StatusFault(429, retry_after="1\r\nx: y")               | not a header that can be sent                                                            |
      | StatusFault(429, headers={"x\n": "y"})                  | not a header that can be sent                                                            |
      | DropFault(how="gently")                                 | how is 'close', 'reset' or 'end', not 'gently'                                           |
      | DropFault(how="end")                                    | DropFault(how='end') needs after=: where the body ends                                   |
      | DropFault(after=True)                                   | after is a number of chunks >= 0, 'finish' or 'usage', not True                          |
      | StreamFault("start")                                    | after is a number of chunks >= 0, 'finish' or 'usage', not 'start'                       |
      | BodyFault("xml")                                        | unknown kind of body fault: 'xml'                                                        |
      | Wire(packet=0)                                          | packet is a number of bytes >= 1, not 0                                                  |
      | Wire(newline="\r")                                      | newline is '\n' or '\r\n', not '\r'                                                      |
      | Wire(blank_lines=-1)                                    | blank_lines is >= 0, not -1                                                              |
      | Wire(names="last")                                      | names is 'first', 'every', 'blank' or 'late', not 'last'                                 |

  Scenario Outline: Waiting in vain says what came: <wait>
    Given a scripted provider with Turn("x")
    When a client of it asks
    Then the wait provider.<wait>(<arguments>timeout=0) of the provider fails with
      """
      waited 0 s: <text>
      """
    And the async wait provider.<wait>_async(<arguments>timeout=0) of the provider fails with
      """
      waited 0 s: <text>
      """

    Examples:
      | wait          | arguments | text                                |
      | wait_requests | 2,        | 1 of 2 requests arrived             |
      | wait_settled  | 3,        | 1 of 3 chat requests were decided   |
      | wait_closed   |           | 1 connections are still open        |

  Scenario Outline: What has come already is not waited for: <wait>
    Given a scripted provider with Turn("x")
    When a client of it asks
    Then the provider's user reads provider.<wait>(<arguments>) as None

    Examples:
      | wait          | arguments    |
      | wait_requests | 1            |
      | wait_settled  | 1            |
      | wait_closed   | remaining=1  |

  Scenario: A thread and a loop wait for the same request
    Given a scripted provider with Turn("x")
    Then a thread and a loop that wait for 1 request both go on when a client asks

  Scenario: A wait that is cancelled is forgotten
    Given a scripted provider with Turn("x")
    When a wait for 1 request is cancelled
    And a client of it asks
    Then the response is a 200

  Scenario: Each request is on record
    Given a scripted provider with Turn("x")
    When a client of it asks with {"tools": [{"type": "function"}], "tool_choice": "auto", "max_tokens": 9} and the headers {"X-Trace": "7"}
    And a client of it sends http("GET", "/v1/models?limit=2")
    Then the provider's user reads [(one.order, one.method, one.path, one.model) for one in provider.requests] as [(0, "POST", "/v1/chat/completions", "m"), (1, "GET", "/v1/models?limit=2", "")]
    And the provider's user reads (provider.requests[0].messages, provider.requests[1].messages) as ([{"role": "user", "content": "Hi"}], [])
    And the provider's user reads [(one.tools, one.tool_choice, one.token_cap) for one in provider.requests] as [([{"type": "function"}], "auto", 9), (None, None, None)]
    And the provider's user reads [(one.streamed, one.wants_usage, one.headers.get("x-trace")) for one in provider.requests] as [(False, False, "7"), (False, False, None)]
    And the provider's user reads provider.requests[0].arrived <= provider.requests[1].arrived as True

  Scenario: A reset forgets everything, and goes on listening
    Given the script is Turn("1"), Turn("2")
    And the script of "other" is Turn("3")
    When a client of it asks
    Then the provider's user reads provider.remaining as 2
    When the provider is reset
    Then the provider's user reads (provider.remaining, provider.requests, provider.ledger, provider.totals().requests) as (0, (), (), 0)
    When a client of it asks
    Then the response is a 400 that says the script has no turn left for model 'm'

  Scenario: The totals are the sums of the ledger
    Given the script is Turn("Hello", cached_tokens=3, reasoning_tokens=2), StatusFault(500), Turn("Hello", usage="never")
    When a client of it asks 3 times with {}
    Then the provider's user reads provider.totals() as LedgerTotals(3, 2, 1, 16, 6, 3, 2, 8, 4)
    And the provider's user reads [entry.order for entry in provider.billed] as [0, 2]

  Scenario: A provider is a context manager of both kinds
    Then a provider serves within a with statement and an async with statement, and no longer after it
