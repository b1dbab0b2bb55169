Feature: Any server's stream
  Streams of all dialects are read alike, however the network cuts them; damage is told in known errors,
  and what a stream told of its cost is never lost.

  Scenario Outline: The stream of <dialect>
    Then the stream of <dialect>, in any packets, answers <text>
    And the reasoning is <reasoning>
    And the calls are <calls>
    And the slot has the usage <usage>
    And the slot has the finish reason "<finish>"

    Examples:
      | dialect      | text              | reasoning          | calls                                                                                                    | usage   | finish         |
      | openai       | ""                | null               | [["call_1", "get_weather", "{\"city\":\"Paris\"}"], ["call_2", "get_weather", "{\"city\":\"Oslo\"}"]]   | 82, 34  | tool_calls     |
      | vllm         | "Bonjour"         | "Let me think."    | []                                                                                                       | 20, 7   | stop           |
      | vllm_tools   | ""                | null               | [["chatcmpl-tool-1", "get_weather", "{\"city\": \"Paris\"}"]]                                          | 20, 7   | tool_calls     |
      | ollama       | ""                | null               | [["call_a1", "get_weather", "{\"city\":\"Paris\"}"], ["call_a2", "get_weather", "{\"city\":\"Oslo\"}"]] | 169, 18 | tool_calls     |
      | llama_cpp    | ""                | null               | [["iX1", "get_weather", "{\"city\":\"Paris\"}"]]                                                       | 30, 12  | tool_calls     |
      | litellm      | "It is sunny"     | null               | [["toolu_01", "get_weather", "{\"city\": \"Paris\"}"]]                                                 | 410, 58 | tool_calls     |
      | openrouter   | "Take a coat."    | "Hm, Paris."       | []                                                                                                       | 12, 40  | stop           |
      | azure        | "Grüß Gott 🌞"    | null               | []                                                                                                       | 15, 6   | stop           |
      | azure_filter | "Grüß"            | null               | []                                                                                                       | 15, 2   | content_filter |
      | deepseek     | "Let me look."    | "We need weather." | [["call_0_x", "get_weather", "{\"city\": \"Paris\"}"]]                                                 | 100, 50 | tool_calls     |
      | gemini       | ""                | null               | [[null, "get_weather", "{\"city\":\"Paris\"}"], [null, "get_weather", "{\"city\":\"Oslo\"}"]]          | 41, 16  | tool_calls     |
      | groq         | "Hi"              | null               | []                                                                                                       | 14, 3   | stop           |
      | moonshot     | "Hi"              | null               | []                                                                                                       | 19, 13  | stop           |
      | odd          | "Héllo"           | null               | []                                                                                                       | 5, 2    | stop           |

  Scenario: Parts of the usage are read in every dialect
    Then the stream of deepseek, in any packets, answers "Let me look."
    And the slot tells 64 cached, 0 written and 30 reasoning tokens
    Then the stream of litellm, in any packets, answers "It is sunny"
    And the slot tells 300 cached, 50 written and 0 reasoning tokens

  Scenario: An error in the midst of a stream keeps its code, and the usage beside it
    When the stream of openrouter_error is read
    Then the OpenAI call fails with APIError
    And the OpenAI error's code is "502"
    And the slot has the usage 12, 1

  Scenario Outline: Whose fragment is it
    Given OpenAI call deltas <deltas>
    When the OpenAI model is asked streamed
    Then the calls are <calls>
    And the calls have the indexes 0 to n

    Examples: ids
      | deltas                                                                                                  | calls                                          |
      | [[{"index": 0, "name": "f"}], [{"index": 0, "id": "a", "arguments": "{}"}]]                             | [["a", "f", "{}"]]                             |
      | [[{"index": 0, "id": "a", "name": "f"}], [{"index": 0, "id": "a", "arguments": "{}"}]]                  | [["a", "f", "{}"]]                             |
      | [[{"index": 0, "id": "a", "name": "f", "arguments": "{}"}], [{"index": 0, "id": "b", "name": "g", "arguments": "{}"}]] | [["a", "f", "{}"], ["b", "g", "{}"]] |
      | [[{"id": "a", "name": "f", "arguments": "{"}], [{"id": "a", "arguments": "}"}]]                         | [["a", "f", "{}"]]                             |
      | [[{"id": "a", "name": "f"}], [{"id": "b", "name": "g"}], [{"id": "a", "arguments": "{}"}], [{"id": "b", "arguments": "[]"}]] | [["a", "f", "{}"], ["b", "g", "[]"]] |
      | [[{"index": 0, "id": 7, "name": "f", "arguments": "{}"}]]                                               | [["7", "f", "{}"]]                             |
      | [[{"index": 0, "id": "a", "name": "f", "arguments": "{}"}], [{"index": 1, "id": "a", "name": "f", "arguments": "{}"}]] | [["a", "f", "{}"], ["a", "f", "{}"]] |

    Examples: indexes
      | deltas                                                                                                  | calls                                          |
      | [[{"name": "f", "arguments": "{"}], [{"arguments": "}"}]]                                               | [[null, "f", "{}"]]                            |
      | [[{"name": "f", "arguments": "{}"}], [{"name": "g", "arguments": "{}"}]]                                | [[null, "f", "{}"], [null, "g", "{}"]]         |
      | [[{"name": "f", "arguments": "{\"a\":1}"}], [{"name": "f", "arguments": "{\"a\":2}"}]]              | [[null, "f", "{\"a\":1}"], [null, "f", "{\"a\":2}"]] |
      | [[{"name": "f"}, {"name": "g"}], [{"arguments": "{}"}, {"arguments": "[]"}]]                            | [[null, "f", "{}"], [null, "g", "[]"]]         |
      | [[{"index": "0", "id": "a", "name": "f"}], [{"index": "1", "id": "b", "name": "g"}], [{"index": "0", "arguments": "{}"}]] | [["a", "f", "{}"], ["b", "g", null]] |
      | [[{"index": 5, "id": "a", "name": "f", "arguments": "{}"}], [{"index": 2, "id": "b", "name": "g", "arguments": "{}"}]] | [["a", "f", "{}"], ["b", "g", "{}"]] |
      | [[{"arguments": "{}"}]]                                                                                 | [[null, null, "{}"]]                           |

    Examples: names and arguments
      | deltas                                                                                                  | calls                                          |
      | [[{"index": 0, "id": "a", "name": "f"}], [{"index": 0, "name": "f", "arguments": "{"}], [{"index": 0, "name": "f", "arguments": "}"}]] | [["a", "f", "{}"]] |
      | [[{"index": 0, "id": "a", "name": "get"}], [{"index": 0, "name": "get_weather"}], [{"index": 0, "arguments": "{}"}]] | [["a", "get_weather", "{}"]] |
      | [[{"index": 0, "id": "a", "name": "get_"}], [{"index": 0, "name": "weather", "arguments": "{}"}]]       | [["a", "get_weather", "{}"]]                   |
      | [[{"index": 0, "id": "a", "name": "f", "arguments": {"a": "é"}}]]                                       | [["a", "f", "{\"a\": \"é\"}"]]             |
      | [[{"index": 0, "id": "a", "name": null}], [{"index": 0, "name": "f", "arguments": ""}]]                 | [["a", "f", ""]]                               |

  Scenario Outline: The calls of a whole answer are read strictly
    Given an OpenAI answer with the arguments <arguments>
    When the OpenAI model is asked blocking
    Then the answer has <good> good and <bad> bad calls
    And the calls are <calls>
    And the slot has the usage 7, 3

    Examples:
      | arguments      | good | bad | calls                          |
      | "{\"a\": 1}" | 1    | 0   | [["a", "f", "{\"a\": 1}"]]   |
      | {"a": 1}       | 1    | 0   | [["a", "f", "{\"a\": 1}"]]   |
      | "[1, 2]"       | 0    | 1   | [["a", "f", "[1, 2]"]]         |
      | "5"            | 0    | 1   | [["a", "f", "5"]]              |
      | "{\"a\":"    | 0    | 1   | [["a", "f", "{\"a\":"]]      |
      | ""             | 0    | 1   | [["a", "f", ""]]               |
      | null           | 0    | 1   | [["a", "f", null]]             |
      | "null"         | 0    | 1   | [["a", "f", "null"]]           |

  Scenario: The name of an answer is kept
    Given an OpenAI answer by "ada"
    When the OpenAI model is asked blocking
    Then the answer's name is "ada"

  Scenario Outline: A refusal is kept
    Given <answer>
    When the OpenAI model is asked <mode>
    Then the refusal is "I can't."

    Examples:
      | mode     | answer                                                      |
      | blocking | an OpenAI answer with a refusal "I can't."                  |
      | streamed | OpenAI deltas [{"refusal": "I "}, {"refusal": "can't."}]    |

  Scenario: Halves of surrogate pairs do not break an answer
    Given OpenAI deltas [{"content": "a\ud83d"}, {"content": "b"}]
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "a�b"
    Given an OpenAI answer "a\ud83db"
    When the OpenAI model is asked blocking
    Then the OpenAI answer is "a�b"

  Scenario: Content in parts, and probabilities, come through
    Given OpenAI deltas [{"content": [{"type": "text", "text": "Hi"}]}, {"function_call": {"name": "f", "arguments": "{}"}}]
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "Hi"
    And the answer keeps the function call "f"

  Scenario Outline: Odd endings and odd bodies
    Given the OpenAI stream <bytes>
    When the OpenAI model is asked streamed
    Then the OpenAI answer is <text>
    And the slot has the usage <usage>

    Examples:
      | bytes                                                                                                                                                     | text | usage |
      | data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}                                   | "a"  | 1, 2  |
      | data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[],"usa                                                                                  | "a"  | none  |
      | data: {"choices":[{"delta":{"content":"a"}}]}\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\ndata: [DONE]\n                     | "a"  | 1, 2  |
      | data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n               | "a"  | 1, 2  |
      | data\ndata:\n\nid: 7\ndata: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"choices":[{"delta":null,"finish_reason":"stop"}]}\n\n                      | "a"  | none  |

  Scenario: A server that does not stream answers all the same
    Given an OpenAI answer "Hello."
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "Hello."
    And the slot has the usage 7, 3

  Scenario: A stream that is called JSON is a stream all the same
    Given OpenAI deltas [{"content": "a"}]
    And the OpenAI wire calls it "application/json"
    And the OpenAI wire sends byte by byte
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "a"
    And the answer came in 3 chunks

  Scenario: A JSON document in many packets is one answer
    Given an OpenAI answer "Hello."
    And the OpenAI wire sends byte by byte
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "Hello."

  Scenario Outline: Streams that are none
    Given the OpenAI stream <bytes>
    And the OpenAI setting transport is "<transport>"
    When the OpenAI model is asked streamed
    Then the OpenAI call fails with <error>
    And the slot has the usage <usage>

    Examples:
      | transport | bytes                                                                                                                      | error                | usage |
      | lean      | <html>not found</html>                                                                                                     | ModelOutputError     | none  |
      | lean      | data: [DONE]\n\n                                                                                                           | ModelOutputError     | none  |
      | lean      | data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n                                                 | ModelOutputError     | 1, 2  |
      | lean      | data: {broken}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n                               | ModelOutputError     | 1, 2  |
      | lean      | data: {"choices":[{"delta":{"content":5}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n                          | ModelOutputError     | 1, 2  |
      | lean      | data: {"choices":[{"delta":{"tool_calls":["x"]}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n                   | ModelOutputError     | 1, 2  |
      | lean      | event: error\ndata: {"message":"slow down","code":"rate_limit_exceeded"}\n\n                                               | APIError             | none  |
      | lean      | event: error\ndata: no JSON at all\n\n                                                                                     | APIError             | none  |
      | lean      | data: {"error":{"message":"This model's maximum context length is 8192 tokens"}}\n\n                                       | ContextOverflowError | none  |
      | lean      | data: {"error":{"code":"context_length_exceeded"}}\n\n                                                                     | ContextOverflowError | none  |
      | stock     | data: {broken}\n\n                                                                                                         | ModelOutputError     | none  |
      | stock     | data: {"error":{"message":"no"}}\n\n                                                                                       | APIError             | none  |

  Scenario: After a broken event the stream is read on for its cost, however it is cut
    Given the OpenAI stream data: {broken}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n
    And the OpenAI wire sends byte by byte
    When the OpenAI model is asked streamed
    Then the OpenAI call fails with ModelOutputError
    And the slot has the usage 1, 2

  Scenario: After a broken event a stream that hangs is soon given up
    Given the OpenAI stream data: {broken}\n\n
    And the OpenAI wire hangs at its end
    When the OpenAI model is asked streamed
    Then the OpenAI call fails with ModelOutputError
    And the OpenAI connection is closed

  Scenario: A server that says it is done, and stays, is not waited for
    Given the OpenAI stream data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n
    And the OpenAI wire hangs at its end
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "a"
    And the OpenAI connection is closed

  @slow
  Scenario Outline: Whatever is damaged, errors are known ones and no told usage is lost
    Then <count> damaged <kind> end in known ways

    Examples:
      | kind    | count |
      | streams | 300   |
      | answers | 300   |
