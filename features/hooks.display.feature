Feature: Messages as they appear

  A host that shows or speaks text while it streams is given all text of an attempt so far, at most five times a second,
  and the last of it in any case but a cancellation. A hook that hangs delays a run by one wait in total.

  Rule: Text is shown at the leading edge of 200 ms

    Scenario: One step at a time
      Then chunks flush like this
        | at    | chunk | shown  |
        | 0     | "a"   |        |
        | 0.05  | "b"   |        |
        | 0.199 | "c"   |        |
        | 0.2   | "d"   | abcd   |
        | 0.5   | ""    |        |
        | 0.5   | "e"   | abcde  |
        | 0.6   | "f"   |        |

    Scenario: The end shows all of it, whatever the time
      When this happens to a message
        """
        0 start
        0 text Hel
        0.1 text lo
        0.1 close complete
        0.1 close complete
        9 text late
        """
      Then this was shown
        | attempt | seq | text  | final | outcome  |
        | 1       | 1   | Hello | yes   | complete |

  Rule: A slow hook gets the newest, and the end at once

    Scenario: Five texts are due while one is on its way
      Given a display hook that takes its time
      When this happens to a message
        """
        0 start
        1 text a
        2 text b
        3 text c
        4 text d
        5 text e
        6 release
        """
      Then this was shown
        | seq | text  | final |
        | 1   | a     |       |
        | 5   | abcde |       |

    Scenario: The last text does not wait for one that hangs
      Given a display hook that takes its time
      When this happens to a message
        """
        0 start
        1 text a
        2 text b
        2 close complete
        2 release
        """
      Then this was shown
        | seq | text | final |
        | 1   | a    |       |
        | 3   | ab   | yes   |

  Rule: An attempt begins anew, the message stays the same

    Scenario: The text of an attempt that failed is in no later payload
      When this happens to a message
        """
        0 start
        1 text Hel
        2 start
        3 text Hello
        3 close complete
        """
      Then this was shown
        | attempt | seq | text  | final |
        | 1       | 1   | Hel   |       |
        | 2       | 2   | Hello |       |
        | 2       | 3   | Hello | yes   |
      And there were 1 messages

    Scenario: What waits its turn when the attempt begins anew is never shown
      Given a display hook that takes its time
      When this happens to a message
        """
        0 start
        1 text a
        2 text b
        3 start
        3 release
        4 close error
        """
      Then this was shown
        | attempt | text | final | outcome |
        | 1       | a    |       |         |
        | 2       |      | yes   | error   |

    Scenario: The time window begins anew too
      When this happens to a message
        """
        0 start
        1 start
        1.1 text a
        1.25 text b
        """
      Then this was shown
        | text |
        | ab   |

  Rule: Nothing is shown of nothing

    Scenario Outline: A message without text
      When this happens to a message
        """
        0 start
        <event>
        2 close complete
        """
      Then nothing was shown

      Examples:
        | event         |
        | 1 text        |
        | 1 blank       |
        | 1 start       |

    Scenario: Text that never was due of an attempt that failed
      When this happens to a message
        """
        0 start
        0 text a
        1 start
        1 close error
        """
      Then nothing was shown

  Rule: A cancellation shows nothing more

    Scenario: Cancelled while one is on its way and another waits
      Given a display hook that takes its time
      When this happens to a message
        """
        0 start
        1 text a
        2 text b
        2 cancel
        3 release
        3 text c
        4 close complete
        """
      Then this was shown
        | text | final |
        | a    |       |
      And 0 deliveries are on their way

    Scenario: A wait that is cancelled leaves the last payload on its way
      Given a display hook that takes its time
      When this happens to a message
        """
        0 start
        1 text a
        1 close complete
        """
      And the wait is cancelled
      Then the wait is over
      And 2 deliveries are on their way
      And this was shown
        | text | final |
        | a    |       |
        | a    | yes   |

  Rule: One wait for all messages of a run

    Scenario: Ten messages, and a hook that hangs
      Given a wait of at most 0.2 s for all messages
      And a display hook that takes its time
      When 10 messages are shown, each awaited, to a hook that hangs
      Then it took less than 0.5 s
      And there were 10 messages
      And the log says once "the run goes on without"

    Scenario: Several wait for the same end
      Given a wait of at most 0.2 s for all messages
      And a display hook that takes its time
      When this happens to a message
        """
        0 start
        0 text a
        0 close complete
        """
      And the end is awaited 5 times at once
      And the end is awaited 1 times at once
      Then it took less than 0.3 s
      And the log says once "the run goes on without"
      And this was shown
        | text | final |
        | a    | yes   |

  Rule: Model calls are messages

    Scenario: Two attempts of one call, thoughts, then a call that only calls tools
      Given the hooks
        | event           | hook | does   |
        | message_display | show | passes |
      When the model calls go like this
        """
        start 1
        text Hel
        fail connection lost
        start 1
        thought Let me see.
        text Hello
        end stop
        start 2
        end tool_calls
        start 3
        text Bye
        end length
        """
      Then the display hook was shown
        | attempt | text  | final | outcome   |
        | 2       | Hello | yes   | complete  |
        | 1       | Bye   | yes   | truncated |
      And there were 2 messages

    Scenario Outline: A call that ends in no answer
      Given the hooks
        | event           | hook | does   |
        | message_display | show | passes |
      When the model calls go like this
        """
        start 1
        text Hel
        over <ending>
        """
      Then the display hook was shown
        | attempt | text | final | outcome   |
        | 1       | Hel  | yes   | <outcome> |

      Examples:
        | ending  | outcome |
        | error   | error   |
        | aborted | aborted |

    Scenario: A call that is cancelled
      Given the hooks
        | event           | hook | does   |
        | message_display | show | passes |
      When the model calls go like this
        """
        start 1
        text Hel
        over cancelled
        """
      Then nothing was shown

    Scenario: A hook that fails costs nothing, and is told to the log once
      Given the hooks
        | event           | hook | does          |
        | message_display | show | raises broken |
      When the model calls go like this
        """
        start 1
        text Hello
        end stop
        start 2
        text Bye
        end stop
        """
      Then there were 2 messages
      And the log says once "hook show on message_display failed (raised): RuntimeError: broken"

    Scenario: Requests are told to functions
      Given the hooks
        | event             | hook   | does   |
        | pre_api_request   | before | passes |
        | post_api_request  | after  | passes |
        | api_request_error | error  | passes |
      When the model calls go like this
        """
        start 1
        fail connection lost
        start 1
        end stop
        """
      Then the hooks were called in this order: "before error before after"
