Feature: An agent forks

  With `forks` an agent may send copies of itself ahead, each with what it knows so far and a task. A fork is a child
  run like any other: on the same bill, within the same budgets, under the same clock and signal.

  Rule: A fork knows what was said before

    Scenario: It is given the conversation without the calls that are open, and its task
      Given the family
        """
        boss: {system_prompt: You lead., tools: [get_weather], forks: {}}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent | says      | calls                               |
        | boss  | Let's see | get_weather#one {"city":"Oslo"}     |
        | boss  | Now       | fork#two {"task":"Think of boots."} |
        | boss  | Boots on. |                                     |
        | boss  | Well.     |                                     |
      When the family is asked
      Then the family answers "Well."
      And request 3 of "boss" was
        | role      | content         |
        | system    | You lead.       |
        | user      | Go.             |
        | assistant | Let's see       |
        | tool      | rain in Oslo    |
        | user      | Think of boots. |
      And the tools of "boss" told its model
        | text         |
        | rain in Oslo |
        | Boots on.    |
      And the family's rows are
        | agent | under | round |
        | boss  |       | 1     |
        | boss  |       | 2     |
        | boss  | boss  | 1     |
        | boss  |       | 3     |
      And the family's result has
        | field      | value |
        | rounds     | 2     |
        | tool_calls | 2     |
      And the family's bill is the provider's ledger, to the token

    Scenario: Its history is valid and its own: what it says is not in its parent's
      Given the family
        """
        boss: {tools: [get_weather], forks: {}}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent | says  | calls                                                        |
        | boss  |       | get_weather {"city":"Oslo"} & get_weather {"city":"Rome"}    |
        | boss  |       | get_weather {"city":"Bonn"} & fork {"task":"Look at Bern."}  |
        | boss  |       | get_weather {"city":"Bern"}                                  |
        | boss  | Bern! |                                                              |
        | boss  | Well. |                                                              |
      When the family is asked
      Then the tools of "boss" told its model
        | text         |
        | rain in Oslo |
        | rain in Rome |
        | rain in Bonn |
        | Bern!        |
      And request 4 of "boss" was
        | role      | content       |
        | user      | Go.           |
        | assistant |               |
        | tool      | rain in Oslo  |
        | tool      | rain in Rome  |
        | user      | Look at Bern. |
        | assistant |               |
        | tool      | rain in Bern  |

    Scenario: The history that the run was given is known to it too
      Given the family
        """
        boss: {forks: {}}
        """
      And the family's models will answer
        | agent | says    | calls                  |
        | boss  |         | fork {"task":"Think."} |
        | boss  | Thought |                        |
        | boss  | Well.   |                        |
      When the family is asked with {"history": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]}
      Then request 2 of "boss" was
        | role      | content |
        | user      | Hello   |
        | assistant | Hi.     |
        | user      | Go.     |
        | user      | Think.  |

    Scenario: It is the same agent: what the run put in place of its model, parameters, variables and tools holds
      Given the family
        """
        boss: {system_prompt: "For {{ who }}.", variables: {who: us}, tools: [get_weather, broken], forks: {}}
        """
      And the family has the tools "get_weather, broken"
      And the family's models will answer
        | agent | model | says     | calls                           |
        | boss  | other |          | fork {"task":"Call broken."}    |
        | boss  | other |          | broken {"city":"Oslo"}          |
        | boss  | other | I can't. |                                 |
        | boss  | other | Well.    |                                 |
      When the family is asked with {"model": "other", "parameters": {"temperature": 0.5}, "variables": {"who": "Ltd"}, "tools": ["get_weather", "fork"]}
      Then the family answers "Well."
      And every request of "other" has {"temperature": 0.5}
      And the model of "other" was asked 4 times
      And request 3 of "other" was
        | role      | content                                                     |
        | system    | For Ltd.                                                    |
        | user      | Go.                                                         |
        | user      | Call broken.                                                |
        | assistant |                                                             |
        | tool      | there is no tool 'broken'; the tools are fork and get_weather |

  Rule: Several at once

    Scenario: They run at the same time, and their answers come in the order asked
      Given the family
        """
        boss: {forks: {}}
        """
      And the family's forks answer what they are asked, held until all 3 are there
      When the family is asked, and its forks are let go when all are held
      Then the tools of "boss" told its model
        | text        |
        | Answer to A |
        | Answer to B |
        | Answer to C |

    Scenario: Beside sub-agents
      Given the family
        """
        boss: {tools: [a], forks: {}}
        a: {description: a}
        """
      And the family's models will answer
        | agent | says  | calls                               |
        | boss  |       | a {"task":"1"} & fork {"task":"2"}  |
        | a     | One.  |                                     |
        | boss  | Two.  |                                     |
        | boss  | Well. |                                     |
      When the family is asked
      Then the tools of "boss" told its model
        | text |
        | One. |
        | Two. |

    Scenario: A sub-agent may fork too
      Given the family
        """
        boss: {tools: [a]}
        a: {description: a, forks: {max_depth: 1}}
        """
      And the family's models will answer
        | agent | says  | calls             |
        | boss  |       | a {"task":"1"}    |
        | a     |       | fork {"task":"2"} |
        | a     | Two.  |                   |
        | a     | One.  |                   |
        | boss  | Well. |                   |
      When the family is asked and everything that happens is read
      Then the family answers "Well."
      And the family's rows are
        | agent | under |
        | boss  |       |
        | a     | boss  |
        | a     | a     |
        | a     | boss  |
        | boss  |       |

  Rule: Bounds, which the model is told

    Scenario: max_children bounds the forks of one run
      Given the family
        """
        boss: {forks: {max_children: 2}}
        """
      And the family's models will answer
        | agent | says  | calls                                                     | times |
        | boss  |       | fork {"task":"1"} & fork {"task":"2"} & fork {"task":"3"} |       |
        | boss  | Done. |                                                           | 2     |
        | boss  | Well. |                                                           |       |
      When the family is asked
      Then the family answers "Well."
      And the tools of "boss" told its model
        | text                                                        |
        | Done.                                                       |
        | Done.                                                       |
        | not forked: a run may fork 2 times; do the task yourself    |

    Scenario: max_depth bounds forks of forks
      Given the family
        """
        boss: {forks: {max_depth: 2}}
        """
      And the family's models will answer
        | agent | says   | calls             |
        | boss  |        | fork {"task":"1"} |
        | boss  |        | fork {"task":"2"} |
        | boss  |        | fork {"task":"3"} |
        | boss  | Three. |                   |
        | boss  | Two.   |                   |
        | boss  | Well.  |                   |
      When the family is asked and everything that happens is read
      Then the family answers "Well."
      And request 4 of "boss" was
        | role      | content                                                   |
        | user      | Go.                                                       |
        | user      | 1                                                         |
        | user      | 2                                                         |
        | assistant |                                                           |
        | tool      | not forked: forks may be 2 deep; do the task yourself     |
      And the family's forks are
        | depth | number | source | status    |
        | 1     | 1      | run    | completed |
        | 2     | 2      | 1      | completed |

    Scenario: As deep as a file may ask for
      Given the family
        """
        boss: {forks: {max_depth: 16, max_children: 1}}
        """
      And the family's models will answer
        | agent | says  | calls             | times |
        | boss  |       | fork {"task":"1"} | 17    |
        | boss  | Done. |                   | 17    |
      When the family is asked
      Then the family answers "Done."
      And the family's bill is the provider's ledger, to the token

    Scenario: Nobody forks who may not
      Given the family
        """
        boss: {tools: [get_weather]}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent | says  | calls             |
        | boss  |       | fork {"task":"1"} |
        | boss  | Well. |                   |
      When the family is asked
      Then the tools of "boss" told its model
        | text                       |
        | there is no tool 'fork'    |

    Scenario Outline: The name is taken: <what>
      Given the family
        """
        <agents>
        """
      And the family has a tool that is named fork
      When the family is read
      Then the family fails with ConfigurationError "agents.boss.tools[0]: the tool `fork` is what `forks` gives the agent"

      Examples:
        | what                 | agents                              |
        | by a tool            | {boss: {tools: [fork], forks: {}}}  |
        | by a tool, bounded   | {boss: {tools: [fork, fork], forks: {max_depth: 1}}} |

    Scenario: A host's tool may have the name where nobody forks
      Given the family
        """
        boss: {tools: [fork]}
        """
      And the family has a tool that is named fork
      And the family's models will answer
        | agent | says  | calls |
        | boss  |       | fork  |
        | boss  | Well. |       |
      When the family is asked
      Then the tools of "boss" told its model
        | text  |
        | knife |

  Rule: Spend and limits

    Scenario: Its spend is the agent's: token_budget bounds both
      Given the family
        """
        boss: {forks: {max_depth: 1}, token_budget: 5000, max_repeated_calls: null}
        """
      And the family's models ask for their tools until they must not, and then say "What I know."
      When the family is asked
      Then the family's run ends with "token_budget"
      And the family answers "What I know."
      And the family's bill is at most 5000 tokens
      And every row of the family is settled

    Scenario: A fork that fails is a tool that failed, and its spend is counted
      Given the family
        """
        boss: {tools: [get_weather], forks: {}}
        """
      And the family has the tools "get_weather"
      And the family's models will answer
        | agent | says     | calls                       | fault |
        | boss  |          | fork {"task":"1"}           |       |
        | boss  |          | get_weather {"city":"Oslo"} |       |
        | boss  |          |                             | 400   |
        | boss  | Oh well. |                             |       |
      When the family is asked and everything that happens is read
      Then the family answers "Oh well."
      And the family's forks are
        | depth | number | status |
        | 1     | 1      | failed |
      And the family's events lie within each other
      And the family's bill is the provider's ledger, to the token

    Scenario: What ends the run ends it from a fork
      Given the family
        """
        boss: {tools: [fatal], forks: {}}
        """
      And the family has the tools "fatal"
      And the family's models will answer
        | agent | says | calls             |
        | boss  |      | fork {"task":"1"} |
        | boss  |      | fatal             |
      When the family is asked
      Then the family fails with FatalToolError "the database is gone"
      And every row of the family is settled

  Rule: What is told of forks

    Scenario: Each is known by an id, an instance, a memory and a number of its own
      Given the family
        """
        boss: {forks: {}}
        """
      And the family's models will answer
        | agent | says   | calls                                         |
        | boss  |        | fork#one {"task":"1"} & fork#two {"task":"2"} |
        | boss  |        | fork {"task":"3"}                             |
        | boss  |        | fork {"task":"4"}                             |
        | boss  | Three. |                                               |
        | boss  | Four.  |                                               |
        | boss  | One.   |                                               |
        | boss  | Two.   |                                               |
        | boss  | Well.  |                                               |
      When the family is asked and everything that happens is read
      Then no two of the family's forks share an id, an instance, a memory or a number
      And the family's events lie within each other
      And the family's forks are
        | depth | number | status    |
        | 1     | 1      | completed |
        | 1     | 2      | completed |
        | 2     | 3      | completed |
        | 2     | 4      | completed |
      And the family's agent calls are
        | agent | depth |
        | boss  | 0     |
        | boss  | 1     |
        | boss  | 1     |
        | boss  | 2     |
        | boss  | 2     |

    Scenario: Aborted, they are interrupted
      Given the family
        """
        boss: {forks: {}}
        """
      And the family's models will answer
        | agent | says  | calls                                 | stands | times |
        | boss  |       | fork {"task":"1"} & fork {"task":"2"} |        |       |
        | boss  | Done. |                                       | here   | 2     |
      When the family is asked, and its stream is aborted while two children are held
      Then the family's run ends with "aborted"
      And the family's forks are
        | number | status      |
        | 1      | interrupted |
        | 2      | interrupted |
      And the family's agent calls are
        | agent | depth | stop_reason |
        | boss  | 0     | aborted     |
        | boss  | 1     | aborted     |
        | boss  | 1     | aborted     |

  Rule: None outlives the run

    Scenario Outline: <how>
      Given the family
        """
        boss: {forks: {max_depth: 2}}
        """
      And the family has a budget of 100000 tokens
      And the family's models will answer
        | agent | says  | calls                                 | stands | times |
        | boss  |       | fork {"task":"1"} & fork {"task":"2"} |        | 3     |
        | boss  | Done. |                                       | here   | 4     |
      When the family's run ends by <how> while 4 requests are held
      Then the family's run ends with "<reason>"
      And every row of the family is settled or unmeasured
      And the family's budgets are not overspent, and hold nothing
      And the family's ending has reached every level at once

      Examples:
        | how     | reason    |
        | cancel  | cancelled |
        | abort   | aborted   |
        | timeout | timeout   |
