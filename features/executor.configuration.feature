Feature: What is wrong is said before anything is spent
  A missing key, a misspelt tool, an option of the wrong type: one clear error, and nobody has been called.

  Rule: Actors that cannot run are refused with one ConfigurationError

    Scenario Outline: <what>
      Given <what>
      When the actor is made and asked
      Then the run fails with ConfigurationError "<says>"
      And 0 requests have arrived
      And nothing was spent

      Examples:
        | what                                            | says                                     |
        | an executor without credentials                 | no credential for provider 'openai'      |
        | an actor of the provider "mistral"              | mistral                                  |
        | a credential function that knows nobody         | no credential for provider 'openai'      |
        | a credential function that answers a number     | must be str or Credential, found int     |
        | an empty key                                    | is empty or has blanks                   |
        | a key that is a number                          | found int                                |
        | base_urls that are one text                     | base_urls must be a list                 |
        | credentials that are a number                   | credentials must be a mapping            |
        | credentials from an empty environment           | OPENAI_API_KEY, which is not set         |
        | a model that can't bind tools                   | can't call tools                         |
        | an unknown tool in the file                     | get_wether                               |
        | a model that is a number                        | a model must be a LangChain chat model   |
        | a factory of models that makes none             | not a chat model                         |
        | an agent type that is no Agent                  | must be a subclass of Agent              |
        | an agent type that answers nothing              | must define process_message              |
        | a price without a completion                    | prices['gpt-4o-mini']                    |
        | a tenant that is required and missing           | requires a tenant                        |
        | a message that is a number                      | found int                                |
        | a history that holds a number                   | history[0]                               |
        | an unknown tool in the runs' tools              | no tool is named get_wether              |
        | a variable that the actor does not declare      | town                                     |
        | options of the executor that are no sinks       | on_result must be a function             |
        | a sink_timeout of 0                             | sink_timeout must be                     |
        | max_concurrent_runs of 0                        | max_concurrent_runs must be              |
        | streaming that is a number                      | streaming must be                        |
        | an agent type whose Config is a dict            | must be a subclass of AgentConfig        |
        | an agent without a model that calls one         | names no model                           |
        | a provider of the host's without an address     | has no `base_url`                        |
        | a run's own key for it, without an address      | needs an address                         |
        | a model that binds tools in a chain             | gave a RunnableSequence                  |
        | limits that are a mapping                       | limits must be Limits                    |
        | budgets that are one budget                     | budgets must be a list of Budget         |

    Scenario Outline: An option that create_executor does not have: <name>
      Given the executor's options {"<name>": []}
      When the actor is asked
      Then the run fails with TypeError "<says>"
      And 0 requests have arrived

      Examples:
        | name    | says                                                          |
        | tool    | create_executor() has no option 'tool'; did you mean 'tools'? |
        | purpose | known are agent_types, budgets, credentials                   |

    Scenario Outline: An option of the wrong kind: <option> = <value>
      When an executor is made with <option> = <value>
      Then the run fails with ConfigurationError "<says>"

      Examples:
        | option              | value                                | says                                                             |
        | tools               | None                                 | tools are given as a list, not as NoneType                       |
        | agent_types         | [Budget]                             | agent_types must be a mapping of names to subclasses             |
        | agent_types         | {5: Budget}                          | agent_types must be a mapping of names to subclasses             |
        | credentials         | "sk-secret"                          | a function or 'env', found str                                   |
        | credentials         | {5: "k"}                             | credentials must be a mapping                                    |
        | models              | [print]                              | models must be a mapping of provider to chat model               |
        | hooks               | {"pre_tool_call": print}             | hooks must be Hooks, found dict                                  |
        | prices              | [5]                                  | prices must be a mapping of model to Price                       |
        | prices              | {"m": 5}                             | prices['m']                                                      |
        | prices              | {"m": {"prompt": None, "completion": 1}} | Price.prompt must be a number, found None                    |
        | prices              | {"m": {"prompt": 1, "completion": 1, "above": 5}} | Price.above must be a list of (tokens, Price)       |
        | prices              | {"m": {"prompt": 1, "completion": 1, "above": [(2, 5)]}} | Price.above must be a list of (tokens, Price) |
        | prices              | {"m": {"prompt": 1, "completion": 1, "above": [(9, Price(1, 1)), (2, Price(1, 1))]}} | ascending         |
        | on_unpriced         | "ignore"                             | on_unpriced must be 'refuse' or 'allow', found 'ignore'          |
        | on_usage            | Required(5)                          | on_usage must be a function, or Required(function)               |
        | observers           | print                                | observers must be a list of functions, found builtin_function    |
        | observers           | [1]                                  | observers must be a list of functions                            |
        | sessions            | MemorySessions                       | sessions must be a session store                                 |
        | require_tenant      | 1                                    | require_tenant must be True or False, found 1                    |
        | stall_timeout       | float("nan")                         | stall_timeout must be seconds above 0                            |
        | max_threads         | True                                 | max_threads must be a whole number                               |
        | overrides           | {"model": "x"}                       | overrides must be a list of pairs of texts                       |
        | overrides           | ["ab"]                               | overrides must be a list of pairs of texts                       |
        | overrides           | [("agents.main.tool_max_rounds", 5)] | overrides must be a list of pairs of texts                       |

    Scenario: Whatever option is of a wrong kind, it is told, and all of them at once
      When an executor is made with every option of no kind
      Then one ConfigurationError names every option

  Rule: Options of a run are checked one by one

    Scenario Outline: <option> = <value>
      When a run is asked for with <option> = <value>
      Then the run fails with <error> "<says>"
      And 0 requests have arrived
      And nothing was spent

      Examples:
        | option        | value                        | error      | says                                 |
        | colour        | "red"                        | TypeError  | unknown run option 'colour'; known   |
        | run_id        | ""                           | ValueError | run_id must be text                  |
        | run_id        | 7                            | ValueError | run_id must be text                  |
        | session_id    | "a" + chr(10)                | ValueError | session_id must be text              |
        | tenant        | "x" * 257                    | ValueError | tenant must be text                  |
        | metadata      | "plan"                       | TypeError  | metadata must be a mapping           |
        | metadata      | {1: "pro"}                   | TypeError  | the keys of metadata must be str     |
        | metadata      | {"plan": 1}                  | TypeError  | metadata must map str to str         |
        | metadata      | {str(n): "" for n in range(17)} | ValueError | 16 entries at most                |
        | variables     | ["a"]                        | TypeError  | variables must be a mapping          |
        | parameters    | {"temprature": 0}            | ValueError | temprature                           |
        | parameters    | {"temperature": 9}           | ValueError | temperature                          |
        | parameters    | {"tools": []}                | ValueError | tools                                |
        | parameters    | 5                            | TypeError  | parameters must be a mapping         |
        | streaming     | "words"                      | ValueError | streaming must be 'answer'           |
        | credentials   | None                         | TypeError  | credentials must be                  |
        | credentials   | 5                            | ConfigurationError | credentials must be a mapping |
        | model         | "two words"                  | ValueError | model must be                        |
        | model         | 5                            | ConfigurationError | a model must be               |
        | tools         | "get_weather"                | TypeError  | tools must be a list of tool names   |
        | tools         | [5]                          | TypeError  | tools must be a list of tool names   |
        | limits        | {"max_tokens": 5}            | TypeError  | limits must be Limits                |
        | budgets       | Budget(max_tokens=5)         | TypeError  | budgets must be a list of Budget     |
        | budgets       | [5]                          | TypeError  | budgets must be a list of Budget     |
        | timeout       | 0                            | ValueError | timeout must be above 0              |
        | timeout       | "5"                          | TypeError  | timeout must be seconds              |
        | timeout       | True                         | TypeError  | timeout must be seconds              |
        | timeout       | float("nan")                 | ValueError | timeout must be above 0              |
        | abort_signal  | 5                            | TypeError  | abort_signal must be an AbortSignal  |
        | on_disconnect | "stay"                       | ValueError | on_disconnect must be                |
        | on_disconnect | True                         | ValueError | on_disconnect must be                |
        | history       | "hello"                      | TypeError  | history must be a list of messages   |
        | history       | 5                            | TypeError  | history must be a list of messages   |
        | output_type   | 5                            | TypeError  | output_type                          |

    Scenario Outline: None is as good as left out: <option>
      Given the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When a run is asked for with <option> = None
      Then the answer is "Yes.", after 0 rounds and 0 tool calls

      Examples:
        | option       |
        | run_id       |
        | metadata     |
        | variables    |
        | parameters   |
        | model        |
        | tools        |
        | limits       |
        | timeout      |
        | abort_signal |
        | history      |
        | streaming    |
        | output_type  |

    Scenario Outline: A limit of the wrong kind is refused where it is made: <limit>
      When limits are made with <limit>
      Then the run fails with ValueError "Limits."

      Examples:
        | limit                     |
        | {"max_model_calls": 0}    |
        | {"max_model_calls": "3"}  |
        | {"max_model_calls": 2.5}  |
        | {"max_model_calls": true} |
        | {"max_tool_calls": -1}    |
        | {"max_tokens": 0}         |
        | {"max_cost": -1}          |
        | {"max_cost": "a lot"}     |
        | {"timeout": 0}            |
        | {"timeout": "long"}       |

    Scenario Outline: A purse of the wrong kind is refused where it is made: <purse>
      When a purse is made with <purse>
      Then the run fails with ValueError "<says>"

      Examples:
        | purse                                    | says                                       |
        | {}                                       | needs max_tokens or max_cost               |
        | {"max_tokens": -1}                       | Budget.max_tokens must be a whole number   |
        | {"max_tokens": 2.5}                      | Budget.max_tokens must be a whole number   |
        | {"max_tokens": true}                     | Budget.max_tokens must be a whole number   |
        | {"max_tokens": 5, "spent": -1}           | Budget.spent must be a whole number        |
        | {"max_tokens": 5, "spent": null}         | Budget.spent must be a whole number        |
        | {"max_tokens": 5, "wait": -1}            | Budget.wait must be seconds                |
        | {"max_tokens": 5, "wait": "long"}        | Budget.wait must be seconds                |
        | {"max_tokens": 5, "estimate": "loosely"} | Budget.estimate must be 'likely' or        |
        | {"max_cost": "a lot"}                    | Budget.max_cost                            |
        | {"max_cost": 5, "spent_cost": -1}        | Budget.spent_cost                          |

  Rule: A run's own options win

    Scenario: Model, parameters and key of one run
      Given a provider that tells what it was asked with
      When the actor is asked with another model, parameters and key of its own
      Then the last request has the model "gpt-4o", the temperature 0.5 and the key "sk-own"
      And the house's key and "sk-own" stand in no result, row or text

    Scenario: The tools of one run are a subset
      Given the actor has the tools "get_weather, broken"
      And the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When the actor is asked with the options {"tools": ["get_weather"]}
      Then the last request offers the tools "get_weather"

    Scenario Outline: Prices may be <form>
      Given prices as <form>
      And the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 1000   | 100        |
      When the actor is asked
      Then it cost 0.00021, by the host's prices

      Examples:
        | form                         |
        | a table of Price             |
        | a table of mappings          |
        | a table by provider          |
        | a function that gives Price  |
        | a function that gives a mapping |

    Scenario: Credentials are asked for with the run's context
      Given a credential function that gives each tenant a key of its own
      And the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When the actor is asked with the options {"tenant": "t7"}
      Then the last request has the key "sk-t7"

    Scenario: As many runs as allowed, and no more
      Given the executor's options {"max_concurrent_runs": 2}
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
        | Two. | 10     | 2          | before |
        | New. | 10     | 2          |        |
      When two runs are running, and a third is asked for
      Then the third is refused with ExecutorBusyError "2 runs are running"
      And after their end another one is answered

    Scenario: A run_id in use is refused, and free again after its end
      Given the actor's provider will answer
        | text | prompt | completion | held   |
        | One. | 10     | 2          | before |
        | New. | 10     | 2          |        |
      When a run is running, and another is asked for with its run_id
      Then the other is refused with ValueError "in use"
      And after its end another one is answered
