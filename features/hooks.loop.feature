Feature: Hooks in whole runs

  Every moment of a run comes exactly where the order says, on every path and on every ending, and what hooks say there
  holds.

  Background:
    Given a loop with hooks and the tools "echo, waits"

  Rule: The order

    Background:
      Given somebody looks on at every moment

    Scenario Outline: Of a run with a tool, asked for as <way>
      Given the loop's settings {"system_prompt": "Be brief."}
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the hooked loop is asked "Go?", as <way>
      Then the moments of hooks were
        """
        on_session_start
        pre_llm_call
        pre_api_request
        post_api_request
        pre_tool_call echo
        post_tool_call echo ok
        transform_tool_result echo ok
        pre_api_request
        post_api_request
        message_display complete
        transform_llm_output
        stop
        post_llm_call
        on_session_end completed
        """
      And each moment has told exactly
        | moment                | extra |
        | on_session_start      | |
        | pre_llm_call          | user_message conversation_history model |
        | pre_api_request       | model provider purpose attempt invocation_id |
        | post_api_request      | model provider purpose attempt invocation_id usage |
        | pre_tool_call         | task_id tool_call_id |
        | post_tool_call        | task_id tool_call_id result duration_ms status |
        | transform_tool_result | task_id tool_call_id result duration_ms status |
        | message_display       | message_id displayed_text is_final attempt seq outcome |
        | transform_llm_output  | response_text model |
        | stop                  | stop_hook_active assistant_response |
        | post_llm_call         | user_message assistant_response conversation_history model |
        | on_session_end        | completed failed interrupted reason usage |

      Examples:
        | way             |
        | blocking        |
        | answer          |
        | tokens          |
        | events          |
        | streamed events |

    Scenario: What comes behind the hooks: the bill
      Given the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", as blocking
      Then the last moments were
        """
        post_llm_call
        on_session_end completed
        on_result
        """

    Scenario: What comes behind the hooks: the end of the events
      Given the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", as streamed events
      Then the moments but the bill were
        """
        on_session_start
        pre_llm_call
        pre_api_request
        post_api_request
        message_display complete
        transform_llm_output
        stop
        post_llm_call
        on_session_end completed
        ReactEnd
        ResponseYield
        """

    Scenario Outline: Of a run that ends by <what>
      Given the provider will answer the loop
        | says   | calls   | stands |
        | <says> | <calls> | <gate> |
        | Done   |         |        |
      When the loop is asked "Go?", and <what>
      Then the last moments were
        """
        <first>
        <second>
        on_session_end <reason>
        on_result
        """
      And "on_session_end" has told interrupted [true]
      And "stop" has told reason []
      And "post_llm_call" has told model []

      Examples:
        | what              | says          | calls | gate | first                        | second                              | reason  |
        | aborted in a tool |               | waits |      | post_tool_call waits aborted | transform_tool_result waits aborted | aborted |
        | aborted mid-stream | Well, so be it |      | 1    | api_request_error False      | message_display aborted             | aborted |

    Scenario Outline: Of a run that is cancelled <where>
      Given the provider will answer the loop
        | says   | calls   | stands |
        | <says> | <calls> | <gate> |
        | Done   |         |        |
      When the loop is asked "Go?", and cancelled <where>
      Then the loop is cancelled
      And the last moments were
        """
        <last>
        on_session_end cancelled
        on_result
        """
      And "message_display" has told is_final []

      Examples:
        | where           | says           | calls | gate | last                |
        | in a tool       |                | waits |      | pre_tool_call waits |
        | in a model call | Well, so be it |       | 1    | pre_api_request     |

    Scenario Outline: Of an agent of the host's own that is <ended>
      Given the loop's own agent is "<kind>"
      And the loop's run has the options <options>
      And the provider will answer the loop
        | says           | stands |
        | Well, so be it | here   |
      When the loop is asked "Go?", and aborted <where>
      Then the loop ends with "<reason>"
      And "on_session_end" has told reason ["<reason>"]
      And "on_session_end" has told interrupted [true]

      Examples:
        | ended                   | kind   | options          | where           | reason  |
        | aborted in a model call | asking | {}               | in a model call | aborted |
        | aborted at work         | idle   | {}               | in a tool       | aborted |
        | out of time at work     | idle   | {"timeout": 0.1} | too late        | timeout |

    Scenario: Of an agent of the host's own whose model call a limit refuses
      Given the loop's own agent is "asking"
      And the loop's limits {"max_tokens": 20}
      When the loop is asked "Go?"
      Then the loop ends with "token_budget"
      And "on_session_end" has told reason ["token_budget"]

    Scenario: Of a run whose provider fails
      Given the provider will answer the loop
        | says | fault |
        |      | 401   |
      When the loop is asked "Go?"
      Then the loop fails with OpenAIAuthenticationError "401"
      And the moments of hooks were
        """
        on_session_start
        pre_llm_call
        pre_api_request
        api_request_error False
        on_session_end error
        """
      And "on_session_end" has told failed [true]

    Scenario: Of a run that meets a limit
      Given the loop's settings {"tool_max_rounds": 1}
      And the provider will answer the loop
        | says     | calls              |
        |          | echo {"text": "a"} |
        |          | echo {"text": "b"} |
        | So much. |                    |
      When the loop is asked "Go?"
      Then the loop ends with "max_rounds"
      And the last moments were
        """
        message_display complete
        transform_llm_output
        post_llm_call
        on_session_end max_rounds
        on_result
        """
      And "stop" has told reason []
      And "pre_api_request" has told purpose ["turn", "turn", "synthesis"]
      And "on_session_end" has told completed [false]

    Scenario: Of a custom agent's run, its own calls included
      Given the loop's settings {"type": "asking"}
      And the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", as blocking
      Then the moments of hooks were
        """
        on_session_start
        pre_llm_call
        pre_api_request
        post_api_request
        transform_llm_output
        stop
        post_llm_call
        on_session_end completed
        """

    Scenario Outline: Of a custom agent that answers in pieces, asked for as <way>
      Given the loop's own agent is "speaking"
      When the hooked loop is asked "Hi", as <way>
      Then the moments of hooks were
        """
        on_session_start
        pre_llm_call
        transform_llm_output
        stop
        post_llm_call
        on_session_end completed
        """
      And "post_llm_call" has told assistant_response ["You said Hi"]
      And "post_llm_call" has told user_message ["Hi"]

      Examples:
        | way      |
        | blocking |
        | answer   |
        | tokens   |
        | events   |

    Scenario: What the last hooks are told of a conversation
      Given the loop's settings {"system_prompt": "Be brief."}
      And the loop's run has the options {"history": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
      And the provider will answer the loop
        | says  |
        | Done. |
      When the loop is asked "Go?"
      Then "pre_llm_call" has told conversation_history [[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]]
      And "post_llm_call" has told conversation_history [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Go?"}, {"role": "assistant", "content": "Done."}]]
      And "post_llm_call" has told model ["openai/scripted-model"]

  Rule: The user's message

    Background:
      Given somebody looks on at every moment

    Scenario Outline: A run that is denied, asked for as <way>
      Given the hooks
        | event        | hook  | does           |
        | pre_llm_call | guard | denies Not now |
      When the hooked loop is asked "Go?", as <way>
      Then the loop ends with "denied"
      And the loop answers "Not now"
      And the loop has no rows
      And the moments of hooks were
        """
        on_session_start
        pre_llm_call
        on_session_end denied
        """

      Examples:
        | way             |
        | blocking        |
        | answer          |
        | tokens          |
        | streamed events |

    Scenario: A stream of an agent of the host's own that is denied
      Given the hooks
        | event        | hook  | does           |
        | pre_llm_call | guard | denies Not now |
      And the loop's own agent is "speaking"
      When the hooked loop is asked "Go?", as answer
      Then the loop ends with "denied"
      And the loop's text is "Not now"

    Scenario: A run that is aborted while it is asked whether it may begin
      Given the hooks
        | event        | hook | does  |
        | pre_llm_call | slow | hangs |
      When the loop is asked "Go?", and aborted in a hook
      Then the loop ends with "aborted"
      And the loop has no rows
      And "on_session_end" has told reason ["aborted"]

    Scenario Outline: A run of a <kind> agent that wants a value and is denied
      Given the hooks
        | event        | hook  | does           |
        | pre_llm_call | guard | denies Not now |
      And the loop's own agent is "<kind>"
      And the loop's answer must be an int
      When the hooked loop is asked "Go?", as blocking
      Then the loop ends with "denied"
      And the loop answers "Not now"

      Examples:
        | kind     |
        | llm      |
        | speaking |

    Scenario: What hooks add stands in the user's message, and in the history
      Given the hooks
        | event        | hook  | does        |
        | pre_llm_call | clock | adds <Noon> |
      And the loop's settings {"system_prompt": "Be brief."}
      And the provider will answer the loop
        | says  |
        | Done. |
      When the loop is asked "Go?"
      Then the loop's request has the messages [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Go?\n\n<hook-context hook=\"clock\">\n&lt;Noon&gt;\n</hook-context>"}]
      And the user's message is kept as "Go?\n\n<hook-context hook=\"clock\">\n&lt;Noon&gt;\n</hook-context>", and was "Go?"
      And "post_llm_call" has told user_message ["Go?"]

    Scenario: It stands in a custom agent's message too
      Given the hooks
        | event        | hook  | does      |
        | pre_llm_call | clock | adds Noon |
      And the loop's own agent is "speaking"
      When the hooked loop is asked "Go?", as tokens
      Then the user's message is kept as "Go?\n\n<hook-context hook=\"clock\">\nNoon\n</hook-context>", and was "Go?"

  Rule: Tools

    Background:
      Given somebody looks on at every moment

    Scenario: A run that is aborted while a gate is asked
      Given the hooks
        | event         | hook | does  |
        | pre_tool_call | slow | hangs |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the hooked loop is asked for events of "Go?", and aborted in a hook
      Then the loop ends with "aborted"
      And the loop's tools did nothing
      And "post_tool_call" has told status ["aborted"]

    Scenario: Arguments that a hook has changed
      Given the hooks
        | event         | hook | does           |
        | pre_tool_call | fix  | sets {text: b} |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the hooked loop is asked "Go?", as events
      Then the loop's tools did
        | what   |
        | echo b |
      And the events show the calls [{"text": "b"}]
      And "post_tool_call" has told tool_input [{"text": "b"}]

    Scenario: Changed arguments that do not fit
      Given the hooks
        | event         | hook | does           |
        | pre_tool_call | fix  | sets {txt: b} |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the loop is asked "Go?"
      Then the loop's tools did nothing
      And "post_tool_call" has told status ["denied"]

    Scenario: A call that is denied
      Given the hooks
        | event         | hook  | does       |
        | pre_tool_call | guard | denies Not here |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the hooked loop is asked "Go?", as events
      Then the loop's tools did nothing
      And the loop's tool results say ["not run: denied by a hook: Not here"]
      And the events show the calls [{}]
      And the custom events were ["hook_denied", "usage"]
      And "post_tool_call" has told status ["denied"]

    Scenario: The gate is asked exactly once a call, from wherever it comes
      Given the hooks
        | event         | hook | does   |
        | pre_tool_call | gate | passes |
      And the loop's settings {"tools": ["echo", "helper", "calling"], "forks": {}}
      And the hooked loop has the agent "helper" {"model": "scripted-model", "description": "Helps.", "tools": ["echo"]}
      And the hooked loop has the agent "calling" {"type": "calling", "description": "Calls.", "tools": ["echo"]}
      And the provider answers each agent of the hooked loop
      When the loop is asked "Go?"
      Then "pre_tool_call" told in any order of tool_name ["echo", "fork", "helper", "calling", "echo", "echo", "echo"]
      And the hook "gate" was called 7 times
      And the loop's tools did echo 4 times

    Scenario: The raw result is kept before a hook sees it, and the tool runs once
      Given the provider will answer the loop
        | says | calls              |
        |      | echo {"text": "a"} |
      And the hooks
        | event          | hook | does  |
        | post_tool_call | slow | hangs |
      When the loop is asked "Go?", and cancelled in a hook
      Then the loop is cancelled
      And the loop's tool results say ["a"]
      And the loop's tools did
        | what   |
        | echo a |
      And "on_session_end" has told reason ["cancelled"]

    Scenario: Hooks that raise change nothing
      Given the hooks
        | event                 | hook | does     |
        | post_tool_call        | odd  | raises x |
        | transform_tool_result | odd  | raises x |
        | transform_llm_output  | odd  | raises x |
        | stop                  | odd  | raises x |
        | post_llm_call         | odd  | raises x |
        | on_session_end        | odd  | raises x |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the loop is asked "Go?"
      Then the loop answers "Done."
      And the loop's tool results say ["a"]
      And the failures are "odd: raised 6"

    Scenario: A result that a hook replaces is what the model reads, and what stands in the history
      Given the hooks
        | event                 | hook   | does           |
        | transform_tool_result | shorts | replaces short |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the loop is asked "Go?"
      Then the loop's tool results say ["short"]
      And the loop's last request has the result "short"
      And "post_tool_call" has told result ["a"]

    Scenario: A tool that ends the run is told of, and its error is recorded
      Given the loop's settings {"tools": ["fatal"]}
      And the provider will answer the loop
        | says | calls |
        |      | fatal |
      When the loop is asked "Go?"
      Then the loop fails with FatalToolError "the database is gone"
      And "post_tool_call" has told status ["error"]
      And the loop's tool results say ["FatalToolError: the database is gone"]
      And "on_session_end" has told failed [true]

  Rule: Child runs

    Background:
      Given somebody looks on at every moment

    Scenario: A child fires the hooks of tools and requests, and those around it
      Given the loop's settings {"tools": ["helper"]}
      And the hooked loop has the agent "helper" {"model": "scripted-model", "description": "Helps.", "tools": ["echo"]}
      And the provider answers each agent of the hooked loop
      When the loop is asked "Go?"
      Then the moments of hooks were
        """
        on_session_start
        pre_llm_call
        pre_api_request
        post_api_request
        pre_tool_call helper
        subagent_start helper
        pre_api_request
        post_api_request
        pre_tool_call echo
        post_tool_call echo ok
        transform_tool_result echo ok
        pre_api_request
        post_api_request
        subagent_stop helper completed
        post_tool_call helper ok
        transform_tool_result helper ok
        pre_api_request
        post_api_request
        message_display complete
        transform_llm_output
        stop
        post_llm_call
        on_session_end completed
        """
      And "subagent_stop" has told child_summary ["helped"]
      And a child's moments have the session of its root

    Scenario Outline: A child that is <what> has its end told
      Given the loop's settings {"tools": ["helper"]}
      And the hooked loop has the agent "helper" {"model": "scripted-model", "description": "Helps.", "tools": ["waits"]}
      And the provider answers each agent of the hooked loop
      When the loop is asked "Go?", and <what> in a tool
      Then the loop was <what>
      And "subagent_stop" has told child_status ["interrupted"]
      And "on_session_end" has told reason ["<what>"]

      Examples:
        | what      |
        | aborted   |
        | cancelled |

    Scenario: A child that fails has its end told
      Given the loop's settings {"tools": ["helper"]}
      And the hooked loop has the agent "helper" {"model": "scripted-model", "description": "Helps.", "tools": ["fatal"]}
      And the provider answers each agent of the hooked loop
      When the loop is asked "Go?"
      Then the loop failed
      And "subagent_stop" has told child_status ["failed"]

  Rule: The answer

    Background:
      Given somebody looks on at every moment

    Scenario Outline: An answer that a hook replaces, asked for as <way>
      Given the hooks
        | event                | hook  | does           |
        | transform_llm_output | polite | replaces Please. |
      And the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", as <way>
      Then the loop answers "Please."
      And the loop's text came as <pieces>
      And the history ends with "Please."
      And the events taken back are <resets>

      Examples:
        | way             | pieces      | resets                   |
        | blocking        | []          | []                       |
        | answer          | ["Please."] | []                       |
        | tokens          | ["Please."] | []                       |
        | streamed events | []          | ["transform_llm_output"] |

    Scenario: A value that a hook replaces is read anew
      Given the hooks
        | event                | hook | does       |
        | transform_llm_output | more | replaces 8 |
      And the loop's answer must be an int
      And the provider will answer the loop
        | says |
        | 7    |
      When the hooked loop is asked "Go?", as blocking
      Then the loop's value is 8

    Scenario: A value that it makes no value of stays
      Given the hooks
        | event                | hook | does          |
        | transform_llm_output | odd  | replaces eight |
      And the loop's answer must be an int
      And the provider will answer the loop
        | says |
        | 7    |
      When the hooked loop is asked "Go?", as blocking
      Then the loop's value is 7
      And the loop answers "7"

    Scenario: Whoever only looks on holds nothing back
      Given the provider will answer the loop
        | says              |
        | One two three four. |
      When the hooked loop is asked "Go?", as tokens
      Then the loop's text came in several pieces

    Scenario: A run that is sent back
      Given the hooks
        | event | hook | does           |
        | stop  | more | continues more |
      And the provider says "Done." to the loop 9 times
      When the hooked loop is asked "Go?", as tokens
      Then the loop ends with "completed"
      And "stop" has told stop_hook_active [false, true, true, true, true, true, true, true, true]
      And the loop's text came as ["Done."]
      And "on_session_end" has told reason ["completed"]

    Scenario: Limits run on while it is sent back
      Given the hooks
        | event | hook | does           |
        | stop  | more | continues more |
      And the loop's limits {"max_model_calls": 3}
      And the provider says "Done." to the loop 3 times
      When the hooked loop is asked "Go?", as streamed events
      Then the loop ends with "model_calls"
      And the events taken back are ["stop", "stop"]
      And "post_llm_call" has told user_message ["Go?"]

    Scenario: An agent without a conversation can't be sent back, which is told
      Given the hooks
        | event | hook | does           |
        | stop  | more | continues more |
      And the loop's own agent is "speaking"
      When the hooked loop is asked "Hi", as answer
      Then the loop answers "You said Hi"
      And a warning says "keeps no conversation"

    Scenario: A run that was sent back wraps up what the user has asked, on a view that is cut
      Given a loop with hooks and the tools "big"
      And the hooks
        | event | hook | does                     |
        | stop  | more | continues Look it up too |
      And the loop's settings {"token_budget": 4000}
      And the provider will answer the loop
        | says         | calls               |
        | I guess.     |                     |
        |              | big {"size": 40000} |
        | What I have. |                     |
      When the loop is asked "Where is Oslo?"
      Then the loop ends with "token_budget"
      And the loop answers "What I have."
      And the last request of the loop holds "Earlier steps were left out here"
      And the last request of the loop holds "Where is Oslo?"
      And the last request of the loop holds "Look it up too"

  Rule: Messages as they appear

    Background:
      Given somebody looks on at every moment

    Scenario: A stream that breaks begins anew under the same id
      Given the loop's settings {"retry": {"initial": 0.01}}
      And the provider will answer the loop
        | says        | fault         |
        | Hel lo lo   | drop after 1  |
        | Hello       |               |
      When the loop is asked "Go?"
      Then the loop answers "Hello"
      And the display was shown
        """
        2 Hello complete
        """
      And "api_request_error" has told will_retry [true]

    Scenario: What was shown of a broken attempt never comes again
      Given every piece is displayed at once
      And the loop's settings {"retry": {"initial": 0.01}}
      And the provider will answer the loop
        | says               | fault        |
        | Hel lo lo lo lo    | drop after 3 |
        | Hello to all of you |              |
      When the loop is asked "Go?"
      Then the displays of attempt 1 are beginnings of "Hel lo lo lo lo", 1 at least
      And the displays of attempt 2 are beginnings of "Hello to all of you", 1 at least
      And there are 1 ids among the displays

    Scenario: A provider's error mid-stream
      Given the loop's settings {"retry": {"initial": 0.01}}
      And the provider will answer the loop
        | says      | fault         |
        | Hel lo lo | error after 2 |
        | Hello     |               |
      When the loop is asked "Go?"
      Then the display was shown
        """
        2 Hello complete
        """

    Scenario: A key that is renewed
      Given the hooked loop's keys are asked for
      And the provider will answer the loop
        | says  | fault |
        |       | 401   |
        | Hello |       |
      When the loop is asked "Go?"
      Then the display was shown
        """
        2 Hello complete
        """

    Scenario: A model that takes over
      Given the loop's settings {"retry": {"attempts": 1}, "fallbacks": [{"model": "other"}]}
      And the provider will answer the loop
        | says      | fault        |
        | Hel lo lo | drop after 1 |
        | Hello     |              |
      When the loop is asked "Go?"
      Then the display was shown
        """
        2 Hello complete
        """

    Scenario: An attempt that failed with text, and no other
      Given the loop's settings {"retry": {"attempts": 1}}
      And the provider will answer the loop
        | says      | fault        |
        | Hel lo lo | drop after 2 |
      When the loop is asked "Go?"
      Then the loop failed
      And the last display ended with "error"

    Scenario: Text beside calls is a message, calls alone are none
      Given the provider will answer the loop
        | says    | calls              |
        | Let me. | echo {"text": "a"} |
        |         | echo {"text": "b"} |
        | Done.   |                    |
      When the loop is asked "Go?"
      Then the display was shown
        """
        1 Let me. complete
        1 Done. complete
        """
      And there are 2 ids among the displays

  Rule: Bounds

    Background:
      Given somebody looks on at every moment

    Scenario: Ten rounds and a display that hangs
      Given the hooks
        | event           | hook | does  |
        | message_display | hung | hangs |
      And the run waits at most 0.3 s for all displays
      And the provider talks while it calls echo 10 times
      When the hooked loop is asked "Go?", and timed
      Then the loop ends with "completed"
      And the hooked loop took 0.25 to 3 s

    Scenario: Hooks after the end share their time
      Given the hooks
        | event          | hook | does  |
        | on_session_end | one  | hangs |
        | on_session_end | two  | hangs |
      And the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", and timed
      Then the loop answers "Done."
      And the hooked loop took 1.4 to 2.5 s

    Scenario: Five hundred runs at once, one gate each
      Given the hooks
        | event         | hook | does  |
        | pre_tool_call | gate | takes |
      And the provider is a model that calls echo
      When 500 hooked loops run at once
      Then the hook "gate" was called 500 times
      And no hook has failed
      And the loop's tools did echo 500 times

  Rule: Sessions

    Background:
      Given somebody looks on at every moment

    Scenario: The first run begins it, its close ends it
      Given the hooked loop keeps sessions
      And the loop's run has the options {"session_id": "s7"}
      And the provider says "Done." to the loop 2 times
      When the loop is asked "Go?"
      And the loop is asked "On?"
      And the hooked loop's session "s7" is ended
      Then "on_session_start" has told session_id ["s7"]
      And "post_llm_call" has told session_id ["s7", "s7"]
      And "on_session_end" has told session_id ["s7"]
      And "on_session_end" has told reason ["ended"]

    Scenario: A run without a session is a session of one
      Given the provider says "Done." to the loop 2 times
      When the loop is asked "Go?"
      And the loop is asked "On?"
      Then "on_session_end" has told reason ["completed", "completed"]
      And the sessions are those of the runs

  Rule: Where nobody looks, nothing is made

    Scenario: No hooks
      Given payloads are counted
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the hooked loop is asked "Go?", as streamed events
      Then the loop answers "Done."
      And payloads were made for []

    Scenario: Hooks of another tool, and one of another moment
      Given payloads are counted
      And the hooks
        | event                 | hook  | does   | options         |
        | pre_tool_call         | other | passes | {matcher: Edit} |
        | post_tool_call        | other | passes | {matcher: Edit} |
        | transform_tool_result | other | passes | {matcher: Edit} |
        | post_llm_call         | log   | passes |                 |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the loop is asked "Go?"
      Then payloads were made for ["post_llm_call"]
      And the provider was asked in no streams

  Rule: The house's redaction

    Scenario: Commands of hooks that have no redaction of their own read what it leaves
      Given the hooked loop's house leaves only the tool's name of what commands are told
      And the hooks
        | event         | hook | does                 |
        | pre_tool_call | told | runs cat > told.json |
      And the provider will answer the loop
        | says  | calls              |
        |       | echo {"text": "a"} |
        | Done. |                    |
      When the loop is asked "Go?"
      Then "told.json" has exactly the keys "tool_name"
