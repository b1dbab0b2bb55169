Feature: Answers as values
  The host asks for a type; the model is told its schema, the answer comes back validated, and an answer that does not
  fit is mended by passes that stand on the bill.

  Rule: What fits comes back as a value

    Scenario Outline: <kind> is read from <text>
      Given the actor's provider will answer with the text <text>
      When the actor is asked for "<kind>"
      Then the value is <value>
      And the response is the text <text>
      And 1 requests have arrived

      Examples:
        | kind       | text                                   | value                                  |
        | City       | {"name": "Paris", "rain": true}        | City(name='Paris', rain=True)          |
        | City       | ```json⏎{"name": "Oslo", "rain": false}⏎``` | City(name='Oslo', rain=False)     |
        | City       | Here:⏎```⏎{"name": "Rome", "rain": false}⏎```⏎Bye | City(name='Rome', rain=False) |
        | Point      | {"x": 1, "y": 2}                       | Point(x=1, y=2)                        |
        | Place      | {"name": "Paris"}                      | {'name': 'Paris'}                      |
        | int        | 42                                     | 42                                     |
        | list       | [1, 2, 3]                              | [1, 2, 3]                              |
        | optional   | null                                   | None                                   |
        | str        | just words                             | 'just words'                           |
        | day        | "2026-01-02"                           | datetime.date(2026, 1, 2)              |

    Scenario: The model is told the schema at the end of its system prompt
      Given the actor's keys {"system_prompt": "You know the weather."}
      And the actor's provider will answer with the text {"name": "Paris", "rain": true}
      When the actor is asked for "City"
      Then the system prompt begins with "You know the weather." and ends with the schema of "City"

    Scenario: A stream holds back until the answer fits
      Given the actor's provider will answer with the text no JSON
      And the actor's provider will answer with the text {"name": "Paris", "rain": true}
      And the runs' options {"streaming": "tokens"}
      When the actor is asked for "City" as a stream
      Then the stream has 1 texts
      And the value is City(name='Paris', rain=True)

    Scenario: Tools run first, and stay in the request of a repair
      Given the actor has the tools "get_weather"
      And the actor's provider will answer
        | text     | calls       | prompt | completion |
        |          | get_weather | 120    | 18         |
        | It rains |             | 170    | 12         |
      And the actor's provider will answer with the text {"name": "Paris", "rain": true}
      When the actor is asked for "City"
      Then the value is City(name='Paris', rain=True)
      And the bill equals the provider's ledger
      And the last request has the tools and forbids them
      And the new messages of the last run are "human ai tool ai"
      And the last message is the text {"name": "Paris", "rain": true}
      And its rows are
        | purpose | state   | round |
        | turn    | settled | 1     |
        | turn    | settled | 2     |
        | repair  | settled | 2     |

  Rule: What does not fit is mended, twice at most

    Scenario Outline: <text> is no City
      Given the actor's provider will answer with the text <text>
      And the actor's provider will answer with the text {"name": "Paris", "rain": true}
      When the actor is asked for "City"
      Then the value is City(name='Paris', rain=True)
      And the last request tells the model "<told>"
      And the bill equals the provider's ledger
      And 2 requests have arrived

      Examples:
        | text                              | told                          |
        | I do not know.                    | Invalid JSON                  |
        | {"name": "Paris"}                 | rain: Field required          |
        | {"name": "Paris", "rain": "true"} | rain: Input should be a valid |
        | {"name": 5, "rain": true}         | name: Input should be a valid |
        | [1]                               | Input should be an object     |

    Scenario: After two repairs the run fails, with the bill
      Given the actor's provider will answer
        | text    | prompt | completion |
        | one     | 30     | 1          |
        | two     | 40     | 1          |
        | three   | 50     | 1          |
      When the actor is asked for "City", and its ways to the bill are looked at
      Then the run fails with OutputError "City"
      And the bill's stop_reason is "error"
      And the bill has 120 prompt and 3 completion tokens
      And the bill equals the provider's ledger
      And every way to the bill shows it
      And its rows are
        | purpose | attempt |
        | turn    | 1       |
        | repair  | 1       |
        | repair  | 1       |
      And the history is valid

    Scenario Outline: A limit that refuses the repair says so: <limit>
      Given the runs' limits are <limit>
      And the actor's provider will answer
        | text | prompt | completion |
        | one  | 350    | 1          |
      When the actor is asked for "City", and its ways to the bill are looked at
      Then the run fails with OutputError "could not be repaired"
      And 1 requests have arrived
      And every way to the bill shows it

      Examples:
        | limit                  |
        | {"max_model_calls": 2} |
        | {"max_tokens": 400}    |

    Scenario: A provider's error in a repair leaves as it is
      Given the actor's provider will answer
        | text | prompt | completion | fault |
        | one  | 30     | 1          |       |
        |      |        |            | 400   |
      When the actor is asked for "City", and its ways to the bill are looked at
      Then the run fails with OpenAIInvalidRequestError
      And the bill has 30 prompt and 1 completion tokens
      And every way to the bill shows it

  Rule: A run that was not answered returns without a value

    Scenario: At a limit the wrap-up may fit or not
      Given the actor has the tools "get_weather"
      And the actor's keys {"tool_max_rounds": 0}
      And the actor's provider will answer
        | text | calls       | prompt | completion |
        |      | get_weather | 120    | 18         |
        | no   |             | 130    | 2          |
        | nor  |             | 140    | 2          |
        | this |             | 150    | 2          |
      When the actor is asked for "City"
      Then the bill's stop_reason is "max_rounds"
      And the value is None
      And the bill equals the provider's ledger

    Scenario: Aborted in a repair
      Given the actor's provider will answer
        | text | prompt | completion | held   |
        | one  | 30     | 1          |        |
        | two  | 40     | 1          | before |
      When the actor is asked for "City", and aborted in the call
      Then the bill's stop_reason is "aborted"
      And the value is None
      And its rows are
        | purpose | state      |
        | turn    | settled    |
        | repair  | unmeasured |

  Rule: Custom agents are held to it too

    Scenario Outline: A custom agent answers <answer>
      Given a custom agent that answers <answer>
      When the actor is asked for "int", and its ways to the bill are looked at
      Then it <comes>

      Examples:
        | answer | comes                    |
        | 7      | is worth 7 |
        | seven  | is refused as no int      |

    Scenario: The embedded provider finds the schema, whatever an agent's code puts behind it
      Given an agent of the embedded provider whose code says more behind the schema in its system prompt
      When the actor is asked for "int"
      Then the value is 0

    Scenario: The embedded provider answers in words where an agent's code has taken the schema away, and mends it
      Given an agent of the embedded provider whose code cuts off the schema in its system prompt
      When the actor is asked for "int"
      Then the value is 0
      And its rows are
        | purpose | state   |
        | turn    | settled |
        | repair  | settled |

    Scenario Outline: A type that cannot be validated is refused before anything is called: <kind>
      When the actor is asked for "<kind>"
      Then the run fails with TypeError "output_type"
      And 0 requests have arrived

      Examples:
        | kind     |
        | a number |
        | a type without schema |
