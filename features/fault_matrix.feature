Feature: The fault matrix
  Whatever ends a run, the bill says what the provider billed; where the wire did not tell it, the bill says so and
  estimates. Each ending is brought about while a run is asked whole (blocking), as a stream of one chunk (answer) and
  as a stream of tokens, in its first model call, in a later one, and in the wrap-up.

  . In each cell: the right exception or result; every row equal to the provider's own ledger, or flagged as estimated
  . (a stream within 15 % of the bill, a whole answer between its prompt and what was reserved); the handle, the
  . exception and on_result carry one and the same bill, once; on_usage has each row open and as it ended; the history
  . is valid; nothing stays reserved; no task, thread or connection is left.
  .
  . Of three signs the first is of the first call, the second of a later one, the third of the wrap-up:
  . `=` all that was billed was told, `~` some of it is estimated and flagged, `0` nothing was billed, `·` no such cell.

  Scenario Outline: The provider answers: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending                              | blocking | answer | tokens |
      | an answer                           | ===      | ===    | ===    |
      | a tool that raises                  | ==·      | ==·    | ==·    |
      | usage is missing                    | ~~~      | ~~~    | ~~~    |
      | usage is null                       | ~~~      | ~~~    | ~~~    |
      | usage is partial                    | ~~~      | ~~~    | ~~~    |
      | usage on every chunk                | ===      | ===    | ===    |
      | usage last, without choices         | ===      | ===    | ===    |
      | usage with the finish reason        | ===      | ===    | ===    |
      | the finish reason twice             | ===      | ===    | ===    |
      | 429, then an answer                 | ===      | ===    | ===    |
      | 500, then an answer                 | ===      | ===    | ===    |
      | 504 that was billed, then an answer | ~~~      | ~~~    | ~~~    |
      | dropped, then an answer             | ~~~      | ~~~    | ~~~    |
      | dropped before its usage            | ···      | ···    | ~~~    |

  Scenario Outline: The provider refuses: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending              | blocking | answer | tokens |
      | 400                 | 0==      | 0==    | 0==    |
      | 401                 | 0==      | 0==    | 0==    |
      | 403                 | 0==      | 0==    | 0==    |
      | 404                 | 0==      | 0==    | 0==    |
      | 408 that was billed | ~~~      | ~~~    | ~~~    |
      | 429                 | 0==      | 0==    | 0==    |
      | 500                 | 0==      | 0==    | 0==    |
      | 503                 | 0==      | 0==    | 0==    |
      | 504 that was billed | ~~~      | ~~~    | ~~~    |
      | refused connection  | 0==      | 0==    | 0==    |

  Scenario Outline: The connection breaks, or the answer is none: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending                      | blocking | answer | tokens |
      | dropped before the response | ~~~      | ~~~    | ~~~    |
      | reset before the response   | ~~~      | ~~~    | ~~~    |
      | dropped in the middle       | ~~~      | ~~~    | ~~~    |
      | reset in the middle         | ~~~      | ~~~    | ~~~    |
      | cut off in the middle       | ~~~      | ~~~    | ~~~    |
      | HTML                        | ~~~      | ~~~    | ~~~    |
      | an empty body               | ~~~      | ~~~    | ~~~    |
      | cut-off JSON                | ~~~      | ~~~    | ~~~    |
      | an error in a 200           | ~~~      | ~~~    | ~~~    |
      | choices are null            | ===      | ===    | ~~~    |
      | choices are empty           | ===      | ===    | ~~~    |
      | an error event              | ~~~      | ~~~    | ~~~    |
      | an error event, named       | ~~~      | ~~~    | ~~~    |
      | model_timeout               | ~~~      | ~~~    | ~~~    |
      | stream_idle_timeout         | ···      | ···    | ~~~    |

  Scenario Outline: The host cancels or aborts: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending                               | blocking | answer | tokens |
      | task.cancel()                        | ~~~      | ~~~    | ~~~    |
      | task.cancel() again and again        | ~~~      | ~~~    | ~~~    |
      | a cancelled scope                    | ~~~      | ~~~    | ~~~    |
      | a failing task group                 | ~~~      | ~~~    | ~~~    |
      | asyncio.timeout                      | ~~~      | ~~~    | ~~~    |
      | anyio.fail_after                     | ~~~      | ~~~    | ~~~    |
      | SIGINT under asyncio.run             | ~~~      | ~~~    | ~~~    |
      | cancelled in a tool                  | ==·      | ==·    | ==·    |
      | cancelled in a pass                  | ·~·      | ·~·    | ·~·    |
      | cancelled in the tail of the call    | ===      | ===    | ===    |
      | cancelled while its row is delivered | ===      | ===    | ===    |
      | aborted                              | ~~~      | ~~~    | ~~~    |
      | aborted in a tool                    | ==·      | ==·    | ==·    |
      | timeout=                             | ~~~      | ~~~    | ~~~    |

  Scenario Outline: The reader leaves: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending                           | blocking | answer | tokens |
      | stream broken out of             | ···      | ===    | ~~~    |
      | stream closed                    | ···      | ~~~    | ~~~    |
      | stream dropped                   | ···      | ===    | ~~~    |
      | stream dropped in another thread | ···      | ===    | ~~~    |
      | stream left by an error          | ···      | ===    | ~~~    |
      | client gone, ASGI 2.3            | ···      | ~~~    | ~~~    |
      | client gone, ASGI 2.4            | ···      | ===    | ===    |

  Scenario Outline: A limit is reached: <ending>
    Then runs that end by "<ending>" have the cells "<blocking>", "<answer>" and "<tokens>"

    Examples:
      | ending                                | blocking | answer | tokens |
      | max_model_calls                       | ·=·      | ·=·    | ·=·    |
      | max_tool_calls                        | ·=·      | ·=·    | ·=·    |
      | max_rounds                            | ·=·      | ·=·    | ·=·    |
      | a token budget                        | ·=·      | ·=·    | ·=·    |
      | a budget too small for the first call | 0··      | 0··    | 0··    |
