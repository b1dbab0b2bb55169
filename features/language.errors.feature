Feature: What is said about a file that is wrong

  A mistake is found before a cent is spent, and told like a compiler's: all of them at once, each with its place, with
  what was found, what is allowed, and what was probably meant. Files come from strangers: the host's keys, environment,
  disk, network and time are out of their reach.

  Rule: Keys are those of the language

    Scenario Outline: The unknown key in <file>
      When the file "<file>" is read
      Then the first problem is "<problem>; allowed: "
      And a problem says "<hint>"

      Examples:
        | file                                      | problem                                              | hint                                                                         |
        | model: x⏎tool_max_round: 5                | 2:1 tool_max_round: unknown key `tool_max_round`     | did you mean `tool_max_rounds`?                                              |
        | model: x⏎instructions: hi                 | 2:1 instructions: unknown key `instructions`         | write `system_prompt`                                                        |
        | model: x⏎max_turns: 3                     | 2:1 max_turns: unknown key `max_turns`               | write `tool_max_rounds`                                                      |
        | model: x⏎temperature: 1                   | 2:1 temperature: unknown key `temperature`           | write it under `parameters`                                                  |
        | model: x⏎handoffs: [a]                    | 2:1 handoffs: unknown key `handoffs`                 | name the agents in `tools`                                                   |
        | model: x⏎timeout: 5                       | 2:1 timeout: unknown key `timeout`                   | write `model_timeout` (one attempt) or `tool_timeout` (one call), in seconds |
        | model: x⏎api_key: sk-abcdefghijklmnop     | 2:1 api_key: unknown key `api_key`                   | keys are the host's: `credentials=`                                          |
        | model: x⏎headers: {X: y}                  | 2:1 headers: unknown key `headers`                   | the host decides that, never a file                                          |
        | model: x⏎proxies: {http: x}               | 2:1 proxies: unknown key `proxies`                   | the host decides that, never a file                                          |
        | model: x⏎parameters: {n: 2}               | 2:14 parameters.n: unknown key `n`                   | one answer is asked for; it is not a choice of the file                      |
        | model: x⏎parameters: {extra_body: {}}     | 2:14 parameters.extra_body: unknown key `extra_body` | the host decides that, never a file                                          |
        | model: x⏎approval: 1                      | 2:1 approval: unknown key `approval`                 | allowed                                                                      |
        | agents: {a: {model: x, name: b}}          | 1:24 agents.a.name: unknown key `name`               | an agent's name is the key it stands under                                   |
        | agents: {a: {model: x}}⏎system_prompt: hi | 2:1 system_prompt: unknown key `system_prompt`       | write it in an agent: `agents.<name>.system_prompt`                          |
        | agents: {a: {type: echo, greting: x}}     | 1:26 agents.a.greting: unknown key `greting`         | did you mean `greeting`?                                                     |
        | model: x⏎"sk-abcdefghijklmnop": 1         | 2:1 sk-…: unknown key `sk-…`                         | allowed                                                                      |

    Scenario Outline: <key> is known from elsewhere
      When the file "model: x⏎<key>: 1" is read
      Then a problem says "(<hint>)"

      Examples:
        | key             | hint                                |
        | prompt          | write `system_prompt`               |
        | max_iterations  | write `tool_max_rounds`             |
        | max_steps       | write `tool_max_rounds`             |
        | recursion_limit | write `tool_max_rounds`             |
        | max_tokens      | write it under `parameters`         |
        | sub_agents      | name the agents in `tools`          |
        | max_retries     | write `retry: {attempts: …}`        |
        | hooks           | the host decides that, never a file |

  Rule: Values fit their keys

    Scenario Outline: The value in <file>
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                               | problem                                                                                                                                                                                                         |
        | model: openai:gpt-4o                               | 1:8 model: found "openai:gpt-4o"; a model's name does not hold its provider (write `provider: openai` and `model: gpt-4o`)                                                                                      |
        | name: x                                            | 1:1 agents: `agents` is missing; give a mapping of 1 to 50 (or write `model: …` for a single agent)                                                                                                             |
        | agents: {}                                         | 1:9 agents: found a mapping of 0; allowed: a mapping of 1 to 50                                                                                                                                                 |
        | agents: [a]                                        | 1:9 agents: found a list of 1; allowed: a mapping of 1 to 50                                                                                                                                                    |
        | agents: {a: x}                                     | 1:13 agents.a: found the text "x"; allowed: a mapping                                                                                                                                                           |
        | agents: {a: {}}                                    | 1:10 agents.a.model: `model` is missing; give a text without spaces, of at most 200 characters                                                                                                                  |
        | model: x⏎name: "a b"                               | 2:7 name: found the text "a b"; allowed: a name of at most 64 letters, digits, `_` and `-`                                                                                                                      |
        | model: x⏎version: 2                                | 2:10 version: found 2; allowed: 1                                                                                                                                                                               |
        | model: x⏎version: true                             | 2:10 version: found true; allowed: 1                                                                                                                                                                            |
        | agents: {a: {type: [echo]}}                        | 1:20 agents.a.type: found a list of 1; allowed: a name of at most 64 letters, digits, `_` and `-`                                                                                                               |
        | agents: {a: {type: echo, greeting: forbidden}}     | 1:13 agents.a: that greeting is not polite                                                                                                                                                                      |
        | agents: {a: {type: echo, since: today}}            | 1:33 agents.a.since: found the text "today"; allowed: a date                                                                                                                                                    |
        | agents: {a: {type: router, model: x, routes: 5}}   | 1:46 agents.a.routes: found 5: Input should be a valid dictionary                                                                                                                                               |
        | model: x⏎tool_max_rounds: "5"                      | 2:18 tool_max_rounds: found the text "5"; allowed: a whole number from 0 to 100,000 (write 5 without quotes)                                                                                                    |
        | model: x⏎tool_max_rounds: 5.0                      | 2:18 tool_max_rounds: found 5.0; allowed: a whole number from 0 to 100,000 (write 5)                                                                                                                            |
        | model: x⏎tool_max_rounds: 1e9                      | 2:18 tool_max_rounds: found 1e9; allowed: a whole number from 0 to 100,000                                                                                                                                      |
        | model: x⏎tool_max_rounds: 0x10                     | 2:18 tool_max_rounds: found the text "0x10"; allowed: a whole number from 0 to 100,000 (write 16)                                                                                                               |
        | model: x⏎tool_max_rounds: 0o17                     | 2:18 tool_max_rounds: found the text "0o17"; allowed: a whole number from 0 to 100,000 (write 15)                                                                                                               |
        | model: x⏎tool_max_rounds: 1_000                    | 2:18 tool_max_rounds: found the text "1_000"; allowed: a whole number from 0 to 100,000 (write 1000)                                                                                                            |
        | model: x⏎tool_max_rounds: -1                       | 2:18 tool_max_rounds: found -1; allowed: a whole number from 0 to 100,000                                                                                                                                       |
        | model: x⏎tool_max_rounds: 100001                   | 2:18 tool_max_rounds: found 100001; allowed: a whole number from 0 to 100,000                                                                                                                                   |
        | model: x⏎tool_max_rounds: true                     | 2:18 tool_max_rounds: found true; allowed: a whole number from 0 to 100,000                                                                                                                                     |
        | model: x⏎tool_max_rounds: 2024-01-01               | 2:18 tool_max_rounds: found the text "2024-01-01"; allowed: a whole number from 0 to 100,000                                                                                                                    |
        | model: x⏎tool_max_rounds:                          | 2:17 tool_max_rounds: found nothing (null); allowed: a whole number from 0 to 100,000                                                                                                                           |
        | model: x⏎tool_timeout: .nan                        | 2:15 tool_timeout: found .nan; allowed: a number from 0.001 to 86,400                                                                                                                                           |
        | model: x⏎tool_timeout: NaN                         | 2:15 tool_timeout: found the text "NaN"; allowed: a number from 0.001 to 86,400                                                                                                                                 |
        | model: x⏎tool_timeout: -.inf                       | 2:15 tool_timeout: found -.inf; allowed: a number from 0.001 to 86,400                                                                                                                                          |
        | model: x⏎tool_timeout: 0                           | 2:15 tool_timeout: found 0; allowed: a number from 0.001 to 86,400                                                                                                                                              |
        | model: x⏎parameters: {parallel_tool_calls: yes}    | 2:35 parameters.parallel_tool_calls: found the text "yes"; allowed: true or false or null (write true)                                                                                                          |
        | model: x⏎parameters: {parallel_tool_calls: "true"} | 2:35 parameters.parallel_tool_calls: found the text "true"; allowed: true or false or null (write true without quotes)                                                                                          |
        | model: x⏎parameters: {temperature: 3}              | 2:27 parameters.temperature: found 3; allowed: a number from 0 to 2 or null                                                                                                                                     |
        | model: x⏎parameters: {stop: [1]}                   | 2:21 parameters.stop[0]: found 1; allowed: a text (put it in quotes)                                                                                                                                            |
        | model: x⏎parameters: {stop: []}                    | 2:20 parameters.stop: found a list of 0; allowed: a text, a list of 1 to 16, each a text or null                                                                                                                |
        | model: x⏎parameters:                               | 2:12 parameters: found nothing (null); allowed: a mapping                                                                                                                                                       |
        | model: x⏎streaming: token                          | 2:12 streaming: found the text "token"; allowed: "answer" or "tokens" (did you mean `tokens`?)                                                                                                                  |
        | model: x⏎description: 5                            | 2:14 description: found 5; allowed: a text of at most 4,096 characters (put it in quotes)                                                                                                                       |
        | model: 4                                           | 1:8 model: found 4; allowed: a text without spaces, of at most 200 characters (put it in quotes)                                                                                                                |
        | model: ""                                          | 1:8 model: found an empty text; allowed: a text without spaces, of at most 200 characters                                                                                                                       |
        | model: a b                                         | 1:8 model: found the text "a b"; allowed: a text without spaces, of at most 200 characters                                                                                                                      |
        | model: x⏎description: [a]                          | 2:14 description: found a list of 1; allowed: a text of at most 4,096 characters                                                                                                                                |
        | model: x⏎retry: 3                                  | 2:8 retry: found 3; allowed: a mapping                                                                                                                                                                          |
        | model: x⏎fallbacks: [gpt-4o]                       | 2:13 fallbacks[0]: found the text "gpt-4o"; allowed: a mapping                                                                                                                                                  |
        | model: x⏎fallbacks: [{provider: openai}]           | 2:13 fallbacks[0].model: `model` is missing; give a text without spaces, of at most 200 characters                                                                                                              |
        | model: x⏎tools: get_weather                        | 2:8 tools: found the text "get_weather"; allowed: a list of at most 500, each a name of at most 64 letters, digits, `_` and `-`                                                                                 |
        | model: x⏎tools: ["a b"]                            | 2:9 tools[0]: found the text "a b"; allowed: a name of at most 64 letters, digits, `_` and `-`                                                                                                                  |
        | model: x⏎provider: far                             | 2:11 provider: the provider `far` has no `base_url`: its credential gives none; allowed in the file: `https://far.example.com/v1/` (the host writes credentials={"far": Credential(key, base_url="https://…")}) |
        | model: x⏎script: [a]                               | 2:1 script: a script is for the provider `scripted`, found `openai`                                                                                                                                             |
        | model: x⏎script: [5]                               | 2:10 script[0]: found 5; allowed: a text or a mapping (put it in quotes)                                                                                                                                        |
        | model: x⏎script: [{usage: none}]                   | 2:18 script[0].usage: found the text "none"; allowed: a mapping, a list of at most 2, each a whole number, "counted" or null                                                                                    |
        | model: x⏎tool_timeout: sk-abcdefghijklmnop         | 2:15 tool_timeout: found the text "sk-…"; allowed: a number from 0.001 to 86,400                                                                                                                                |
        | model: x⏎streaming: "‮tokens"                      | 2:12 streaming: found the text "\u202etokens"; allowed: "answer" or "tokens" (did you mean `tokens`?)                                                                                                           |

  Rule: Names exist, and the host allows them

    Scenario Outline: The name in <file>
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                               | problem                                                                                                            |
        | agents:⏎  "a b": {model: x}                        | 2:3 agents.a b: found the name "a b"; allowed: a name of at most 64 letters, digits, `_` and `-`                   |
        | agents: {"a\tb": {model: x}}                       | 1:10 agents.a\tb: found the name "a\tb"; allowed: a name of at most 64 letters, digits, `_` and `-`                |
        | agents: {"": {model: x}}                           | 1:10 agents.: found the name ""; allowed: a name of at most 64 letters, digits, `_` and `-`                        |
        | agents: {search: {model: x}}                       | 1:10 agents.search: the name `search` is a tool's of the host; names are unique                                    |
        | model: x⏎entry: other                              | 2:8 entry: unknown agent `other`; allowed: `main`                                                                  |
        | agents: {assistant: {model: x}}⏎entry: asistant    | 2:8 entry: unknown agent `asistant`; allowed: `assistant` (did you mean `assistant`?)                              |
        | agents: {a: {type: ech}}                           | 1:20 agents.a.type: unknown type `ech`; allowed: `llm`, `echo`, `router` (did you mean `echo`?)                    |
        | model: x⏎tool_max_rounds: 51                       | 2:18 tool_max_rounds: found 51; the host's policy allows at most 50                                                |
        | model: x⏎max_parallel_tools: 33                    | 2:21 max_parallel_tools: found 33; the host's policy allows at most 32                                             |
        | model: x⏎variables: {"a b": 1}                     | 2:13 variables.a b: found the name "a b"; allowed: a name of at most 64 letters, digits and `_`                    |
        | model: x⏎tools: [get_wether]                       | 2:9 tools[0]: unknown tool `get_wether`; allowed: `get_weather`, `search` (did you mean `get_weather`?)            |
        | model: x⏎tools: [search, search]                   | 2:17 tools[1]: the tool `search` is listed twice                                                                   |
        | agents: {a: {model: x, tools: [b]}, b: {model: x}} | 1:32 agents.a.tools[0]: `b` is an agent; agents as tools are not available                                         |
        | model: x⏎provider: opnai                           | 2:11 provider: unknown provider `opnai`; allowed: `openai`, `near`, `far`, `house` (did you mean `openai`?)        |
        | model: x⏎provider: scripted                        | 2:11 provider: the host's policy does not allow the provider `scripted`; allowed: `openai`, `near`, `far`, `house` (the host allows it by ActorPolicy(scripted=True)) |
        | model: x⏎tools: [sk-abcdefghijklmnop]              | 2:9 tools[0]: unknown tool `sk-…`; allowed: `get_weather`, `search`                                                |

    Scenario Outline: The models <models> do not allow <model> of <provider>
      Given the host's policy
        | bound  | value    |
        | models | <models> |
      When the file "provider: <provider>⏎model: <model>" is read
      Then the first problem is "2:8 model: found "<model>"; the host's policy allows: "

      Examples:
        | models          | provider | model           |
        | ["gpt-4o-mini"] | openai   | gpt-4o          |
        | ["openai/*"]    | near     | gpt-4o          |
        | ["house/*"]     | openai   | house/gpt-5-pro |
        | []              | openai   | gpt-4o          |

    Scenario: A fallback is bounded like the model before it
      Given the host's policy
        | bound  | value |
        | models | ["x"] |
      When the file "model: x⏎fallbacks: [{model: y}]" is read
      Then it is refused: "2:21 fallbacks[0].model: found "y"; the host's policy allows: `x`"

    Scenario: More agents than the policy allows
      Given the host's policy
        | bound      | value |
        | max_agents | 1     |
      When the file "agents: {a: {model: x}, b: {model: x}}" is read
      Then it is refused: "1:1 agents: found 2 agents; the host's policy allows 1"

    Scenario Outline: Agents as tools: <file>
      Given agents may be tools
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                                                                                                                      | problem                                                                                                            |
        | agents: {a: {model: x, tools: [b]}, b: {model: x}}                                                                                        | 1:37 agents.b.description: the agent `b` needs a `description` to be a tool: it is what the caller's model is told |
        | agents: {a: {model: x, description: d, tools: [b]}, b: {model: x, description: d, tools: [c]}, c: {model: x, description: d, tools: [a]}} | 1:134 agents.c.tools[0]: agents call each other in a circle: a → b → c → a                                         |
        | agents: {a: {model: x, description: d, tools: [a]}}                                                                                       | 1:48 agents.a.tools[0]: agents call each other in a circle: a → a                                                  |
        | agents: {a: {model: x, tools: [c]}, b: {model: x}}                                                                                        | 1:32 agents.a.tools[0]: unknown tool `c`; allowed: `b`, `get_weather`, `search`                                    |

  Rule: A key goes nowhere else

    Scenario Outline: The endpoint in <file>
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                                              | problem                                                                                                                      |
        | model: x⏎base_url: https://evil.example.com/v1                    | 2:11 base_url: found the endpoint "https://evil.example.com/v1"; allowed for `openai`: `https://eu.example.com/v1`           |
        | model: x⏎base_url: file:///etc/passwd                             | 2:11 base_url: found an endpoint of the kind "file:"; allowed: https: and http:                                              |
        | model: x⏎base_url: http://169.254.169.254/latest                  | 2:11 base_url: found "http://169.254.169.254/latest", the address of a machine's own metadata; it is never an endpoint       |
        | model: x⏎base_url: http://metadata.google.internal/v1             | 2:11 base_url: found "http://metadata.google.internal/v1", the address of a machine's own metadata; it is never an endpoint  |
        | model: x⏎base_url: http://[fe80::1]/                              | 2:11 base_url: found "http://[fe80::1]/", the address of a machine's own metadata; it is never an endpoint                   |
        | model: x⏎base_url: https://u:p4ssword@eu.example.com/v1           | 2:11 base_url: the endpoint holds a user name or password; keys are the host's: `credentials=`                               |
        | model: x⏎base_url: https://eu.example.com/v1?x=1                  | 2:11 base_url: found the endpoint "https://eu.example.com/v1?x=1"; allowed for `openai`: `https://eu.example.com/v1`         |
        | model: x⏎base_url: "https://eu.example.com/\nv1"                  | 2:11 base_url: found the endpoint "https://eu.example.com/\nv1"; allowed for `openai`: `https://eu.example.com/v1`           |
        | model: x⏎base_url: "https://eu.example.com\\@evil.example.com/v1" | 2:11 base_url: the endpoint holds a user name or password; keys are the host's: `credentials=`                               |
        | model: x⏎base_url: https://eu.example.com:99999/v1                | 2:11 base_url: found "https://eu.example.com:99999/v1", which is no URL; allowed: one that the host's credential lists       |
        | model: x⏎base_url: http://[::1/                                   | 2:11 base_url: found "http://[::1/", which is no URL; allowed: one that the host's credential lists                          |
        | model: x⏎base_url: eu.example.com                                 | 2:11 base_url: found "eu.example.com", which is no URL; allowed: one that the host's credential lists                        |
        | model: x⏎base_url: ""                                             | 2:11 base_url: found an empty text; allowed: a text of at most 2,048 characters or null                                      |
        | model: x⏎provider: house⏎base_url: https://eu.example.com/v1      | 3:11 base_url: the provider `house` is a model of the host's, with an endpoint of its own                                    |
        | model: x⏎provider: near⏎base_url: https://eu.example.com/v1       | 3:11 base_url: found the endpoint "https://eu.example.com/v1"; allowed for `near`: none, the credential lists no `base_urls` |

  Rule: Templates are names

    Scenario Outline: The template in <file>
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                                              | problem                                                                                                            |
        | model: x⏎system_prompt: "{{ a.b }}"                               | 2:17 system_prompt: the template `{{ a.b }}` is an expression; only `{{ name }}` is replaced                       |
        | model: x⏎system_prompt: "{{ f() }}"                               | 2:17 system_prompt: the template `{{ f() }}` is an expression; only `{{ name }}` is replaced                       |
        | model: x⏎system_prompt: "{{ a"                                    | 2:17 system_prompt: the template `{{ a` is never closed by `}}`                                                    |
        | model: x⏎system_prompt: "{% if a %}"                              | 2:17 system_prompt: the template `{% if a %}` is a statement; only `{{ name }}` is replaced                        |
        | model: x⏎system_prompt: "Hi {{ compny }}"⏎variables: {company: A} | 2:20 system_prompt: undeclared variable `compny`; declared in `variables`: `company` (did you mean `company`?)     |
        | model: x⏎system_prompt: {{ a }}                                   | 2:17 system_prompt: a key is a plain word, not a list, mapping or alias (put text that starts with `{{` in quotes) |
        | model: x⏎system_prompt: "{{{{ a }}}}"                             | 2:17 system_prompt: the template `{{{{ a }}` is an expression; only `{{ name }}` is replaced                       |

    Scenario: A template is pointed at inside a long text
      When the file is read
        """
        model: x
        system_prompt: |
          Be kind.
          You work for {{ company }} and {{ boss }}.
        variables: {company: Acme}
        """
      Then it is refused with
        """
        4:34 system_prompt: undeclared variable `boss`; declared in `variables`: `company`
        """

  Rule: A file is one plain YAML document

    Scenario Outline: The document <file>
      When the file "<file>" is read
      Then it is refused: "<problem>"

      Examples:
        | file                                          | problem                                                                                |
        | model: x⏎⇥tools: [search]                     | 2:1 not YAML: a tab indents this line (indent with spaces)                             |
        | agents:⏎⇥a: {model: x}                        | 2:1 not YAML: a tab indents this line (indent with spaces)                             |
        | model: x: y                                   | 1:9 not YAML: a `:` stands where none can stand (put the text in quotes, or indent it) |
        | model: "x                                     | 1:8 not YAML: a quote that is never closed                                             |
        | model: [x                                     | 1:8 not YAML: a list with no end, or without a comma between two values                |
        | model: @x                                     | 1:8 not YAML: a character that can't start a value (put the text in quotes)            |
        | just words                                    | 1:1 found the text "just words"; an actor is a mapping with `agents`, or with `model`  |
        | - a                                           | 1:1 found a list of 1; an actor is a mapping with `agents`, or with `model`            |
        | 5                                             | 1:1 found 5; an actor is a mapping with `agents`, or with `model`                      |
        | "text"                                        | 1:1 found the text "text"; an actor is a mapping with `agents`, or with `model`        |
        | model: x⏎model: y                             | 2:1 model: the key `model` is written twice, first on line 1                           |
        | model: x⏎---⏎model: y                         | 2:1 a second document starts here; a file is one actor                                 |
        | model: x⏎...⏎model: y                         | 3:1 not YAML: a second document starts here; a file is one actor                       |
        | model: !!python/object/apply:os.system ["ls"] | 1:8 model: tags (`!…`) are not supported: a file holds data, never objects             |
        | model: !env OPENAI_API_KEY                    | 1:8 model: tags (`!…`) are not supported: a file holds data, never objects             |
        | !actor⏎model: x                               | 1:1 tags (`!…`) are not supported: a file holds data, never objects                    |
        | model: !a!b x                                 | 1:8 not YAML: tags (`!…`) are not supported: a file holds data, never objects          |
        | model: *x                                     | 1:8 model: the alias `*x` names no anchor before it                                    |
        | agents: &a {b: *a}                            | 1:16 agents.b: the alias `*a` stands inside what it names                              |
        | ? [a]⏎: b                                     | 1:3 a key is a plain word, not a list, mapping or alias                                |
        | ? &k model⏎: x⏎*k : y                         | 3:1 a key is a plain word, not a list, mapping or alias                                |
        | !!str model: x                                | 1:1 tags (`!…`) are not supported: a file holds data, never objects                    |
        | model: "\x1b[31m"                             | 1:8 model: a text holds the character U+001B, which is no text                         |
        | model: "\ud800"                               | 1:8 model: a text holds the character U+D800, which is no text                         |
        | %YAML 2.0⏎---⏎model: x                        | 1:1 not YAML: found incompatible YAML document (version 1.* is required)               |
        | null                                          | the document is empty (write at least `model: …`)                                      |

    Scenario: A key that is no text
      When the file "model: x⏎"a\0b": 1" is read
      Then the first problem is "2:1 a text holds the character U+0000, which is no text"

    Scenario Outline: A file that is <kind>
      When a file that is "<kind>" is read
      Then the first problem is "<problem>"

      Examples:
        | kind                        | problem                                                                                       |
        | missing                     | there is no such file                                                                         |
        | a pipe                      | this is not a regular file                                                                    |
        | a directory                 | this is a directory, not a file                                                               |
        | a device                    | this is not a regular file                                                                    |
        | a link to itself            | the file can't be read: Too many levels of symbolic links                                     |
        | a path with NUL             | the path holds a character that no path can hold                                              |
        | a text instead of a path    | a string is a path, this one has several lines (parse the text and pass the mapping)          |
        | a Python file               | the name of an actor file ends in .yaml, .yml or .json                                        |
        | 10 MB                       | the file is larger than 256 KiB                                                               |
        | empty                       | the document is empty (write at least `model: …`)                                             |
        | only comments               | the document is empty (write at least `model: …`)                                             |
        | an empty JSON               | the document is empty (write at least `model: …`)                                             |
        | Latin-1                     | 2:10 the file is not UTF-8: byte 0xe9 (save it as UTF-8)                                      |
        | UTF-16                      | the file is encoded in UTF-16 (save it as UTF-8)                                              |
        | UTF-32                      | the file is encoded in UTF-32 (save it as UTF-8)                                              |
        | with NUL                    | 2:8 the file holds the control character U+0000                                               |
        | with an escape sequence     | 2:7 the file holds the control character U+001B                                               |
        | an alias bomb               | 5:35 the document has more than 20,000 values, aliases followed                               |
        | a text bomb                 | 2:55 the document's texts are longer than 1 MiB, aliases followed                             |
        | 10,000 open brackets        | 1:34 [0][0][0][0]: values are nested deeper than 32 levels                                    |
        | 10,000 open braces          | 1:2 a key is a plain word, not a list, mapping or alias (put text that starts with `{{` in    |
        | 10,000 nested JSON lists    | not JSON: values are nested too deep                                                          |
        | 100 nested JSON lists       | model[0][0][0]: values are nested deeper than 32 levels                                       |
        | JSON with 5,000 digits      | not JSON: a number has too many digits                                                        |
        | JSON with 4,000 digits      | tool_max_rounds: found inf; allowed: a whole number from 0 to 100,000                         |
        | JSON with -4,000 digits     | tool_max_rounds: found -inf; allowed: a whole number from 0 to 100,000                        |
        | many values                 | 1:39999 the document has more than 20,000 values, aliases followed                            |
        | many keys                   | 2:1 k0: unknown key `k0`; allowed: `type`, `description`, `input_schema`, `provider`, `model`, `base_url`,    |
        | one key many times          | 2:1 model: the key `model` is written twice, first on line 1                                  |
        | many unclosed templates     | 2:17 system_prompt: the template `{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{    |
        | many expressions            | 2:17 system_prompt: the template `{{f()}}` is an expression; only `{{ name }}` is replaced    |
        | many bad turns              | 2:11 script[0].t: unknown key `t`; allowed: `text`, `calls`, `usage`, `chunks`, `finish_re    |
        | many agents                 | 2:2 agents: found a mapping of 4000; allowed: a mapping of 1 to 50                            |
        | many bad tools              | 2:25 agents.a0.tools[0]: unknown tool `t0`; allowed: `get_weather`, `search`                  |
        | an impossible escape        | not YAML: a number or an escape names something impossible                                    |
        | an impossible version       | not YAML: a number or an escape names something impossible                                    |
        | one long line               | 2:1 zz: unknown key `zz`; allowed: `type`, `description`, `input_schema`, `provider`, `model`, `base_url`,    |
        | many mistakes, then no YAML | 2:1 model: the key `model` is written twice, first on line 1                                  |
        | a name of 300 characters    | 1:10 agents.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…: found the name "aaa |
        | an entry of 300 characters  | 2:8 entry: unknown agent `aaaa                                                                |
        | a tool of 300 characters    | 2:9 tools[0]: found the text "aaaa                                                            |
        | a key of 3,000 characters   | 2:3 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…: unknown key `aaa            |
  Rule: Every problem is told at once, where it stands

    Scenario: Syntax, schema, names and policy together
      When the file is read
        """
        entry: asistant
        agents:
          assistant:
            model: openai:gpt-4o
            instructions: hi
            parameters: {temperature: "0", n: 2}
            tools: [get_wether]
            retry:
              attempts: 2000
            tool_max_rounds: 70
            tool_max_rounds: 7
            fallbacks: [{}]
          other:
            description: !x y
        """
      Then a problem says "1:8 entry: unknown agent `asistant`"
      And a problem says "4:12 agents.assistant.model: found"
      And a problem says "5:5 agents.assistant.instructions: unknown key"
      And a problem says "6:31 agents.assistant.parameters.temperature: found"
      And a problem says "6:36 agents.assistant.parameters.n: unknown key"
      And a problem says "7:13 agents.assistant.tools[0]: unknown tool"
      And a problem says "9:17 agents.assistant.retry.attempts: found 2000"
      And a problem says "10:22 agents.assistant.tool_max_rounds: found 70; the host's policy"
      And a problem says "11:5 agents.assistant.tool_max_rounds: the key `tool_max_rounds` is written twice, first on line 10"
      And a problem says "12:17 agents.assistant.fallbacks[0].model: `model` is missing"
      And a problem says "13:3 agents.other.model: `model` is missing"
      And a problem says "14:18 agents.other.description: tags"

    Scenario: Nested, quoted, multi-line and aliased values
      When the file is read
        """
        agents:
          "a":
            'model': "x"
            retry: &r
              initial: &i "no"
          b:
            model:
              y z
            retry: *r
            tool_timeout: *i
            description: >
              folded {{ text }}
            system_prompt: >-
              é {{ x.y }}
        """
      Then it is refused with
        """
        5:16 agents.a.retry.initial: found the text "no"; allowed: a number from 0 to 3,600
        5:16 agents.b.retry.initial: found the text "no"; allowed: a number from 0 to 3,600
        8:7 agents.b.model: found the text "y z"; allowed: a text without spaces, of at most 200 characters
        10:19 agents.b.tool_timeout: found the text "no"; allowed: a number from 0.001 to 86,400
        14:9 agents.b.system_prompt: the template `{{ x.y }}` is an expression; only `{{ name }}` is replaced
        """

    Scenario: JSON and mappings have paths only
      When the JSON file is read
        """
        {"agents": {"a": {"model": "x", "tool_max_rounds": "5", "fallbacks": [{"modle": 1}], "model": "y"}}}
        """
      Then it is refused with
        """
        agents.a.model: the key `model` is written twice
        agents.a.fallbacks[0].model: `model` is missing; give a text without spaces, of at most 200 characters
        agents.a.fallbacks[0].modle: unknown key `modle`; allowed: `provider`, `model`, `base_url` (did you mean `model`?)
        agents.a.tool_max_rounds: found the text "5"; allowed: a whole number from 0 to 100,000 (write 5 without quotes)
        """
      When the mapping is read
        """
        {"model": "x", "tool_timeout": 0}
        """
      Then it is refused: "tool_timeout: found 0; allowed: a number from 0.001 to 86,400"

    Scenario: What is no JSON
      When the JSON file is read
        """
        {"model": "x",}
        """
      Then the first problem is "1:"
      And a problem says "not JSON: "

    Scenario Outline: The Python mapping <mapping>
      When the Python mapping is read
        """
        <mapping>
        """
      Then it is refused: "<problem>"

      Examples:
        | mapping                                      | problem                                                                                         |
        | {"model": "x", "tools": {"search"}}          | tools: found a Python set; allowed: mappings, lists, texts, numbers, booleans and None          |
        | {"model": "x", 5: 1}                         | found a key that is a Python int; keys are texts                                                |
        | {"model": "x", "tool_timeout": float("nan")} | tool_timeout: found nan; allowed: a number from 0.001 to 86,400                                 |
        | {"model": "x", "description": "a\x00"}       | description: a text holds the character U+0000, which is no text                                |
        | {}                                           | agents: `agents` is missing; give a mapping of 1 to 50 (or write `model: …` for a single agent) |

    Scenario: A ready configuration is checked too
      When a configuration whose agents have the wrong type names is loaded
      Then it is refused with
        """
        agents.a.type: unknown type `ecko`; allowed: `llm`, `echo`, `router` (did you mean `echo`?)
        agents.b: found a EchoConfig; the type `llm` needs a LLMAgentConfig
        """

    Scenario: Values set beside the file have paths only
      Given these values are set beside the file
        | path                    | value |
        | agents.a.retry.attempts | many  |
      When the file "agents: {a: {model: x, retry: {attempts: 3}}}" is read
      Then it is refused: "agents.a.retry.attempts: found the text "many"; allowed: a whole number from 1 to 100"

    Scenario: Paths that lead nowhere
      When the file is read with any of these values set
        | path                        | value | says                                                                      |
        | agents..model               | x     | --set: "agents..model" is no path; write it like `agents.assistant.model` |
        | agents.b.model              | x     | agents.b.model: --set: there is no agent `b`; allowed: `a`                |
        | agents.a.fallbacks[3].model | x     | --set: the list has 1 items                                               |
        | agents.a.model.name         | x     | --set: there is nothing to hold `name`                                    |
        | agents.a.modle              | x     | agents.a.modle: unknown key `modle`                                       |

    Scenario: What can't be a value
      Given these values are set beside the file
        | path  | value |
        | model | a    |
      When the file "model: x" is read
      Then it is refused: "model: --set: a text holds the character U+0007, which is no text"

  Rule: A terminal shows the place

    Scenario: Like a compiler
      When the file is read
        """
        agents:
          main:
            model: gpt-4o
            system_prompt: Be kind.
            tool_max_round: 5
            description: {日本: "x", }
        """
      Then the terminal shows
        """
        actor.yaml:5:5: error: agents.main.tool_max_round: unknown key `tool_max_round`; allowed: `type`, `description`, `input_schema`, `provider`, `model`, `base_url`, `api`, `parameters`, `model_timeout`, `stream_idle_timeout`, `token_budget`, `retry`, `fallbacks`, `script`, `system_prompt`, `variables`, `tools`, `tool_max_rounds`, `max_repeated_calls`, `tool_timeout`, `max_parallel_tools`, `synthesis`, `pruning`, `history`, `forks`, `streaming`
            5 |     tool_max_round: 5
              |     ^
              = hint: did you mean `tool_max_rounds`?
        actor.yaml:6:18: error: agents.main.description: found a mapping of 1; allowed: a text of at most 4,096 characters
            6 |     description: {日本: "x", }
              |                  ^
        """
      And in color, the same is shown

    Scenario: Wide characters and long lines
      When the file is read
        """
        model: x
        parameters: {stop: "日本é", tööp: 1}
        variables: {a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b: []}
        """
      Then the terminal shows
        """
        actor.yaml:2:28: error: parameters.tööp: unknown key `tööp`; allowed: `temperature`, `top_p`, `max_tokens`, `stop`, `seed`, `presence_penalty`, `frequency_penalty`, `reasoning_effort`, `parallel_tool_calls`
            2 | parameters: {stop: "日本é", tööp: 1}
              |                             ^
        actor.yaml:3:125: error: variables.b: found a list of 0; allowed: a text of at most 100,000 characters, a whole number, a number or true or false
            3 | …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b: []}
              |                                                              ^
        """

    Scenario: Secrets are covered
      When the file is read
        """
        model: x
        api_key: secret-of-mine
        tools: [sk-abcdefghijklmnop]
        base_url: https://user:hunter22@evil.example.com
        Authorization: Bearer abcdefghijkl
        """
      Then "secret-of-mine" is not told anywhere
      And "abcdefghijk" is not told anywhere
      And "hunter22" is not told anywhere

    Scenario: Fifty problems are enough
      When a file that is "many keys" is read
      Then 51 problems are told, the last says how many more there are

  Rule: Whatever is in a file, it is an actor or one error, soon

    Scenario: Any bytes
      Then any of 300 byte strings is an actor or one error
