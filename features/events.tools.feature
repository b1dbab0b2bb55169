Feature: Tools that talk in the event stream

  Scenario Outline: Three steps <how>, live, between the call's start and its end
    Given the event stream of an agent with the tools "<tool>"
    And the event stream's model says
      | text  | calls    |
      |       | <tool>() |
      | Done. |          |
    When the event stream is read not streamed
    Then the event stream has these rows of its tools
      | event                  | told                          |
      | tool_calls_batch_start | call_1                        |
      | tool_call_start        | call_1 <tool> {}              |
      | custom                 | progress call_1 {"step": 1}   |
      | custom                 | progress call_1 {"step": 2}   |
      | custom                 | progress call_1 {"step": 3}   |
      | tool_call_end          | call_1 ok told                |
      | tool_calls_batch_end   |                               |

    Examples:
      | tool             | how                        |
      | tell             | by a parameter             |
      | tell_built       | by an emitter made inside  |
      | tell_by_context  | by the context             |
      | tell_from_thread | from threads               |

  Scenario: Events of tools side by side belong to their own calls
    Given the event stream of an agent with the tools "tell, tell_from_thread"
    And the event stream's model says
      | text  | calls                               |
      |       | tell(); tell_from_thread(); tell() |
      | Done. |                                     |
    When the event stream is read not streamed
    Then the event stream's steps of each of 3 calls are 1, 2, 3

  Scenario: An event in the name of another call is refused
    Given the event stream of an agent with the tools "tell_foreign"
    And the event stream's model says
      | text  | calls          |
      |       | tell_foreign() |
      | Done. |                |
    When the event stream is read not streamed
    Then the event stream tells of "ValueError: the event names tool call 'call_99', but 'call_1' runs here"

  Scenario Outline: After its end a call can tell nothing, <how>
    Given the event stream of an agent with the tools "keep"
    And the event stream's model says
      | text  | calls  |
      |       | keep() |
      | Done. |        |
    When the event stream is read not streamed
    And the event stream's kept emitter is used <how>
    Then the event stream raises "RuntimeError"

    Examples:
      | how           |
      | async         |
      | sync          |
      | from a thread |

  Scenario: What is on its way when a call ends is refused too
    Given the event stream of an agent with the tools "end_first"
    And the event stream's model says
      | text  | calls       |
      |       | end_first() |
      | Done. |             |
    When the event stream is read not streamed
    Then the event stream has these rows of its tools
      | event                  | told                |
      | tool_calls_batch_start | call_1              |
      | tool_call_start        | call_1 end_first {} |
      | tool_call_end          | call_1 ok ended     |
      | tool_calls_batch_end   |                     |
    And the event stream's thread was refused with "tool call 'call_1' has ended"

  Scenario: A tool of an agent of the host's own ends its run
    Given the event stream of an agent of the host's own that calls "fatal"
    When the event stream of its lone calls is read
    Then the event stream raises "FatalToolError"
    And the event stream's bill says "error"
    And the event stream is
      | event           | told                                  |
      | react_start     |                                       |
      | tool_call_start | c1 fatal {}                           |
      | tool_call_error | c1 FatalToolError: that was it        |
      | tool_call_end   | c1 failed FatalToolError: that was it |
      | react_end       | error                                 |

  Scenario: Where nobody listens, and outside tools, emitters do nothing
    Given the event stream of an agent with the tools "tell, tell_built, tell_by_context, tell_from_thread"
    And the event stream's model says
      | text  | calls                                                         |
      |       | tell(); tell_built(); tell_by_context(); tell_from_thread() |
      | Done. |                                                               |
    When the event stream's agent is asked without a listener
    Then the event stream's tools answered "told" 4 times
    And the event stream's emitters outside do nothing

  Scenario: A model call that an agent's own code makes is told, and is no answer of a browser's
    Given the event stream of an agent of the host's own that calls its model twice
    When the event stream is read streamed
    Then the event stream is
      | event          | told      |
      | react_start    |           |
      | llm_call_start | call 1    |
      | llm_call_end   | one       |
      | llm_call_start | call 1    |
      | llm_call_end   | two       |
      | react_end      | completed |
      | response       | one, two  |
    And the event stream's browser would have read "one, two"

  Scenario: Of the host's purses the event stream tells what those have left that may be seen
    Given the event stream of an agent without tools
    And the event stream's runs share a purse "acme" that may be seen, and one that may not
    And the event stream's model says
      | text  | tokens |
      | Done. | 30 5   |
    When the event stream is read streamed
    Then the event stream's usage tells that 965 tokens of "acme" are left, and of no other purse

  Scenario: A model call within a tool is told as the tool's
    Given the event stream of an agent whose tool "ask" calls the model
    When the event stream is read streamed
    Then the event stream has these rows of its tools
      | event                  | told            |
      | tool_calls_batch_start | call_1          |
      | tool_call_start        | call_1 ask {}   |
      | llm_call_start         | tool 1          |
      | llm_call_end           | inner           |
      | tool_call_end          | call_1 ok inner |
      | tool_calls_batch_end   |                 |
    And the event stream's model call within the tool carries the call's id
