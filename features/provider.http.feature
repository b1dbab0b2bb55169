Feature: Odd and hostile clients of a scripted provider
  Whatever a client sends, the provider answers it as a server would, goes on serving the others, and tells what
  was wrong.

  Scenario Outline: A chat request that OpenAI refuses: <what>
    Given a scripted provider with Turn("x")
    When a client of it asks with <body>
    Then the response is a 400 that says <message>
    And the response has
      | at          | is      |
      | error.type  | "invalid_request_error" |
      | error.param | <param> |
    And the provider has the problem "request 0 was rejected: "
    And the ledger of the provider has
      | outcome    | charged |
      | "rejected" | false   |

    Examples:
      | what                | body                                      | param                 | message                                        |
      | no model            | {"model": None}                           | "model"               | Missing required parameter: 'model'.           |
      | no messages         | {"messages": None}                        | "messages"            | Missing required parameter: 'messages'.        |
      | messages as text    | {"messages": "Hi"}                        | "messages"            | expected an array of objects                   |
      | a message as text   | {"messages": ["Hi"]}                      | "messages"            | expected an array of objects                   |
      | empty messages      | {"messages": []}                          | "messages"            | Invalid 'messages': empty array.               |
      | empty tools         | {"tools": []}                             | "tools"               | Invalid 'tools': empty array.                  |
      | a choice of none    | {"tool_choice": "auto"}                   | "tool_choice"         | only allowed when 'tools' are specified        |
      | parallel of none    | {"parallel_tool_calls": True}             | "parallel_tool_calls" | only allowed when 'tools' are specified        |
      | stream options      | {"stream_options": {}}                    | "stream_options"      | only allowed when 'stream' is enabled          |
      | a cap as text       | {"max_tokens": "9"}                       | "max_tokens"          | expected an integer above or equal to 1        |
      | a cap of zero       | {"max_completion_tokens": 0}              | "max_completion_tokens" | expected an integer above or equal to 1      |
      | a cap of True       | {"max_tokens": True}                      | "max_tokens"          | expected an integer above or equal to 1        |

  Scenario Outline: A history that OpenAI refuses: <what>
    Given a scripted provider with Turn("x")
    When a client of it asks with {"messages": [<messages>]}
    Then the response is a 400 that says <message>
    When a client of it asks
    Then the response is a 200

    Examples:
      | what                    | messages                                                                                                       | message                                                          |
      | a call without result   | {"role": "assistant", "tool_calls": [{"id": "a"}, {"id": "b"}]}, {"role": "tool", "tool_call_id": "a"}         | The following tool_call_ids did not have response messages: b     |
      | a result too late       | {"role": "assistant", "tool_calls": [{"id": "a"}]}, {"role": "user"}, {"role": "tool", "tool_call_id": "a"}    | did not have response messages: a                                |
      | a result without call   | {"role": "user"}, {"role": "tool", "tool_call_id": "a"}                                                        | must be a response to a preceeding message with 'tool_calls'     |
      | a result of another     | {"role": "assistant", "tool_calls": [{"id": "a"}]}, {"role": "tool", "tool_call_id": "b"}                      | 'tool_call_id' of 'b' not found                                  |
      | a result twice          | {"role": "assistant", "tool_calls": [{"id": "a"}]}, {"role": "tool", "tool_call_id": "a"}, {"role": "tool", "tool_call_id": "a"} | 'tool_call_id' of 'a' not found                |
      | a result without id     | {"role": "assistant", "tool_calls": [{"id": "a"}]}, {"role": "tool"}                                           | Missing required parameter: 'messages[1].tool_call_id'.          |
      | no calls at all         | {"role": "assistant", "tool_calls": []}                                                                        | Invalid 'messages[0].tool_calls': empty array.                   |

  Scenario: A paired history is taken, and any history where the provider is not strict
    Given a scripted provider with Turn("x"), strict_history=False
    When a client of it asks with {"messages": [{"role": "tool"}]}
    Then the response is a 200
    And the provider has no problem

  Scenario: Results in any order answer their calls, be it two of one id
    Given a scripted provider with Turn("x")
    When a client of it asks with {"messages": [{"role": "assistant", "tool_calls": [{"id": "a"}, {"id": "b"}, {"id": "b"}]}, *({"role": "tool", "tool_call_id": one} for one in "bab"), {"role": "user"}]}
    Then the response is a 200

  Scenario Outline: A body that is no JSON object: <what>
    Given a scripted provider with Turn("x")
    When a client of it sends post(<body>)
    Then the response is a 400 that says We could not parse the JSON body of your request.
    When a client of it asks
    Then the response is a 200
    And the provider's user reads [(request.body == {}, request.connection) for request in provider.requests] as [(True, 1), (False, 1)]

    Examples:
      | what                          | body                                                           |
      | nothing                       | b""                                                            |
      | half of one                   | b'{"model": '                                                  |
      | a list                        | b"[1]"                                                         |
      | no UTF-8                      | b'{"model": "\xff"}'                                           |
      | nested too deep               | b"[" * 100_000                                                 |
      | half a surrogate pair         | b'{"model": "\\uD83D", "messages": [{}]}'                      |
      | the same in its bytes         | b'{"model": "\xed\xa0\xbd", "messages": [{}]}'                 |

  Scenario: A whole surrogate pair is a character like others
    Given a scripted provider with Turn("x")
    When a client of it sends post(b'{"model": "\\uD83C\\uDF1E", "messages": [{}]}')
    Then the response has
      | at    | is   |
      | model | "🌞" |

  Scenario Outline: Only the right key is accepted: <headers>
    Given a scripted provider with Turn("x"), api_key="sk-right"
    When a client of it asks with {} and the headers <headers>
    Then the response is a <status>
    And the provider's user reads provider.totals().billed as <billed>
    And the provider's user reads provider.requests[0].api_key as <key>

    Examples:
      | headers                                | status                                             | billed | key        |
      | {"authorization": "Bearer sk-right"}   | 200                                                | 1      | "sk-right" |
      | {"Authorization": "bearer  sk-right "} | 200                                                | 1      | "sk-right" |
      | {"authorization": "Bearer sk-wrong"}   | 401 that says Incorrect API key provided.          | 0      | "sk-wrong" |
      | {"authorization": "Bearer "}           | 401 that says You didn't provide an API key.       | 0      | None       |
      | {"authorization": "Basic sk-right"}    | 401 that says You didn't provide an API key.       | 0      | None       |
      | {}                                     | 401 that says You didn't provide an API key.       | 0      | None       |

  Scenario Outline: What is not served: <method> <path>
    Given a scripted provider with Turn("x"), api_key="k"
    When a client of it sends http("<method>", "<path>", None, {"authorization": "Bearer <key>"})
    Then the response is a <status>
    When a client of it asks with {} and the headers {"authorization": "Bearer k"}
    Then the response is a 200
    And the ledger of the provider has
      | outcome    | order |
      | "answered" | 1     |

    Examples:
      | method | path                   | key | status                                                          |
      | GET    | /v1/chat/completions   | k   | 404 that says Invalid URL (GET /v1/chat/completions)            |
      | POST   | /v1/embeddings?a=b     | k   | 404 that says Invalid URL (POST /v1/embeddings)                 |
      | DELETE | /                      | k   | 404 that says Invalid URL (DELETE /)                            |
      | HEAD   | /v1/models             | k   | 404                                                             |
      | GET    | /v1/models             | no  | 401 that says Incorrect API key provided.                       |
      | HEAD   | /v1/models             | no  | 401                                                             |

  Scenario: The list of models has those that have scripts
    When a client of it sends http("GET", "/v1/models")
    Then the response has
      | at     | is                                                                                     |
      | object | "list"                                                                                 |
      | data   | [{"id": "scripted-model", "object": "model", "created": 0, "owned_by": "scripted"}]    |
    Given the script of "a" is Turn("x")
    When a client of it sends http("GET", "/v1/models?limit=1")
    Then the response has
      | at        | is  |
      | data.0.id | "a" |
      | data.1    | -   |

  Scenario Outline: Bytes that are no HTTP/1.1: <what>
    Given a scripted provider with Turn("x")
    When a client of it sends <bytes>
    Then the response is a 400
    And the response has the headers {"connection": "close", "content-length": "0"}
    And the provider has the problem "<problem>"
    And the provider's user reads provider.requests as ()
    When a client of it asks
    Then the response is a 200

    Examples:
      | what                        | bytes                                                                                | problem                              |
      | no request line             | b"hello\r\n\r\n"                                                                     | no HTTP/1.1 request line: 'hello'    |
      | another protocol            | b"GET / SPDY/3\r\n\r\n"                                                              | no HTTP/1.1 request line             |
      | an endless head             | b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000                                             | the head of the request is too long  |
      | a head too long             | b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000 + b"\r\n\r\n"                               | the head of the request is too long  |
      | a header without a colon    | b"GET / HTTP/1.1\r\nhost\r\n\r\n"                                                    | a header without a colon             |
      | a negative length           | post(b"", {"content-length": "-1"})                                                  | no Content-Length: '-1'              |
      | a length in words           | post(b"", {"content-length": "two"})                                                 | no Content-Length: 'two'             |
      | a length beyond all         | post(b"", {"content-length": "9" * 5000})                                            | no Content-Length: '999              |
      | a chunk without size        | chunked(b"zz\r\n")                                                                   | no size of a chunk                   |
      | a chunk of negative size    | chunked(b"   -7\r\n")                                                                | no size of a chunk                   |
      | a size beyond all           | chunked(b"f" * 5000 + b"\r\n")                                                       | no size of a chunk                   |
      | a size that never ends      | chunked(b"1;" + b"x" * 5000)                                                         | no size of a chunk                   |
      | a chunk beyond its size     | chunked(b"1\r\nabc\r\n0\r\n\r\n")                                                    | a chunk is longer than its size      |

  Scenario Outline: A body in HTTP chunks: <what>
    Given a scripted provider with Turn("x")
    When a client of it sends chunked(<chunks>)
    Then the response is a 200
    When a client of it asks
    Then the provider's user reads [request.connection for request in provider.requests] as [1, 1]

    Examples:
      | what           | chunks                                                                             |
      | one            | chunk(QUESTION) + b"0\r\n\r\n"                                                     |
      | of one byte    | b"".join(chunk(QUESTION[i : i + 1]) for i in range(len(QUESTION))) + b"0\r\n\r\n"  |
      | with the rest  | b"00%X;name=value\r\n%b\r\n" % (len(QUESTION), QUESTION) + b"0\r\nx: y\r\nz: y\r\n\r\n" |

  Scenario: A request may come in pieces, and is answered when it is whole
    Given a scripted provider with Turn("x")
    When a client of it sends in pieces post(QUESTION), of 30 bytes each
    Then the response is a 200
    When a client of it sends in pieces chunked(chunk(QUESTION) + b"0\r\nx: y\r\n\r\n"), of 1 bytes each
    Then the responses are [200, 200]

  Scenario: A request that comes while another is answered is served after it
    Given the script is Turn("1", hold_before=gate), Turn("2")
    When a client of it waits for the answer to {}
    And a request stands at the gate
    And a client of it only sends post(QUESTION)
    And the provider has taken all that was sent
    Then the provider's user reads len([one for one in provider.requests if one.method == "POST"]) as 1
    When the provider's gate is opened
    And that client reads on
    And that client reads on
    Then the responses are [200, 200]

  Scenario: A client that waits for leave to send its body gets it, once
    Given a scripted provider with Turn("x")
    When a client of it sends post(QUESTION, {"Expect": "100-continue"})[: -len(QUESTION)]
    Then the response is a 100
    When a client of it only sends QUESTION[:9]
    And a client of it sends QUESTION[9:]
    Then the response is a 200

  Scenario: A body of 32 MB is taken
    Given a scripted provider with Turn("x")
    When a client of it asks with {"messages": [{"role": "user", "content": "y" * 32_000_000}]}
    Then the response has
      | at                  | is      |
      | usage.prompt_tokens | 8000008 |

  Scenario: Requests that do not wait for answers are answered in order
    Given the script is Turn("1"), Turn("2"), Turn("3")
    When a client of it sends post(QUESTION) * 2 + http("GET", "/v1/models") + post(QUESTION)
    And that client reads on
    And that client reads on
    And that client reads on
    Then the responses are [200, 200, 200, 200]
    And every response has its number, in order

  Scenario Outline: A connection is kept or closed as the client wishes: <version> with <headers>
    Given a scripted provider with Turn("x")
    When a client of it sends post(QUESTION, <headers>).replace(b"HTTP/1.1", b"<version>")
    Then the response has the headers {"connection": <connection>}
    When a client of it sends http("GET", "/v1/models", None, <headers>).replace(b"HTTP/1.1", b"<version>")
    Then the response has the headers {"connection": <connection>}
    And the provider's user reads provider.accepted_connections as <connections>

    Examples:
      | version  | headers                               | connection | connections |
      | HTTP/1.1 | {}                                    | None       | 1           |
      | HTTP/1.1 | {"Connection": "Keep-Alive"}          | None       | 1           |
      | HTTP/1.1 | {"Connection": "close"}               | "close"    | 2           |
      | HTTP/1.1 | {"Connection": "TE, Close"}           | "close"    | 2           |
      | HTTP/1.0 | {}                                    | "close"    | 2           |
      | HTTP/1.0 | {"Connection": "keep-alive"}          | None       | 1           |

  Scenario: Half a request leaves nothing behind
    Given a scripted provider with Turn("x")
    When a client of it asks
    And a client of it only sends post(QUESTION)[:50]
    And that client leaves
    And the provider sees all clients leave
    Then the provider's user reads (len(provider.requests), len(provider.ledger), provider.problems) as (1, 1, ())

  Scenario: A client that ends its sending has left
    Given a scripted provider with Turn("x", hold_before=gate)
    When a client of it waits for the answer to {}
    And a request stands at the gate
    And that client says that it sends no more
    Then that client's connection is ended
    When the provider sees all clients leave
    Then the ledger of the provider has
      | outcome | prompt_tokens | completion_tokens |
      | "cut"   | 8             | 1                 |

  Scenario: A client that takes no list of models and leaves is no trouble
    Given the script of "a" is Turn()
    And a model whose name has 30 MB
    When a client of it that does not read asks for /v1/models
    And that client leaves by a reset
    And the provider sees all clients leave
    Then the provider has no problem
    And the provider's user reads provider.ledger as ()

  Scenario: Many clients at once are told apart, blocking and streamed
    Given a scripted provider with Turn("Hello")
    When 100 clients of it ask at once with {}
    And 100 clients of it ask at once with {"stream": True}
    Then every response tells its own client's 200 answers apart
    And the provider's user reads (provider.totals().requests, provider.totals().completion_tokens, provider.accepted_connections) as (200, 400, 200)
