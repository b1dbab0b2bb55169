Feature: Commands as hooks

  A host's scripts read one JSON object and answer by their exit code. They see no key, they never outlive their time,
  and whatever goes wrong with them is known to be wrong.

  Rule: A command is told one JSON object

    Scenario: The object after an answer has the six keys, and everything else under extra
      Given the hooks
        | event         | hook | does                 |
        | post_llm_call | told | runs cat > told.json |
      When the run has answered "Hello" to "Hi"
      Then "told.json" has exactly the keys "hook_event_name tool_name tool_input session_id cwd extra"
      And the "extra" of "told.json" has exactly the keys "user_message assistant_response conversation_history model platform run_id parent_run_id agent tenant metadata"
      And "told.json" says
        | where                           | what                 |
        | hook_event_name                 | "post_llm_call"      |
        | tool_name                       | null                 |
        | tool_input                      | null                 |
        | session_id                      | "s1"                 |
        | extra.tenant                    | "t1"                 |
        | extra.metadata                  | {"k": "v"}           |
        | extra.user_message              | "Hi"                 |
        | extra.assistant_response        | "Hello"              |
        | extra.conversation_history.0    | {"role": "system", "content": "Be kind."} |
        | extra.model                     | "openai/gpt-4o-mini" |
        | extra.platform                  | "library"            |

    Scenario: A tool call
      Given the hooks
        | event         | hook | does                 |
        | pre_tool_call | told | runs cat > told.json |
      When the tool "Edit" is about to be called with {"path": "a", "n": 1}
      Then the "extra" of "told.json" has exactly the keys "task_id tool_call_id platform run_id parent_run_id agent tenant metadata"
      And "told.json" says
        | where              | what                  |
        | tool_name          | "Edit"                |
        | tool_input         | {"path": "a", "n": 1} |
        | extra.tool_call_id | "call-1"              |

    Scenario: Arguments that are no mapping are null, and the in-process gate sees them
      Given the hooks
        | event         | hook  | does                 |
        | pre_tool_call | told  | runs cat > told.json |
        | pre_tool_call | guard | denies-if b          |
      When the tool "Edit" is about to be called with ["a", "b"]
      Then "told.json" says
        | where      | what |
        | tool_input | null |
      And the call is denied because "never b"

    Scenario: A child that has ended
      Given the hooks
        | event         | hook | does                 |
        | subagent_stop | told | runs cat > told.json |
      When a child run has ended with "Done"
      Then "told.json" says
        | where                  | what        |
        | session_id             | "s1"        |
        | extra.child_summary    | "Done"      |
        | extra.result_summary   | "Done"      |
        | extra.child_status     | "completed" |
        | extra.child_session_id | "child-1"   |
        | extra.duration_ms      | 1500        |

    Scenario: The Claude dialect is flat
      Given the hooks
        | event          | hook | does                  | options           |
        | pre_tool_call  | told | runs cat > pre.json   | {dialect: claude} |
        | post_tool_call | told | runs cat > post.json  | {dialect: claude} |
        | post_llm_call  | told | runs cat > llm.json   | {dialect: claude} |
      When the tool "Edit" is about to be called with {"path": "a"}
      And the tool "Edit" has answered "done", and failed
      And the run has answered "Hello" to "Hi"
      Then "pre.json" says
        | where           | what          |
        | hook_event_name | "PreToolUse"  |
        | tool_input      | {"path": "a"} |
        | tool_use_id     | "call-1"      |
        | tenant          | "t1"          |
      And "post.json" says
        | where           | what                 |
        | hook_event_name | "PostToolUseFailure" |
        | tool_response   | "done"               |
        | error           | "done"               |
      And "llm.json" says
        | where                  | what    |
        | prompt                 | "Hi"    |
        | last_assistant_message | "Hello" |

    Scenario Outline: What JSON can't hold never turns a gate into a yes
      Given the hooks
        | event         | hook  | does                                           |
        | pre_tool_call | guard | runs tee told.json \| grep -q '"rm"' && exit 2 |
      When a tool is about to be called with <kind>, which JSON can't hold
      Then the call is denied because "the hook sh -c tee told.json"
      And "told.json" says
        | where              | what |
        | tool_input.command | "rm" |

      Examples:
        | kind              |
        | NaN               |
        | infinity          |
        | a cycle           |
        | a lone surrogate  |
        | bytes             |
        | a tuple as key    |
        | 5000 levels       |
        | an object         |
        | an endless number |
        | a set             |
        | odd keys          |
        | a date            |

    Scenario: Nothing in the arguments is expanded, whatever the locale
      Given LANG=C in the environment
      And the hooks
        | event         | hook | does                                                                                   |
        | pre_tool_call | told | runs {python} -c 'import json, sys; json.dump(json.load(sys.stdin), open("told.json", "w"), ensure_ascii=False)' |
      When the tool "Bash" is about to be called with {"command": "$(id) `id` \"'\n\\ 你好 $HOME"}
      Then the call is allowed with {"command": "$(id) `id` \"'\n\\ 你好 $HOME"}
      And "told.json" says
        | where              | what                                |
        | tool_input.command | "$(id) `id` \"'\n\\ 你好 $HOME" |

  Rule: Its exit code and its JSON decide

    Scenario Outline: A gate that fails denies, and where the host forgives, passes
      Given the hooks
        | event         | hook  | does   | options                          |
        | pre_tool_call | guard | <does> | {on_failure: deny, timeout: <time>} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "failed (<kind>)"
      Given the hooks of the scenario forgive
      When the tool "Bash" is about to be called with {}
      Then the call is allowed with {}

      Examples:
        | does                                   | kind    | time |
        | runs exit 1                            | exit    | 20   |
        | runs ./missing                         | exit    | 20   |
        | runs kill -9 $$                        | exit    | 20   |
        | runs exec sleep 600                    | timeout | 0.5  |
        | runs echo hello                        | output  | 20   |
        | runs echo '{"action":'                 | output  | 20   |
        | runs echo '[1]'                        | output  | 20   |
        | runs echo '{"action": "frobnicate"}'   | output  | 20   |
        | runs head -c 2000000 /dev/zero         | output  | 20   |
        | starts ./missing                       | start   | 20   |

    Scenario: Exit code 2 denies, whatever is printed
      Given the hooks
        | event         | hook  | does                                                                                   | options           |
        | pre_tool_call | guard | runs echo '{"hookSpecificOutput": {"permissionDecision": "allow"}}'; echo no >&2; exit 2 | {dialect: claude} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "no"

    Scenario: An exit code that is no verdict gives way to a JSON that is one
      Given the hooks
        | event         | hook  | does                                                         |
        | pre_tool_call | guard | runs echo '{"decision": "block", "reason": "no"}'; exit 1    |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "no"

    Scenario: Commands change arguments, each from what those before made
      Given the hooks
        | event         | hook   | does                                                                                    | options           |
        | pre_tool_call | hermes | runs echo '{"action": "modify", "args": {"a": 1}}'                                      |                   |
        | pre_tool_call | claude | runs echo '{"hookSpecificOutput": {"updatedInput": {"c": 3}}}'                          | {dialect: claude} |
        | pre_tool_call | empty  | runs echo '{}'                                                                          |                   |
        | pre_tool_call | hermes | runs echo '{"decision": "modify", "tool_input": {"d": 4}}'                              |                   |
      When the tool "Bash" is about to be called with {"b": 2}
      Then the call is allowed with {"c": 3, "d": 4}

  Rule: It sees no key

    Scenario: The environment is a minimal one
      Given OPENAI_API_KEY=sk-hidden-0123456789 in the environment
      And HOUSE_TOKEN=told in the environment
      And the hooks
        | event         | hook  | does                                                         | options            |
        | pre_tool_call | plain | runs env \| grep -cE 'KEY\|TOKEN' > plain; true              |                      |
        | pre_tool_call | named | runs env \| grep -E 'KEY\|TOKEN' > named; true                | {env: [HOUSE_TOKEN]} |
      When the tool "Bash" is about to be called with {}
      Then "plain" is the text "0"
      And "named" is the text "HOUSE_TOKEN=told"

    Scenario: Two hosts in one process share nothing
      Given the hooks
        | event         | hook | does                                    |
        | pre_tool_call | one  | runs pwd > where; cat > told.json       |
      When another host's hooks write where they are
      And the tool "Bash" is about to be called with {}
      Then "where" is the scenario's folder
      And the other host's "where" is the other folder

    Scenario: What looks like a key is starred, and comes back as it was
      Given the hooks
        | event         | hook | does                                                                                                                      | options           |
        | pre_tool_call | echo | runs tee told.json \| sed 's/.*"tool_input": \({[^}]*}\).*/{"hookSpecificOutput": {"updatedInput": \1}}/' | {dialect: claude} |
      When the tool "Bash" is about to be called with {"token": "use sk-0123456789abcdef now", "url": "https://me:secret@host/"}
      Then "told.json" says
        | where            | what                            |
        | tool_input.token | "use sk-**************** now"   |
        | tool_input.url   | "https://me:******@host/"       |
      And the call is allowed with {"token": "use sk-0123456789abcdef now", "url": "https://me:secret@host/"}

    Scenario: Two keys that look the same when they are covered can't be told apart
      Given the hooks
        | event         | hook | does                                                                                                      | options           |
        | pre_tool_call | echo | runs sed 's/.*"tool_input": \({[^}]*}\).*/{"hookSpecificOutput": {"updatedInput": \1}}/' | {dialect: claude} |
      When the tool "Bash" is about to be called with {"a": "sk-0123456789abcdef", "b": "sk-fedcba9876543210"}
      Then the call is denied because "failed (output)"

    Scenario: The host's own redaction has the last word
      Given a redaction that leaves only the tool's name
      And the hooks
        | event         | hook | does                 |
        | pre_tool_call | told | runs cat > told.json |
      When the tool "Bash" is about to be called with {"a": 1}
      Then "told.json" has exactly the keys "tool_name"

    Scenario: Where a redaction fails, nothing is told
      Given a redaction that refuses
      And the hooks
        | event         | hook | does                 |
        | pre_tool_call | told | runs cat > told.json |
      When the tool "Bash" is about to be called with {"a": 1}
      Then the call is denied because "failed (raised)"
