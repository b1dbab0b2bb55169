Feature: The scripted provider as a program
  python -m cleveractors.testing.provider serves a script from the command line, tells its port by a file, ends
  when it is told to, and leaves a report.

  Scenario Outline: It serves until it is told to stop: <how>
    Given the provider's program with --turn {"text":"Hello","prompt_tokens":5} --forever {"text":"Bye"} <option>
    When its client asks 3 times
    And the program is stopped by <how>
    Then the program has ended with 0, and said nothing
    And its client was answered "Hello", "Bye", "Bye"
    And the program's report has
      | at                       | is |
      | totals.requests          | 3  |
      | totals.prompt_tokens     | 21 |
      | totals.completion_tokens | 4  |
      | problems                 | [] |

    Examples:
      | how             | option      |
      | SIGTERM         |             |
      | SIGINT          |             |
      | SIGTERM         | --until-eof |
      | end of input    | --until-eof |

  Scenario: The report tells problems and time
    Given the provider's program with --api-key k
    When its client asks 1 times
    And the program is stopped by SIGTERM
    Then the program's report has
      | at                       | is |
      | totals.requests          | 1  |
      | totals.billed            | 0  |
      | problems                 | [] |
    And the program's report has CPU seconds

  Scenario: Turns have calls, wires and faults
    Given the provider's program, without a report, with --turn {"calls":[{"name":"f","arguments":{"a":1}}],"wire":{"close":true}} --turn {"fault":{"status":429,"retry_after":2}}
    When its client asks 2 times
    And the program is stopped by SIGTERM
    Then its client got the statuses 200, 429
    And its client was called for {"name": "f", "arguments": "{\"a\":1}"}

  Scenario Outline: A turn that is none is bad usage, and the error says why: <turn>
    When the provider's program is run with --turn <turn>
    Then it has ended with 2 and said "argument --turn: <why>"

    Examples:
      | turn                          | why                                                      |
      | {"text":                      | no turn: it is no JSON object                            |
      | [1]                           | no turn: it is no JSON object                            |
      | {"txt":"a"}                   | no turn: Turn.__init__() got an unexpected keyword       |
      | {"calls":[["f",{}]]}          | no turn:                                                 |
      | {"headers":"a"}               | no turn:                                                 |
      | {"wire":{"packet":0}}         | packet is a number of bytes >= 1, not 0                  |
      | {"fault":{"status":200}}      | the status of a fault is 400 to 599, not 200             |
      | {"hold_before":"gate"}        | hold_before is a Gate, not 'gate'                        |

  Scenario: A port that is taken ends it, and it says so
    Given a scripted provider with Turn("x")
    When the provider's program is run at the port of that provider
    Then it has ended with 1 and said "cleveractors.testing.provider: "

  Scenario: A blank key ends it, and it says so
    When the provider's program is run with --api-key \u0020
    Then it has ended with 1 and said "api_key is blank"

  Scenario: An input that is closed is one that ends
    Given the provider's program, whose input is closed, with --until-eof
    Then the program has ended with 0, and said nothing
