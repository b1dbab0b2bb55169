Feature: The mistakes of the first hour

  Who begins makes mistakes. Each is told in one error: what happened, where, and what to do.

  Rule: In Python

    Scenario Outline: <mistake>
      When a first program has <mistake>
      Then it ends with <kind> "<what>"
      And it is told what to do: "<to do>"

      Examples: Keys, providers and models
        | mistake                             | kind                      | what                                             | to do                                                      |
        | no key                              | ConfigurationError        | no credential for provider 'openai'              | give create_executor(credentials={'openai': 'key'})        |
        | no key                              | ConfigurationError        | no credential for provider 'openai'              | or credentials='env' to read OPENAI_API_KEY                |
        | no key in the environment           | ConfigurationError        | OPENAI_API_KEY, which is not set                 | set it, or give credentials={'openai': 'key'}              |
        | a misspelt provider in credentials  | ConfigurationError        | there is one for 'opnai'                         | did you mean 'openai'?                                     |
        | a misspelt provider in the file     | ConfigurationError        | provider: unknown provider `opnai`               | did you mean `openai`?                                     |
        | a wrong key                         | OpenAIAuthenticationError | 401                                              | /v1/chat/completions refused the key: is it right          |
        | a wrong model                       | OpenAIModelNotFoundError  | The model `gpt-4o-mini` does not exist           | /v1/chat/completions was asked: is the model's name right  |
        | a server that is not there          | OpenAIConnectionError     | /v1/chat/completions can't be reached            | is the base URL right? It is that of the credential        |
        | a server that is not there          | OpenAIConnectionError     | http://127.0.0.1:                                | proxies of the environment are not used                    |
        | a server that hangs up              | OpenAIConnectionError     | http://127.0.0.1:                                | broke it off before an answer was there                    |
        | an address without http             | ConfigurationError        | The base URL 'localhost:8000/v1' is none         | it has to begin with http:// or https:// and a host        |
        | scripted without leave              | ConfigurationError        | does not allow the provider `scripted`           | the host allows it by ActorPolicy(scripted=True)           |
        | a script that has run out           | OpenAIInvalidRequestError | the script has no turn left for model            | request 0:                                                 |
        | a place that no stream has          | OpenAIInvalidRequestError | the turn names the place 7                       | but its stream has only 0 to 1                             |
        | a model without a price             | ConfigurationError        | model openai/my-llm has no known price           | give create_executor(prices={…}), or on_unpriced='allow'   |

      Examples: Tools
        | mistake                             | kind                      | what                                             | to do                                                      |
        | a tool without annotations          | ConfigurationError        | newcomers.py:                                    | write its type, as in `city: str`                          |
        | a tool without annotations          | ConfigurationError        | tool bare: parameter city has no annotation      | write its type, as in `city: str`                          |
        | a lambda as a tool                  | ConfigurationError        | a lambda has no name for the model               | write a function with `def`, or tool(fn, name=…)           |
        | a tool that is not in a list        | ConfigurationError        | tools are given as a list                        | not as function                                            |
        | no tools for a file that names one  | ConfigurationError        | tools[0]: unknown tool `get_weather`             | give create_executor(tools=[…])                            |
        | a misspelt tool in the file         | ConfigurationError        | tools[0]: unknown tool `get_wether`              | did you mean `get_weather`?                                |
        | a tool given twice                  | ConfigurationError        | two tools are named get_weather                  | give each once, and one another name: tool(fn, name=…)     |

      Examples: Files and options
        | mistake                             | kind                      | what                                             | to do                                                      |
        | a file that is not there            | ConfigurationError        | actor.yaml: there is no such file                | actor.yaml                                                 |
        | a file of bad YAML                  | ConfigurationError        | actor.yaml:2:8: not YAML                         | put the text in quotes, or indent it                       |
        | an unknown key in the file          | ConfigurationError        | actor.yaml:2:1: system_promt: unknown key        | did you mean `system_prompt`?                              |
        | an unknown option                   | TypeError                 | create_executor() has no option 'tool'           | did you mean 'tools'?                                      |
        | an unknown option of a run          | TypeError                 | unknown run option 'tenat'                       | did you mean 'tenant'?                                     |

      Examples: Runs
        | mistake                             | kind                      | what                                             | to do                                                      |
        | a limit that is raised              | LimitReached              | token_budget: the run's limits: 0 of 100 tokens  | the next call needs about                                  |
        | a budget of what                    | TypeError                 | Budget(10000) does not say of what               | write max_tokens=… for tokens, max_cost=… for money        |
        | a closed executor                   | ExecutorClosedError       | the executor is closed                           | close it at the program's end                              |
        | no asyncio loop                     | ConfigurationError        | cleveractors runs on asyncio                     | use asyncio.run(…); trio has none                          |
        | a stream without an asyncio loop    | ConfigurationError        | cleveractors runs on asyncio                     | use asyncio.run(…); trio has none                          |

    Scenario: An address is told without what is secret in it
      When a first program has a secret in the address
      Then it ends with OpenAIConnectionError "can't be reached"
      And no secret is told: "hidden"

    Scenario Outline: A script that can't be played is told at once, not tried again: <mistake>
      When a first program has <mistake>
      Then it ends with OpenAIInvalidRequestError "request 0:"
      And its provider was asked 1 times

      Examples:
        | mistake                    |
        | a script that has run out  |
        | a place that no stream has |

    Scenario: A tool needs no docstring
      When a first program has a tool without a docstring
      Then it was answered 1 times

    Scenario: An executor may be used from a second loop
      When a first program calls asyncio.run twice with one executor
      Then it was answered 2 times

  Rule: The blocking call belongs where no loop runs

    Scenario: In an async function it warns, and answers
      When a first program calls execute_sync twice in an async function
      Then it was answered 2 times
      And it is warned once, at its own line: "execute_sync holds up the event loop that runs here"

    Scenario: Where warnings are errors it is refused, and nothing is left of the call
      When a first program whose warnings are errors calls execute_sync in an async function
      Then it ends with RuntimeWarning "execute_sync holds up the event loop that runs here"
      And it was answered 0 times

    Scenario: In a notebook it is at home
      When a notebook calls execute_sync twice in a cell
      Then it was answered 2 times
      And it is not warned

  Rule: An extra that is missing is named

    Scenario Outline: The extra <extra>
      When a program needs the extra "<extra>", which is not installed
      Then its last line is told: "pip install 'cleveractors[<extra>]', or '.[<extra>]' in the project's folder"

      Examples:
        | extra  |
        | cli    |
        | prices |
        | sqlite |
        | web    |
