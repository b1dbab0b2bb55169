Feature: A scripted model without a script suits any actor

  It calls every tool once with the smallest arguments, and answers with what they returned.

  Background:
    Given a scripted model without a script

  Rule: Every tool is called once

    Background:
      Given the scripted model is offered the tools
        | tool | parameters                                                                                         |
        | look | {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]} |
        | wait | {"type": "object", "properties": {}}                                                               |

    Scenario: All together, with a name from the question
      When the scripted model is asked "What is it like in Oslo, and in São-Tomé?"
      And the scripted model is asked "what is it like?"
      Then the scripted model's answers are
        | text | calls                              | finish     |
        |      | look {"city": "São-Tomé"} & wait {} | tool_calls |
        |      | look {"city": "text"} & wait {}    | tool_calls |

    Scenario: What they returned is the answer
      Given the scripted model hears
        | from           | text              |
        | user           | Oslo?             |
        | model look c1  | {"city": "Oslo"}  |
        | model wait c2  | {}                |
        | tool success c1 | Snow.            |
        | tool error c2  | Nobody came.      |
      When the scripted model is asked
      Then the scripted model's answer is
        """
        look returned: Snow.
        wait failed: Nobody came.
        """

    Scenario: A question of its own has calls of its own
      Given the scripted model hears
        | from           | text              |
        | user           | Oslo?             |
        | model look c1  | {"city": "Oslo"}  |
        | tool success c1 | Snow.            |
        | user           | And Rome?         |
      When the scripted model is asked
      Then the scripted model's answers are
        | calls                           |
        | look {"city": "Rome"} & wait {} |

    Scenario: One by one, where calls may not stand side by side
      Given the scripted model is called with {"parallel_tool_calls": false}
      And the scripted model hears
        | from           | text              |
        | user           | Oslo?             |
      When the scripted model is asked
      And the scripted model hears
        | from           | text              |
        | model look c1  | {"city": "Oslo"}  |
        | tool success c1 | Snow.            |
      And the scripted model is asked
      And the scripted model hears
        | from           | text              |
        | model wait c2  | {}                |
        | tool success c2 | Done.            |
      And the scripted model is asked
      Then the scripted model's answers are
        | text                                    | calls                 |
        |                                         | look {"city": "Oslo"} |
        |                                         | wait {}               |
        | look returned: Snow.⏎wait returned: Done. |                       |

    Scenario Outline: A tool choice of <choice>
      Given the scripted model is called with {"tool_choice": <choice>}
      When the scripted model is asked "Oslo?"
      Then the scripted model's answers are
        | text   | calls   |
        | <text> | <calls> |

      Examples:
        | choice                                             | text              | calls                           |
        | "none"                                             | You said: "Oslo?" |                                 |
        | "wait"                                             |                   | wait {}                         |
        | {"type": "function", "function": {"name": "wait"}} |                   | wait {}                         |
        | "required"                                         |                   | look {"city": "Oslo"} & wait {} |
        | true                                               |                   | look {"city": "Oslo"} & wait {} |
        | {"type": "auto"}                                   |                   | look {"city": "Oslo"} & wait {} |

  Rule: What can't be called is told

    Scenario: No arguments are found
      Given the scripted model is offered the tools
        | tool  | parameters                                                                    |
        | never | {"type": "object", "properties": {"a": false}, "required": ["a"]}             |
        | look  | {"type": "object"}                                                            |
      And the scripted model hears
        | from           | text              |
        | user           | Hi                |
      When the scripted model is asked
      And the scripted model hears
        | from           | text              |
        | model look c1  | {}                |
        | tool success c1 | Snow.            |
      And the scripted model is asked
      Then the scripted model's answers are
        | text | calls   |
        |      | look {} |
        | look returned: Snow.⏎never was not called: no value was found for the schema False | |

    Scenario: No tool can be called
      Given the scripted model is offered the tools
        | tool  | parameters      |
        | never | {"not": {}}     |
      When the scripted model is asked "Hi"
      Then the scripted model's answer is
        """
        never was not called: no value was found for the schema {'type': 'object', 'not': {}}
        """

    Scenario: Arguments are an object, whatever a schema leaves open, and a provider's own tools have none
      Given the scripted model is offered the tools
        | tool | parameters                                |
        | free | {}                                        |
        | some | {"description": "Anything."}              |
        |      | {}                                        |
      When the scripted model is asked "Hi"
      Then the scripted model's answers are
        | calls             |
        | free {} & some {} |

  Rule: Without tools

    Scenario: The question is quoted
      When the scripted model is asked "How are you?"
      Then the scripted model's answer is
        """
        You said: "How are you?"
        """

    Scenario: A long question and a long result are cut
      Given the scripted model hears
        | from           | text              |
        | user           | {long}            |
      When the scripted model is asked
      And the scripted model hears
        | from            | text              |
        | model look c1   | {}                |
        | tool success c1 | {long}            |
      And the scripted model is asked
      Then the scripted model's answers have 212 and 1015 characters, and end in '…"' and '…'

    Scenario: Nothing was asked
      Given the scripted model hears
        | from            | text              |
        | system          | Be kind.          |
      When the scripted model is asked
      Then the scripted model's answer is
        """
        Nothing was asked.
        """

    Scenario: A result whose call is gone
      Given the scripted model hears
        | from            | text              |
        | tool success c9 | Snow.             |
      When the scripted model is asked
      Then the scripted model's answer is
        """
        The tool returned: Snow.
        """

  Rule: In a run

    Scenario: A run of an actor with tools and a type to answer in
      When an actor of the provider "scripted" is asked for a report on "Oslo?"
      Then the report is "Oslo", after these messages
        | type  | text                               | calls                   |
        | human | Oslo?                              |                         |
        | ai    |                                    | look {"city": "Oslo"}   |
        | tool  | Snow in Oslo.                      |                         |
        | ai    | {"city": "Oslo", "warm": false}    |                         |

    Scenario: A type that nothing fits
      When an actor of the provider "scripted" is asked for what can't be
      Then the actor's run fails with "no value was found for the schema {'not': {}}"
