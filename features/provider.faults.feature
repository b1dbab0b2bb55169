Feature: How a scripted provider goes wrong
  Every way in which a provider can fail is one line of a script, with what is billed for it.

  Scenario Outline: A rejection with <fault> is worded as OpenAI words it
    Given the script is <fault>
    When a client of it asks
    Then the response is a <status>
    And the response has
      | at            | is        |
      | error.type    | <type>    |
      | error.code    | <code>    |
      | error.param   | <param>   |
      | error.message | <message> |
    And the ledger of the provider has
      | outcome    | charged | reason    | prompt_tokens | told_prompt_tokens |
      | "rejected" | false   | <message> | 0             | null               |

    Examples:
      | fault                                               | status | type                    | code                      | param      | message                                                              |
      | StatusFault(400)                                    | 400    | "invalid_request_error" | null                      | null       | "We could not parse the JSON body of your request."                  |
      | StatusFault(401)                                    | 401    | "invalid_request_error" | "invalid_api_key"         | null       | "Incorrect API key provided."                                        |
      | StatusFault(429)                                    | 429    | "requests"              | "rate_limit_exceeded"     | null       | "Rate limit reached for requests."                                   |
      | StatusFault(429, code="insufficient_quota")         | 429    | "insufficient_quota"    | "insufficient_quota"      | null       | "You exceeded your current quota, please check your plan and billing details." |
      | StatusFault(503)                                    | 503    | "server_error"          | null                      | null       | "The engine is currently overloaded, please try again later."        |
      | StatusFault(500)                                    | 500    | "server_error"          | null                      | null       | "The server had an error while processing your request."             |
      | StatusFault(599, message="Out.", code="gone")       | 599    | "server_error"          | "gone"                    | null       | "Out."                                                               |
      | StatusFault(418, message="Tea.", param="leaves")    | 418    | "invalid_request_error" | null                      | "leaves"   | "Tea."                                                               |

  Scenario: The context's length is exceeded
    Given the script is StatusFault(400, code="context_length_exceeded")
    When a client of it asks for a stream
    Then the response has
      | at          | is                        |
      | error.code  | "context_length_exceeded" |
      | error.param | "messages"                |

  Scenario Outline: A rejection says when to come again: <after>
    Given the script is StatusFault(429, retry_after=<after>, headers={"X-Limit": "0"})
    When a client of it asks
    Then the response has the headers {"retry-after": <header>, "x-limit": "0"}

    Examples:
      | after                                                                   | header                          |
      | 2                                                                       | "2"                             |
      | 0.5                                                                     | "0.5"                           |
      | "soon"                                                                  | "soon"                          |
      | datetime(2026, 1, 1, 12, tzinfo=UTC)                                    | "Thu, 01 Jan 2026 12:00:00 GMT" |
      | datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))           | "Thu, 01 Jan 2026 10:00:00 GMT" |
      | None                                                                    | None                            |

  Scenario: A rejection's headers come once, whatever their letters
    Given the script is StatusFault(429, retry_after=2, headers={"Retry-After": "9", "Content-Type": "text/plain"})
    When a client of it asks
    Then the response has the headers {"retry-after": "2", "content-type": "text/plain"}

  Scenario: A gateway may bill what it does not deliver
    Given the script is Turn("Hello", fault=StatusFault(504, billed=True))
    When a client of it asks
    Then the response is a 504
    And the ledger of the provider has
      | outcome    | charged | prompt_tokens | completion_tokens | told  |
      | "rejected" | true    | 8             | 2                 | false |

  Scenario Outline: A connection that ends before any response by <how>, to <who>
    Given the script is Turn("Hello", fault=DropFault(how="<how>", billed=<billed>))
    When a client of it asks with {"stream": <stream>}
    Then the connection is <ending> before any response
    And the ledger of the provider has
      | outcome | charged  | prompt_tokens | completion_tokens | told_prompt_tokens |
      | "cut"   | <charge> | <prompt>      | <answer>          | null               |

    Examples:
      | how   | who               | billed | stream | ending | charge | prompt | answer |
      | close | a blocking client | True   | False  | closed | true   | 8      | 2      |
      | reset | a blocking client | False  | False  | reset  | false  | 0      | 0      |
      | close | a stream's client | True   | True   | closed | true   | 8      | 0      |
      | reset | a stream's client | True   | True   | reset  | true   | 8      | 0      |

  Scenario Outline: A blocking answer that ends in the middle: <fault>
    Given the script is Turn("Hello", fault=<fault>)
    When a client of it asks
    Then the response is <ending> after <size> bytes of its body
    And the ledger of the provider has
      | outcome | charged | completion_tokens | told  |
      | "cut"   | true    | 2                 | false |

    Examples:
      | fault                            | ending   | size |
      | DropFault(0)                     | closed   | 0    |
      | DropFault(20)                    | closed   | 20   |
      | DropFault(20, how="reset")       | reset    | 20   |
      | DropFault(20, how="end")         | complete | 20   |

  Scenario: A place by name sends all of a blocking answer but its last byte
    Given the script is Turn("Hello"), Turn("Hello", fault=DropFault("finish")), Turn("Hello", fault=DropFault(100_000))
    When a client of it asks 3 times with {}
    Then the responses are [200, 200, 200]
    And the bodies miss [0, 1, 0] bytes of the first, and end ["complete", "closed", "closed"]

  Scenario Outline: A stream that ends after <place> by <how>
    Given the script is Turn("HelloYou", fault=DropFault(<place>, how="<how>"))
    When a client of it asks for a stream
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage null
      <lines>
      """
    And the response ends <ending>
    And the ledger of the provider has
      | outcome | charged | prompt_tokens | completion_tokens | told_completion_tokens |
      | "cut"   | true    | 8             | <answer>          | <told>                 |

    Examples:
      | place    | how   | ending   | answer | told | lines                                                                                                                    |
      | 1        | close | closed   | 1      | null | 0 {"content":"Hell"} usage null                                                                                          |
      | 2        | reset | reset    | 2      | null | 0 {"content":"Hell"} usage null ⏎ 0 {"content":"oYou"} usage null                                                        |
      | 1        | end   | complete | 1      | null | 0 {"content":"Hell"} usage null                                                                                          |
      | "finish" | close | closed   | 2      | null | 0 {"content":"Hell"} usage null ⏎ 0 {"content":"oYou"} usage null ⏎ 0 stop usage null                                    |
      | "usage"  | close | closed   | 2      | 2    | 0 {"content":"Hell"} usage null ⏎ 0 {"content":"oYou"} usage null ⏎ 0 stop usage null ⏎ usage 8+2                        |

  Scenario: A stream that ends before its first delta bills no more than the prompt
    Given the script is Turn("Hello", usage="every", fault=DropFault(0))
    When a client of it asks for a stream
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null} usage 8+0
      """
    And the ledger of the provider has
      | prompt_tokens | completion_tokens | told_prompt_tokens | told_completion_tokens | told |
      | 8             | 0                 | 8                  | 0                      | true |

  Scenario Outline: A body that is no answer: <kind>
    Given the script is Turn("Hello", fault=BodyFault("<kind>"<more>))
    When a client of it asks
    Then the response is a 200
    And the body of the response begins with <body>
    And the response has the headers {"content-type": <type>}
    And the ledger of the provider has
      | outcome   | charged  | completion_tokens | told   |
      | "spoiled" | <charge> | <answer>          | <told> |

    Examples:
      | kind         | more            | body                             | type                       | charge | answer | told  |
      | html         |                 | b"<!DOCTYPE html><html>"         | "text/html; charset=utf-8" | false  | 0      | false |
      | html         | , billed=True   | b"<!DOCTYPE html><html>"         | "text/html; charset=utf-8" | true   | 2      | false |
      | empty        |                 | b""                              | "text/html; charset=utf-8" | false  | 0      | false |
      | invalid_json |                 | b'{"id":"chatcmpl-000000"'       | "application/json"         | true   | 2      | false |
      | invalid_json | , billed=False  | b'{"id":"chatcmpl-000000"'       | "application/json"         | false  | 0      | false |
      | error        |                 | b'{"error": {"message": "The s'  | "application/json"         | false  | 0      | false |
      | null_choices |                 | b'{"id":"chatcmpl-000000"'       | "application/json"         | true   | 2      | true  |
      | no_choices   |                 | b'{"id":"chatcmpl-000000"'       | "application/json"         | true   | 2      | true  |

  Scenario: A body without choices still has its usage, if the turn tells it
    Given the script is Turn("Hello", fault=BodyFault("null_choices")), Turn("Hello", usage="never", fault=BodyFault("no_choices"))
    When a client of it asks
    Then the response has
      | at                      | is   |
      | choices                 | null |
      | usage.completion_tokens | 2    |
    When a client of it asks
    Then the response has
      | at      | is |
      | choices | [] |
      | usage   | -  |

  Scenario Outline: A streaming request gets <kind> as <what>
    Given the script is Turn("Hello", fault=BodyFault("<kind>"))
    When a client of it asks for a stream
    Then the response has the headers {"content-type": <type>}
    And the stream of the response is
      """
      <lines>
      """
    And the response ends complete

    Examples:
      | kind         | what        | type                               | lines                       |
      | null_choices | an event    | "text/event-stream; charset=utf-8" | choices null ⏎ [DONE]       |
      | no_choices   | an event    | "text/event-stream; charset=utf-8" | no choices ⏎ [DONE]         |
      | invalid_json | an event    | "text/event-stream; charset=utf-8" | broken ⏎ [DONE]             |

  Scenario Outline: An error event in a stream: <fault>
    Given the script is Turn("HelloYou", fault=<fault>)
    When a client of it asks for a stream without usage
    Then the stream of the response is
      """
      0 {"role":"assistant","content":"","refusal":null}
      <lines>
      """
    And the response ends complete
    And the ledger of the provider has
      | outcome   | charged  | completion_tokens | reason   |
      | "spoiled" | <charge> | <answer>          | <reason> |

    Examples:
      | fault                                              | charge | answer | reason | lines                                                             |
      | StreamFault(1, "Oh")                               | true   | 1      | "Oh"   | 0 {"content":"Hell"} ⏎ error Oh                                   |
      | StreamFault(0, "Oh", billed=False)                 | false  | 0      | "Oh"   | error Oh                                                          |
      | StreamFault("finish", "Oh", code="x", named=True)  | true   | 2      | "Oh"   | 0 {"content":"Hell"} ⏎ 0 {"content":"oYou"} ⏎ 0 stop ⏎ event error error Oh |

  Scenario: A blocking request gets a stream's error as a body
    Given the script is Turn("Hello", fault=StreamFault(1, "Oh", code="x"))
    When a client of it asks
    Then the response is a 200 that says Oh
    And the ledger of the provider has
      | outcome   | charged | completion_tokens | told  |
      | "spoiled" | true    | 2                 | false |

  Scenario: A turn that names a place its stream has not is a mistake of the script
    Given the script is Turn("Hi", usage="never", fault=DropFault(7)), Turn("Hi", hold_after_chunk=("usage", gate))
    When a client of it asks for a stream without usage
    Then the response is a 400 that says names the place 7, but its stream has only 0 to 1, finish
    When a client of it asks for a stream without usage
    Then the response is a 400 that says names the place 'usage', but its stream has only 0 to 1, finish
    And the response has the headers {"x-should-retry": "false"}

  Scenario: An address at which every connection is refused
    Then nothing can connect to the refused address, which is always the same
