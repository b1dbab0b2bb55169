Feature: Reading a part of the events, and watching all of them

  A host takes what it wants of a stream, or has functions watch it; neither leaks a run, nor can it hurt one.

  Background:
    Given a stream of
      | event                               | agent |
      | ReactStartEvent()                   | entry |
      | CustomEvent("progress", {"done": 1}) | entry |
      | ReactIterationStartEvent(1)         | entry |
      | ReactEndEvent([], "hi")             | entry |
      | ResponseYield("hi", [])             |       |

  Scenario Outline: A part of a stream: <filter>
    When the stream is read through <filter>
    Then the outputs are <outputs>

    Examples:
      | filter                                               | outputs                     |
      | responses_only                                       | response                    |
      | events_only                                          | 1, 2, 3, 4                  |
      | filter_events, CustomEvent, ReactEndEvent            | 2, 4                        |
      | filter_events, ReActEventType.REACT_START            | 1                           |
      | filter_events, lambda output: output.origin.event_seq > 2 | 3, 4                   |
      | filter_events                                        | none                        |

  Scenario Outline: What can't be wanted: <wanted>
    When the stream is filtered for <wanted>
    Then filtering fails with "found"

    Examples:
      | wanted  |
      | "start" |
      | int     |

  Scenario Outline: Closing a filter closes the stream: <way>
    When a filter is read once and <way>
    Then the run is closed, and no task is left

    Examples:
      | way                  |
      | closed               |
      | its predicate raises |

  Scenario Outline: An observer that is <kind> hears of all events in order
    When the stream is read with an observer that is <kind>
    Then 5 outputs were read, and the observer heard of [1, 2, 3, 4]

    Examples:
      | kind      |
      | sync      |
      | async     |
      | answering |

  Scenario Outline: An observer that is <kind> is logged once, and hears on
    When the stream is read with an observer that is <kind>
    Then 5 outputs were read, and the observer heard of [1, 2, 3, 4]
    And 1 error of an observer was logged

    Examples:
      | kind         |
      | raising      |
      | raising sync |

  Scenario: An observer that hangs holds nothing up
    When the stream is read with an observer that is hanging
    Then 5 outputs were read, and the observer heard of [1]

  Scenario: A stream that is left early is closed, and its observer hears of what was read
    When the stream is left after 2 outputs, with an observer that is async
    Then the observer heard of [1, 2]

  Scenario: An observer that is behind loses the oldest events, never the end
    When an observer that is async is notified of 10,005 events at once
    Then it heard of 10,000 events, the last of them 10,005
    And 1 error of an observer was logged

  Scenario: After the drain nothing is told
    When an observer that is sync is drained before it is notified
    Then the observer heard of []

  Scenario: A drain that is cancelled leaves no task
    When the drain of an observer that is hanging is cancelled
    Then the observer heard of [1]
