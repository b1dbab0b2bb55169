Feature: Hooks in whole runs

  Every moment of a run comes exactly where the order says, on every path and on every ending, and what hooks say there
  holds.

  Background:
    Given a loop with hooks and the tools "echo, waits"
    And somebody looks on at every moment

  Rule: The order

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

    Scenario: What comes behind the hooks
      Given the provider will answer the loop
        | says  |
        | Done. |
      When the hooked loop is asked "Go?", as streamed events
      Then the moments were
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
        on_result
        ReactEnd
        ResponseYield
        """
