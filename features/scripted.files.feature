Feature: A script in an actor's file

  Scenario: It is played anew in every run
    Given an actor's file with the script
      """
      - calls: [{name: look, arguments: {city: Paris}, id: mine}]
      - {text: Take a coat., usage: [12, 3]}
      """
    When the actor of the file is asked 2 times
    Then each run of the file was answered "Take a coat." after 2 model calls, the last of 12 and 3 tokens

  Scenario: Its errors are a provider's
    Given an actor's file with the script
      """
      - error: {message: busy, status_code: 503}
      - {chunks: [All, " well"], usage: {prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4}}
      """
    When the actor of the file is asked 1 times
    Then each run of the file was answered "All well" after 2 model calls, the last of 9 and 2 tokens

  Scenario Outline: <turn> is refused when the file is read
    Given an actor's file with the script
      """
      - <turn>
      """
    When the actor of the file is asked 0 times
    Then the file is refused at "agents.clerk.script[0]<where>": "<message>"

    Examples:
      | turn                                        | where              | message                                                                                                                                   |
      | {}                                          |                    | an empty mapping is no turn                                                                                                               |
      | {text: a, chunks: [b]}                      |                    | `chunks` and `text` say different things; give one of them                                                                                |
      | {text: a, chunks: [""]}                     |                    | `chunks` and `text` say different things; give one of them                                                                                |
      | {chunks: []}                                | .chunks            | found a list of 0; allowed: a list of at least 1, each a text                                                                             |
      | {calls: [{name: a, raw: x, arguments: {b: 1}}]} |                | a call has `raw` and `arguments`; give one of them                                                                                        |
      | {text: a, usage: [1, -2]}                   |                    | `usage` has a number below 0                                                                                                              |
      | {text: a, usage: {tokens: 1}}               | .usage.tokens      | unknown key `tokens`; allowed: `prompt_tokens`, `completion_tokens`, `cached_tokens`, `cache_write_tokens`, `reasoning_tokens`            |
      | {text: a, usage: {prompt_tokens: -1}}       | .usage.prompt_tokens | found -1; allowed: a whole number from 0 to 1,000,000,000                                                                                |
      | {error: {status_code: 500}}                 | .error.message     | `message` is missing; give a text                                                                                                         |
      | {error: {message: a, status_code: 5}}       | .error.status_code | found 5; allowed: a whole number from 100 to 599                                                                                          |
