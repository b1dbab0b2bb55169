Feature: The face of the package
  A host imports names from `cleveractors`; whoever imports it pays for what is used, when it is used.

  Scenario Outline: The names of <module> are listed three times alike
    Then the lazy table, the TYPE_CHECKING list and __all__ of <module> have the same names
    And every name of <module> can be had, has a docstring, and is the one of its home

    Examples:
      | module               |
      | cleveractors         |
      | cleveractors.testing |

  Scenario: A name that is not there
    Then asking cleveractors for a name that it has not fails with an AttributeError that names both

  Scenario Outline: A name that is not in <module> either
    Then a name that <module> has not is refused with an AttributeError that names both

    Examples:
      | module                |
      | cleveractors.events   |
      | cleveractors.sessions |
      | cleveractors.tools    |

  Scenario Outline: <what> in a host's log or debugger
    Then a host that prints <what> reads "<text>"

    Examples:
      | what                               | text                                                            |
      | a purse                            | <Budget name='acme' tokens=5+0/100 cost=0.5+0/2>                |
      | a purse of money                   | <Budget cost=0+0/2>                                             |
      | a purse of tokens                  | <Budget tokens=0+0/100>                                         |
      | a signal                           | <AbortSignal not aborted>                                       |
      | a signal that was given            | <AbortSignal aborted, reason='enough'>                          |
      | a context                          | <RunContext run_id='r1' agent='test'>                           |
      | a context within a tool call       | <RunContext run_id='r1' agent='test' tool_call_id='c1'>         |
      | a stream that has not begun        | <RunStream run_id='r1' not started>                             |
      | a stream that runs                 | <RunStream run_id='r1' running>                                 |
      | a stream that has ended            | <RunStream run_id='r1' completed>                               |
      | hooks                              | <Hooks pre_tool_call: 1>                                        |
      | hooks of nothing                   | <Hooks none>                                                    |
      | sessions in memory                 | MemorySessions(max_sessions=10000, max_messages=1000)           |
      | a log of usage                     | JsonlUsageLog('/dev/null')                                      |

  Scenario: Importing the package loads nothing else, and says nothing
    When a fresh Python imports cleveractors
    Then it has loaded none of langchain_core, langchain_openai, openai, pydantic, httpx, httpx2, anyio, yaml
    And it has read no environment, and written nothing
    And its logger has a NullHandler

  Scenario: Making an executor opens nothing
    When a fresh Python makes an executor of the openai provider, and watches
    Then it has opened no socket, no loop and no thread
    And it has written nothing

  Scenario: Nothing is imported inside a run
    When a fresh Python asks an actor of the openai provider, blocking and streamed
    Then no module was imported by the runs

  Scenario: What the Responses API needs is there before a run
    When a fresh Python makes an executor of an agent that uses the Responses API
    Then it has loaded openai.resources.responses

  Scenario Outline: A run outside asyncio is refused clearly: <where>
    When a run is begun <where>
    Then the run fails with ConfigurationError "asyncio"

    Examples:
      | where              |
      | without any loop   |

  Scenario: The public names and signatures are those that are written down
    A change of them is seen in `features/public_api.txt`, which `python -m features.lib.public_api` writes anew.

    Then the public names and signatures are those of "features/public_api.txt"
