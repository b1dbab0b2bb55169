Feature: Histories can always be sent again

  A conversation must not be lost because a run was cut: every call in a history has its one result right behind it,
  whoever ended the run and at whichever await. The checker is strict, and shares no code with the library.

  Scenario Outline: After a run that <ends>, the next one goes on
    Given a loop with the tools "echo, waits, hangs, aborts"
    And the loop's settings {"tool_max_rounds": 2, "max_repeated_calls": 2, "retry": {"attempts": 1}}
    And the loop's limits <limits>
    And the provider will answer the loop
      | says   | calls   | fault   | finish   | times   |
      |        | echo    |         |          |         |
      | <says> | <calls> | <fault> | <finish> | <times> |
    When the loop, asked "First", ends with "<reason>"
    Given the provider will answer the loop
      | says   |
      | Again. |
    When the loop is asked "Second" with the history that it left
    Then the loop ends with "completed"
    And the loop answers "Again."
    And the loop's result has
      | field   | value |
      | repairs | []    |

    Examples:
      | ends                              | limits                 | says | calls                       | fault | finish | times | reason         |
      | was answered                      | {}                     | Yes. |                             |       |        |       | completed      |
      | was cut                           | {}                     | Ye   |                             |       | length |       | length         |
      | was cut before it said anything   | {}                     |      |                             |       | length |       | length         |
      | was filtered                      | {}                     |      |                             |       | content_filter | | refused      |
      | said nothing                      | {}                     |      |                             |       |        | 2     | tool_only      |
      | repeated itself                   | {}                     |      | echo                        |       |        | 2     | repeated_calls |
      | had too many rounds               | {}                     |      | echo {"text": "b"} & echo   |       |        | 3     | max_rounds     |
      | had too many model calls          | {"max_model_calls": 3} |      | echo {"text": "b"}          |       |        | 2     | model_calls    |
      | had too many tool calls           | {"max_tool_calls": 2}  |      | echo {"text": "b"} & echo   |       |        | 2     | tool_calls     |
      | ran out of time in a tool         | {"timeout": 0.5}       |      | hangs & echo                |       |        |       | timeout        |
      | was aborted by a tool             | {}                     |      | aborts & echo               |       |        |       | aborted        |
      | had a broken call at its end      | {"max_model_calls": 3} |      | echo {" & echo#x & echo#x   |       |        | 2     | model_calls    |
      | was rejected                      | {}                     |      |                             | 400   |        |       | error          |
      | lost its connection               | {}                     |      |                             | drop  |        |       | error          |

  Scenario: A history goes through JSON and comes back
    Given a loop with the tools "echo"
    And the provider will answer the loop
      | says          | calls                           |
      | Let me look.  | echo {"text": "é"} & echo {"    |
      | Yes.          |                                 |
      | Again.        |                                 |
    When the loop is asked "First"
    And the loop is asked "Second" with the history that it left, through JSON
    Then the loop's result has
      | field   | value |
      | repairs | []    |

  Scenario: At every await of the loop its list is a valid history
    Then in a run of the loop the list is a valid history at every step, and only grows

  Scenario: Cancelled at any await
    Then wherever a run of the loop is cancelled, in 60 draws, its list is a valid history

  Scenario: Aborted at any await
    Then wherever a run of the loop is aborted, in 60 draws, its list is a valid history
