Feature: How a tool runs, and what the model reads of its result

  Scenario Outline: <value> is read as text
    When a tool returns <value>
    Then the tool message is <content>

    Examples: text, unchanged but for what no wire carries
      | value                    | content              |
      | "plain"                  | "plain"              |
      | ""                       | ""                   |
      | "é 😀"                   | "é 😀"               |
      | "half \ud83d pair"       | "half � pair"        |
      | Unit.CELSIUS             | "celsius"            |
      | b"bytes"                 | "bytes"              |
      | b"\xff\x00"              | "<2 bytes of binary data>" |
      | Decimal("1.50")          | "1.50"               |
      | UUID(int=5)              | "00000000-0000-0000-0000-000000000005" |
      | datetime.date(2026, 1, 2) | "2026-01-02"        |
      | datetime.timedelta(seconds=3) | "0:00:03"       |
      | ValueError("bad")        | "ValueError: bad"    |
      | ValueError()             | "ValueError"         |

    Examples: data, as JSON
      | value                    | content              |
      | None                     | "null"               |
      | True                     | "true"               |
      | 5                        | "5"                  |
      | [1, "é", (2, None)]      | "[1, \"é\", [2, null]]" |
      | {"a": {3, 1, 2}}         | "{\"a\": [1, 2, 3]}" |
      | {1, "a"}                 | "[\"a\", 1]"         |
      | [Decimal("1.5"), Unit.CELSIUS, KeyError("k")] | "[\"1.5\", \"celsius\", \"KeyError: 'k'\"]" |
      | Pair(1, Pair(Anything(it=2))) | "{\"left\": 1, \"right\": {\"left\": {\"it\": 2}, \"right\": null}}" |
      | Anything(it=[1])         | "{\"it\":[1]}"       |
      | range(3)                 | "[0, 1, 2]"          |
      | {"a": 1}.values()        | "[1]"                |
      | [Array()]                | "[[1, 2]]"           |

    Examples: what JSON can't hold
      | value                    | content              |
      | float("nan")             | "nan"                |
      | [float("inf")]           | "[\"inf\"]"          |
      | {(1, 2): 3, None: 4}     | "{\"[1, 2]\": 3, \"null\": 4}" |
      | knot("list")             | "[1, \"<cycle>\"]"   |
      | knot("dict")             | "{\"me\": \"<cycle>\"}" |
      | knot("model")            | "{\"it\": {\"it\": \"<cycle>\"}}" |
      | Anything(it="\ud83d")    | "{\"it\": \"�\"}"    |
      | [10 ** 5000]             | "[\"<an integer of 16,610 bits>\"]" |
      | Broken()                 | "<Broken>"           |
      | [1, Broken()]            | "[1, \"<Broken>\"]"  |
      | Opaque()                 | "<Opaque>"           |
      | (i for i in "ab")        | "<generator object <genexpr>>" |
      | range(10 ** 12)          | "range(0, 1000000000000)" |

    Examples: content blocks and messages
      | value                    | content              |
      | [{"type": "text", "text": "a"}] | [{"type": "text", "text": "a"}] |
      | ({"type": "image", "base64": "aa", "mime_type": "image/png"},) | [{"type": "image", "base64": "aa", "mime_type": "image/png"}] |
      | [{"type": "file", "name": "a row"}] | "[{\"type\": \"file\", \"name\": \"a row\"}]" |
      | [{"type": "document", "source": {"a": deep(3), "b": 1.5, "c": None}}] | [{"type": "document", "source": {"a": [[["end"]]], "b": 1.5, "c": null}}] |
      | [{"type": "text", "text": "a", "more": deep(25)}] | "[{\"type\": \"text\", \"text\": \"a\", \"more\": [[[[[[[[[[[[[[[[[[[[[[[[[\"end\"]]]]]]]]]]]]]]]]]]]]]]]]]}]" |
      | [{"type": 5}]            | "[{\"type\": 5}]"    |
      | [{"type": "text", "text": "a"}, 5] | "[{\"type\": \"text\", \"text\": \"a\"}, 5]" |
      | [{"type": "text", "text": "\ud83d"}] | "[{\"type\": \"text\", \"text\": \"�\"}]" |
      | [{"type": "text", "text": "a", "score": float("nan")}] | "[{\"type\": \"text\", \"text\": \"a\", \"score\": \"nan\"}]" |
      | ToolMessage("a", tool_call_id="1") | "a"        |
      | AIMessage("a")           | "a"                  |
      | ToolMessage([], tool_call_id="1") | ""          |
      | ToolMessage(["a", {"type": "x"}], tool_call_id="1") | [{"type": "text", "text": "a"}, {"type": "x"}] |
      | ToolMessage([{"a": Opaque()}], tool_call_id="1") | "[{\"a\": \"<Opaque>\"}]" |

  Scenario: A value nested without end
    When a tool returns deep(100000)
    Then the tool message holds "<nested too deeply>"

  Scenario: No value makes it raise
    Then every value of scalars, containers and cycles is read as text that a wire can carry

  Scenario Outline: A preview of <text>
    Then the preview of <text> in 8 characters is <shown>

    Examples:
      | text                  | shown                       |
      | "short"               | "short"                     |
      | "a\n\u0000\ud83dé"    | "a\\n\\x00\\ud83dé"         |
      | "longer than that"    | "longer t… (16 characters)" |

  Scenario: A sync function runs in a thread of the run's own, in a copy of the context
    Given the sample "in_thread" as a tool
    And the label "tenant" in the context
    When the tool is called with {"word": "!"}
    Then the tool is named "in_thread" and returns "True tenant!"

  Scenario: Threads that are left behind are counted until they end
    Given threads of which 2 may be left behind
    When 2 sync functions do not end in time
    Then 2 threads are left behind
    When a sync function is to run
    Then the threads refuse it with "2 sync tools did not end in time"
    When the functions end
    Then no thread is left behind, and a sync function runs

  Scenario: A function that is given up before it began never begins
    Given 1 thread for sync functions
    When two functions are given up, of which the second waits for the first
    Then the second never began, and 1 thread is left behind
    When the functions end
    Then no thread is left behind, and a sync function runs

  Scenario: A function that is given up while its thread takes it never begins
    Given 1 thread for sync functions
    When a function is given up between its thread and its beginning
    Then it never began, and no thread is left behind

  Scenario: The same threads serve several loops
    Given threads of which 2 may be left behind
    Then a sync function runs in three loops one after the other
