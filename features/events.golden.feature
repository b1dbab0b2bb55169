Feature: The event stream tells everything, in one order

  One golden sequence for each way a run can go. Rows that begin with `~` come only where the run is streamed.

  Scenario: Every name and field of the reference, from both faces
    Then the event stream's names and fields are those of the reference

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

  Scenario Outline: Two tools side by side, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text      | calls                                         |
      |           | look({"word": "sun"}); look({"word": "rain"}) |
      | Both are. |                                               |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                         |
      | react_start                |                              |
      | react_iteration_start      | 1                            |
      | llm_call_start             | turn 1                       |
      | ~tool_call_arguments_delta | call_1 word=sun              |
      | ~tool_call_arguments_delta | call_2 word=rain             |
      | llm_call_end               | look look                    |
      | tool_calls_batch_start     | call_1 call_2                |
      | tool_call_start            | call_1 look {"word": "sun"}  |
      | tool_call_end              | call_1 ok sun is a word      |
      | tool_call_start            | call_2 look {"word": "rain"} |
      | tool_call_end              | call_2 ok rain is a word     |
      | tool_calls_batch_end       |                              |
      | react_iteration_end        | 1                            |
      | react_iteration_start      | 2                            |
      | llm_call_start             | turn 1                       |
      | ~llm_chunk_arrive          | Both are.                    |
      | llm_call_end               | Both are.                    |
      | react_iteration_end        | 2                            |
      | react_end                  | completed                    |
      | response                   | Both are.                    |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: Two rounds, with text beside the first one's call, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text        | calls                  |
      | Let me see. | look({"word": "sun"})  |
      |             | look({"word": "rain"}) |
      | Both are.   |                        |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                         |
      | react_start                |                              |
      | react_iteration_start      | 1                            |
      | llm_call_start             | turn 1                       |
      | ~llm_chunk_arrive          | Let me see.                  |
      | ~tool_call_arguments_delta | call_1 word=sun              |
      | llm_call_end               | Let me see. look             |
      | tool_calls_batch_start     | call_1                       |
      | tool_call_start            | call_1 look {"word": "sun"}  |
      | tool_call_end              | call_1 ok sun is a word      |
      | tool_calls_batch_end       |                              |
      | react_iteration_end        | 1                            |
      | react_iteration_start      | 2                            |
      | llm_call_start             | turn 1                       |
      | ~tool_call_arguments_delta | call_2 word=rain             |
      | llm_call_end               | look                         |
      | tool_calls_batch_start     | call_2                       |
      | tool_call_start            | call_2 look {"word": "rain"} |
      | tool_call_end              | call_2 ok rain is a word     |
      | tool_calls_batch_end       |                              |
      | react_iteration_end        | 2                            |
      | react_iteration_start      | 3                            |
      | llm_call_start             | turn 1                       |
      | ~llm_chunk_arrive          | Both are.                    |
      | llm_call_end               | Both are.                    |
      | react_iteration_end        | 3                            |
      | react_end                  | completed                    |
      | response                   | Both are.                    |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that fails, <way>
    Given the event stream of an agent with the tools "fail"
    And the event stream's model says
      | text       | calls  |
      |            | fail() |
      | It failed. |        |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                                |
      | react_start            |                                                     |
      | react_iteration_start  | 1                                                   |
      | llm_call_start         | turn 1                                              |
      | llm_call_end           | fail                                                |
      | tool_calls_batch_start | call_1                                              |
      | tool_call_start        | call_1 fail {}                                      |
      | tool_call_error        | call_1 tool fail failed: ValueError: no luck        |
      | tool_call_end          | call_1 failed tool fail failed: ValueError: no luck |
      | tool_calls_batch_end   |                                                     |
      | react_iteration_end    | 1                                                   |
      | react_iteration_start  | 2                                                   |
      | llm_call_start         | turn 1                                              |
      | ~llm_chunk_arrive      | It failed.                                          |
      | llm_call_end           | It failed.                                          |
      | react_iteration_end    | 2                                                   |
      | react_end              | completed                                           |
      | response               | It failed.                                          |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that takes too long, <way>
    Given the event stream of an agent with the tools "hang"
    And the event stream's agent has {"tool_timeout": 0.01}
    And the event stream's model says
      | text      | calls  |
      |           | hang() |
      | It hangs. |        |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                                 |
      | react_start            |                                                      |
      | react_iteration_start  | 1                                                    |
      | llm_call_start         | turn 1                                               |
      | llm_call_end           | hang                                                 |
      | tool_calls_batch_start | call_1                                               |
      | tool_call_start        | call_1 hang {}                                       |
      | tool_call_error        | call_1 tool hang did not answer within 0.01 s        |
      | tool_call_end          | call_1 failed tool hang did not answer within 0.01 s |
      | tool_calls_batch_end   |                                                      |
      | react_iteration_end    | 1                                                    |
      | react_iteration_start  | 2                                                    |
      | llm_call_start         | turn 1                                               |
      | ~llm_chunk_arrive      | It hangs.                                            |
      | llm_call_end           | It hangs.                                            |
      | react_iteration_end    | 2                                                    |
      | react_end              | completed                                            |
      | response               | It hangs.                                            |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that there is none of, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text        | calls                |
      |             | dig({"word": "sun"}) |
      | No digging. |                      |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                                     |
      | react_start                |                                                          |
      | react_iteration_start      | 1                                                        |
      | llm_call_start             | turn 1                                                   |
      | ~tool_call_arguments_delta | call_1 word=sun                                          |
      | llm_call_end               | dig                                                      |
      | tool_calls_batch_start     | call_1                                                   |
      | tool_call_start            | call_1 dig {}                                            |
      | tool_call_error            | call_1 there is no tool 'dig'; the tools are look        |
      | tool_call_end              | call_1 failed there is no tool 'dig'; the tools are look |
      | tool_calls_batch_end       |                                                          |
      | react_iteration_end        | 1                                                        |
      | react_iteration_start      | 2                                                        |
      | llm_call_start             | turn 1                                                   |
      | ~llm_chunk_arrive          | No digging.                                              |
      | llm_call_end               | No digging.                                              |
      | react_iteration_end        | 2                                                        |
      | react_end                  | completed                                                |
      | response                   | No digging.                                              |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: Arguments that can't be parsed, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text   | calls           |
      |        | look({"word": ) |
      | Sorry. |                 |
    When the event stream is read <way>
    Then the event stream is
      | event                  | told                                                                       |
      | react_start            |                                                                            |
      | react_iteration_start  | 1                                                                          |
      | llm_call_start         | turn 1                                                                     |
      | llm_call_end           | look                                                                       |
      | tool_calls_batch_start | call_1                                                                     |
      | tool_call_start        | call_1 look {}                                                             |
      | tool_call_error        | call_1 not run: the arguments are not valid JSON: Expecting value:…        |
      | tool_call_end          | call_1 failed not run: the arguments are not valid JSON: Expecting value:… |
      | tool_calls_batch_end   |                                                                            |
      | react_iteration_end    | 1                                                                          |
      | react_iteration_start  | 2                                                                          |
      | llm_call_start         | turn 1                                                                     |
      | ~llm_chunk_arrive      | Sorry.                                                                     |
      | llm_call_end           | Sorry.                                                                     |
      | react_iteration_end    | 2                                                                          |
      | react_end              | completed                                                                  |
      | response               | Sorry.                                                                     |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A response that is cut: its calls are not run, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text   | calls                 | does   |
      |        | look({"word": "sun"}) | is cut |
      | Sorry. |                       |        |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                                                        |
      | react_start                |                                                                             |
      | react_iteration_start      | 1                                                                           |
      | llm_call_start             | turn 1                                                                      |
      | ~tool_call_arguments_delta | call_1 word=sun                                                             |
      | llm_call_end               | look                                                                        |
      | tool_calls_batch_start     | call_1                                                                      |
      | tool_call_start            | call_1 look {}                                                              |
      | tool_call_error            | call_1 not run: the provider cut the response (length), so that its…        |
      | tool_call_end              | call_1 failed not run: the provider cut the response (length), so that its… |
      | tool_calls_batch_end       |                                                                             |
      | react_iteration_end        | 1                                                                           |
      | react_iteration_start      | 2                                                                           |
      | llm_call_start             | turn 1                                                                      |
      | ~llm_chunk_arrive          | Sorry.                                                                      |
      | llm_call_end               | Sorry.                                                                      |
      | react_iteration_end        | 2                                                                           |
      | react_end                  | completed                                                                   |
      | response                   | Sorry.                                                                      |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A model call that fails, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | does      |
      | fails 400 |
    When the event stream is read <way>
    Then the event stream is
      | event                 | told          |
      | react_start           |               |
      | react_iteration_start | 1             |
      | llm_call_start        | turn 1        |
      | llm_call_error        | ScriptedError |
      | react_iteration_end   | 1             |
      | react_end             | error         |
    And the event stream raises "ScriptedError"
    And the event stream's bill says "error"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A model call that fails for good, after a round, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | calls                 | does      |
      | look({"word": "sun"}) |           |
      |                       | fails 400 |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                        |
      | react_start                |                             |
      | react_iteration_start      | 1                           |
      | llm_call_start             | turn 1                      |
      | ~tool_call_arguments_delta | call_1 word=sun             |
      | llm_call_end               | look                        |
      | tool_calls_batch_start     | call_1                      |
      | tool_call_start            | call_1 look {"word": "sun"} |
      | tool_call_end              | call_1 ok sun is a word     |
      | tool_calls_batch_end       |                             |
      | react_iteration_end        | 1                           |
      | react_iteration_start      | 2                           |
      | llm_call_start             | turn 1                      |
      | llm_call_error             | ScriptedError               |
      | react_iteration_end        | 2                           |
      | react_end                  | error                       |
    And the event stream raises "ScriptedError"
    And the event stream's bill says "error"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A model call that is tried again before it said anything, <way>
    Given the event stream of an agent without tools
    And the event stream's model says
      | text         | does      |
      |              | fails 500 |
      | Take a coat. |           |
    When the event stream is read <way>
    Then the event stream is
      | event                 | told                |
      | react_start           |                     |
      | react_iteration_start | 1                   |
      | llm_call_start        | turn 1              |
      | llm_call_error        | ScriptedError retry |
      | llm_call_start        | turn 2              |
      | ~llm_chunk_arrive     | Take a coat.        |
      | llm_call_end          | Take a coat.        |
      | react_iteration_end   | 1                   |
      | react_end             | completed           |
      | response              | Take a coat.        |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A model call that is tried again after text: the text is taken back, <way>
    Given the event stream of an agent without tools
    And the event stream's model says
      | text         | does      |
      | Take an      | fails 500 |
      | Take a coat. |           |
    When the event stream is read <way>
    Then the event stream is
      | event                 | told                        |
      | react_start           |                             |
      | react_iteration_start | 1                           |
      | llm_call_start        | turn 1                      |
      | ~llm_chunk_arrive     | Take an                     |
      | llm_call_error        | ScriptedError retry         |
      | ~custom               | stream_reset {"attempt": 1} |
      | llm_call_start        | turn 2                      |
      | ~llm_chunk_arrive     | Take a coat.                |
      | llm_call_end          | Take a coat.                |
      | react_iteration_end   | 1                           |
      | react_end             | completed                   |
      | response              | Take a coat.                |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A limit of rounds, with its wrap-up, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's agent has {"tool_max_rounds": 1}
    And the event stream's model says
      | text        | calls                  |
      |             | look({"word": "sun"})  |
      |             | look({"word": "rain"}) |
      | The sun is. |                        |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                                       |
      | react_start                |                                                            |
      | react_iteration_start      | 1                                                          |
      | llm_call_start             | turn 1                                                     |
      | ~tool_call_arguments_delta | call_1 word=sun                                            |
      | llm_call_end               | look                                                       |
      | tool_calls_batch_start     | call_1                                                     |
      | tool_call_start            | call_1 look {"word": "sun"}                                |
      | tool_call_end              | call_1 ok sun is a word                                    |
      | tool_calls_batch_end       |                                                            |
      | react_iteration_end        | 1                                                          |
      | react_iteration_start      | 2                                                          |
      | llm_call_start             | turn 1                                                     |
      | ~tool_call_arguments_delta | call_2 word=rain                                           |
      | llm_call_end               | look                                                       |
      | tool_calls_batch_start     | call_2                                                     |
      | tool_call_start            | call_2 look {}                                             |
      | tool_call_error            | call_2 not run: the limit of tool rounds is reached        |
      | tool_call_end              | call_2 failed not run: the limit of tool rounds is reached |
      | tool_calls_batch_end       |                                                            |
      | react_iteration_end        | 2                                                          |
      | react_iteration_start      | 3                                                          |
      | custom                     | synthesis_start {"reason": "max_rounds"}                   |
      | llm_call_start             | synthesis 1                                                |
      | ~llm_chunk_arrive          | The sun is.                                                |
      | llm_call_end               | The sun is.                                                |
      | react_iteration_end        | 3                                                          |
      | react_end                  | max_rounds                                                 |
      | response                   | The sun is.                                                |
    And the event stream's bill says "max_rounds"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A limit of tool calls: one batch, of which one call is run, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's run may {"max_tool_calls": 1}
    And the event stream's model says
      | text        | calls                                         |
      |             | look({"word": "sun"}); look({"word": "rain"}) |
      | The sun is. |                                               |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                                      |
      | react_start                |                                                           |
      | react_iteration_start      | 1                                                         |
      | llm_call_start             | turn 1                                                    |
      | ~tool_call_arguments_delta | call_1 word=sun                                           |
      | ~tool_call_arguments_delta | call_2 word=rain                                          |
      | llm_call_end               | look look                                                 |
      | tool_calls_batch_start     | call_1 call_2                                             |
      | tool_call_start            | call_1 look {"word": "sun"}                               |
      | tool_call_end              | call_1 ok sun is a word                                   |
      | tool_call_start            | call_2 look {}                                            |
      | tool_call_error            | call_2 not run: the limit of tool calls is reached        |
      | tool_call_end              | call_2 failed not run: the limit of tool calls is reached |
      | tool_calls_batch_end       |                                                           |
      | react_iteration_end        | 1                                                         |
      | react_iteration_start      | 2                                                         |
      | custom                     | synthesis_start {"reason": "tool_calls"}                  |
      | llm_call_start             | synthesis 1                                               |
      | ~llm_chunk_arrive          | The sun is.                                               |
      | llm_call_end               | The sun is.                                               |
      | react_iteration_end        | 2                                                         |
      | react_end                  | tool_calls                                                |
      | response                   | The sun is.                                               |
    And the event stream's bill says "tool_calls"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A budget, with its wrap-up, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's agent has {"token_budget": 2000}
    And the event stream's model says
      | text        | calls                 | tokens  |
      |             | look({"word": "sun"}) | 50 1500 |
      | The sun is. |                       | 60 5    |
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
      | custom                     | budget_exhausted {"reason": "token_budget"} |
      | react_iteration_start      | 2                                           |
      | custom                     | synthesis_start {"reason": "token_budget"}  |
      | llm_call_start             | synthesis 1                                 |
      | ~llm_chunk_arrive          | The sun is.                                 |
      | llm_call_end               | The sun is.                                 |
      | react_iteration_end        | 2                                           |
      | react_end                  | token_budget                                |
      | response                   | The sun is.                                 |
    And the event stream's bill says "token_budget"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A model that says nothing after its tools, <way>
    Given the event stream of an agent with the tools "look"
    And the event stream's model says
      | text        | calls                 |
      |             | look({"word": "sun"}) |
      |             |                       |
      | The sun is. |                       |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                    |
      | react_start                |                                         |
      | react_iteration_start      | 1                                       |
      | llm_call_start             | turn 1                                  |
      | ~tool_call_arguments_delta | call_1 word=sun                         |
      | llm_call_end               | look                                    |
      | tool_calls_batch_start     | call_1                                  |
      | tool_call_start            | call_1 look {"word": "sun"}             |
      | tool_call_end              | call_1 ok sun is a word                 |
      | tool_calls_batch_end       |                                         |
      | react_iteration_end        | 1                                       |
      | react_iteration_start      | 2                                       |
      | llm_call_start             | turn 1                                  |
      | llm_call_end               |                                         |
      | react_iteration_end        | 2                                       |
      | react_iteration_start      | 3                                       |
      | custom                     | synthesis_start {"reason": "tool_only"} |
      | llm_call_start             | synthesis 1                             |
      | ~llm_chunk_arrive          | The sun is.                             |
      | llm_call_end               | The sun is.                             |
      | react_iteration_end        | 3                                       |
      | react_end                  | tool_only                               |
      | response                   | The sun is.                             |
    And the event stream's bill says "tool_only"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A pruning pass lies in the iteration whose call it makes room for, <way>
    Given the event stream of an agent with the tools "big"
    And the event stream's agent has {"pruning": {"trigger_tokens": 500, "mode": "condense"}}
    And the event stream's model says
      | text          | calls               | tokens |
      |               | big({"size": 3000}) | 50 10  |
      |               | big({"size": 3000}) | 800 10 |
      | Only letters. |                     | 900 5  |
      | Done.         |                     | 1000 3 |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                                                    |
      | react_start                |                                                                         |
      | react_iteration_start      | 1                                                                       |
      | llm_call_start             | turn 1                                                                  |
      | ~tool_call_arguments_delta | call_1 size=3000                                                        |
      | llm_call_end               | big                                                                     |
      | tool_calls_batch_start     | call_1                                                                  |
      | tool_call_start            | call_1 big {"size": 3000}                                               |
      | tool_call_end              | call_1 ok xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… |
      | tool_calls_batch_end       |                                                                         |
      | react_iteration_end        | 1                                                                       |
      | react_iteration_start      | 2                                                                       |
      | llm_call_start             | turn 1                                                                  |
      | ~tool_call_arguments_delta | call_2 size=3000                                                        |
      | llm_call_end               | big                                                                     |
      | tool_calls_batch_start     | call_2                                                                  |
      | tool_call_start            | call_2 big {"size": 3000}                                               |
      | tool_call_end              | call_2 ok xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… |
      | tool_calls_batch_end       |                                                                         |
      | react_iteration_end        | 2                                                                       |
      | react_iteration_start      | 3                                                                       |
      | llm_call_start             | pruning 1                                                               |
      | llm_call_end               | Only letters.                                                           |
      | custom                     | tool_output_pruned {"mode": "condense"}                                 |
      | llm_call_start             | turn 1                                                                  |
      | ~llm_chunk_arrive          | Done.                                                                   |
      | llm_call_end               | Done.                                                                   |
      | react_iteration_end        | 3                                                                       |
      | react_end                  | completed                                                               |
      | response                   | Done.                                                                   |
    And the event stream's bill says "completed"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A tool that ends the run lets those beside it finish, <way>
    Given the event stream of an agent with the tools "look, fatal"
    And the event stream's model says
      | calls                          |
      | look({"word": "sun"}); fatal() |
    When the event stream is read <way>
    Then the event stream is
      | event                      | told                                      |
      | react_start                |                                           |
      | react_iteration_start      | 1                                         |
      | llm_call_start             | turn 1                                    |
      | ~tool_call_arguments_delta | call_1 word=sun                           |
      | llm_call_end               | look fatal                                |
      | tool_calls_batch_start     | call_1 call_2                             |
      | tool_call_start            | call_1 look {"word": "sun"}               |
      | tool_call_end              | call_1 ok sun is a word                   |
      | tool_call_start            | call_2 fatal {}                           |
      | tool_call_error            | call_2 FatalToolError: that was it        |
      | tool_call_end              | call_2 failed FatalToolError: that was it |
      | tool_calls_batch_end       |                                           |
      | react_iteration_end        | 1                                         |
      | react_end                  | error                                     |
    And the event stream raises "FatalToolError"
    And the event stream's bill says "error"

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: Calls of sub-agents lie within the tool call that makes them, <way>
    Given the event stream of a boss whose agent "clerk" is asked twice at once
    When the event stream is read <way>
    Then the event stream's calls are told by "main", then by "clerk" twice, each within its tool call

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A value that must fit is mended in an iteration of its own, <way>
    Given the event stream of an agent without tools
    And the event stream's answer must be an int
    And the event stream's model says
      | text  |
      | seven |
      | 7     |
    When the event stream is read <way>
    Then the event stream is
      | event                 | told      |
      | react_start           |           |
      | react_iteration_start | 1         |
      | llm_call_start        | turn 1    |
      | ~llm_chunk_arrive     | seven     |
      | llm_call_end          | seven     |
      | react_iteration_end   | 1         |
      | react_iteration_start | 2         |
      | llm_call_start        | repair 1  |
      | llm_call_end          | 7         |
      | react_iteration_end   | 2         |
      | react_end             | completed |
      | response              | 7         |

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A prompt that is too long is shortened in the iteration whose call it makes room for, <way>
    Given the event stream of an agent with the tools "big"
    And the event stream's model says
      | text  | calls              | does      |
      |       | big({"size": 300}) |           |
      |       |                    | overflows |
      | Done. |                    |           |
    When the event stream is read <way>
    Then the event stream has these rows from the 2nd iteration on
      | event                 | told                                    |
      | react_iteration_start | 2                                       |
      | llm_call_start        | turn 1                                  |
      | llm_call_error        | ScriptedError                           |
      | custom                | tool_output_pruned {"mode": "truncate"} |
      | llm_call_start        | turn 1                                  |
      | ~llm_chunk_arrive     | Done.                                   |
      | llm_call_end          | Done.                                   |
      | react_iteration_end   | 2                                       |
      | react_end             | completed                               |
      | response              | Done.                                   |

    Examples:
      | way          |
      | streamed     |
      | not streamed |

  Scenario Outline: A reader that leaves at the <place> ends the run, and an observer hears of every end, <way>
    Given the event stream of an agent with the tools "look, hang"
    And the event stream has an observer too
    And the event stream's model says
      | calls                         |
      | look({"word": "sun"}); hang() |
    When the event stream is left at "<place>", <way>
    Then the event stream's bill says "cancelled"
    And the event stream's last row is "<place>", and nothing of it is open to the observer
    And the event stream's rows are <rows>

    Examples:
      | place                  | way          | rows           |
      | react_start            | not streamed | ["unmeasured"] |
      | llm_call_start         | not streamed | ["unmeasured"] |
      | llm_call_start         | streamed     | ["unmeasured"] |
      | llm_call_end           | streamed     | ["settled"]    |
      | tool_calls_batch_start | not streamed | ["settled"]    |
      | tool_call_end          | not streamed | ["settled"]    |

  Scenario Outline: A reader that is cancelled at the <place> ends the run, and an observer hears of every end
    Given the event stream of an agent with the tools "look, hang"
    And the event stream has an observer too
    And the event stream's model says
      | calls                         |
      | look({"word": "sun"}); hang() |
    When the event stream's reader is cancelled at "<place>", not streamed
    Then the event stream's bill says "cancelled"
    And nothing of the event stream is open to the observer

    Examples:
      | place           |
      | llm_call_start  |
      | tool_call_start |
      | tool_call_end   |
