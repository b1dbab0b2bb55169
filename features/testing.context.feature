Feature: A run's context for the test of a tool by itself
  A tool or an agent that takes a RunContext is called with one from run_context(), within a loop or without any.

  Scenario Outline: A context has what it was given: <what>
    Given a context of its own with <arguments>
    Then that context's <what> is <value>

    Examples:
      | arguments                          | what         | value            |
      | {"a": 1}                           | deps         | {"a": 1}         |
      |                                    | deps         | None             |
      | agent="clerk"                      | agent        | "clerk"          |
      |                                    | agent        | "test"           |
      | tool_call_id="call_1"              | tool_call_id | "call_1"         |
      | run_id="run-1"                     | run_id       | "run-1"          |
      | session_id="s"                     | session_id   | "s"              |
      | tenant="acme"                      | tenant       | "acme"           |
      | metadata={"a": "b"}                | metadata     | {"a": "b"}       |
      |                                    | metadata     | {}               |
      |                                    | parent_run_id | None            |

  Scenario: Without a run's id it gets a new one
    Then two contexts of their own have different run ids

  Scenario Outline: A label that no run could have is refused: <arguments>
    Then a context of its own with <arguments> fails with <error> "<text>"

    Examples:
      | arguments             | error      | text     |
      | tenant=""             | ValueError | tenant   |
      | run_id="a\nb"         | ValueError | run_id   |
      | metadata={"a": 1}     | TypeError  | metadata |

  Scenario: What a tool reports stands in the context's usage
    Given a context of its own with tenant="acme"
    When its tool reports 7 prompt and 2 completion tokens
    Then that context's usage is (7, 2)

  Scenario: The same within a loop, where the run has begun
    Given a context of its own, within a loop
    When its tool reports 7 prompt and 2 completion tokens
    Then that context's usage is (7, 2)

  Scenario Outline: A context that belongs to no agent calls nobody: <call>
    Given a context of its own, within a loop
    When it is asked to <call>
    Then the error of the context is "this context belongs to no agent: it can call neither models nor tools"

    Examples:
      | call                                                      |
      | call_model([])                                            |
      | call_agent("other", "Hi")                                 |
      | call_tool({"name": "f", "args": {}, "id": "1"})           |

  Scenario: A name that the testing package has not
    Then asking cleveractors.testing for a name that it has not fails with an AttributeError that names both
