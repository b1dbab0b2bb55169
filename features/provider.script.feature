Feature: The script of a scripted provider, and its gates
  Requests take turns in order of arrival, by model where a model has a script of its own; at a gate a request
  stands until the test lets it go on.

  Scenario: Turns are taken in order, then the responder is asked, then there is the turn for ever
    Given the script is Turn("1"), StatusFault(503)
    And the provider then repeats Turn("for ever") for ever
    When a client of it asks 4 times with {}
    Then the responses are [200, 503, 200, 200]
    And the response has
      | at                        | is         |
      | choices.0.message.content | "for ever" |
    Given the provider then asks lambda request: Turn(request.messages[-1]["content"] + "!")
    When a client of it asks
    Then the response has
      | at                        | is    |
      | choices.0.message.content | "Hi!" |

  Scenario: A model with a script of its own takes no other turns
    Given the script is Turn("general")
    And the script of "own" is Turn("own")
    When a client of it asks 2 times with {"model": "own"}
    Then the responses are [200, 400]
    And the provider has the problem "request 1: the script has no turn left for model 'own'"
    When a client of it asks with {"model": "other"}
    Then the response has
      | at                        | is        |
      | model                     | "other"   |
      | choices.0.message.content | "general" |

  Scenario: A script that runs out is the test's mistake, and is told to both sides
    When a client of it asks
    Then the response is a 400 that says request 0: the script has no turn left for model 'm'
    And the response has the headers {"x-should-retry": "false"}
    And the response has
      | at         | is                 |
      | error.code | "script_exhausted" |
    And the provider has the problem "request 0: the script has no turn left for model 'm'"
    And the ledger of the provider has
      | outcome    | charged |
      | "rejected" | false   |

  Scenario Outline: A responder that <fails> is told to both sides
    Given the provider then asks <responder>
    When a client of it asks
    Then the response is a 400 that says request 0: the script failed: <text>
    And the response has
      | at         | is              |
      | error.code | "script_failed" |
    And the provider has the problem "<text>"

    Examples:
      | fails            | responder                  | text                                                                  |
      | raises           | lambda request: 1 / 0      | ZeroDivisionError: division by zero                                   |
      | ends the test    | lambda request: fail(SystemExit(3)) | SystemExit: 3                                                         |
      | gives no turn    | lambda request: "Hello"    | ValueError: a script consists of Turn and fault values, not 'Hello'   |

  Scenario: A responder may give faults, and extend the script
    Given the provider then asks lambda request: provider.script(Turn("next")) or StatusFault(503)
    When a client of it asks 2 times with {}
    Then the responses are [503, 200]

  Scenario: A request stands at a gate before its answer, and goes on when it is opened
    Given the script is Turn("a", hold_before=gate), Turn("b", hold_before=gate)
    When a client of it waits for the answer to {}
    And a request stands at the gate
    Then the provider's user reads (gate.reached, gate.opened, provider.ledger) as (1, False, ())
    And the provider's user reads repr(gate) as "Gate('gate', opened=False, reached=1)"
    When the provider's gate is opened
    And that client reads on
    Then the response is a 200
    When a client of it asks
    Then the response is a 200
    And the provider's user reads (gate.reached, gate.opened) as (2, True)

  Scenario: A stream stands at a gate, and what came before it is with the client
    Given the script is Turn("HelloYou", hold_after_chunk=(1, gate))
    When a client of it waits for the answer to {"stream": True}
    And that client has read Hell
    And a request stands at the gate
    And the provider's gate is opened
    And that client reads on
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"Hell"}
      0 {"content":"oYou"}
      0 stop
      [DONE]
      """

  Scenario: A blocking answer does not stand at a place in a stream
    Given the script is Turn("Hello", hold_after_chunk=(1, gate))
    When a client of it asks
    Then the response is a 200
    And the provider's user reads gate.reached as 0

  Scenario: A fault and a gate at the same place
    Given the script is Turn("HelloYou", hold_after_chunk=(1, gate), fault=DropFault(1))
    When a client of it waits for the answer to {"stream": True}
    And a request stands at the gate
    And the provider's gate is opened
    And that client reads on
    Then the response ends closed
    And the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      0 {"content":"Hell"}
      """

  Scenario: A gate of the user's own that fails ends its request, and is told
    Given a gate that fails with "no way"
    And the script is Turn("Hello", hold_before=gate), Turn("Hello")
    When a client of it asks
    Then the connection is closed before any response
    And the provider has the problem "the provider failed: RuntimeError('no way')"
    And the ledger of the provider has
      | outcome | charged |
      | "cut"   | true    |
    When a client of it asks
    Then the response is a 200

  Scenario: One gate holds many requests
    Given a scripted provider with Turn("x", hold_before=gate)
    When a client of it waits for the answer to {}
    And a client of it waits for the answer to {"stream": True}
    And 2 requests stand at gate
    Then the wait gate.wait_reached(3, timeout=0) of the provider fails with
      """
      waited 0 s: 2 of 3 requests reached the gate 'gate'
      """
    And the async wait another_gate.wait_reached_async(timeout=0) of the provider fails with
      """
      waited 0 s: 0 of 1 requests reached the gate 'another gate'
      """
    And the provider's user reads gate.wait_reached(2) as None

  Scenario Outline: A client that leaves at a gate is billed what was generated: <turn> to <body>
    Given the script is <turn>
    When a client of it waits for the answer to <body>
    And a request stands at the gate
    And that client <leaves>
    And the provider has decided 1 requests
    Then the ledger of the provider has
      | outcome | charged | prompt_tokens | completion_tokens | told_completion_tokens |
      | "cut"   | true    | 8             | <answer>          | <told>                 |
    And the provider has no problem

    Examples:
      | turn                                                                 | body             | leaves            | answer | told |
      | Turn("Hello", hold_before=gate)                                      | {}               | leaves            | 2      | null |
      | Turn("Hello", hold_before=gate)                                      | {"stream": True} | leaves            | 0      | null |
      | Turn("HelloYou", hold_after_chunk=(1, gate))                         | {"stream": True} | leaves by a reset | 1      | null |
      | Turn("HelloYou", hold_after_chunk=(1, gate), usage="every")          | {"stream": True} | leaves by a reset | 1      | 1    |
      | Turn("HelloYou", hold_after_chunk=("finish", gate), usage="every")   | {"stream": True} | leaves            | 2      | 2    |

  Scenario: A client that leaves before a drop or a rejection is dropped all the same
    Given the script is StatusFault(429), Turn(fault=DropFault(), hold_before=gate)
    When a client of it asks
    And a client of it waits for the answer to {}
    And a request stands at the gate
    And that client leaves
    And the provider has decided 2 requests
    Then the ledger of the provider has
      | outcome    | charged |
      | "rejected" | false   |
      | "cut"      | true    |

  Scenario: A client that reads late gets everything
    Given a scripted provider with Turn("word" * 5_000_000)
    When a client of it that does not read waits for the answer to {}
    And the provider has begun to answer
    And that client reads on
    Then the response ends complete
    And the ledger of the provider has
      | outcome    | completion_tokens | told |
      | "answered" | 5000000           | true |

  Scenario Outline: What a client never took was not told: <body>, <chunks> chunks
    Given a scripted provider with Turn("word" * <words>, chunks=<chunks>)
    When a client of it that does not read waits for the answer to <body>
    And the provider has begun to answer
    And that client leaves by a reset
    And the provider sees all clients leave
    Then the ledger of the provider has
      | outcome | charged | told  |
      | "cut"   | true    | false |
    And the provider has no problem

    Examples:
      | words     | chunks | body                                                              |
      | 5_000_000 | None   | {}                                                                |
      | 5_000_000 | 1000   | {"stream": True, "stream_options": {"include_usage": True}}       |
      | 100_000   | None   | {"stream": True, "stream_options": {"include_usage": True}}       |
