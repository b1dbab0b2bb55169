Feature: What the model is told of a tool, and what of its arguments is accepted

  Scenario: A function says what it needs
    When the sample "google" becomes a tool
    Then the tool is named "get_weather" and described "Tell the weather of a city."
    And its parameters are
      """
      {
        "type": "object",
        "properties": {
          "city": {"type": "string", "description": "The city, with its country."},
          "unit": {"$ref": "#/$defs/Unit", "description": "The unit.", "default": "celsius"},
          "days": {"type": "integer", "default": 1}
        },
        "$defs": {"Unit": {"enum": ["celsius", "fahrenheit"], "type": "string"}},
        "additionalProperties": false,
        "required": ["city"]
      }
      """
    And its definition is OpenAI's, the same object each time
    And it has required arguments

  Scenario Outline: Docstrings in the style of <style>
    When the sample "<style>" becomes a tool
    Then the description of the tool is "Tell the weather of a city."
    And its parameter "city" is described "The city, with its country."
    And its parameter "unit" is described "The unit."
    And its parameter "days" is not described

    Examples:
      | style  |
      | google |
      | numpy  |
      | sphinx |

  Scenario: Docstrings that mix styles, or stop in the middle
    Then a docstring says of its parameters {"x": "the x continued: yes and more", "y": "why: really", "z": "the z"}
      """
      Do it.

      :param dict[str, int] y: why: really

      Parameters
      ----------
      z
          the z
      (nobody)

      Args:
          x (dict[str, int], optional): the x
              continued: yes

              and more
          which is no parameter
          *rest:
      """
    And a docstring says of its parameters {"y": "last"}
      """
      Do it.
      :param y:
          last
      """
    And a docstring says of its parameters {"x": "first"}
      """
      Parameters
      ----------
      x : int
          first
      """

  Scenario: Every kind of annotation, and what the runtime gives
    When the sample "everything" becomes a tool
    Then the model may fill "place at point room kind count note level late sentinel ratio schema exact"
    And it must fill "place at point"
    And its parameter "count" has the schema {"exclusiveMinimum": 0, "type": "integer", "description": "How many.", "default": 1}
    And its parameter "level" has the schema {"minimum": 1, "type": "integer", "description": "How high.", "default": 3}
    And its parameter "note" is described "A note."
    And its parameter "late" has the schema {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}
    And its parameter "sentinel" has the schema {"type": "string"}
    And no title stands in its schema

  Scenario: The function receives Python objects
    Given the sample "everything" as a tool
    When the tool is called with
      """
      {"place": {"name": "a", "near": [{"name": "b"}]}, "at": "2026-01-02T03:04:05Z", "point": {"x": "5"},
       "room": {"width": 1, "boxes": [{"width": "2", "label": "l"}], "seen": {"a": {"width": 3}}}, "count": "7",
       "schema": "00000000-0000-0000-0000-000000000005", "exact": {"day": "2026-01-02"}}
      """
    Then the call returns
      """
      {"context": "StandIn", "place": "Place", "at": "datetime", "point": "Point", "room": "dict", "kind": "str",
       "count": "int", "note": "str", "level": "int", "schema": "UUID", "signal": "AbortSignal",
       "_abort_signal": "AbortSignal"}
      """

  Scenario: Arguments that do not fit are told each with its path, bounded
    Given the sample "everything" as a tool
    When the tool is called with {"place": {}, "at": "", "point": {"x": "much"}, "count": 0, "city": "Paris"}
    Then the arguments are refused so
      """
      The arguments do not fit the schema of everything:
      - place.name: required, but missing
      - at: Input should be a valid datetime or date, input is too short; got 
      - point.x: Input should be a valid integer, unable to parse string as an integer; got much
      - count: Input should be greater than 0; got 0
      - city: not an argument of this tool; it takes place, at, point, room, kind, count, note, level, late, sentinel, ratio, schema, exact
      """

  Scenario: A flood of wrong arguments stays short
    Given the sample "google" as a tool
    When the tool receives 5000 unknown arguments of 5000 characters
    Then the arguments are refused in fewer than 4000 characters that end in "- and more"

  Scenario Outline: Callables of every kind: <sample>
    Given the sample "<sample>" as a tool
    When the tool is called with <arguments>
    Then the tool is named "<name>" and returns "<result>"

    Examples:
      | sample          | arguments            | name         | result                |
      | instance        | {"by": 2}            | Counter      | 2                     |
      | method          | {"by": 2}            | add          | 2                     |
      | static          | {"number": 2}        | double       | 4                     |
      | partial         | {"city": "Rome"}     | get_weather  | Rome: 20 fahrenheit   |
      | wrapped         | {"city": "Rome"}     | get_weather  | Rome: 20 celsius      |
      | renamed         | {"city": "Rome"}     | second       | Rome: 20 celsius      |
      | renamed method  | {"by": 3}            | plus         | 3                     |
      | disguised       | {"word": "Rome"}     | disguised    | Rome: 20 celsius      |
      | marked method   | {"by": 3}            | __call__     | 3                     |
      | marked twice    | {"by": 3}            | add          | 3                     |
      | torn            | {"word": "a"}        | torn         | a StandIn             |
      | aliased         | {"no": 3}            | aliased      | 3                     |
      | late local      | {"item": {"size": 4}} | local       | <class 'features.lib.tool_samples.local_type_late.<locals>.Local'> |
      | decorated local | {"item": {"size": 4}} | local       | 4                     |

  Scenario: What a partial has filled is never shown
    When the sample "partial" becomes a tool
    Then the model may fill "city days"

  Scenario: A type that only its function or a running frame still knows
    When the sample "enclosed local" becomes a tool
    Then the model may fill "item"
    When a tool is made beside its local type
    Then the model may fill "item"

  Scenario: Options, name and description beside the function
    When the sample "optioned" becomes a tool
    Then the tool is named "waiter" and described "Waits."
    And its options are timeout=2.5 max_uses=3 repeatable=True idempotent=True destructive=True
    And its parameter "seconds" has the schema {"type": "number"}
    And the function itself can still be called

  Scenario: A function without words
    When a function without a docstring becomes a tool
    Then its definition has no description
    And a warning says where it stands

  Scenario Outline: What can't be a tool: <sample>
    When the refused sample "<sample>" becomes a tool
    Then making the tool fails with "<text>"

    Examples:
      | sample          | text                                                       |
      | a lambda        | a lambda has no name for the model                         |
      | a class         | a class is no tool                                         |
      | a number        | int is no tool                                             |
      | star            | *words takes any number of values                          |
      | star            | **more takes any name                                      |
      | positional      | word is positional-only                                    |
      | generator       | it yields, and a tool has one result                       |
      | async generator | it yields, and a tool has one result                       |
      | no annotation   | parameter city has no annotation                           |
      | lost name       | the name Local means nothing when the tool is made         |
      | unreadable      | the annotation '1 +' can't be read                         |
      | no schema       | parameter waiting: _asyncio.Future[str] has no JSON schema   |
      | no schema       | parameter then: collections.abc.Callable[[], None] has no  |
      | unreadable signature | its signature can't be read                           |
      | bad name        | 'no spaces' can't name a tool                              |

  Scenario: Errors say where the function stands
    When the refused sample "no annotation" becomes a tool
    Then making the tool fails with "features/lib/tool_oddities.py:"

  Scenario Outline: Options out of range: <option>=<value>
    When a function is marked with <option> = <value>
    Then making the tool fails with "<option>=<value> of a tool: allowed are"

    Examples:
      | option   | value |
      | timeout  | 0     |
      | timeout  | -1.5  |
      | max_uses | 0     |

  Scenario: A set of tools
    Given the tools "google optioned in_thread" as a set
    Then the set has "get_weather waiter in_thread", and as many definitions
    And its subset "in_thread get_weather in_thread" has "in_thread get_weather", and as many definitions
    When its subset "in_thred" is taken
    Then making the tool fails with "no tool is named in_thred; there are: get_weather, waiter and in_thread (in_thread?)"

  Scenario: A set tells all that is wrong at once
    When the tools "google, google, star, no annotation" become a set
    Then making the tool fails with "two tools are named get_weather"
    And the tools have 4 problems
    When the tools "star, no annotation" become a set
    Then making the tool fails with "**more takes any name"
    And the tools have 3 problems

  Scenario Outline: Tools not given as a list: <value>
    When <value> is given as tools
    Then making the tool fails with "tools are given as a list, not as <kind>"

    Examples:
      | value     | kind |
      | "weather" | str  |
      | 5         | int  |
      | {}        | dict |

  Scenario: A tool by its schema
    Given a tool with the parameters {"properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}
    When the tool is called with {"a": [1, 2]}
    Then the call returns
      """
      {"a": [1, 2]}
      """
    When the tool is called with {"a": [1, "two"]}
    Then the arguments are refused so
      """
      The arguments do not fit the schema of hand_made:
      - a.1: 'two' is not of type 'integer'
      """

  Scenario Outline: A schema that is none: <parameters>
    When a tool is made with the parameters <parameters>
    Then making the tool fails with "<text>"

    Examples:
      | parameters                                       | text                                        |
      | {"type": "string"}                               | must be a JSON schema of type "object"      |
      | [1]                                              | must be a JSON schema of type "object"      |
      | {"properties": {"a": {"type": "nope"}}}          | are no JSON schema                          |
      | {"properties": {"a": {"$ref": "http://h/x"}}}    | refer to 'http://h/x'                       |
      | {"properties": {"a": {"default": NaN}}}          | can't be written as JSON                    |

  Scenario: A schema that can't be followed, or judged, to the end
    Given a tool with the parameters {"properties": {"a": {"$ref": "#/nowhere"}}}
    When the tool is called with {"a": 1}
    Then the arguments are refused with "its schema can't be followed"
    Given a tool with the parameters {"properties": {"a": {"type": "string", "pattern": "\\p{L}"}}}
    When the tool is called with {"a": "x"}
    Then the call returns
      """
      {"a": "x"}
      """
    Given a tool with the parameters {"properties": {"a": {"$ref": "#/$defs/list"}}, "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}}
    When the tool receives 5000 nested lists
    Then the arguments are refused with "nested too deeply"

  Scenario Outline: A LangChain tool: <sample>
    When the LangChain tool "<sample>" becomes a tool
    Then the model may fill "<fields>"
    When the tool is called with <arguments>
    Then the tool message is <content>

    Examples:
      | sample    | fields      | arguments           | content                |
      | sync      | number unit | {"number": "5"}     | "5 m host False"       |
      | artifact  | number      | {"number": 5}       | "content"              |
      | handled   | number      | {"number": 5}       | "no 5"                 |
      | forgiving | number      | {"number": "five"}  | "try a number"         |
      | subclass  | word        | {"word": "a"}       | "A"                    |
      | single    | __arg1      | {"__arg1": "a"}     | "A"                    |
      | schema    | number      | {"number": 5}       | "5"                    |

  Scenario: A LangChain tool's artifact, errors and names
    When the LangChain tool "artifact" becomes a tool
    And the tool is called with {"number": 5}
    Then the raw result is no error, and carries {"number": 5}
    When the tool is called with {"number": "five"}
    Then the arguments are refused with "- number: Input should be a valid integer"
    When the LangChain tool "schema" becomes a tool
    And the tool is called with {"number": "five"}
    Then the arguments are refused with "- number: 'five' is not of type 'integer'"
    When the LangChain tool "handled" becomes a tool
    And the tool is called with {"number": 5}
    Then the raw result is an error
    When the LangChain tool "failing" becomes a tool
    And the tool is called with {"number": 5}
    Then the call raises ToolException
    When the LangChain tool "bad name" becomes a tool
    Then making the tool fails with "'no spaces' can't name a tool"
    When the LangChain tool "no schema" becomes a tool
    Then making the tool fails with "tool hook: LangChain can't make a schema of it"

  Scenario: What the schema allows, the check accepts
    Then every argument that the schema of "google" and "everything" allows is accepted

  Scenario: Rooms that need no LangChain load none
    Then importing cleveractors.tools loads none of langchain_core, pydantic and jsonschema
