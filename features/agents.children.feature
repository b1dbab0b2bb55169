Feature: Agents call agents

  An agent that another one names among its tools answers in a child run: with its own prompt, tools and limits, on the
  parent's bill, chain of budgets, clock and signal.

  Rule: An agent among the tools is a tool

    Scenario: It gets a task, and its answer is the tool's result
      Given the family
        """
        boss: {system_prompt: You lead., tools: [researcher]}
        researcher: {description: Finds things out., system_prompt: You look things up.}
        """
      And the family's models will answer
        | agent      | says        | calls                         |
        | boss       |             | researcher {"task":"Find A."} |
        | researcher | A is 1.     |                               |
        | boss       | It is 1.    |                               |
      When the family is asked
      Then the family answers "It is 1."
      And the tools of "boss" told its model
        | text    |
        | A is 1. |
      And request 1 of "researcher" was
        | role   | content             |
        | system | You look things up. |
        | user   | Find A.             |
      And the family's rows are
        | agent      | under | purpose | state   | round |
        | boss       |       | turn    | settled | 1     |
        | researcher | boss  | turn    | settled | 1     |
        | boss       |       | turn    | settled | 2     |
      And the family's result has
        | field      | value |
        | rounds     | 1     |
        | tool_calls | 1     |
      And the family's bill is the provider's ledger, to the token

    Scenario: The model is told its description, and that it takes a task
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds things out.}
        """
      And the family's models will answer
        | agent | says |
        | boss  | Well |
      When the family is asked
      Then the model of "boss" was offered
        """
        [{"name": "researcher", "description": "Finds things out.", "parameters": {
          "type": "object", "required": ["task"], "additionalProperties": false, "properties": {
            "task": {"type": "string", "description": "What it is to do, with all that it needs to know."}}}}]
        """

    Scenario: With an input_schema it gets what that says, as JSON
      Given the family
        """
        boss: {tools: [researcher]}
        researcher:
          description: Finds cities.
          input_schema: {properties: {city: {type: string}, year: {type: integer}, note: true}, required: [city]}
        """
      And the family's models will answer
        | agent      | says   | calls                                   |
        | boss       |        | researcher {"city":"Århus","year":1900} |
        | researcher | Found. |                                         |
        | boss       | Well.  |                                         |
      When the family is asked
      Then request 1 of "researcher" was
        | role | content                         |
        | user | {"city": "Århus", "year": 1900} |
      And the family answers "Well."

    Scenario Outline: Arguments that do not fit are told to the model, and no child runs: <arguments>
      Given the family
        """
        boss: {tools: [researcher, finder]}
        researcher: {description: Finds things out.}
        finder: {description: Finds cities., input_schema: {properties: {city: {type: string}}, required: [city]}}
        """
      And the family's models will answer
        | agent | says     | calls            |
        | boss  |          | <to> <arguments> |
        | boss  | Oh well. |                  |
      When the family is asked
      Then the tools of "boss" told its model
        | text   |
        | <told> |
      And the family answers "Oh well."
      And the model of "<to>" was asked 0 times

      Examples:
        | to         | arguments        | told     |
        | researcher | {}               | task     |
        | researcher | {"task":5}       | task     |
        | researcher | {"task":"a","b":1} | b      |
        | researcher | {"task":         | not run  |
        | researcher | nothing          | task     |
        | finder     | {"city":5}       | city     |
        | finder     | {"town":"Paris"} | city     |

    Scenario: Each has its own prompt, tools and limits
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds things out., tools: [get_weather], tool_max_rounds: 1}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent      | says       | calls                         |
        | boss       |            | researcher {"task":"Find A."} |
        | researcher |            | get_weather {"city":"Oslo"}   |
        | researcher |            | get_weather {"city":"Rome"}   |
        | researcher | Rain, so.  |                               |
        | boss       | It rains.  |                               |
      When the family is asked
      Then the family answers "It rains."
      And the tools of "researcher" told its model
        | text                              |
        | rain in Oslo                      |
        | not run: the limit of tool rounds |
      And the family's rows are
        | agent      | under | purpose   |
        | boss       |       | turn      |
        | researcher | boss  | turn      |
        | researcher | boss  | turn      |
        | researcher | boss  | synthesis |
        | boss       |       | turn      |
      And the family's result has
        | field             | value     |
        | rounds            | 1         |
        | tool_calls        | 1         |
        | synthesis_was_run | false     |
        | stop_reason       | completed |

    Scenario Outline: Refused when it is read: <what>
      Given the family
        """
        <agents>
        """
      And the family has the tools "get_weather"
      When the family is read
      Then the family fails with ConfigurationError "<problem>"

      Examples:
        | what                           | agents                                                                                     | problem                                                          |
        | no description                 | {boss: {tools: [b]}, b: {}}                                                                | agents.b.description: the agent `b` needs a `description`        |
        | a blank description            | {boss: {tools: [b]}, b: {description: " "}}                                                | agents.b.description: the agent `b` needs a `description`        |
        | itself                         | {boss: {tools: [boss], description: b}}                                                    | agents.boss.tools[0]: agents call each other in a circle: boss → boss |
        | a circle                       | {boss: {tools: [b]}, b: {tools: [c], description: b}, c: {tools: [get_weather, b], description: c}} | agents.c.tools[1]: agents call each other in a circle: b → c → b |
        | nobody                         | {boss: {tools: [reseacher]}, researcher: {description: r}}                                 | did you mean `researcher`?                                      |
        | an agent twice                 | {boss: {tools: [b, b]}, b: {description: b}}                                               | the tool `b` is listed twice                                     |
        | an agent named like a tool     | {boss: {tools: [get_weather]}, get_weather: {description: b}}                              | the name `get_weather` is a tool's of the host                   |
        | an input that is no object     | {boss: {tools: [b]}, b: {description: b, input_schema: {type: string}}}                    | agents.b.input_schema: found the type `string`                   |
        | an input that is no schema     | {boss: {tools: [b]}, b: {description: b, input_schema: {properties: {a: {type: text}}}}}   | agents.b.input_schema: no JSON schema, at `properties.a.type`    |
        | a pattern that never ends      | {boss: {tools: [b]}, b: {description: b, input_schema: {properties: {a: {pattern: "(a+)+$"}}}}} | agents.b.input_schema: found `pattern`                      |
        | an input without end           | {boss: {tools: [b]}, b: {description: b, input_schema: {properties: {a: {$ref: "#"}}}}}    | agents.b.input_schema: it refers to itself                       |
        | an input from elsewhere        | {boss: {tools: [b]}, b: {description: b, input_schema: {$ref: "https://example.com/s"}}}   | only `#/…` is followed                                           |
        | an input that leads nowhere    | {boss: {tools: [b]}, b: {description: b, input_schema: {$ref: "#/$defs/a"}}}               | which is not there                                               |

    Scenario: References within an input_schema are followed, and one that unfolds without measure is refused
      Then an input_schema with references is taken, and one that doubles 30 times is not

    Scenario: A property may have the name of a keyword
      Given the family
        """
        boss: {tools: [b]}
        b: {description: b, input_schema: {properties: {pattern: {type: string}}}}
        """
      And the family's models will answer
        | agent | says  | calls              |
        | boss  |       | b {"pattern":"a+"} |
        | b     | Found |                    |
        | boss  | Well. |                    |
      When the family is asked
      Then the family answers "Well."

  Rule: What a child shares with its run

    Scenario: deps, tenant, metadata and session reach the child's tools, and stand on its rows
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds things out., tools: [look]}
        """
      And the family has a tool that looks around
      And the family's models will answer
        | agent      | says   | calls                         |
        | boss       |        | researcher {"task":"Find A."} |
        | researcher |        | look                          |
        | researcher | Found. |                               |
        | boss       | Well.  |                               |
      When the family is asked in a run with deps and labels
      Then the family's code has noted [["researcher", "t1", {"plan": "free"}, "s1"]]
      And the family's rows are
        | agent      | tenant | metadata         | session_id |
        | boss       | t1     | {'plan': 'free'} | s1         |
        | researcher | t1     | {'plan': 'free'} | s1         |
        | researcher | t1     | {'plan': 'free'} | s1         |
        | boss       | t1     | {'plan': 'free'} | s1         |

    Scenario: The run's own keys, never the house's
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds things out., tools: [finder]}
        finder: {description: Finds.}
        """
      And the family's models will answer
        | agent      | says  | calls                     |
        | boss       |       | researcher {"task":"A"}   |
        | researcher |       | finder {"task":"A"}       |
        | finder     | Here. |                           |
        | researcher | There |                           |
        | boss       | Well. |                           |
      When the family is asked in a run with keys of its own
      Then the family answers "Well."
      And every request of "researcher" has the key "sk-run"
      And every request of "finder" has the key "sk-run"

    Scenario: A function of keys is asked once for the whole run
      Given the family
        """
        boss: {tools: [researcher, checker]}
        researcher: {description: Finds things out.}
        checker: {description: Checks.}
        """
      And the family's models will answer
        | agent      | says  | calls                                          |
        | boss       |       | researcher {"task":"A"} & checker {"task":"A"}  |
        | researcher | Here. |                                                |
        | checker    | True. |                                                |
        | boss       | Well. |                                                |
      When the family is asked in a run with keys that a function gives
      Then the family answers "Well."
      And every request of "researcher" has the key "sk-asked"
      And every request of "checker" has the key "sk-asked"
      And the family's code has noted ["openai for t1"]

    Scenario: A key that two children are refused with is renewed once
      Given the family
        """
        boss: {tools: [researcher, checker]}
        researcher: {description: Finds things out.}
        checker: {description: Checks.}
        """
      And the family's models will answer
        | agent      | says  | calls                                          | fault |
        | boss       |       | researcher {"task":"A"} & checker {"task":"A"} |       |
        | researcher |       |                                                | 401   |
        | researcher | Here. |                                                |       |
        | checker    |       |                                                | 401   |
        | checker    | True. |                                                |       |
        | boss       | Well. |                                                |       |
      When the family is asked in a run with keys that a function gives
      Then the family answers "Well."
      And the family's code has noted ["openai for t1", "openai for t1"]

    Scenario: A child for whose provider the run has no key ends the run, and the house pays nothing
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds things out., provider: second}
        """
      And the family's house has a key for the provider second
      And the family's models will answer
        | agent | says | calls                         |
        | boss  |      | researcher {"task":"Find A."} |
      When the family is asked in a run with keys of its own
      Then the family fails with ConfigurationError "second"
      And the model of "researcher" was asked 0 times
      And the family's run ends with "error"

    Scenario: Each agent takes the variables that it declares
      Given the family
        """
        boss: {system_prompt: "For {{ company }}.", variables: {company: Acme}, tools: [researcher]}
        researcher: {description: Finds., tools: [finder]}
        finder: {description: Finds., system_prompt: "On {{ topic }}, for {{ company }}.", variables: {topic: all, company: us}}
        """
      And the family's models will answer
        | agent      | says  | calls                     |
        | boss       |       | researcher {"task":"A"}   |
        | researcher |       | finder {"task":"A"}       |
        | finder     | Here. |                           |
        | researcher | There |                           |
        | boss       | Well. |                           |
      When the family is asked with {"variables": {"topic": "tea", "company": "Ltd"}}
      Then request 1 of "finder" was
        | role   | content          |
        | system | On tea, for Ltd. |
        | user   | A                |
      And request 1 of "boss" was
        | role   | content  |
        | system | For Ltd. |
        | user   | Go.      |

    Scenario Outline: A variable that can't be right is refused before anything is spent: <variables>
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds., system_prompt: "On {{ topic }}.", variables: {topic: all}}
        """
      When the family is asked with {"variables": <variables>}
      Then the family fails with ConfigurationError "<problem>"
      And the model of "boss" was asked 0 times

      Examples:
        | variables        | problem                           |
        | {"tpoic": "tea"} | unknown variable `tpoic`          |
        | {"topic": ["a"]} | a variable is a text, a number or |

    Scenario: The run's model and parameters are for the entry agent
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds., parameters: {temperature: 0}}
        """
      And the family's models will answer
        | agent      | model | says   | calls                   |
        | boss       | other |        | researcher {"task":"A"} |
        | researcher |       | Found. |                         |
        | boss       | other | Well.  |                         |
      When the family is asked in a run with another model and parameters
      Then the family answers "Well."
      And the family's rows are
        | agent      | model      |
        | boss       | other      |
        | researcher | researcher |
        | boss       | other      |

    Scenario: A tool that may be used once in a run is used once in all of it
      Given the family
        """
        boss: {tools: [researcher, pay_once]}
        researcher: {description: Finds., tools: [pay_once]}
        """
      And the family has a tool that may be used once
      And the family's models will answer
        | agent      | says   | calls                             |
        | boss       |        | pay_once & researcher {"task":"A"} |
        | researcher |        | pay_once                          |
        | researcher | Found. |                                   |
        | boss       | Well.  |                                   |
      When the family is asked
      Then the tools of "researcher" told its model
        | text                             |
        | pay_once may be used 1 times     |

  Rule: Side by side

    Scenario: Children of one response run at the same time, their answers in the order asked
      Given the family
        """
        boss: {tools: [a, b]}
        a: {description: a}
        b: {description: b}
        """
      And the family's models will answer
        | agent | says  | calls                        | stands |
        | boss  |       | a {"task":"1"} & b {"task":"2"} |     |
        | a     | One.  |                              | here   |
        | b     | Two.  |                              | here   |
        | boss  | Both. |                              |        |
      When the family is asked, and both children are held before they go on
      Then the tools of "boss" told its model
        | text |
        | One. |
        | Two. |

    Scenario: Nobody waits for a place: three levels with one tool at a time
      Given the family
        """
        boss: {tools: [a], max_parallel_tools: 1}
        a: {description: a, tools: [b], max_parallel_tools: 1}
        b: {description: b, max_parallel_tools: 1}
        """
      And the family's models will answer
        | agent | says  | calls                           | times |
        | boss  |       | a {"task":"1"} & a {"task":"2"} |       |
        | a     |       | b {"task":"1"} & b {"task":"2"} |       |
        | a     | One.  |                                 |       |
        | a     |       | b {"task":"3"} & b {"task":"4"} |       |
        | a     | Two.  |                                 |       |
        | b     | Here. |                                 | 4     |
        | boss  | Both. |                                 |       |
      When the family is asked
      Then the family answers "Both."
      And the family's result has
        | field      | value |
        | tool_calls | 2     |
      And the tools of "boss" told its model
        | text |
        | One. |
        | Two. |

    Scenario: None of those that begin together takes what the others need
      Given the family
        """
        boss: {tools: [a, b, c]}
        a: {description: a}
        b: {description: b}
        c: {description: c}
        """
      And the family has a budget of 4000 tokens
      And the family's models will answer
        | agent | says   | calls                                  |
        | boss  |        | a {"task":"1"} & b {"task":"2"} & c {"task":"3"} |
        | a     | One.   |                                        |
        | b     | Two.   |                                        |
        | c     | Three. |                                        |
        | boss  | All.   |                                        |
      When the family is asked
      Then the tools of "boss" told its model
        | text   |
        | One.   |
        | Two.   |
        | Three. |

    Scenario: tool_timeout is not for agents
      Given the family
        """
        boss: {tools: [a, hang], tool_timeout: 0.05}
        a: {description: a}
        """
      And the family has a tool that hangs
      And the family's models will answer
        | agent | says  | calls                  | stands |
        | boss  |       | a {"task":"1"} & hang  |        |
        | a     | One.  |                        | here   |
        | boss  | Both. |                        |        |
      When the family is asked, and a tool beside the held child runs out of its time
      Then the tools of "boss" told its model
        | text                            |
        | One.                            |
        | hang did not answer within 0.05 |

    Scenario: A reader that is behind does not take the time of the tool that called a child
      Given the family
        """
        boss: {tools: [ask_researcher], tool_timeout: 1.5}
        researcher: {description: Finds., tools: [chatter]}
        """
      And the family has a tool that calls researcher
      And the family has a tool that tells more than a reader takes
      And the family's models will answer
        | agent      | says    | calls          |
        | boss       |         | ask_researcher |
        | researcher |         | chatter        |
        | researcher | A is 1. |                |
        | boss       | Well.   |                |
      When the family is asked, and its reader stops for 3 s of the loop's time
      Then the tools of "boss" told its model
        | text    |
        | A is 1. |
      And the family's events lie within each other

  Rule: A child that fails

    Scenario: It is a tool that failed, and its spend is counted
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds., tools: [get_weather]}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent      | says     | calls                       | fault |
        | boss       |          | researcher {"task":"A"}     |       |
        | researcher |          | get_weather {"city":"Oslo"} |       |
        | researcher |          |                             | 400   |
        | boss       | Oh well. |                             |       |
      When the family is asked
      Then the family answers "Oh well."
      And the tools of "boss" told its model
        | text                    |
        | tool researcher failed: |
      And the family's rows are
        | agent      | state    |
        | boss       | settled  |
        | researcher | settled  |
        | researcher | rejected |
        | boss       | settled  |
      And the family's bill is the provider's ledger, to the token

    Scenario Outline: What ends a run ends it from any depth, siblings finished first: <tool>
      Given the family
        """
        boss: {tools: [a, b]}
        a: {description: a, tools: [c]}
        b: {description: b}
        c: {description: c, tools: [<tool>]}
        """
      And the family has the tools "<tool>"
      And the family's models will answer
        | agent | says  | calls                           |
        | boss  |       | a {"task":"1"} & b {"task":"2"} |
        | a     |       | c {"task":"3"}                  |
        | b     | Done. |                                 |
        | c     |       | <tool>                          |
      When the family is asked
      Then the family fails with <error> "<text>"
      And every row of the family is settled
      And the family's bill is the provider's ledger, to the token

      Examples:
        | tool          | error              | text                     |
        | fatal         | FatalToolError     | the database is gone     |
        | misconfigured | ConfigurationError | no database is configured |

  Rule: Limits and budgets

    Scenario: The call that is kept for the wrap-up is the root's
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds., tools: [get_weather]}
        """
      And the family has the tools "get_weather"
      And the family's house has {"limits": {"max_model_calls": 3}}
      And the family's models will answer
        | agent      | says       | calls                       |
        | boss       |            | researcher {"task":"A"}     |
        | researcher |            | get_weather {"city":"Oslo"} |
        | boss       | That's it. |                             |
      When the family is asked
      Then the family's run ends with "model_calls"
      And the family answers "That's it."
      And the family's rows are
        | agent      | purpose   |
        | boss       | turn      |
        | researcher | turn      |
        | boss       | synthesis |
      And the tools of "boss" told its model
        | text                                                  |
        | before it was finished: the limit of model calls is reached |

    Scenario Outline: A child's wrap-up leaves the parent's reserve alone, at <tokens> tokens
      Given the family
        """
        boss: {tools: [researcher], token_budget: <tokens>, max_repeated_calls: null}
        researcher: {description: Finds., tools: [get_weather], max_repeated_calls: null}
        """
      And the family has the tools "get_weather"
      And the family's models ask for their tools until they must not, and then say "What I know."
      When the family is asked
      Then the family's run ends with "token_budget"
      And the family answers "What I know."
      And the family's result has
        | field             | value |
        | synthesis_was_run | true  |
      And the family's bill is at most <tokens> tokens

      Examples:
        | tokens |
        | 3000   |
        | 6000   |
        | 12000  |

    Scenario: Under a ceiling in money a child wraps up from what its parent's reserve leaves
      Given the family
        """
        boss: {tools: [researcher], max_repeated_calls: null}
        researcher: {description: Finds., tools: [read], max_repeated_calls: null, tool_max_rounds: 50}
        """
      And the family has a tool that says a lot
      And the family's house has {"limits": {"max_cost": "12"}}
      And the family's house has {"prices": {"boss": {"prompt": 1000, "completion": 1000}, "researcher": {"prompt": 1000, "completion": 1000}}}
      And the family's models ask for their tools until they must not, and then say "What I know."
      When the family is asked
      Then the family's run ends with "cost_budget"
      And the family answers "What I know."
      And "researcher" has wrapped up
      And the family's bill costs at most 12

    Scenario: A child's token_budget lies within its parent's
      Given the family
        """
        boss: {tools: [researcher], token_budget: 20000}
        researcher: {description: Finds., tools: [get_weather], token_budget: 2500, max_repeated_calls: null, tool_max_rounds: 50}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent      | says     | calls                       | times | tokens |
        | boss       |          | researcher {"task":"A"}     |       |        |
        | researcher |          | get_weather {"city":"Oslo"} | 3     | 600,20 |
        | boss       | Oh well. |                             |       |        |
      And the family's models ask for their tools until they must not, and then say "What I know."
      When the family is asked
      Then the family answers "Oh well."
      And the family's run ends with "completed"
      And the bill of "researcher" is at most 2500 tokens

    Scenario: A child alone need not share with those that wait for it
      Given the family
        """
        boss: {tools: [a]}
        a: {description: a, tools: [b]}
        b: {description: b}
        """
      And the family has a budget of 3000 tokens
      And the family's models will answer
        | agent | says  | calls          |
        | boss  |       | a {"task":"1"} |
        | a     |       | b {"task":"1"} |
        | b     | Here. |                |
        | a     | There |                |
        | boss  | Well. |                |
      When the family is asked
      Then the family answers "Well."
      And the output cap of request 1 of "b" is at least 2000
      And the family's budgets are not overspent, and hold nothing

  Rule: What happens is told live

    Scenario: A child's events lie within the tool call that started it
      Given the family
        """
        boss: {tools: [a, b]}
        a: {description: a, tools: [get_weather]}
        b: {description: b}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent | says  | calls                                    |
        | boss  |       | a#one {"task":"1"} & b#two {"task":"2"}  |
        | a     |       | get_weather {"city":"Oslo"}              |
        | a     | One.  |                                          |
        | b     | Two.  |                                          |
        | boss  | Both. |                                          |
      When the family is asked and everything that happens is read
      Then the family's events lie within each other
      And the family's agent calls are
        | agent | under | by call | stop_reason | response |
        | boss  |       |         | completed   | Both.    |
        | a     | boss  | one     | completed   | One.     |
        | b     | boss  | two     | completed   | Two.     |

    Scenario: What is left of the run's limits is told on every level, whatever else bounds an agent
      Given the family
        """
        boss: {tools: [a], token_budget: 5000}
        a: {description: a}
        """
      And the family's house has {"limits": {"max_tokens": 20000}}
      And the family's models will answer
        | agent | says  | calls          |
        | boss  |       | a {"task":"1"} |
        | a     | One.  |                |
        | boss  | Well. |                |
      When the family is asked and everything that happens is read
      Then the family was told 3 times that at least 19000 tokens are left

    Scenario: An abort is an abort on every level
      Given the family
        """
        boss: {tools: [a]}
        a: {description: a, tools: [b]}
        b: {description: b}
        """
      And the family's models will answer
        | agent | says  | calls                           | stands | times |
        | boss  |       | a#one {"task":"1"}              |        |       |
        | a     |       | b {"task":"1"} & b {"task":"2"} |        |       |
        | b     | Here. |                                 | here   | 2     |
      When the family is asked, and its stream is aborted while two children are held
      Then the family's run ends with "aborted"
      And the family's events lie within each other
      And the family's agent calls are
        | agent | under | stop_reason |
        | boss  |       | aborted     |
        | a     | boss  | aborted     |
        | b     | a     | aborted     |
        | b     | a     | aborted     |

  Rule: Agents and tools of the host's own

    Scenario: A custom agent as a child: its model call is a turn of its own run, and belongs to no tool call
      Given the family
        """
        boss: {tools: [helper]}
        """
      And the family's helper is an agent that asks its model
      And the family's models will answer
        | agent  | model  | says     | calls                    |
        | boss   |        |          | helper {"task":"Do it."} |
        | helper | custom | It's done. |                        |
        | boss   |        | Well.    |                          |
      When the family is asked in a run with deps and labels
      Then the family's code has noted [[null, "helper", "Do it."]]
      And the family's rows are
        | agent  | under | purpose | model  |
        | boss   |       | turn    | boss   |
        | helper | boss  | turn    | custom |
        | boss   |       | turn    | boss   |
      And the tools of "boss" told its model
        | text       |
        | It's done. |

    Scenario Outline: context.call_agent from <whom>
      Given the family
        """
        <agents>
        """
      And the family's boss is <boss>
      And the family's models will answer
        | agent      | says    | times |
        | researcher | A is 1. | 2     |
      When the family is asked and everything that happens is read
      Then the family answers "<answer>"
      And the family's events lie within each other
      And the family's bill is the provider's ledger, to the token
      And every row of the family is settled

      Examples:
        | whom                  | agents                                  | boss                                          | answer            |
        | a custom agent        | {researcher: {description: Finds.}}     | an agent that calls researcher                | A is 1.           |
        | a custom agent, twice | {researcher: {description: Finds.}}     | an agent that calls researcher twice at once  | A is 1. & A is 1. |
        | a call of a tool      | {researcher: {description: Finds.}}     | an agent with researcher among its tools      | A is 1.           |

    Scenario: A tool call of a custom agent is told like any other
      Given the family
        """
        researcher: {description: Finds.}
        """
      And the family's boss is an agent with researcher among its tools
      And the family's models will answer
        | agent      | says    |
        | researcher | A is 1. |
      When the family is asked and everything that happens is read
      Then the family's agent calls are
        | agent      | by call  |
        | ?          |          |
        | researcher | own_call |
      And the family was told of these tool calls
        | tool_name  | tool_call_id | result  |
        | researcher | own_call     | A is 1. |

    Scenario: context.call_agent from a tool
      Given the family
        """
        boss: {tools: [ask_researcher]}
        researcher: {description: Finds.}
        """
      And the family has a tool that calls researcher
      And the family's models will answer
        | agent      | says    | calls              |
        | boss       |         | ask_researcher#one |
        | researcher | A is 1. |                    |
        | boss       | Well.   |                    |
      When the family is asked and everything that happens is read
      Then the family's agent calls are
        | agent      | under | by call |
        | boss       |       |         |
        | researcher | boss  | one     |
      And the family's events lie within each other
      And the tools of "boss" told its model
        | text    |
        | A is 1. |

    Scenario Outline: <kind> is a tool that failed
      Given the family
        """
        boss: {tools: [helper]}
        """
      And the family's helper is <kind>
      And the family's models will answer
        | agent | says     | calls               |
        | boss  |          | helper {"task":"A"} |
        | boss  | Oh well. |                     |
      When the family is asked
      Then the tools of "boss" told its model
        | text   |
        | <told> |
      And the family answers "Oh well."

      Examples:
        | kind                       | told                                                              |
        | an agent that answers 5    | answered int, not text                                            |
        | an agent that calls itself | agents call each other 16 deep, no deeper                         |
        | an agent that calls nobody | the actor has no agent 'nobody'; it has boss and helper           |

    Scenario Outline: A list of tools of a custom agent is checked like any other: <kind>
      Given the family
        """
        researcher: {}
        """
      And the family's boss is <kind>
      When the family is read
      Then the family fails with ConfigurationError "<problem>"

      Examples:
        | kind                                     | problem                                           |
        | an agent with nobody among its tools     | agents.boss.tools[0]: unknown tool `nobody`       |
        | an agent with itself among its tools     | agents call each other in a circle: boss → boss   |
        | an agent with researcher among its tools | agents.researcher.description: the agent          |

    Scenario: A custom child that a budget refuses answers in a sentence
      Given the family
        """
        boss: {tools: [helper]}
        """
      And the family's helper is an agent that asks its model
      And the family's house has {"limits": {"max_model_calls": 2}}
      And the family's models will answer
        | agent | says      | calls               |
        | boss  |           | helper {"task":"A"} |
        | boss  | So be it. |                     |
      When the family is asked
      Then the family answers "So be it."
      And the tools of "boss" told its model
        | text                                                             |
        | The work was stopped before it was finished: the limit of model calls is reached |

    Scenario: A child that aborts its own run ends alone
      Given the family
        """
        boss: {tools: [researcher]}
        researcher: {description: Finds., tools: [stop_here]}
        """
      And the family has a tool that aborts its run
      And the family's models will answer
        | agent      | says     | calls                   |
        | boss       |          | researcher {"task":"A"} |
        | researcher |          | stop_here               |
        | boss       | Oh well. |                         |
      When the family is asked
      Then the family answers "Oh well."
      And the family's run ends with "completed"
      And the tools of "boss" told its model
        | text                                               |
        | not finished: the run was aborted: enough of it    |

    Scenario: A child that a tool leaves behind ends with the run, which then calls nobody
      Given the family
        """
        boss: {tools: [leave_behind]}
        researcher: {description: Finds.}
        """
      And the family has a tool that leaves a call of researcher behind
      And the family's models will answer
        | agent      | says  | calls        | stands |
        | boss       |       | leave_behind |        |
        | researcher | Here. |              | here   |
        | boss       | Well. |              |        |
      When the family is asked, and a call is left behind
      Then the family answers "Well."
      And every row of the family is settled or unmeasured
      And the family's code has noted ["not finished: the run was aborted: the run that called it has ended", "the run has ended: it calls no more agents"]

  Rule: An ending reaches every level

    Scenario Outline: <how> of three levels
      Given the family
        """
        boss: {tools: [a]}
        a: {description: a, tools: [b]}
        b: {description: b}
        """
      And the family has a budget of 100000 tokens
      And the family's models will answer
        | agent | says  | calls                           | stands | times |
        | boss  |       | a {"task":"1"} & a {"task":"2"} |        |       |
        | a     |       | b {"task":"1"} & b {"task":"2"} |        | 2     |
        | b     | Here. |                                 | here   | 4     |
      When the family's run ends by <how> while 4 requests are held
      Then the family's run ends with "<reason>"
      And every row of the family is settled or unmeasured
      And the family's result has
        | field            | value |
        | unmeasured_calls | 4     |
      And the family's budgets are not overspent, and hold nothing
      And the family's ending has reached every level at once

      Examples:
        | how     | reason    |
        | cancel  | cancelled |
        | abort   | aborted   |
        | timeout | timeout   |

    Scenario Outline: <how> through agents and tools of the host's own
      Given the family
        """
        boss: {tools: [middle, ask_researcher]}
        researcher: {description: Finds.}
        """
      And the family's middle is an agent that calls researcher twice at once
      And the family has a tool that calls researcher
      And the family's models will answer
        | agent      | says  | calls                                | stands | times |
        | boss       |       | middle {"task":"1"} & ask_researcher |        |       |
        | researcher | Here. |                                      | here   | 3     |
      When the family's run ends by <how> while 3 requests are held
      Then the family's run ends with "<reason>"
      And every row of the family is settled or unmeasured
      And the family's ending has reached every level at once

      Examples:
        | how     | reason    |
        | cancel  | cancelled |
        | abort   | aborted   |
        | timeout | timeout   |

  Rule: Many, and of every shape

    @slow
    Scenario: A thousand runs with two children each
      Then 1000 runs of a family at the same time, with two children each, have exact bills

    @slow
    Scenario: One ceiling for a whole tree
      Then no tree of a family overspends or stands still, in 60 draws

    @slow
    Scenario: Cut anywhere
      Then the books of a family are right wherever its run is cut, in 60 draws
