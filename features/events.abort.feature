Feature: An abort ends a run where it stands, and its event stream in order

  What has begun ends: the call in flight by `llm_call_error`, running tools by `tool_call_error` and `tool_call_end`.
  The response is the text so far.

  Scenario Outline: An abort in a tool, <way>
    Given the event stream of an agent with the tools "stop_run"
    And the event stream's model says
      | calls      |
      | stop_run() |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                         |
      | react_start            |                                              |
      | react_iteration_start  | 1                                            |
      | llm_call_start         | turn 1                                       |
      | llm_call_end           | stop_run                                     |
      | tool_calls_batch_start | call_1                                       |
      | tool_call_start        | call_1 stop_run {}                           |
      | tool_call_error        | call_1 aborted before it had answered        |
      | tool_call_end          | call_1 failed aborted before it had answered |
      | tool_calls_batch_end   |                                              |
      | react_iteration_end    | 1                                            |
      | react_end              | aborted                                      |
      | response               | The run was aborted before it was finished.  |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: An abort in one of three tools: those that have finished keep their results, <way>
    Given the event stream of an agent with the tools "look, hang, stop_run"
    And the event stream's model says
      | calls                                     |
      | look({"word": "sun"}); hang(); stop_run() |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                         |
      | react_start                |                                              |
      | react_iteration_start      | 1                                            |
      | llm_call_start             | turn 1                                       |
      | ~tool_call_arguments_delta | call_1 word=sun                              |
      | llm_call_end               | look hang stop_run                           |
      | tool_calls_batch_start     | call_1 call_2 call_3                         |
      | tool_call_start            | call_1 look {"word": "sun"}                  |
      | tool_call_end              | call_1 ok sun is a word                      |
      | tool_call_start            | call_2 hang {}                               |
      | tool_call_start            | call_3 stop_run {}                           |
      | tool_call_error            | call_2 aborted before it had answered        |
      | tool_call_end              | call_2 failed aborted before it had answered |
      | tool_call_error            | call_3 aborted before it had answered        |
      | tool_call_end              | call_3 failed aborted before it had answered |
      | tool_calls_batch_end       |                                              |
      | react_iteration_end        | 1                                            |
      | react_end                  | aborted                                      |
      | response                   | The run was aborted before it was finished.  |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: An abort in a model call, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | calls                 | does   |
      | look({"word": "sun"}) |        |
      |                       | aborts |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                        |
      | react_start                |                                             |
      | react_iteration_start      | 1                                           |
      | llm_call_start             | turn 1                                      |
      | ~tool_call_arguments_delta | call_1 word=sun                             |
      | llm_call_end               | look                                        |
      | tool_calls_batch_start     | call_1                                      |
      | tool_call_start            | call_1 look {"word": "sun"}                 |
      | tool_call_end              | call_1 ok sun is a word                     |
      | tool_calls_batch_end       |                                             |
      | react_iteration_end        | 1                                           |
      | react_iteration_start      | 2                                           |
      | llm_call_start             | turn 1                                      |
      | llm_call_error             | LimitReached                                |
      | react_iteration_end        | 2                                           |
      | react_end                  | aborted                                     |
      | response                   | The run was aborted before it was finished. |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool aborts twice: the first reason counts, <way>
    Given the event stream of an agent with the tools "stop_twice"
    And the event stream's model says
      | calls        |
      | stop_twice() |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                         |
      | react_start            |                                              |
      | react_iteration_start  | 1                                            |
      | llm_call_start         | turn 1                                       |
      | llm_call_end           | stop_twice                                   |
      | tool_calls_batch_start | call_1                                       |
      | tool_call_start        | call_1 stop_twice {}                         |
      | tool_call_error        | call_1 aborted before it had answered        |
      | tool_call_end          | call_1 failed aborted before it had answered |
      | tool_calls_batch_end   |                                              |
      | react_iteration_end    | 1                                            |
      | react_end              | aborted                                      |
      | response               | The run was aborted before it was finished.  |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that takes the signal comes to an end by itself, <way>
    Given the event stream of an agent with the tools "heed"
    And the event stream's model says
      | text        | calls  |
      | Let me see. | heed() |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                      |
      | react_start            |                           |
      | react_iteration_start  | 1                         |
      | llm_call_start         | turn 1                    |
      | ~llm_chunk_arrive      | Let me see.               |
      | llm_call_end           | Let me see. heed          |
      | tool_calls_batch_start | call_1                    |
      | tool_call_start        | call_1 heed {}            |
      | tool_call_end          | call_1 ok stopped: enough |
      | tool_calls_batch_end   |                           |
      | react_iteration_end    | 1                         |
      | react_end              | aborted                   |
      | response               | Let me see.               |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that takes the signal and does not care is cancelled after a moment, <way>
    Given the event stream of an agent with the tools "ignore"
    And the event stream's agent has {"tool_timeout": 0.05}
    And the event stream's model says
      | calls    |
      | ignore() |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                         |
      | react_start            |                                              |
      | react_iteration_start  | 1                                            |
      | llm_call_start         | turn 1                                       |
      | llm_call_end           | ignore                                       |
      | tool_calls_batch_start | call_1                                       |
      | tool_call_start        | call_1 ignore {}                             |
      | tool_call_error        | call_1 aborted before it had answered        |
      | tool_call_end          | call_1 failed aborted before it had answered |
      | tool_calls_batch_end   |                                              |
      | react_iteration_end    | 1                                            |
      | react_end              | aborted                                      |
      | response               | The run was aborted before it was finished.  |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool takes the signal by its annotation, <way>
    Given the event stream of an agent with the tools "heed_annotated"
    And the event stream's model says
      | calls            |
      | heed_annotated() |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                        |
      | react_start            |                                             |
      | react_iteration_start  | 1                                           |
      | llm_call_start         | turn 1                                      |
      | llm_call_end           | heed_annotated                              |
      | tool_calls_batch_start | call_1                                      |
      | tool_call_start        | call_1 heed_annotated {}                    |
      | tool_call_end          | call_1 ok stopped: enough                   |
      | tool_calls_batch_end   |                                             |
      | react_iteration_end    | 1                                           |
      | react_end              | aborted                                     |
      | response               | The run was aborted before it was finished. |
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: An abort before the start: nothing is called, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's signal is aborted with "too late"
    When the event stream is read <way>
    Then the event stream is
      | event       | told                                        |
      | react_start |                                             |
      | react_end   | aborted                                     |
      | response    | The run was aborted before it was finished. |
    And the event stream's rows are []

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario: An abort in the middle of a streamed answer
    Given the event stream of an agent without tools
    And the event stream's model says
      | text         | does           |
      | Take a coat. | aborts after 2 |
    When the event stream is read streamed
    Then the event stream is
      | event                 | told         |
      | react_start           |              |
      | react_iteration_start | 1            |
      | llm_call_start        | turn 1       |
      | llm_chunk_arrive      | Take a       |
      | llm_call_error        | LimitReached |
      | react_iteration_end   | 1            |
      | react_end             | aborted      |
      | response              | Take a       |
    And the event stream's rows are ["unmeasured"]

  Scenario Outline: An abort from <where>, <way>
    Given the event stream of an agent with the tools "hang"
    And the event stream's model says
      | calls  |
      | hang() |
    When the event stream is aborted from <where> at "tool_call_start", <way>
    Then the event stream's bill says "aborted"
    And the event stream's detail is "the run was aborted: enough"

    Examples:
      | where          | way          |
      | another thread | streamed     |
      | another thread | not streamed |
      | an observer    | streamed     |
      | an observer    | not streamed |
      | the stream     | not streamed |
      | the executor   | not streamed |

  Scenario Outline: The option <name> passes a signal in
    Given the event stream of an agent with the tools "hang"
    And the event stream's model says
      | calls  |
      | hang() |
    When a signal given as <name> ends the event stream
    Then the event stream's bill says "aborted"

    Examples:
      | name                           |
      | abort_signal                   |
      | _abort_signal                  |
      | abort_signal and _abort_signal |

  Scenario: Two different signals can't both be meant
    Given the event stream of an agent without tools
    When the event stream is asked for with two different signals
    Then the event stream raises "ValueError"

  Scenario Outline: A thread that still runs is reported, <way>
    Given the event stream of an agent with the tools "block"
    And the event stream's model says
      | calls   |
      | block() |
    When the event stream is read <way>
    Then the event stream tells of "call_1 aborted before it had answered; its thread still runs: it can't be stopped"
    And the event stream's bill says "aborted"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario: An abort stops sub-agents too
    Given the event stream of a boss whose agent "clerk" aborts the run
    When the event stream is read not streamed
    Then the event stream's bill says "aborted"
    And the event stream's agents have ended as "aborted, aborted"

  Scenario: An agent without a loop ends as aborted too
    Given the event stream of an agent of the host's own that aborts and hangs
    When the event stream is read not streamed
    Then the event stream is
      | event       | told                                        |
      | react_start |                                             |
      | react_end   | aborted                                     |
      | response    | The run was aborted before it was finished. |
