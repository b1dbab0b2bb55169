Feature: Sessions as objects
  A host that serves a conversation for longer than one run holds it as an object.

  Rule: executor.session(id)

    Scenario Outline: It goes on from run to run, also without a store: <store>
      Given the actor keeps sessions in <store>
      And the actor's provider answers everything
      When a session object is asked by execute, execute_stream and execute_events
      Then the provider was sent 1, then 3, then 5 messages
      And its messages() are 6 messages

      Examples:
        | store   |
        | nothing |
        | sqlite  |

    Scenario: Entered, it holds the turn
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When another run is asked for while a session object is entered, and asked twice
      Then the histories that they began with have 0, 2, 4 messages

    Scenario: Two runs of one object take turns
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When an entered session object is asked 3 times at once
      Then the histories that they began with have 0, 2, 4 messages

    Scenario: Left while a stream of its own is open, it hands the turn on when that ends
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When an entered session object is left with a begun stream, and another run is asked for
      Then the other run began when the stream had ended

    Scenario: To enter it, the turn is waited for so long at most
      Given the actor keeps sessions in memory
      When a session is entered twice, the second time for 0.01 s
      Then the waiting run fails with ExecutorBusyError: "session 's1' is busy"

    Scenario Outline: Misuse is refused: <misuse>
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When a session object is <misuse>
      Then the session's run is refused with "<text>"

      Examples:
        | misuse                    | text                                    |
        | asked after it was closed | is closed: ask the executor for another |
        | entered twice             | was entered before                      |
        | asked for another session | it can't run with session_id='s2'       |
        | given a history           | not both                                |

    Scenario: It says what it is
      When a session object is closed twice
      Then it was shown as open, held and closed

  Rule: executor.end_session(id)

    Scenario: A session in the executor's memory is forgotten
      Given the actor's provider answers everything
      When a session object is asked, its session is ended, and it is asked again
      Then the provider was sent 1, then 1 messages

    Scenario: A host's store keeps its messages
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When a session object is asked, its session is ended, and it is asked again
      Then the provider was sent 1, then 3 messages

    Scenario: It waits for the run that runs
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | held   | prompt | completion |
        | Yes. | before | 10     | 2          |
      When a session is ended while its run runs
      Then the session has ended after its run
