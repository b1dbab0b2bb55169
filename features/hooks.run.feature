Feature: The hooks of one run

  From its first message to its end, a run asks its hooks what they want changed and tells them what has happened. What
  they say is bounded and labelled, and no hook can hold up an end.

  Rule: Before the loop

    Scenario: Contexts, in order, each labelled and escaped
      Given the hooks
        | event            | hook   | does                               |
        | on_session_start | start  | passes                             |
        | pre_llm_call     | first  | adds It rains. </hook-context> & 1 |
        | pre_llm_call     | second | adds                               |
        | pre_llm_call     | third  | adds It is late.                   |
      When a run is about to begin with "Hi"
      Then the user's message gets
        """
        <hook-context hook="first">
        It rains. &lt;/hook-context&gt; &amp; 1
        </hook-context>

        <hook-context hook="third">
        It is late.
        </hook-context>
        """
      And the last hook was told the user's message "Hi\n\n<hook-context hook=\"first\">\nIt rains. &lt;/hook-context&gt; &amp; 1\n</hook-context>"
      And the payload's attributes are what its JSON says

    Scenario: A megabyte
      Given a hook that adds 1000000 characters to the user's message
      When a run is about to begin with "Hi"
      Then the user's message gets at most 10200 characters, one tag, and a mark of what is missing

    Scenario: A message of several parts is told as it is
      Given the hooks
        | event        | hook  | does   |
        | pre_llm_call | first | adds x |
        | pre_llm_call | look  | passes |
      When a run is about to begin with [{"type": "image_url"}, {"type": "text", "text": "Hi"}]
      Then the last hook was told the user's message [{"type": "image_url"}, {"type": "text", "text": "Hi"}, {"type": "text", "text": "<hook-context hook=\"first\">\nx\n</hook-context>"}]

    Scenario: A session begins, in the words of a Claude hook
      Given the hooks
        | event            | hook | does                 | options           |
        | on_session_start | told | runs cat > told.json | {dialect: claude} |
      When a run is about to begin with "Hi"
      Then "told.json" says
        | where           | what           |
        | source          | "startup"      |
        | hook_event_name | "SessionStart" |
        | session_id      | "s1"           |

    Scenario: The text of a message of several parts is a Claude hook's prompt
      Given the hooks
        | event        | hook | does                 | options           |
        | pre_llm_call | told | runs cat > told.json | {dialect: claude} |
      When a run is about to begin with [{"type": "image_url"}, {"type": "text", "text": "Hi"}]
      Then the user's message gets nothing
      And "told.json" says
        | where           | what               |
        | prompt          | "Hi"               |
        | hook_event_name | "UserPromptSubmit" |

    Scenario: A refusal, and a failure, which is one
      Given the hooks
        | event        | hook | does          |
        | pre_llm_call | one  | adds x        |
        | pre_llm_call | two  | denies no     |
        | pre_llm_call | odd  | raises broken |
      When a run is about to begin with "Hi"
      Then the call is denied because of
        | reason                       |
        | no                           |
        | the hook odd failed (raised) |
      And a person reads "no / the hook odd failed (raised)"
      And the model reads "not run: denied by a hook: no; the hook odd failed (raised)"

    Scenario: What is no text is none
      Given the hooks
        | event        | hook | does          |
        | pre_llm_call | odd  | adds-a-number |
      When a run is about to begin with "Hi"
      Then the call is denied because "the hook odd failed (verdict)"
      And the log says once "AddContext takes a text, found a int"

  Rule: The results of tools, and the answer

    Scenario: Each hook sees the text of those before
      Given the hooks
        | event                 | hook   | does                                            | options         |
        | post_tool_call        | log    | passes                                          |                 |
        | transform_tool_result | first  | replaces short                                  | {matcher: Read} |
        | transform_tool_result | second | runs grep -q short && echo '{"action": "replace", "text": "shorter"}' | |
        | transform_tool_result | other  | replaces no                                     | {matcher: Edit} |
      When the tool Read has answered "very long"
      Then what comes out is "shorter"
      And the hooks were called in this order: "log first"

    Scenario: An empty result is a result, a failure leaves it
      Given the hooks
        | event                 | hook  | does                                                 |
        | transform_tool_result | empty | runs echo '{"action": "replace", "text": ""}'        |
        | transform_tool_result | odd   | raises broken                                        |
      When the tool Read has answered "very long"
      Then what comes out is ""

    Scenario: Nobody says anything about a result
      Given the hooks
        | event                 | hook | does   |
        | transform_tool_result | look | passes |
      When the tool Read has answered "very long"
      Then what comes out is null

    Scenario: An answer always has words
      Given the hooks
        | event                | hook  | does         |
        | transform_llm_output | first | replaces B   |
        | transform_llm_output | empty | replaces     |
      When the answer "A" is about to be delivered
      Then what comes out is "B"
      And the failures are "empty: verdict 1"
      And text is held back: true

    Scenario: Whoever only looks on holds nothing back, and changes nothing
      Given the hooks
        | event                | hook | does          | options         |
        | transform_llm_output | look | replaces B    | {observe: true} |
        | stop                 | look | continues now | {observe: true} |
      When the answer "A" is about to be delivered
      Then what comes out is "A"
      And text is held back: false
      When the run wants to end 1 times
      Then it is sent back 0 times

  Rule: A run can be sent back to work

    Scenario: Not for ever
      Given the hooks
        | event | hook | does           |
        | stop  | more | continues more |
      When the run wants to end 10 times
      Then it is sent back 8 times
      And stop_hook_active was [false, true, true, true, true, true, true, true, true, true]

    Scenario: With all reasons
      Given the hooks
        | event | hook  | does                                                         |
        | stop  | first | continues Run the tests.                                     |
        | stop  | empty | continues                                                    |
        | stop  | last  | continues Say <b>why</b>.                                    |
      When the run wants to end 1 times
      Then it is sent back with
        """
        <hook-feedback hook="first">
        Run the tests.
        </hook-feedback>

        <hook-feedback hook="last">
        Say &lt;b&gt;why&lt;/b&gt;.
        </hook-feedback>
        """

    Scenario: An empty success adds nothing
      Given the hooks
        | event | hook | does      |
        | stop  | done | runs true |
      When the run wants to end 2 times
      Then it is sent back 0 times

  Rule: After the end, hooks share 1.5 s

    Scenario: Two hooks that hang, and one after them
      Given the hooks
        | event          | hook   | does           |
        | on_session_end | first  | hangs          |
        | on_session_end | second | runs sleep 600 |
        | on_session_end | third  | passes         |
      When the session ends
      Then it took less than 2.5 s
      And the hooks were called in this order: "first"

    Scenario: A cancellation waits for them
      Given the hooks
        | event          | hook | does                                   |
        | on_session_end | log  | runs cat > told.json                   |
      When the session ends, and its caller is cancelled again and again
      Then the caller's cancellation is raised
      And "told.json" says
        | where             | what  |
        | extra.interrupted | true  |
        | extra.completed   | false |

    Scenario: After an abort they share it too
      Given the hooks
        | event          | hook   | does   |
        | subagent_stop  | look   | passes |
        | post_llm_call  | look   | passes |
        | on_session_end | look   | passes |
      When the run has been aborted
      And a child run is interrupted
      And the run has answered "Hello" to "Hi"
      And the session ends
      Then the hook "look" was called 3 times

    Scenario: Nobody drops a delivery that nobody waits for
      Given the hooks
        | event           | hook | does            |
        | message_display | show | runs cat > told.json |
      When a message is shown and forgotten, and the executor closes
      Then "told.json" says
        | where                | what |
        | extra.displayed_text | "x"  |
        | extra.is_final       | true |

  Rule: Children

    Scenario: A child begins
      Given the hooks
        | event          | hook | does                 |
        | subagent_start | told | runs cat > told.json |
      When a child run of "helper" begins
      Then "told.json" says
        | where            | what     |
        | extra.child_role | "helper" |

    Scenario: What a child comes to
      Given the hooks
        | event                 | hook | does   | options      |
        | on_session_start      | all  | passes |              |
        | pre_llm_call          | all  | passes |              |
        | pre_tool_call         | all  | passes |              |
        | post_tool_call        | all  | passes |              |
        | transform_tool_result | all  | passes |              |
        | pre_api_request       | all  | passes |              |
        | stop                  | all  | passes |              |
        | post_llm_call         | all  | passes |              |
        | subagent_start        | all  | passes |              |
        | message_display       | all  | passes | {scope: all} |
      When a child run comes to every moment
      Then the hooks wanted are ["pre_tool_call", "post_tool_call", "transform_tool_result", "pre_api_request", "subagent_start", "message_display"]

    Scenario: Messages of children are for those who ask for them
      Given the hooks
        | event           | hook | does   |
        | message_display | root | passes |
      When a child run comes to every moment
      Then the hooks wanted are []

  Rule: Other bounds

    Scenario: A long conversation is told by its system prompt and its end
      Then of 10 messages of 1000 bytes, 100000 bytes tell [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
      And of 10 messages of 1000 bytes, 4200 bytes tell [0, 7, 8, 9]
      And of 1 messages of 1000 bytes, 500 bytes tell []

    Scenario: What is imported
      Then importing the hooks imports neither langchain nor pydantic
