Feature: Trouble in tools is an answer to the model

  A tool that fails, hangs or is called wrongly costs its own call; the model reads what was wrong and goes on. Each
  call gets exactly one result, in the order asked.

  Rule: What goes wrong in a tool is told to the model

    Scenario Outline: A tool that <does>
      Given a loop with the tools "<tool>"
      And the loop's settings {"tool_timeout": 5}
      And the provider will answer the loop
        | says  | calls  |
        |       | <tool> |
        | Done. |        |
      When the loop is asked "Go"
      Then the loop ends with "completed"
      And the loop's tool results are
        | status | says   |
        | error  | <says> |

      Examples:
        | tool      | does                                | says                                           |
        | fails     | raises                              | tool fails failed: ValueError: out of paper    |
        | asks      | asks for another try                | give a city in France                          |
        | cancels   | raises a cancellation of its own    | the tool was cancelled by itself               |
        | impatient | gives up by its own clock           | tool impatient failed: TimeoutError            |
        | brief     | hangs, and has a clock of its own   | tool brief did not answer within 0.05 s        |

    Scenario: A tool that hangs
      Given a loop with the tools "hangs"
      And the loop's settings {"tool_timeout": 0.05}
      And the provider will answer the loop
        | says  | calls |
        |       | hangs |
        | Done. |       |
      When the loop is asked "Go"
      Then the loop's tool results are
        | status | says                                    |
        | error  | tool hangs did not answer within 0.05 s |

    Scenario: A text without end is cut
      Given a loop with the tools "rants"
      And the provider will answer the loop
        | says  | calls                                     |
        |       | rants {"way": "fails"} & rants {"way": "asks"} |
        | Done. |                                           |
      When the loop is asked "Go"
      Then every tool result of the loop has at most 2100 characters

  Rule: Calls that can't be run are not run

    Scenario Outline: <what>
      Given a loop with the tools "echo, needs"
      And the provider will answer the loop
        | says  | calls  |
        |       | <call> |
        | Done. |        |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop ends with "completed"
      And the loop's tools did nothing
      And the loop's tool results are
        | status | says   |
        | error  | <says> |

      Examples: in a blocking call
        | what                             | kind   | call                         | says                                                            |
        | An unknown tool                  | answer | shout                        | there is no tool 'shout'; the tools are echo and needs          |
        | Arguments that are not JSON      | answer | echo {"text": "a             | not run: the arguments are not valid JSON…                      |
        | Two objects for one              | answer | echo {"text": "a"}{}         | not run: the arguments are not valid JSON…                      |
        | A list for an object             | answer | echo ["a"]                   | not run: the arguments are a JSON array, not an object…         |
        | A number for an object           | answer | echo 5                       | not run: the arguments are a JSON number, not an object…        |
        | A text for an object             | answer | echo "a"                     | not run: the arguments are a JSON string, not an object…        |
        | null for an object               | answer | echo null                    | not run: the arguments are a JSON null, not an object…          |
        | Arguments of the wrong type      | answer | echo {"text": [1]}           | invalid arguments for echo: …                                   |
        | Nothing where a city is required | answer | needs nothing                | invalid arguments for needs: …                                  |
        | {} where a city is required      | answer | needs {}                     | invalid arguments for needs: …                                  |

      Examples: in a stream
        | what                             | kind   | call                         | says                                                            |
        | Arguments that are not JSON      | tokens | echo {"text": "a             | not run: the arguments are not valid JSON…                      |
        | Two objects for one              | tokens | echo {"text": "a"}{}         | not run: the arguments are not valid JSON…                      |
        | A list for an object             | tokens | echo ["a"]                   | not run: the arguments are a JSON array, not an object…         |
        | null for an object               | tokens | echo null                    | not run: the arguments are a JSON null, not an object…          |
        | Nothing where a city is required | tokens | needs nothing                | invalid arguments for needs: …                                  |

    Scenario Outline: Nothing is enough where nothing is required, <kind>
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says  | calls        |
        |       | echo nothing |
        | Done. |              |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop's tool results are
        | status  | says |
        | success | echo |

      Examples:
        | kind   |
        | answer |
        | tokens |

    Scenario: What could not be read is shown to the model, in bounds
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says  | calls           |
        |       | echo {"text": a |
        | Done. |                 |
      When the loop is asked "Go"
      Then the last request of the loop holds "the arguments were: {\"text\": a"

    Scenario Outline: A response that the provider cut (<finish>) has calls that may be incomplete
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says  | calls       | finish   |
        |       | echo & echo | <finish> |
        | Done. |             |          |
      When the loop is asked "Go"
      Then the loop ends with "completed"
      And the loop's tools did nothing
      And the loop's tool results are
        | status | says                                    |
        | error  | not run: the provider cut the response… |
        | error  | not run: the provider cut the response… |
      And the loop's result has
        | field      | value |
        | rounds     | 1     |
        | tool_calls | 0     |

      Examples:
        | finish         |
        | length         |
        | max_tokens     |
        | content_filter |

    Scenario Outline: Arguments of <levels> nested lists, in a stream of <kind>
      Given a loop with the tools "echo"
      And the provider asks the loop for echo with <levels> nested lists, then says "Done."
      When the loop is asked "Go" as a stream of <kind>
      Then the loop ends with "completed"
      And the loop's tools did nothing
      And the loop's tool results are
        | status | says   |
        | error  | <says> |

      Examples:
        | levels | kind   | says                                     |
        | 50     | answer | invalid arguments for echo: …            |
        | 50     | tokens | invalid arguments for echo: …            |
        | 900    | answer | not run: the arguments are nested too deeply… |
        | 900    | tokens | not run: the arguments are nested too deeply… |
        | 100000 | answer | not run: the arguments are…              |
        | 100000 | tokens | not run: the arguments are…              |

    Scenario Outline: A name that no tool can have (<name>), in a stream of <kind>
      Given a loop with the tools "echo"
      And the provider accepts only names of tools in the loop's histories
      And the provider will answer the loop
        | says  | calls           |
        |       | <name> & echo   |
        | Done. |                 |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop ends with "completed"
      And the loop's tool results are
        | status  | says                                                   |
        | error   | not run: there is no tool '<name>'; the tools are echo…|
        | success | echo                                                   |

      Examples:
        | name                    | kind   |
        | multi_tool_use.parallel | answer |
        | multi_tool_use.parallel | tokens |
        | functions.echo          | answer |
        | écho!                   | answer |

    Scenario Outline: Half a character, which no request can carry, in a stream of <kind>
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says     | calls                  |
        | \ud83d   | echo {"text": "\ud83d"} |
        | Done.    |                        |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop ends with "completed"
      And the loop's tools did
        | what   |
        | echo � |

      Examples:
        | kind   |
        | answer |
        | tokens |

    Scenario: A tool that may be used twice
      Given a loop with the tools "rare"
      And the provider will answer the loop
        | says  | calls              |
        |       | rare {" & rare     |
        |       | rare & rare & rare |
        | Done. |                    |
      When the loop is asked "Go"
      Then the loop's tool results are
        | status  | says                                                             |
        | error   | not run: the arguments are not valid JSON…                       |
        | success | used                                                             |
        | success | used                                                             |
        | error   | not run: rare may be used 2 times in a run; the arguments were: {}        |
        | error   | not run: rare may be used 2 times in a run; the arguments were: {}        |

  Rule: Ids pair calls and results

    Scenario Outline: Ids that are <what>
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says  | calls   |
        |       | <first> |
        |       | <then>  |
        | Done. |         |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop ends with "completed"
      And the loop's tool results are
        | status  | says |
        | success | a    |
        | success | b    |
        | success | c    |

      Examples:
        | what                          | kind   | first                                       | then                   |
        | missing                       | answer | echo# {"text": "a"} & echo# {"text": "b"}   | echo# {"text": "c"}    |
        | missing, in a stream          | tokens | echo# {"text": "a"} & echo# {"text": "b"}   | echo# {"text": "c"}    |
        | the same in one response      | answer | echo#x {"text": "a"} & echo#x {"text": "b"} | echo {"text": "c"}     |
        | the same in one streamed response | tokens | echo#x {"text": "a"} & echo#x {"text": "b"} | echo {"text": "c"} |
        | the same in two responses     | answer | echo#x {"text": "a"} & echo#y {"text": "b"} | echo#x {"text": "c"}   |
        | the same in two streamed responses | tokens | echo#x {"text": "a"} & echo#y {"text": "b"} | echo#x {"text": "c"} |

    Scenario Outline: An id that a good call shares with a broken one, in a stream of <kind>
      Given a loop with the tools "echo"
      And the provider will answer the loop
        | says  | calls                                                           |
        |       | echo#x {" & echo#x {"text": "a"} & echo#y [] & echo {"text": "b"} |
        | Done. |                                                                 |
      When the loop is asked "Go" as a stream of <kind>
      Then the loop's tool results are
        | status  | says       |
        | error   | not run: … |
        | success | a          |
        | error   | not run: … |
        | success | b          |

      Examples:
        | kind   |
        | answer |
        | tokens |

    Scenario: Ids that the history has already
      Given a loop with the tools "echo"
      And the loop's history has the call "x"
      And the provider will answer the loop
        | says  | calls                |
        |       | echo#x {"text": "a"} |
        | Done. |                      |
      When the loop is asked "Go"
      Then the loop's tool results are
        | status  | says |
        | success | a    |

  Rule: Calls stand side by side

    Scenario Outline: One of three calls <does>
      Given a loop with the tools "waits, lets_go, <tool>"
      And the loop's settings {"tool_timeout": 0.3}
      And the provider will answer the loop
        | says  | calls                    |
        |       | <tool> & waits & lets_go |
        | Done. |                          |
      When the loop is asked "Go"
      Then the loop ends with "completed"
      And the loop's tool results are
        | status  | says    |
        | error   | <says>… |
        | success | went on |
        | success | let go  |

      Examples:
        | does                             | tool    | says                              |
        | fails                            | fails   | tool fails failed                 |
        | hangs                            | hangs   | tool hangs did not answer         |
        | raises a cancellation of its own | cancels | the tool was cancelled by itself  |

    Scenario Outline: A tool that ends the run lets the calls beside it finish
      Given a loop with the tools "waits, lets_go, <tool>"
      And the provider will answer the loop
        | calls                    |
        | <tool> & waits & lets_go |
      When the loop is asked "Go"
      Then the loop fails with <error> "<text>"
      And the loop's tools did
        | what          |
        | lets_go       |
        | waits went on |
      And the loop's tool results are
        | status  | says                 |
        | error   | <error>: <text>      |
        | success | went on              |
        | success | let go               |

      Examples:
        | tool   | error              | text                      |
        | fatal  | FatalToolError     | the database is gone      |
        | misled | ConfigurationError | no database is configured |

    Scenario: Two tools end the run at once
      Given a loop with the tools "fatal, misled"
      And the provider will answer the loop
        | calls          |
        | fatal & misled |
      When the loop is asked "Go"
      Then the loop fails with FatalToolError "the database is gone"
      And the loop's tool results are
        | status | says                      |
        | error  | FatalToolError: …         |
        | error  | ConfigurationError: …     |

    Scenario: Results come in the order asked, not in that of their arrival
      Given a loop with the tools "waits, echo, lets_go"
      And the provider will answer the loop
        | says  | calls                                     |
        |       | waits & echo {"text": "second"} & lets_go |
        | Done. |                                           |
      When the loop is asked "Go"
      Then the loop's tools did
        | what          |
        | echo second   |
        | lets_go       |
        | waits went on |
      And the loop's tool results are
        | status  | says    |
        | success | went on |
        | success | second  |
        | success | let go  |

    Scenario Outline: Of twelve calls at most <most> run at a time
      Given a loop with the tools "crowd"
      And the loop's settings {"max_parallel_tools": <most>}
      And the provider will answer the loop
        | says  | calls                                                                                                 |
        |       | crowd & crowd & crowd & crowd & crowd & crowd & crowd & crowd & crowd & crowd & crowd & crowd         |
        | Done. |                                                                                                       |
      When the loop is asked "Go"
      Then the loop's tools were at most <most> at a time
      And the loop's result has
        | field      | value |
        | tool_calls | 12    |

      Examples:
        | most |
        | 1    |
        | 3    |
        | 12   |

  Rule: What a tool returns

    Scenario Outline: A tool that returns <kind>
      Given a loop with the tools "gives"
      And the provider will answer the loop
        | says  | calls                    |
        |       | gives {"kind": "<kind>"} |
        | Done. |                          |
      When the loop is asked "Go"
      Then the loop's tool results are
        | status  | says   |
        | success | <says> |

      Examples:
        | kind    | says                          |
        | number  | 5                             |
        | nothing | null                          |
        | list    | [1, "a"]                      |
        | mapping | {"city": "Paris"}             |
        | model   | {"city":"Paris","rooms":3}    |
        | blocks  | seen                          |
        | error   | ValueError: bad               |

    Scenario: A sync tool runs in a thread and sees the caller's context
      Given a loop with the tools "threaded"
      And the label of the loop's caller is "blue"
      And the provider will answer the loop
        | says  | calls    |
        |       | threaded |
        | Done. |          |
      When the loop is asked "Go"
      Then the loop's tool results are
        | status  | says                 |
        | success | a thread, label blue |

    Scenario: Nothing and calls that are not run cost no tool call beyond the limit
      Given a loop with the tools "echo"
      And the loop's limits {"max_tool_calls": 2}
      And the provider will answer the loop
        | says  | calls          |
        |       | shout & echo { |
        |       | echo           |
        | Done. |                |
      When the loop is asked "Go"
      Then the loop ends with "tool_calls"
      And the loop's tools did nothing
