Feature: The OpenAI chat model
  One model for every OpenAI-compatible server. It takes nothing from the environment, shares connections but
  no keys, and says what went wrong in the classes that LangChain's callers know.

  Scenario Outline: Nothing comes from the environment
    Given an environment that speaks to OpenAI clients
    And an OpenAI answer "Hello."
    And the OpenAI setting transport is "<transport>"
    When the OpenAI model is asked <mode>
    Then the OpenAI answer is "Hello."
    And the request went to "http://wire.test/v1/chat/completions" with the key "sk-secret"
    And no request holds anything of the environment

    Examples:
      | transport | mode     |
      | lean      | blocking |
      | lean      | streamed |
      | stock     | blocking |

  Scenario: Without a base URL the model speaks to OpenAI itself
    Given an environment that speaks to OpenAI clients
    And an OpenAI answer "Hello."
    And the OpenAI setting url is null
    When the OpenAI model is asked blocking
    Then the request went to "https://api.openai.com/v1/chat/completions" with the key "sk-secret"

  Scenario: Who pays and custom headers go with each request
    Given an OpenAI answer "Hello."
    And the OpenAI setting organization is "org-1"
    And the OpenAI setting project is "proj-1"
    And the OpenAI setting default_headers is {"api-key": "azure", "User-Agent": "mine"}
    When the OpenAI model is asked blocking
    Then the request has the headers {"openai-organization": "org-1", "openai-project": "proj-1", "api-key": "azure", "user-agent": "mine"}

  Scenario: An Azure-style address keeps its path and its query
    Given an OpenAI answer "Hello."
    And the OpenAI setting url is "http://wire.test/openai/deployments/d?api-version=2024-10-21"
    When the OpenAI model is asked blocking
    Then the request went to "http://wire.test/openai/deployments/d/chat/completions?api-version=2024-10-21" with the key "sk-secret"

  Scenario: A key is in no repr, dump or shared object
    When an OpenAI model with the key "sk-very-secret" is made
    Then "sk-very-secret" is in no text about the OpenAI model

  Scenario Outline: What no request could carry is a ConfigurationError, found before any
    When an OpenAI model is made with <settings>
    Then the OpenAI making fails with "<problem>"

    Examples:
      | settings                                             | problem                          |
      | {"base_url": "localhost:8000/v1"}                    | http://                          |
      | {"base_url": "http://[::1/v1"}                       | base URL                         |
      | {"api_key": "sk-ä"}                                  | API key                          |
      | {"api_key": "sk\u000a1"}                             | API key                          |
      | {"parameters": {"temperature": "hot"}}               | parameters.temperature           |

  Scenario: A server without keys gets none of ours
    Given an OpenAI answer "Hello."
    And the OpenAI setting key is ""
    When the OpenAI model is asked blocking
    Then the request went to "http://wire.test/v1/chat/completions" with the key "none"

  Scenario: A redirect is not followed
    Given an OpenAI answer "Hello."
    And the OpenAI wire has the status 302 and {"location": "http://elsewhere.test/"}
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with APIStatusError
    And one OpenAI request was sent

  Scenario: A model is made in no time, and a second loop gets its own connections
    When OpenAI models are made in two loops
    Then each loop has one HTTP client, and one client for each address
    And closing the OpenAI clients closes those of both loops, however often

  Scenario: HTTP clients of a loop that ended do not hold up the others
    Given an OpenAI client of a loop that ended
    When an OpenAI model with the key "sk-very-secret" is made
    Then closing the OpenAI clients takes no time

  Scenario: The slot knows that headers came, and the request's id
    Given an OpenAI server of our own
    When the OpenAI model is asked of that server
    Then the OpenAI answer is "From the server."
    And the slot has the server's request id

  Scenario Outline: Errors leave as the classes that LangChain has for them
    Given the OpenAI wire fails with the status <status> and the code "<code>"
    And the OpenAI setting transport is "<transport>"
    When the OpenAI model is asked <mode>
    Then the OpenAI call fails with <error>
    And LangChain's own model, asked <mode>, fails with <theirs>

    Examples:
      | transport | mode     | status | code                    | error                      | theirs                    |
      | lean      | blocking | 400    | invalid                 | ModelInvalidRequestError   | OpenAIInvalidRequestError |
      | lean      | blocking | 400    | context_length_exceeded | ContextOverflowError       | OpenAIInvalidRequestError |
      | lean      | streamed | 400    | context_length_exceeded | ContextOverflowError       | OpenAIInvalidRequestError |
      | stock     | streamed | 400    | context_length_exceeded | ContextOverflowError       | OpenAIInvalidRequestError |
      | lean      | blocking | 401    | invalid                 | ModelAuthenticationError   | OpenAIAuthenticationError |
      | lean      | streamed | 403    | invalid                 | ModelPermissionDeniedError | OpenAIPermissionDeniedError |
      | lean      | blocking | 404    | invalid                 | ModelNotFoundError         | OpenAIModelNotFoundError  |
      | lean      | streamed | 409    | invalid                 | ConflictError              | ConflictError             |
      | lean      | blocking | 429    | rate_limit_exceeded     | ModelRateLimitError        | OpenAIRateLimitError      |
      | stock     | blocking | 500    | server_error            | ModelAPIError              | OpenAIAPIError            |
      | lean      | streamed | 503    | server_error            | ModelAPIError              | OpenAIAPIError            |

  Scenario Outline: What HTTP raises leaves as LangChain's class, also from the midst of a stream
    Given OpenAI deltas [{"content": "Hel"}]
    And the OpenAI wire breaks with <failure> <where>
    And the OpenAI setting transport is "<transport>"
    When the OpenAI model is asked <mode>
    Then the OpenAI call fails with <error>

    Examples:
      | transport | mode     | failure             | where             | error                |
      | lean      | streamed | ReadTimeout         | in the answer     | ModelTimeoutError    |
      | lean      | streamed | ReadError           | in the answer     | ModelConnectionError |
      | lean      | streamed | RemoteProtocolError | in the answer     | ModelConnectionError |
      | stock     | streamed | ReadError           | in the answer     | ModelConnectionError |
      | lean      | streamed | ConnectError        | before the answer | ModelConnectionError |
      | lean      | blocking | ConnectTimeout      | before the answer | ModelTimeoutError    |
      | stock     | blocking | ConnectError        | before the answer | ModelConnectionError |
      | lean      | blocking | ReadError           | in the answer     | ModelConnectionError |

  Scenario Outline: Where no connection is made, the address is named: <failure>, <mode>
    Given an OpenAI answer "Hello."
    And the OpenAI wire breaks with <failure> before the answer
    When the OpenAI model is asked <mode>
    Then the OpenAI call's error says "/chat/completions can't be reached"

    Examples:
      | mode     | failure        |
      | blocking | ConnectTimeout |
      | streamed | ConnectTimeout |
      | blocking | ConnectError   |

  Scenario: A connection that breaks after the finish leaves a whole answer
    Given the OpenAI stream data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n
    And the OpenAI wire breaks with ReadError in the answer
    When the OpenAI model is asked streamed
    Then the OpenAI answer is "a"
    And the slot has the usage none

  Scenario Outline: What no request could carry is not the provider's fault
    Given an OpenAI answer "Hello."
    And the OpenAI setting api is "<api>"
    And an OpenAI conversation that is no JSON
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with UnicodeEncodeError

    Examples:
      | api       |
      | chat      |
      | responses |

  Scenario Outline: An answer that is none is a ModelOutputError, and what it told of its cost is kept
    Given the OpenAI wire answers <answer>
    And the OpenAI setting transport is "<transport>"
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with <error>
    And the slot has the usage <usage>

    Examples:
      | transport | answer                                                                                       | error            | usage |
      | lean      | "<html>"                                                                                     | ModelOutputError | none  |
      | stock     | "<html>"                                                                                     | ModelOutputError | none  |
      | lean      | {"choices": null, "usage": {"prompt_tokens": 7, "completion_tokens": 3}}                     | ModelOutputError | 7, 3  |
      | stock     | {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}                       | ModelOutputError | 7, 3  |
      | lean      | {"choices": [{"message": 5}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}         | ModelOutputError | 7, 3  |
      | lean      | {"choices": [{"message": {"content": 5}}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}} | ModelOutputError | 7, 3 |
      | lean      | {"choices": [{"message": {"tool_calls": 5}}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}} | ModelOutputError | 7, 3 |
      | lean      | {"error": {"message": "Overloaded", "code": 529}, "usage": {"prompt_tokens": 7, "completion_tokens": 0}} | APIError | 7, 0 |
      | lean      | {"error": "maximum context length is 8192"}                                                  | ContextOverflowError | none |
      | lean      | [1, 2]                                                                                       | ModelOutputError | none  |

  Scenario Outline: Usage that tells only a part is not told
    Given an OpenAI answer "Hello." with the usage <usage>
    When the OpenAI model is asked <mode>
    Then the OpenAI answer is "Hello."
    And the slot has the usage <told>

    Examples:
      | mode     | usage                                                                                         | told    |
      | blocking | {"prompt_tokens": 7, "completion_tokens": null, "total_tokens": 7}                            | none    |
      | streamed | {"prompt_tokens": 7, "completion_tokens": null, "total_tokens": 7}                            | none    |
      | blocking | null                                                                                          | none    |
      | blocking | {}                                                                                            | none    |
      | blocking | {"prompt_tokens": "7", "completion_tokens": true}                                             | none    |
      | blocking | {"prompt_tokens": 7.0, "completion_tokens": 3, "total_tokens": "x"}                           | 7, 3    |
      | streamed | {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": "x"}} | 7, 3    |

  Scenario: A partial usage is kept to be looked at
    Given an OpenAI answer "Hello." with the usage {"prompt_tokens": 7, "completion_tokens": null}
    When the OpenAI model is asked blocking
    Then the answer's token usage is {"prompt_tokens": 7, "completion_tokens": null}

  Scenario Outline: A listener hears every token and sees the true messages
    Given OpenAI deltas [{"content": "Hel"}, {"content": "lo."}]
    And the OpenAI setting transport is "<transport>"
    When somebody listens to the OpenAI model
    Then the listener heard ["Hel", "lo."] and saw ["hi"]

    Examples:
      | transport |
      | lean      |
      | stock     |

  Scenario: Who hands over a callback manager is told by the model itself
    Given OpenAI deltas [{"content": "Hel"}, {"content": "lo."}]
    When a callback manager is handed to the OpenAI model
    Then the listener heard ["Hel", "lo."] and saw []

  Scenario: A stream that is left closes its connection
    Given OpenAI deltas [{"content": "Hel"}, {"content": "lo."}]
    When the OpenAI stream is left after 1 chunk
    Then the OpenAI connection is closed

  Scenario Outline: Usage of a stream is asked for, unless that is switched off
    Given OpenAI deltas [{"content": "Hello."}]
    And the OpenAI setting stream_usage is <asked>
    When the OpenAI model is asked streamed
    Then the body's "stream_options" is <sent>

    Examples:
      | asked | sent                    |
      | true  | {"include_usage": true} |
      | false | null                    |

  Scenario Outline: Parallel calls are spoken of only beside tools
    Given an OpenAI answer "Hello."
    And the OpenAI setting parameters is {"parallel_tool_calls": false}
    And the OpenAI call has <tools>
    When the OpenAI model is asked blocking
    Then the body's "parallel_tool_calls" is <sent>

    Examples:
      | tools    | sent  |
      | tools    | false |
      | no tools | null  |

  Scenario Outline: Reasoning goes back to the server that gave it, but not to OpenAI
    Given an OpenAI answer "Hello."
    And an OpenAI conversation with reasoning
    And the OpenAI setting url is <url>
    When the OpenAI model is asked blocking
    Then the second message sent has the reasoning <sent>

    Examples:
      | url                                      | sent        |
      | "http://wire.test/v1"                    | "I looked." |
      | null                                     | null        |
      | "https://x.openai.azure.com/openai/v1"   | null        |

  Scenario: A keyword that no request could carry is refused, as ever
    Given an OpenAI answer "Hello."
    And the OpenAI call has the keyword "no_such_thing"
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with TypeError

  Scenario Outline: Structured answers are read by LangChain, and fill the slot
    Given an OpenAI answer "{\"city\": \"Paris\"}"
    When the OpenAI model is asked for a structured answer <mode>
    Then the structured answer is {"city": "Paris"}
    And the slot has the usage 7, 3

    Examples:
      | mode     |
      | blocking |
      | streamed |

  Scenario: A structured answer that was cut tells its cost
    Given an OpenAI answer "{\"city\": \"Par" that was cut
    When the OpenAI model is asked for a structured answer blocking
    Then the OpenAI call fails with LengthFinishReasonError
    And the slot has the usage 7, 3

  Scenario Outline: The Responses API fills the slot as well
    Given the Responses API answers with the status "<status>" <mode>
    When the OpenAI model is asked <mode>
    Then the OpenAI answer is "Hello."
    And the slot has the usage 7, 3
    And the slot has the finish reason "<finish>"

    Examples:
      | status     | mode     | finish |
      | completed  | blocking | stop   |
      | incomplete | blocking | length |
      | completed  | streamed | stop   |

  Scenario: A failed answer of the Responses API tells its cost
    Given the Responses API answers with the status "failed" blocking
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with ModelOutputError
    And the slot has the usage 7, 3

  Scenario Outline: Errors of the Responses API are LangChain's too
    Given the OpenAI wire fails with the status 400 and the code "context_length_exceeded"
    And the OpenAI setting api is "responses"
    When the OpenAI model is asked <mode>
    Then the OpenAI call fails with ContextOverflowError

    Examples:
      | mode     |
      | blocking |
      | streamed |

  Scenario Outline: An answer of the Responses API that is none tells nothing
    Given the OpenAI wire answers <answer>
    And the OpenAI setting api is "responses"
    When the OpenAI model is asked blocking
    Then the OpenAI call fails with ModelOutputError
    And the slot has the usage none

    Examples:
      | answer                                           |
      | "<html>"                                         |
      | {"error": {"code": "x", "message": "It broke."}} |

  Scenario: A failed stream of the Responses API is a ModelOutputError
    Given the Responses API answers with the status "failed" streamed
    When the OpenAI model is asked streamed
    Then the OpenAI call fails with ModelOutputError

  Scenario: A lean model made by hand, with a host's own HTTP client, works as ChatOpenAI does
    Given an OpenAI answer "Hello."
    When a lean model made by hand is asked
    Then the OpenAI answer is "Hello."
    And the request went to "http://wire.test/v1/chat/completions" with the key "sk-by-hand"
