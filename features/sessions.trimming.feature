Feature: Trimming a conversation
  A host that stores long conversations must be able to send their end alone, and never a tool's result without its
  call.

  . SPECIFICATION: A turn is a user's message and all up to the next one. Turns are kept whole, the newest first.

  Scenario: Nothing is parted, and no bound is passed
    Then for 200 drawn conversations what is kept are the newest whole turns, as many as the bounds allow

  Scenario Outline: By turns: <keep_last>
    When the conversation "a u a:1 t:1 a u u a" is trimmed to {"keep_last": <keep_last>}
    Then the kept conversation is "<kept>"

    Examples:
      | keep_last | kept                |
      | 0         |                     |
      | 1         | u a                 |
      | 2         | u u a               |
      | 3         | u a:1 t:1 a u u a   |
      | 4         | a u a:1 t:1 a u u a |
      | 9         | a u a:1 t:1 a u u a |

  Scenario: By tokens
    When the conversation "u a:1 t:1 a u a" is trimmed to {"max_tokens": 80}
    Then the kept conversation is "u a"

  Scenario: One turn that is too long leaves nothing
    When the conversation "u a" is trimmed to {"max_tokens": 10}
    Then the kept conversation is ""

  Scenario: Without bounds all is kept
    When the conversation "u a u a" is trimmed to {}
    Then the kept conversation is "u a u a"

  Scenario: A bound below nothing is refused
    When the conversation "u a" is trimmed to {"keep_last": -1}
    Then trimming is refused with "keep_last must be 0 at least, found -1"
