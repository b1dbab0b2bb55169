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

  Scenario Outline: A run outside asyncio is refused clearly: <where>
    When a run is begun <where>
    Then the run fails with ConfigurationError "asyncio"

    Examples:
      | where              |
      | without any loop   |
