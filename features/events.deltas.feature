Feature: The arguments of a tool call, while the model writes them

  A page wants to show what a tool is about to get before the model has finished writing it: the deltas of each
  argument make its string, or another value's JSON.

  Scenario Outline: Arguments that come as <pieces>
    When the arguments come in the pieces <pieces>
    Then the argument deltas are <deltas>

    Examples: strings are told decoded, other values as JSON
      | pieces                                | deltas                                        |
      | ["{\"city\": \"Pa", "ris\"}"]         | [["city", "Pa"], ["city", "ris"]]             |
      | ["{\"a\": \"\"}"]                     | [["a", ""]]                                   |
      | ["{\"a\": \"", "\"}"]                 | [["a", ""]]                                   |
      | ["{\"a\": \"x\\", "ny\"}"]            | [["a", "x"], ["a", "\ny"]]                    |
      | ["{\"a\": \"\\ud83d", "\\ude00!\"}"]  | [["a", "😀!"]]                                |
      | ["{\"a\": \"\\ud83d", "x\"}"]         | [["a", "\ud83dx"]]                            |
      | ["{\"\\u00e", "9\": 1}"]              | [["é", "1"]]                                  |
      | ["{\"n\": 12", "3}"]                  | [["n", "123"]]                                |
      | ["{\"l\": [1, {\"a\":", " \"}\"}]}"]  | [["l", "[1, {\"a\":"], ["l", " \"}\"}]"]]     |
      | ["{", "}"]                            | []                                            |
      | ["{\"a\": 1, \"a\": 2, \"b\": 3}"]    | [["a", "1"], ["b", "3"]]                      |

    Examples: what is no object is told until it breaks, then nothing
      | pieces                                | deltas                                        |
      | ["{\"a\": \"x\\q", "y\"}"]            | [["a", "x"]]                                  |
      | ["{\"a\": 1} {\"b\": 2}"]             | [["a", "1"]]                                  |
      | ["{\"a\": [1}", ", \"b\": 2}"]        | [["a", "[1"]]                                 |
      | ["{\"a\": nope, \"b\": 2}"]           | []                                            |
      | ["{\"a\": \"cut"]                     | [["a", "cut"]]                                |
      | ["[1, 2]"]                            | []                                            |
      | ["{\"a\" 1}", "{\"b\": 1}"]           | []                                            |
      | [{"a": "x", "b": [1]}, {"c": null}]   | [["a", "x"], ["b", "[1]"], ["c", "null"]]     |
      | [{"a": "x"}, {"a": "y"}, 5]           | [["a", "x"]]                                  |

  @slow
  Scenario: Every object, cut everywhere, is read as json.loads reads it
    Then the deltas of any object make what json.loads reads, wherever it is cut

  Scenario: What is broken never raises, and is told the same however it is cut
    Then the deltas of a damaged object do not depend on the cuts

  Scenario: The work grows with the length
    Then twice the arguments take at most 2.1 times the calls

  Scenario: Calls whose pieces are mixed
    When these pieces of tool calls arrive
      | index | id  | name | args            |
      | 1     | "b" | "g"  | ""              |
      | 0     | "a" | "f"  | "{\"x\": \"1"   |
      | 1     |     |      | "{\"y\": \"2\"" |
      | 0     |     |      | "3\"}"          |
      | 1     |     |      | "}"             |
    Then these argument deltas are told
      | call | id  | name | argument | delta |
      | 1    | "a" | "f"  | x        | "1"   |
      | 0    | "b" | "g"  | y        | "2"   |
      | 1    | "a" | "f"  | x        | "3"   |

  Scenario: The same index with another id is another call, and so is a new id without an index
    When these pieces of tool calls arrive
      | index | id  | name | args           |
      | 0     | "a" | "f"  | "{\"x\": 1}"   |
      | 0     | "b" | "f"  | "{\"x\": 2}"   |
      |       | "c" | "f"  | "{\"x\": "     |
      |       | "c" |      | "3"            |
      |       |     |      | "}"            |
    Then these argument deltas are told
      | call | id  | name | argument | delta |
      | 0    | "a" | "f"  | x        | "1"   |
      | 1    | "b" | "f"  | x        | "2"   |
      | 2    | "c" | "f"  | x        | "3"   |

  Scenario: An id that comes late is not the one that was told
    When these pieces of tool calls arrive
      | index | id  | name | args              |
      | 0     |     | "f"  | "{\"x\": \"1\", " |
      | 0     | "a" | "f"  | "\"y\": \"2\"}"   |
    Then all argument deltas of call 0 have one id, which was made up and is kept

  Scenario: An id that is taken is told as another
    When these pieces of tool calls arrive
      | index | id  | name | args         |
      | 0     | "a" | "f"  | "{\"x\": 1}" |
      | 1     | "a" | "f"  | "{\"x\": 2}" |
    Then the calls are told with 2 different ids

  Scenario: A provider that gives the calls of two rounds one id
    Given the event stream of an agent with the tools "look"
    And the event stream's model gives the id "x" to the calls of 2 rounds
    When the event stream is read streamed
    Then the event stream tells each call's arguments, start and end under one id, another in each round

  Scenario: Calls are told apart as where the whole answer is put together
    Then the calls of any stream are those of the whole answer
