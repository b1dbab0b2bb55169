Feature: The event stream tells everything, in one order

  One golden sequence for each way a run can go. Rows that begin with `~` come only where the run is streamed.

  Scenario Outline: No tools, <way>
    Given the event stream of an agent without tools
    And the event stream's model says
      | text         |
      | Take a coat. |
    When the event stream is read <way>
    Then the event stream is
      | event                 | told         |
      | react_start           |              |
      | react_iteration_start | 1            |
      | llm_call_start        | turn 1       |
      | ~llm_chunk_arrive     | Take a coat. |
      | llm_call_end          | Take a coat. |
      | react_iteration_end   | 1            |
      | react_end             | completed    |
      | response              | Take a coat. |

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: One tool, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text     | calls                 |
      |          | look({"word": "sun"}) |
      | It is.   |                       |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                          |
      | react_start                |                               |
      | react_iteration_start      | 1                             |
      | llm_call_start             | turn 1                        |
      | ~tool_call_arguments_delta | call_1 word=sun               |
      | llm_call_end               | look                          |
      | tool_calls_batch_start     | call_1                        |
      | tool_call_start            | call_1 look {"word": "sun"}   |
      | tool_call_end              | call_1 ok sun is a word       |
      | tool_calls_batch_end       |                               |
      | react_iteration_end        | 1                             |
      | react_iteration_start      | 2                             |
      | llm_call_start             | turn 1                        |
      | ~llm_chunk_arrive          | It is.                        |
      | llm_call_end               | It is.                        |
      | react_iteration_end        | 2                             |
      | react_end                  | completed                     |
      | response                   | It is.                        |

    Examples:
      | way          |
      | streamed     |
      | not streamed |
