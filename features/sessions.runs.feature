Feature: Runs in a session
  A host gives an executor a place for conversations, and every run with a session's id goes on from the last one.

  Rule: A run loads, answers and appends

    Scenario Outline: By whichever face: <face>
      Given the actor keeps sessions in <store>
      And the actor's provider answers everything
      When the session is asked twice by <face>
      Then the provider was sent 1, then 3 messages
      And session "s1" holds 4 messages
      And the last bill has 4 messages, of which 2 are new

      Examples:
        | face           | store  |
        | execute        | memory |
        | execute        | sqlite |
        | execute_stream | memory |
        | execute_stream | sqlite |
        | execute_events | memory |
        | execute_sync   | sqlite |
        | a token stream | sqlite |

    Scenario: Another executor on the same file goes on where the first one stopped
      Given the actor keeps sessions in sqlite
      And the actor's provider answers everything
      When the session is asked, and asked by another executor on the same file
      Then the provider was sent 1, then 3 messages

    Scenario: Nothing of a credential is stored
      Given the actor keeps sessions in sqlite
      And the actor's provider answers everything
      When the session is asked twice by execute
      Then the file of the sessions does not hold the actor's key

    Scenario: A session id is a label where no store is
      Given the actor's provider answers everything
      When the session is asked twice by execute
      Then the provider was sent 1, then 1 messages

    Scenario: A history beside a stored session is refused
      Given the actor keeps sessions in memory
      When the session is asked with a history of the host's
      Then the session's run is refused with "give `history` or a stored session, not both"

    Scenario: What is no store is refused
      When an executor is made with sessions that are none
      Then the session's run is refused with "sessions must be a session store, with the methods load and append"

    Scenario: The first run knows that the session begins
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      When the session is asked twice, and its runs are looked at
      Then their sessions began: true, false

    Scenario: An agent's file says how much is sent
      Given the actor keeps sessions in memory
      And the actor's keys {"history": {"keep_last": 2}}
      And the actor's provider answers everything
      When the session is asked 4 times
      Then the last request had 5 messages
      And session "s1" holds 8 messages

  Rule: What is stored depends on the ending

    Scenario Outline: An ending that returns is stored: <ending>
      Given the actor keeps sessions in memory
      And the actor's provider leads to "<ending>"
      When the session is asked once
      Then the session's run ended with "<ending>"
      And the session holds the bill's messages, and they are valid

      Examples:
        | ending       |
        | completed    |
        | length       |
        | refused      |
        | max_rounds   |
        | model_calls  |
        | token_budget |
        | tool_only    |
        | timeout      |

    Scenario Outline: So is what was said until <ending>
      Given the actor keeps sessions in memory
      And the actor has the tools "get_weather"
      And the actor's provider will answer
        | text | calls       | held   | prompt | completion |
        |      | get_weather |        | 10     | 2          |
        | No.  |             | before | 10     | 2          |
      When the session is asked by <face>, and it is <left> at the second call
      Then the session's run ended with "<ending>"
      And session "s1" holds <count> messages, and they are valid

      Examples:
        | ending    | face           | left      | count |
        | aborted   | execute        | aborted   | 4     |
        | cancelled | execute        | cancelled | 3     |
        | cancelled | execute_events | cancelled | 3     |
        | cancelled | execute_stream | cancelled | 3     |

    Scenario: An error stores nothing
      Given the actor keeps sessions in memory
      And the actor has the tools "get_weather"
      And the actor's provider will answer
        | text | calls       | fault | prompt | completion |
        |      | get_weather |       | 10     | 2          |
        |      |             | 400   |        |            |
      When the session is asked once
      Then the session's run failed with OpenAIInvalidRequestError
      And session "s1" holds 0 messages

    Scenario: A cancellation does not end the append
      Given the actor keeps sessions in a store that waits
      And the actor's provider answers everything
      When the session is asked, and cancelled while the store appends
      Then the session's run ended with "cancelled"
      And session "s1" holds 2 messages, and they are valid

    Scenario: A run whose caller has left is stored when it ends
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | held   | prompt | completion |
        | Yes. | before | 10     | 2          |
      When the session is asked, its caller leaves, and the run ends
      Then session "s1" holds 2 messages, and they are valid

    Scenario: A stream that is dropped is stored with what it has
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text             | held | chunks | prompt | completion |
        | One two and three | 2   | 4      | 10     | 2          |
      When the session is asked as a token stream that is dropped at the gate
      Then session "s1" holds 1 message, and another run is answered

  Rule: Trouble with the store is told

    Scenario: Somebody else was faster
      Given the actor keeps sessions in memory
      And the actor's provider will answer
        | text | held   | prompt | completion |
        | Yes. | before | 10     | 2          |
      When somebody else appends to the session while the run runs
      Then the session's run failed with SessionConflictError
      And its bill has 12 tokens and the stop reason "error"

    Scenario: A broken history is repaired, and the repairs are reported
      Given the actor keeps sessions in memory
      And the actor's provider answers everything
      And the session has a call without result, a stray result and an entry that is none
      When the session is asked once
      Then what the provider was sent is valid
      And the bill's repairs name the session and each of the three

    Scenario Outline: A store that fails to <do>
      Given the actor keeps sessions in a store that fails to <do>
      And the actor's provider answers everything
      When the session is asked once
      Then the session's run failed with OSError
      And its bill has <tokens> tokens and the stop reason "error"

      Examples:
        | do     | tokens |
        | load   | 0      |
        | append | 12     |

    Scenario: A store that hangs takes no longer than the run may
      Given the actor keeps sessions in a store that hangs
      And the runs' options {"timeout": 0.05}
      When the session is asked once
      Then the session's run ended with "timeout"
      And it has a bill without rows

    Scenario: A store that does not end an append
      Given the actor keeps sessions in a store that hangs on append
      And the executor's options {"sink_timeout": 0.05}
      And the actor's provider answers everything
      When the session is asked once
      Then the session's run failed with ExecutionError
      And its bill has 12 tokens and the stop reason "error"

    Scenario: A store that fails does not stand in a cancellation's way
      Given the actor keeps sessions in a store that fails to append
      And the log is kept
      And the actor's provider will answer
        | text | held   | prompt | completion |
        | Yes. | before | 10     | 2          |
      When the session is asked by execute, and it is cancelled at the first call
      Then the session's run ended with "cancelled"
      And the log has 1 lines at ERROR

  Rule: The example does what the page says

    @slow
    Scenario: A chat goes on where it stopped
      When the chat of the examples is run with "Hello⏎And you?", and again with "Bye"
      Then it has printed
        """
        0 messages so far
        I have read you.  [N tokens, 2 messages]
        I have read you.  [N tokens, 4 messages]
        4 messages so far
        I have read you.  [N tokens, 6 messages]
        """
