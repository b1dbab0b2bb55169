Feature: What a scripted provider answers
  A turn says what the provider answers and what it counts; whatever a turn leaves open has a default that
  can be counted by hand.

  Scenario: A text is an answer as OpenAI shapes it
    Given the script is Turn("Hello")
    When a client of it asks
    Then the response is a 200
    And the response has the headers {"content-type": "application/json", "x-request-id": "req_000000"}
    And the response has
      | at                        | is                                                           |
      | id                        | "chatcmpl-000000"                                            |
      | object                    | "chat.completion"                                            |
      | model                     | "m"                                                          |
      | choices.0.message         | {"role": "assistant", "content": "Hello", "refusal": null}   |
      | choices.0.finish_reason   | "stop"                                                       |
      | choices.1                 | -                                                            |
      | usage.prompt_tokens       | 8                                                            |
      | usage.completion_tokens   | 2                                                            |
      | usage.total_tokens        | 10                                                           |

  Scenario Outline: A turn holds <what>
    Given the script is <turn>
    When a client of it asks
    Then the response has
      | at                        | is        |
      | choices.0.message.content | <content> |
      | choices.0.finish_reason   | <finish>  |
      | <at>                      | <is>      |
      | usage.completion_tokens   | <tokens>  |

    Examples:
      | what                  | turn                                                | content | finish       | at                                               | is                                                                                                  | tokens |
      | nothing               | Turn()                                              | ""      | "stop"       | choices.0.message.tool_calls                     | -                                                                                                   | 0      |
      | a refusal             | Turn(refusal="No.")                                 | null    | "stop"       | choices.0.message.refusal                        | "No."                                                                                               | 1      |
      | visible reasoning     | Turn("Yes.", reasoning_content="Hm, so.")           | "Yes."  | "stop"       | choices.0.message.reasoning_content              | "Hm, so."                                                                                           | 3      |
      | hidden reasoning      | Turn("Yes.", reasoning_tokens=7)                    | "Yes."  | "stop"       | usage.completion_tokens_details.reasoning_tokens | 7                                                                                                   | 8      |
      | both kinds            | Turn(reasoning_content="Hm, so.", reasoning_tokens=9) | ""    | "stop"       | usage.completion_tokens_details.reasoning_tokens | 9                                                                                                   | 9      |
      | a pair as call        | Turn(calls=[("f", {"a": "ü"})])                     | null    | "tool_calls" | choices.0.message.tool_calls                     | [{"id": "call_000000_0", "type": "function", "function": {"name": "f", "arguments": "{\"a\":\"ü\"}"}}] | 3   |
      | text beside a call    | Turn("So:", calls=[("f", {})])                      | "So:"   | "tool_calls" | choices.0.message.tool_calls.0.function.name     | "f"                                                                                                 | 2      |
      | a call without id     | Turn(calls=[Call("f", id=None)])                    | null    | "tool_calls" | choices.0.message.tool_calls.0.id                | -                                                                                                   | 1      |
      | raw arguments         | Turn(calls=[Call("f", "{'a", id="x")])              | null    | "tool_calls" | choices.0.message.tool_calls.0                   | {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{'a"}}                      | 1      |
      | a second choice       | Turn("One", alternatives=["Two"])                   | "One"   | "stop"       | choices.1.message                                | {"role": "assistant", "content": "Two"}                                                             | 2      |
      | a finish reason       | Turn("x", finish_reason="content_filter")           | "x"     | "content_filter" | choices.1                                    | -                                                                                                   | 1      |
      | no finish reason      | Turn("x", finish_reason=None)                       | "x"     | -            | choices.1                                        | -                                                                                                   | 1      |
      | numbers               | Turn("x", prompt_tokens=100, completion_tokens=9, cached_tokens=60) | "x" | "stop" | usage.prompt_tokens_details.cached_tokens      | 60                                                                                                  | 9      |

  Scenario: Tokens are a quarter of the bytes, rounded up
    Then the provider's user reads [count_tokens(text) for text in ("", "a", "abcd", "abcde", "üü", "🌞🌞")] as [0, 1, 1, 2, 1, 2]

  Scenario: No more of a prompt can be cached than it has, nor more of an answer be reasoning
    Given the script is Turn("x", cached_tokens=99), Turn("Hello you", reasoning_tokens=5, honour_cap=True)
    When a client of it asks 2 times with {"max_tokens": 3}
    Then the ledger of the provider has
      | prompt_tokens | cached_tokens | completion_tokens | reasoning_tokens |
      | 8             | 8             | 1                 | 0                |
      | 8             | 0             | 3                 | 3                |

  Scenario Outline: A turn that honours the cap is cut there: <what>
    Given the script is <turn>
    When a client of it asks with <body>
    Then the response has
      | at                        | is        |
      | choices.0.message.content | <content> |
      | choices.0.finish_reason   | <finish>  |
      | usage.completion_tokens   | <tokens>  |

    Examples:
      | what                        | turn                                                             | body                                           | content  | finish   | tokens |
      | by max_tokens               | Turn("Hello you", honour_cap=True)                               | {"max_tokens": 2}                              | "Hello yo" | "length" | 2    |
      | the other cap goes first    | Turn("Hello you", honour_cap=True)                               | {"max_tokens": 9, "max_completion_tokens": 1}  | "Hell"   | "length" | 1      |
      | room enough                 | Turn("Hello you", honour_cap=True)                               | {"max_tokens": 3}                              | "Hello you" | "stop" | 3     |
      | no cap                      | Turn("Hello you", honour_cap=True)                               | {}                                             | "Hello you" | "stop" | 3     |
      | a turn that does not        | Turn("Hello you")                                                | {"max_tokens": 1}                              | "Hello you" | "stop" | 3     |
      | never half a character      | Turn("üüüü", honour_cap=True)                                    | {"max_tokens": 1}                              | "üü"     | "length" | 1      |
      | hidden reasoning goes first | Turn("Hello", reasoning_tokens=10, honour_cap=True)              | {"max_tokens": 11}                             | "Hell"   | "length" | 11     |
      | visible reasoning too       | Turn("Hello", reasoning_content="Hmmm", honour_cap=True)         | {"max_tokens": 2}                              | "Hell"   | "length" | 2      |
      | counted otherwise           | Turn("HelloHello", completion_tokens=100, honour_cap=True)       | {"max_tokens": 50}                             | "Hello"  | "length" | 50     |

  Scenario: The cap cuts calls and further choices too
    Given the script is Turn(calls=[("f", "123456"), ("g", "1")], honour_cap=True), Turn("1234", alternatives=["5678"], honour_cap=True)
    When a client of it asks with {"max_tokens": 1}
    Then the response has
      | at                                                 | is     |
      | choices.0.message.tool_calls.0.function.arguments  | "123"  |
      | choices.0.message.tool_calls.1                     | -      |
    When a client of it asks with {"max_tokens": 1}
    Then the response has
      | at                        | is     |
      | choices.0.message.content | "1234" |
      | choices.1.message.content | ""     |

  Scenario Outline: A turn that respects the tool choice: <what>
    Given the script is Turn(<text>calls=[("f", {}), ("g", {})], respect_tool_choice=<respects>)
    When a client of it asks with <body>
    Then the response has
      | at                                            | is        |
      | choices.0.message.content                     | <content> |
      | choices.0.message.tool_calls.0.function.name  | <first>   |
      | choices.0.message.tool_calls.1.function.name  | <second>  |

    Examples:
      | what                 | text   | respects | body                                                             | content               | first | second |
      | without tools        |        | True     | {}                                                               | "No tool was called." | -     | -      |
      | with text of its own | "Hi",  | True     | {}                                                               | "Hi"                  | -     | -      |
      | none                 |        | True     | {"tools": [{}], "tool_choice": "none"}                           | "No tool was called." | -     | -      |
      | one at a time        |        | True     | {"tools": [{}], "parallel_tool_calls": False}                    | null                  | "f"   | -      |
      | free                 |        | True     | {"tools": [{}], "tool_choice": "auto"}                           | null                  | "f"   | "g"    |
      | one that does not    |        | False    | {}                                                               | null                  | "f"   | "g"    |

  Scenario Outline: Usage of a blocking answer under "<mode>"
    Given the script is Turn("Hello", usage="<mode>")
    When a client of it asks
    Then the response has
      | at                      | is       |
      | usage.prompt_tokens     | <prompt> |
      | usage.completion_tokens | <answer> |
    And the ledger of the provider has
      | prompt_tokens | completion_tokens | told_prompt_tokens | told_completion_tokens | told   |
      | 8             | 2                 | <told prompt>      | <told answer>          | <told> |
    And the provider's user reads provider.totals().untold as <untold>

    Examples:
      | mode        | prompt | answer | told prompt | told answer | told  | untold |
      | last        | 8      | 2      | 8           | 2           | true  | 0      |
      | always      | 8      | 2      | 8           | 2           | true  | 0      |
      | every       | 8      | 2      | 8           | 2           | true  | 0      |
      | with_finish | 8      | 2      | 8           | 2           | true  | 0      |
      | never       | -      | -      | null        | null        | false | 1      |
      | null        | -      | -      | null        | null        | false | 1      |
      | partial     | 8      | null   | 8           | null        | false | 1      |

  Scenario: Headers are the turn's own, whatever their letters, and each comes once
    Given the script is Turn("x", headers={"X-Request-Id": "mine", "Content-Type": "text/plain", "X-Other": "é"})
    When a client of it asks
    Then the response has the headers {"x-request-id": "mine", "content-type": "text/plain", "x-other": "é"}

  Scenario: A blocking answer may come in HTTP chunks, and close its connection
    Given the script is Turn("Hello", wire=Wire(chunked=True, close=True)), Turn("Again")
    When a client of it asks
    Then the response has the headers {"transfer-encoding": "chunked", "content-length": None, "connection": "close"}
    And the response has
      | at                        | is      |
      | choices.0.message.content | "Hello" |
    And that client's connection is ended
    When a client of it asks
    Then the provider's user reads [request.connection for request in provider.requests] as [1, 2]

  Scenario: Answers may take their time
    Given the script is Turn("a", delay=0.01), Turn("ab", chunks=2, chunk_delay=0.01)
    When a client of it asks
    And a client of it asks for a stream
    Then the responses are [200, 200]
    And the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage null
      0 {"content":"a"} usage null
      0 {"content":"b"} usage null
      0 stop usage null
      usage 8+1
      [DONE]
      """
