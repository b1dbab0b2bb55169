Feature: Files that strangers may write

  A host's users describe their agents in YAML or JSON. Whoever reads such a file should understand it without this
  library's code, and a scalar should mean what it looks like.

  Rule: A file has named agents, or is one agent

    Scenario: Every key of the language
      Given the host's policy
        | bound    | value |
        | scripted | true  |
      When the file is read
        """
        name: weather
        version: 1
        entry: assistant
        agents:
          helper:
            model: gpt-4o-mini
          assistant:
            type: llm
            description: Answers questions about the weather.
            provider: scripted
            model: gpt-4o-mini
            api: responses
            parameters: {temperature: 0, top_p: 0.5, max_tokens: 800, stop: [END], seed: 7, presence_penalty: 1,
                         frequency_penalty: -1.5, reasoning_effort: low, parallel_tool_calls: false}
            system_prompt: You work for {{ company }}.
            variables: {company: Acme, size: 3, rate: 0.5, public: true}
            tools: [get_weather, search]
            tool_max_rounds: 20
            max_repeated_calls: null
            tool_timeout: 10
            max_parallel_tools: 4
            model_timeout: 120
            stream_idle_timeout: 20.5
            token_budget: 20000
            synthesis: {reserve_tokens: 2000}
            pruning: {trigger_tokens: 8000, keep_last_rounds: 2, mode: truncate}
            retry: {attempts: 5, initial: 1, maximum: 10, deadline: 30, after_timeout: true}
            fallbacks: [{model: gpt-4o}, {provider: openai, model: gpt-5, base_url: "https://eu.example.com/v1"}]
            script:
              - calls: [{name: get_weather, arguments: {city: Paris}, id: c1}]
                usage: [10, 5]
              - {text: Take a coat., chunks: [Take, " a coat."], finish_reason: stop, usage: {prompt_tokens: 3}}
              - {error: {message: busy, status_code: 503}}
              - Done.
            streaming: tokens
        """
      Then the actor has
        | key     | value       |
        | name    | "weather"   |
        | entry   | "assistant" |
        | version | 1           |
      And the agent "assistant" has
        | key                | value                                                               |
        | provider           | "scripted"                                                          |
        | api                | "responses"                                                         |
        | max_repeated_calls | null                                                                |
        | variables          | {"company": "Acme", "size": 3, "rate": 0.5, "public": true}         |
        | pruning            | {"trigger_tokens": 8000, "keep_last_rounds": 2, "mode": "truncate"} |
        | tools              | ["get_weather", "search"]                                           |
        | streaming          | "tokens"                                                            |
      And it can be loaded again, as a configuration

    Scenario: The short form, and the defaults
      When the file "model: gpt-4o-mini" is read
      Then the actor has
        | key     | value   |
        | name    | "actor" |
        | entry   | "main"  |
        | version | 1       |
      And the agent "main" has
        | key                 | value                                                                                 |
        | type                | "llm"                                                                                 |
        | provider            | "openai"                                                                              |
        | api                 | "chat"                                                                                |
        | tool_max_rounds     | 10                                                                                    |
        | max_repeated_calls  | 5                                                                                     |
        | tool_timeout        | 60                                                                                    |
        | max_parallel_tools  | 32                                                                                    |
        | model_timeout       | 300                                                                                   |
        | stream_idle_timeout | 60                                                                                    |
        | token_budget        | null                                                                                  |
        | retry               | {"attempts": 3, "initial": 0.5, "maximum": 8, "deadline": 60, "after_timeout": false} |
        | pruning             | null                                                                                  |
        | streaming           | "answer"                                                                              |
      And the parameters that were set are {}

    Scenario: The entry is the first agent
      When the file "agents:⏎  b: {model: x}⏎  a: {model: y}" is read
      Then the actor has
        | key   | value |
        | entry | "b"   |

    Scenario: A host's own agent type has its own keys
      When the file "agents: {a: {type: echo, greeting: hi, since: 2025-02-03}, r: {type: router, model: x}}" is read
      Then the agent "a" has
        | key      | value        |
        | type     | "echo"       |
        | greeting | "hi"         |
        | since    | "2025-02-03" |

    Scenario: The parameters that are sent are those that were given
      When the file "model: x⏎parameters: {temperature: 0, stop: END, seed: null}" is read
      Then the parameters that were set are {"temperature": 0, "stop": "END"}

    Scenario: JSON and mappings mean the same
      When the JSON file is read
        """
        {"model": "x", "tool_max_rounds": 4, "retry": {"initial": 1e-1}}
        """
      Then "tool_max_rounds" of "main" is 4
      When the Python mapping is read
        """
        {"model": "x", "tools": ("search",), "tool_max_rounds": 4, "max_repeated_calls": None}
        """
      Then "tools" of "main" is ["search"]

    Scenario: A byte order mark is no part of the file
      When a file with "model: x" and a byte order mark is read
      Then "model" of "main" is "x"

  Rule: Scalars mean what they look like

    Scenario Outline: The variable <written>
      When the file "model: x⏎variables: {v: <written>}" is read
      Then "variables" of "main" is {"v": <read>}

      Examples:
        | written    | read         |
        | true       | true         |
        | False      | false        |
        | yes        | "yes"        |
        | off        | "off"        |
        | "true"     | "true"       |
        | 12         | 12           |
        | -3         | -3           |
        | 0          | 0            |
        | 007        | "007"        |
        | 0x10       | "0x10"       |
        | 0o17       | "0o17"       |
        | 1_000      | "1_000"      |
        | 12:30:45   | "12:30:45"   |
        | 2024-01-01 | "2024-01-01" |
        | 1e3        | 1000.0       |
        | .5         | 0.5          |
        | 1.         | 1.0          |
        | NaN        | "NaN"        |
        | '5'        | "5"          |

    Scenario: Anchors and aliases
      When the file is read
        """
        agents:
          a: {model: x, retry: &patient {attempts: 7}, system_prompt: &p Be kind.}
          b: {model: y, retry: *patient, system_prompt: *p}
        """
      Then the agent "b" has
        | key           | value                                                                                 |
        | retry         | {"attempts": 7, "initial": 0.5, "maximum": 8, "deadline": 60, "after_timeout": false} |
        | system_prompt | "Be kind."                                                                            |

  Rule: Values can be set beside the file

    Scenario: They go over the file, before it is checked
      Given these values are set beside the file
        | path                        | value    |
        | agents.a.model              | gpt-5    |
        | agents.a.tool_max_rounds    | 3        |
        | agents.a.retry.attempts     | 9        |
        | agents.a.fallbacks[0].model | '7'      |
        | agents.a.parameters.stop    | "a: b"   |
        | agents.a.description        | x: y # z |
        | name                        | other    |
      When the file "agents: {a: {model: x, retry: &r {attempts: 2}, fallbacks: [{model: y}]}, b: {model: z, retry: *r}}" is read
      Then the agent "a" has
        | key             | value                                                                                 |
        | model           | "gpt-5"                                                                               |
        | tool_max_rounds | 3                                                                                     |
        | retry           | {"attempts": 9, "initial": 0.5, "maximum": 8, "deadline": 60, "after_timeout": false} |
        | fallbacks       | [{"provider": "openai", "model": "7", "base_url": null}]                              |
        | description     | "x: y # z"                                                                            |
      And the agent "b" has
        | key   | value                                                                                 |
        | retry | {"attempts": 2, "initial": 0.5, "maximum": 8, "deadline": 60, "after_timeout": false} |

    Scenario Outline: The short form takes the path <path>
      Given these values are set beside the file
        | path   | value |
        | <path> | gpt-5 |
      When the file "model: x" is read
      Then "model" of "main" is "gpt-5"

      Examples:
        | path              |
        | model             |
        | agents.main.model |

    Scenario: They go over a ready configuration too
      When the file "agents: {a: {type: echo}}" is read
      And the configuration is loaded with the value moin set at agents.a.greeting
      Then the agent "a" has
        | key      | value  |
        | type     | "echo" |
        | greeting | "moin" |

  Rule: The host's policy bounds what a file gets

    Scenario: It bounds the defaults of a file that asks for nothing
      Given the host's policy
        | bound              | value |
        | max_rounds         | 4     |
        | max_parallel_tools | 2     |
      When the file "model: x" is read
      Then "tool_max_rounds" of "main" is 4
      And "max_parallel_tools" of "main" is 2

    Scenario Outline: The models <models> allow <model> of <provider>
      Given the host's policy
        | bound  | value    |
        | models | <models> |
      When the file "provider: <provider>⏎model: <model>" is read
      Then "model" of "main" is "<model>"

      Examples:
        | models             | provider | model       |
        | ["gpt-4o-mini"]    | openai   | gpt-4o-mini |
        | ["gpt-4o*"]        | openai   | gpt-4o-mini |
        | ["openai/gpt-4o*"] | openai   | gpt-4o      |
        | ["a", "near/*"]    | near     | llama3:8b   |

    Scenario: A policy that makes no sense is refused
      Then the policy {"models": "gpt-4o"} is refused: "ActorPolicy(models='gpt-4o') is a string; give a list of patterns"
      And the policy {"max_rounds": 0} is refused: "ActorPolicy(max_rounds=0) is below 1"

  Rule: A key goes to the endpoints that its host lists

    Scenario Outline: The provider <provider> may be asked at <base_url>
      When the file "provider: <provider>⏎model: x⏎base_url: <base_url>" is read
      Then "base_url" of "main" is "<base_url>"

      Examples:
        | provider | base_url                       |
        | openai   | https://eu.example.com/v1      |
        | openai   | https://EU.example.com:443/v1/ |
        | openai   | https://api.openai.com/v1      |
        | near     | http://127.0.0.1:8000/v1       |
        | far      | https://far.example.com/v1     |

    Scenario Outline: The provider <provider> needs no endpoint in the file
      When the file "provider: <provider>⏎model: x" is read
      Then "base_url" of "main" is null

      Examples:
        | provider |
        | openai   |
        | near     |
        | house    |

    Scenario: A host without credentials: what is missing is told when a model is needed
      Given a host without tools and credentials
      When the file "model: x" is read
      Then "provider" of "main" is "openai"

    Scenario: A scripted agent calls nobody, so any file can be tried with it
      Given the host's policy
        | bound    | value |
        | scripted | true  |
      And these values are set beside the file
        | path     | value    |
        | provider | scripted |
      When the file "model: x⏎base_url: https://eu.example.com/v1" is read
      Then "provider" of "main" is "scripted"

  Rule: Agents may be tools where the host says so

    Scenario: An agent that another one calls
      Given agents may be tools
      When the file "agents: {a: {model: x, tools: [search, b, c]}, b: {model: x, description: Helps., tools: [c]}, c: {model: x, description: Helps too.}}" is read
      Then the agent "a" has
        | key   | value                |
        | tools | ["search", "b", "c"] |

  Rule: A prompt's variables are put in once

    Scenario: Plain substitution
      Then "Hi {{ a }}, {{b}}!" with {"a": "x", "b": 2} and {} becomes "Hi x, 2!"
      And "{{ a }}{{ a }}" with {"a": true} and {"a": 1.5} becomes "1.51.5"
      And "{{ a }}" with {"a": true} and {} becomes "true"
      And "{{ a }}" with {"a": "{{ b }}", "b": "no"} and {} becomes "{{ b }}"
      And "a } { b {c}" with {} and {} becomes "a } { b {c}"
      And the names in "{{ b }} {{a}} {{ b }} {{ c.d }}" are ["b", "a"]

    Scenario: What is wrong is told at once
      Then "x" with {"company": "A"} and {"compny": "B"} fails: "variables.compny: unknown variable `compny`; declared: `company` (did you mean `company`?)"
      And "x" with {"a": "A"} and {"a": [1]} fails: "variables.a: a variable is a text, a number or a boolean, not list"
      And "{{ b }}" with {} and {} fails: "undeclared variable `b`; declared: none"
      And "{{ f() }}" with {} and {} fails: "the template `{{ f() }}` is an expression; only `{{ name }}` is replaced"

    Scenario: Whatever a value holds, it is not expanded again
      Then none of 200 substitutions is expanded again

  Rule: Editors and people know the language too

    Scenario: The JSON schema accepts what is right
      Then an editor accepts
        | document                                                          |
        | {model: x}                                                        |
        | {model: x, name: n, version: 1, entry: main, tools: [a]}          |
        | {agents: {a: {model: x}, b: {type: echo, greeting: hi}}}          |
        | {model: x, type: router, routes: {}}                              |
        | {model: x, retry: {attempts: 3}, fallbacks: [{model: y}]}         |
        | {model: x, provider: scripted, script: [a, {calls: [{name: t}]}]} |

    Scenario: The JSON schema refuses what is wrong
      Then an editor refuses
        | document                                           |
        | {}                                                 |
        | [model]                                            |
        | {model: x, modle: y}                               |
        | {agents: {}}                                       |
        | {agents: {"a b": {model: x}}}                      |
        | {agents: {a: {}}}                                  |
        | {agents: {a: {model: x, tool_max_rounds: 100001}}} |
        | {agents: {a: {model: x}}, model: x}                |
        | {model: x, parameters: {n: 2}}                     |
        | {model: x, retry: {attempts: "3"}}                 |
        | {model: x, streaming: token}                       |
        | {model: x, version: 2}                             |
        | {model: x, type: router, name: [1]}                |

    Scenario: The reference is made from the models
      Then the reference has the rows
        """
        ## The actor
        | `tool_max_rounds` | Rounds of tool calls before the wrap-up. | a whole number from 0 to 100,000 | `10` | 100,000 | `20` |
        | `streaming` | With tools: one chunk, or tokens as they come. | "answer" or "tokens" | `answer` | none | `tokens` |
        | `trigger_tokens` | Prompt tokens from which on it is done. | a whole number from 1 to 100,000,000 | required | 100,000,000 | `8000` |
        """
      And every key of the reference has a meaning, a type and an example

    Scenario: Light parts stay light
      Then importing "cleveractors.config.template" loads no pydantic
      And importing "cleveractors.config.surroundings" loads no pydantic
      And importing "cleveractors.policy" loads no pydantic
      And every name of the language's face is there
