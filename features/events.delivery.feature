Feature: The event stream waits for its reader, within bounds

  Scenario: A slow reader holds the tool back, never its clock
    Given the event stream of an agent with the tools "spam"
    And the event stream's agent has {"tool_timeout": 1.5}
    And the event stream's run may {"timeout": 2}
    And the event stream's model says
      | text  | calls                 |
      |       | spam({"count": 1000}) |
      | Done. |                       |
    When the event stream is read by one who stops for 3 s of the loop's time after 100 events
    Then the event stream's bill says "completed"
    And the event stream never held more than 300 events
    And the event stream's tool took less than 1.5 s

  Scenario: So it is with a tool that tells two things at once
    Given the event stream of an agent with the tools "spam_both"
    And the event stream's agent has {"tool_timeout": 1.5}
    And the event stream's model says
      | text  | calls                      |
      |       | spam_both({"count": 1000}) |
      | Done. |                            |
    When the event stream is read by one who stops for 3 s of the loop's time after 100 events
    Then the event stream's bill says "completed"
    And the event stream never held more than 300 events
    And the event stream's tool took less than 1.5 s

  Scenario: A reader that has taken nothing finds all of a large round
    Given the event stream of an agent whose model calls "look" 300 times at once
    When the event stream is read by one who lets the run go as far as it can after 1 event
    Then the event stream's bill says "completed"

  Scenario: A slow reader does not take the time of a tool beside the one that waits
    Given the event stream of an agent with the tools "spam, hang"
    And the event stream's agent has {"tool_timeout": 60}
    And the event stream's run may {"timeout": 2}
    And the event stream's model says
      | text  | calls                         |
      |       | spam({"count": 1000}); hang() |
      | Done. |                               |
    When the event stream is read by one who stops for 3 s of the loop's time after 100 events
    Then the event stream's bill says "timeout"
    And the event stream's spam was all told

  Scenario Outline: A reader that stalls is taken for gone: <policy>
    Given the event stream of an agent with the tools "spam"
    And the event stream's executor has {"stall_timeout": 0.05}
    And the event stream's model says
      | text  | calls                 |
      |       | spam({"count": 1000}) |
      | Done. |                       |
    When the event stream's reader stalls after 1 event, with on_disconnect <policy>
    Then the event stream's run ends as "<reason>", its bill delivered while nobody reads
    And the event stream's reader that comes back finds <found>

    Examples:
      | policy | reason    | found                              |
      | cancel | aborted   | the rest in order, and the end     |
      | finish | completed | nothing, and a detached run        |
      | 60     | completed | nothing, and a detached run        |

  Scenario: An abort ends a run whose reader is behind, without waiting for it
    Given the event stream of an agent with the tools "spam"
    And the event stream's model says
      | text  | calls                 |
      |       | spam({"count": 1000}) |
      | Done. |                       |
    When the event stream's run is aborted while its reader is behind
    Then the event stream's run ends as "aborted", its bill delivered while nobody reads
    And the event stream's reader that comes back finds the rest in order, and the end

  Scenario: A thread that tells more than is read waits too
    Given the event stream of an agent whose sync tool tells 1000 steps
    When the event stream is read by one who stops for 1 s of the loop's time after 100 events
    Then the event stream's bill says "completed"
    And the event stream never held more than 300 events
    And the event stream's spam was all told

  Scenario: A thread that waits for long looks now and then whether there still is a run
    Given the event stream of an agent whose sync tool tells 1000 steps
    And the event stream's threads look every 0.001 s whether there still is a loop
    When the event stream is read by one who stops for 1 s of the loop's time after 100 events
    Then the event stream's bill says "completed"
    And the event stream's spam was all told

  Scenario Outline: An observer that <way> never touches the run
    Given the event stream of an agent with the tools "look"
    And the event stream has an observer that <way>
    And the event stream's model says
      | text   | calls                 |
      |        | look({"word": "sun"}) |
      | It is. |                       |
    When the event stream is read streamed
    Then the event stream's bill says "completed"

    Examples:
      | way    |
      | raises |
      | hangs  |

  Scenario Outline: Observers hear of runs of every face: <face>
    Given the event stream of an agent with the tools "look"
    And the event stream has an observer too
    And the event stream's model says
      | text   | calls                 |
      |        | look({"word": "sun"}) |
      | It is. |                       |
    When the event stream's agent is asked by <face>
    Then the event stream's observer has heard a whole run of 14 rows

    Examples:
      | face           |
      | execute        |
      | execute_stream |
      | execute_sync   |

  Scenario: An observer hears of an agent of the host's own that streams
    Given the event stream of an agent of the host's own that streams
    And the event stream has an observer too
    When the event stream's agent is asked by execute_stream
    Then the event stream's observer has heard a whole run of 2 rows

  Scenario: Without a listener no event is built
    Given the event stream of an agent with the tools "look, tell"
    And the event stream's model says
      | text   | calls                         |
      |        | look({"word": "sun"}); tell() |
      | It is. |                               |
    When the event stream's agent is asked without a listener, and events are counted
    Then the event stream has counted nothing but what its tools made

  Scenario: 1,000 event streams at once
    Given the event stream of an agent with the tools "look"
    When 1000 event streams of two rounds are read at once
    Then every event stream of them was whole, with a bill of its own
