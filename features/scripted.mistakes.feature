Feature: What is wrong with a script is said when it is written

  Scenario Outline: <turns>
    When a scripted model is made of <turns>
    Then the script is refused: "<message>"

    Examples: What is no script
      | turns            | message                                                             |
      | "Hello"          | a script is a list of turns, found 'Hello' (str)                    |
      | call("look")     | a script is a list of turns, found ScriptedCall(name='look', arguments={}, id=None, raw=None) (ScriptedCall) |
      | RuntimeError     | a script is a list of turns, found <class 'RuntimeError'> (type)    |
      | {"text": "a"}    | a script is a list of turns, found {'text': 'a'} (dict)             |

    Examples: What is no turn
      | turns               | message                                                                                                                                                                                                       |
      | ["a", 5]            | turn 2: found 5 (int), allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function     |
      | [None]              | turn 1: found None, allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function        |
      | [int]               | turn 1: found <class 'int'> (type), allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function |
      | [{}]                | turn 1: found an empty mapping, allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function     |
      | [{"txt": "a"}]      | turn 1: unknown key txt, allowed are text, calls, usage, chunks, finish_reason, error                                                                                                                        |
      | [{"text": 5}]       | turn 1: `text` is 5 (int), allowed is a text                                                                                                                                                                 |
      | [ScriptedTurn(5)]   | turn 1: `text` is 5 (int), allowed is a text                                                                                                                                                                 |
      | [{"text": "a", "finish_reason": 1}] | turn 1: `finish_reason` is 1 (int), allowed is a text                                                                                                                                        |

    Examples: Calls
      | turns                                              | message                                                                                              |
      | [{"calls": "look"}]                                | turn 1: `calls` is 'look' (str), allowed is a list of calls                                          |
      | [{"calls": ["look"]}]                              | turn 1: found 'look' (str), allowed is a call with a `name` and `arguments`                          |
      | [[call("look"), 5]]                                | turn 1, call 2: found 5 (int), allowed is a call with a `name` and `arguments`                       |
      | [{"calls": [{"arguments": {}}]}]                   | turn 1: `name` is None, allowed is the name of a tool                                                |
      | [{"name": ""}]                                     | turn 1: `name` is '' (str), allowed is the name of a tool                                            |
      | [{"name": "look", "arguments": [1]}]               | turn 1: `arguments` is [1] (list), allowed is a mapping; `raw` takes any text                        |
      | [{"name": "look", "id": 5}]                        | turn 1: `id` is 5 (int), allowed is a text                                                           |
      | [{"name": "look", "raw": {}}]                      | turn 1: `raw` is {} (dict), allowed is a text                                                        |
      | [{"name": "look", "raw": "{", "args": {"a": 1}}]   | turn 1: found `raw` and arguments, allowed is one of them                                            |
      | [{"name": "look", "city": "Oslo"}]                 | turn 1: unknown key city, allowed are name, arguments, args, id, raw, type                           |
      | [call("look", raw="{", city="Oslo")]               | call('look'): give either raw= or arguments, not both                                                |

    Examples: Chunks
      | turns                                | message                                                               |
      | [{"chunks": "ab"}]                   | turn 1: `chunks` is 'ab' (str), allowed is a list of texts            |
      | [{"chunks": []}]                     | turn 1: `chunks` is [] (list), allowed is a list of texts             |
      | [{"chunks": ["a", 5]}]               | turn 1: `chunks` is ['a', 5] (list), allowed is a list of texts       |
      | [{"chunks": ["a"], "text": "b"}]     | turn 1: `chunks` make 'a', but `text` is 'b': give one of them        |

    Examples: Usage and errors
      | turns                                              | message                                                                                                                                           |
      | [{"text": "a", "usage": 5}]                        | turn 1: `usage` is 5 (int), allowed are `prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"             |
      | [{"text": "a", "usage": (1, 2, 3)}]                | turn 1: `usage` is (1, 2, 3) (tuple), allowed are `prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"   |
      | [{"text": "a", "usage": (1, -2)}]                  | turn 1: `usage` is (1, -2) (tuple), allowed are `prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"     |
      | [{"text": "a", "usage": (1, True)}]                | turn 1: `usage` is (1, True) (tuple), allowed are `prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"   |
      | [{"text": "a", "usage": {"tokens": 1}}]            | turn 1, `usage`: unknown key tokens, allowed are prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens            |
      | [{"error": 5}]                                     | turn 1: `error` is 5 (int), allowed is a message, or a mapping with a `message` and perhaps a `status_code`                                       |
      | [{"error": {"status_code": 503}}]                  | turn 1: `error` is {'status_code': 503} (dict), allowed is a message, or a mapping with a `message` and perhaps a `status_code`                   |
      | [{"error": {"message": "m", "status_code": "5"}}]  | turn 1: `error` is {'message': 'm', 'status_code': '5'} (dict), allowed is a message, or a mapping with a `message` and perhaps a `status_code`   |
      | [{"error": {"message": "m", "code": 5}}]           | turn 1, `error`: unknown key code, allowed are message, status_code                                                                               |
      | [ScriptedTurn(error="boom", usage=5)]              | turn 1: `usage` is 5 (int), allowed are `prompt_tokens` and `completion_tokens` (whole numbers from 0), a pair of them, null or "counted"             |

  Scenario: What a function returned is said when it has
    Given a scripted model that plays
      """
      [lambda: 5, lambda: len, lambda: {"text": 5}, endless]
      """
    When the scripted model is asked 4 times
    Then the scripted model's answers are
      | error |
      | ValueError: what turn 1 returned: found 5 (int), allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function |
      | ValueError: what turn 2 returned: found 1 (int), allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function |
      | ValueError: what turn 3 returned: `text` is 5 (int), allowed is a text |
      | ValueError: what turn 4 returned is a function again and again         |

  Scenario: What a function in place of the list returned
    Given a scripted model that plays
      """
      lambda: None
      """
    When the scripted model is asked 1 times
    Then the scripted model's answers are
      | error |
      | ValueError: what the script's function returned: found None, allowed is a text, a call, a list of calls, a mapping with `text`, `calls`, `usage`, `chunks`, `finish_reason` or `error`, an AIMessage, an exception or a function |
