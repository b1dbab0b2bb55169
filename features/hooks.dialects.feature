Feature: Two dialects of answers

  A host moves scripts over that were written for Hermes or for Claude Code. What they say is understood, or known not
  to be; nothing of it is dropped in silence. The words behind an exit code are what the command wrote to stderr.

  Scenario: Hermes
    Then in the hermes dialect these mean
      | event                 | exit   | stdout                                                    | means                                              |
      | pre_tool_call         | 0      |                                                           | -                                                  |
      | pre_tool_call         | 0      | {}                                                        | -                                                  |
      | pre_tool_call         | 0      | {"action": "block", "message": "no"}                      | Deny no                                            |
      | pre_tool_call         | 0      | {"decision": "block", "reason": "no"}                     | Deny no                                            |
      | pre_tool_call         | 0      | {"decision": "block", "reason": 7}                        | Deny                                               |
      | pre_tool_call         | 0      | {"action": "approve", "message": "sure?"}                 | Ask sure?                                          |
      | pre_tool_call         | 0      | {"action": "allow"}                                       | -                                                  |
      | pre_tool_call         | 0      | {"action": "modify", "args": {"a": 1}}                    | Modify {"a": 1}                                    |
      | pre_tool_call         | 0      | {"action": "modify", "args": [1]}                         | output: it said 'modify' without an object of args |
      | pre_tool_call         | 0      | {"decision": "approve"}                                   | output: it said 'approve as Claude means it'…      |
      | pre_tool_call         | 0      | {"action": 1}                                             | output: action is no text                          |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "deny"}}    | output: it speaks the Claude dialect…              |
      | pre_tool_call         | 0      | {"hookSpecificOutput": null}                              | -                                                  |
      | pre_tool_call         | 0      | {"message": "fine"}                                       | -                                                  |
      | pre_tool_call         | 0      | {"blocked": true}                                         | output: nothing of what it wrote is understood…    |
      | pre_tool_call         | 2 no   |                                                           | Deny no                                            |
      | pre_tool_call         | 2 no   | {"action": "allow", "reason": "yes"}                      | Deny yes                                           |
      | pre_tool_call         | 2      |                                                           | Deny                                               |
      | pre_tool_call         | 1 oops | {"action": "block", "message": "no"}                      | Deny no                                            |
      | pre_tool_call         | 1 oops | {"action": "modify", "args": {}}                          | exit: it exited with 1: oops                       |
      | pre_tool_call         | 1 oops | hello                                                     | exit: it exited with 1: oops                       |
      | pre_tool_call         | -9     |                                                           | exit: it was ended by signal 9                     |
      | pre_tool_call         | 0      | hello                                                     | output: what it wrote to stdout is no JSON         |
      | pre_llm_call          | 0      | {"context": "It rains."}                                  | AddContext It rains.                               |
      | pre_llm_call          | 0      | {"context": " "}                                          | -                                                  |
      | pre_llm_call          | 0      | {"context": 7}                                            | -                                                  |
      | pre_llm_call          | 2 no   |                                                           | Deny no                                            |
      | transform_tool_result | 0      | {"action": "replace", "text": ""}                         | ReplaceText                                        |
      | transform_tool_result | 2 no   |                                                           | exit: it exited with 2: no                         |
      | stop                  | 0      | {"action": "continue", "message": "more"}                 | Continue more                                      |
      | stop                  | 0      | {"decision": "block", "reason": ""}                       | -                                                  |
      | stop                  | 2 more |                                                           | exit: it exited with 2: more                       |

  Scenario: Claude
    Then in the claude dialect these mean
      | event                 | exit   | stdout                                                                                         | means                                        |
      | pre_tool_call         | 0      | {}                                                                                             | -                                            |
      | pre_tool_call         | 0      | checked                                                                                        | -                                            |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}}       | Deny no                                      |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}           | Ask                                          |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "defer"}}                                        | Ask                                          |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"a": 1}}}              | Modify {"a": 1}                              |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "allow"}}                                        | -                                            |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"updatedInput": [1]}}                                                  | output: updatedInput is no object…           |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "perhaps"}}                                      | output: permissionDecision 'perhaps'…        |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permissionDecision": "allow", "additionalContext": "x"}}              | output: additionalContext can't be taken…    |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"hookEventName": "Stop"}}                                              | output: it answered for the event 'Stop'…    |
      | pre_tool_call         | 0      | {"hookSpecificOutput": "deny"}                                                                 | output: hookSpecificOutput is no object      |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"permit": "no"}}                                                       | output: nothing of hookSpecificOutput…       |
      | pre_tool_call         | 0      | {"hookSpecificOutput": null}                                                                   | -                                            |
      | pre_tool_call         | 0      | {"hookSpecificOutput": {"hookEventName": "PreToolUse"}}                                        | -                                            |
      | pre_tool_call         | 0      | {"decision": "approve"}                                                                        | -                                            |
      | pre_tool_call         | 0      | {"decision": "block", "reason": "no"}                                                          | Deny no                                      |
      | pre_tool_call         | 0      | {"decision": "perhaps"}                                                                        | output: it decided 'perhaps'…                |
      | pre_tool_call         | 0      | {"continue": false, "stopReason": "enough"}                                                    | Deny enough                                  |
      | pre_tool_call         | 0      | {"systemMessage": "hello"}                                                                     | -                                            |
      | pre_tool_call         | 0      | {"blocked": true}                                                                              | output: nothing of what it wrote…            |
      | pre_tool_call         | 0      | {"continue":                                                                                   | output: what it wrote to stdout is no JSON   |
      | pre_tool_call         | 2 no   | {"hookSpecificOutput": {"permissionDecision": "allow"}}                                        | Deny no                                      |
      | pre_llm_call          | 0      | It rains.                                                                                      | AddContext It rains.                         |
      | pre_llm_call          | 0      | {"hookSpecificOutput": {"additionalContext": "It rains."}}                                     | AddContext It rains.                         |
      | pre_llm_call          | 0      | {"hookSpecificOutput": {"additionalContext": ""}}                                              | -                                            |
      | pre_llm_call          | 0      | {"decision": "block", "reason": "no"}                                                          | Deny no                                      |
      | transform_tool_result | 0      | {"hookSpecificOutput": {"updatedToolOutput": "short"}}                                         | ReplaceText short                            |
      | transform_tool_result | 0      | {"hookSpecificOutput": {"updatedToolOutput": [1]}}                                             | ReplaceText [1]                              |
      | post_tool_call        | 0      | {"continue": false}                                                                            | output: it said continue: false…             |
      | stop                  | 0      | {"decision": "block", "reason": "more"}                                                        | Continue more                                |
      | stop                  | 0      | {"decision": "block"}                                                                          | -                                            |
      | stop                  | 0      | {"continue": false}                                                                            | -                                            |
      | stop                  | 2 more |                                                                                                | Continue more                                |
      | pre_llm_call          | 0      | {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "It rains."}} | AddContext It rains.                        |
      | stop                  | 2      |                                                                                                | exit: it exited with 2                       |
