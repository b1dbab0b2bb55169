Feature: Hooks in a file

  A host keeps its hooks in a file. A slip in it is named with its line and leaves the other entries alone; a slip in
  what guards something stops the start, since a policy that is silently absent is worse than none.

  Rule: A good entry is a hook

    Scenario: Commands as words or as a list
      Given the hook file
        """
        hooks:
          pre_tool_call:
            - {matcher: "Edit|Write", command: "sh -c 'exit 2'", timeout: 5, on_failure: deny}
            - {command: [sh, -c, "exit 0"], dialect: claude, env: [HOUSE_TOKEN], required: true}
          post_tool_call:
            - {matcher: "*", command: "true"}
          message_display:
            - {command: "true", scope: all}
        """
      When the hook file is read
      And the tool "Edit" is about to be called with {}
      Then it holds 4 hooks
      And the call is denied because "the hook sh -c exit 2 said no"

    Scenario: No hooks at all
      Given the hook file
        """
        hooks: {}
        """
      When the hook file is read
      Then it holds 0 hooks

  Rule: A bad entry names itself and leaves its siblings alone

    Scenario: Entries that guard nothing
      Given the hook file
        """
        hooks:
          post_tool_call:
            - command: "true"
            - {matcher: "(", command: "true"}
            - {comand: "true"}
            - {timeout: 5}
            - just a text
            - {command: "cat | wc"}
            - {command: "'open"}
            - {command: ""}
            - {command: 7}
            - {command: "true", timeout: 5000}
            - {command: "true", timeout: soon}
            - {command: "true", fail_closed: true}
            - {command: "true", on_failure: deny}
          on_session_stop:
            - command: "true"
          stop: every time
          post_api_request:
            - command: "true"
        """
      When the hook file is read
      Then it holds 1 hooks, and these entries were left out
        | line | path                                | told                                                        |
        | 4    | hooks.post_tool_call[1].matcher     | is no regular expression                                    |
        | 5    | hooks.post_tool_call[2].comand      | unknown key `comand`; allowed: matcher, command             |
        | 6    | hooks.post_tool_call[3]             | the entry has no `command`                                  |
        | 7    | hooks.post_tool_call[4]             | found the text "just a text"; allowed is a mapping          |
        | 8    | hooks.post_tool_call[5].command     | no shell reads the command, so that \| means nothing        |
        | 9    | hooks.post_tool_call[6].command     | can't be split into words                                   |
        | 10   | hooks.post_tool_call[7].command     | the command is empty                                        |
        | 11   | hooks.post_tool_call[8].command     | found 7; allowed is a text, or a list of texts              |
        | 12   | hooks.post_tool_call[9].timeout     | in milliseconds? then 5                                     |
        | 13   | hooks.post_tool_call[10].timeout     | found the text "soon"; allowed is a number of seconds       |
        | 14   | hooks.post_tool_call[11].fail_closed | (write `on_failure: deny`)                                 |
        | 15   | hooks.post_tool_call[12].on_failure | nothing can be denied here                                  |
        | 16   | hooks.on_session_stop               | there is no event `on_session_stop` (did you mean `on_session_start`?) |
        | 18   | hooks.stop                          | found the text "every time"; allowed is a list of entries   |
        | 20   | hooks.post_api_request[0]           | commands are not run for this event                         |

    Scenario: A program that is missing is no slip where it may come later
      Given the hook file
        """
        hooks:
          pre_tool_call:
            - command: ./missing.sh
        """
      When the hook file is read
      Then it holds 1 hooks, and these entries were left out
        | line | path                           | told                             |
        | 3    | hooks.pre_tool_call[0].command | there is no program              |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "failed (start)"

  Rule: A slip that may leave something unguarded stops the start

    Scenario Outline: One slip
      Given the hook file
        """
        <file>
        """
      When the hook file is read
      Then reading it fails with
        | line   | path   | told   |
        | <line> | <path> | <told> |

      Examples:
        | file                                                                      | line | path                               | told                                              |
        | hooks: {pre_tool_call: [{command: "true", matcher: "("}]}                 | 1    | hooks.pre_tool_call[0].matcher     | is no regular expression                          |
        | hooks: {pre_llm_call: [{command: "true", matcher: Edit}]}                 | 1    | hooks.pre_llm_call[0].matcher      | this event has none                               |
        | hooks: {pre_tool_cal: [{command: "true"}]}                                | 1    | hooks.pre_tool_cal                 | did you mean `pre_tool_call`?                     |
        | hooks: {PreToolUse: [{command: "true"}]}                                  | 1    | hooks.PreToolUse                   | `pre_tool_call`, with `dialect: claude`?          |
        | hooks: {post_tool_call: [{command: ./missing, required: true}]}           | 1    | hooks.post_tool_call[0].command    | there is no program                               |
        | hooks: {nothing_like_it: [{command: "true", required: true}]}             | 1    | hooks.nothing_like_it              | there is no event                                 |
        | hooks: {pre_tool_call: [{command: "true"}], pre_tool_call: []}            | 1    | hooks.pre_tool_call                | is written twice                                  |
        | hooks: []                                                                 | 1    | hooks                              | allowed is a mapping of events                    |
        | {hooks: {}, hook: {}}                                                     | 1    | hook                               | unknown key `hook`                                |
        | pre_tool_call: []                                                         | 1    |                                    | a mapping with the key `hooks`                    |
        | hooks: {pre_tool_call: [                                                  | 2    |                                    | not YAML                                          |

    Scenario: A required program that is there
      Given the hooks
        | event          | hook | does        | options          |
        | post_tool_call | log  | starts true | {required: true} |
      Then the tool "Edit" is guarded by 1 hooks

    Scenario: A required program that is missing, said in code
      When the hooks are registered
        | event          | hook | does             | options          |
        | post_tool_call | log  | starts ./missing | {required: true} |
      Then registering fails with
        """
        there is no program './missing'
        """

  Rule: Only what is trusted runs

    Scenario: A script that is changed is refused, loudly
      Given the script "guard.sh"
        """
        #!/bin/sh
        exit 0
        """
      And the hook file
        """
        hooks:
          pre_tool_call:
            - {command: ./guard.sh, on_failure: pass, required: true}
            - {command: [sh, guard.sh], on_failure: pass}
        """
      When the hook file is read, trusted as it is
      And the tool "Edit" is about to be called with {}
      Then the call is allowed with {}
      When the script "guard.sh" is changed
      And the tool "Edit" is about to be called with {}
      Then the call is denied because "the hook guard.sh failed (untrusted)"
      And the log says once "hook guard.sh on pre_tool_call failed (untrusted): it is not trusted"
      And the log says once "hook sh guard.sh on pre_tool_call failed (untrusted): it is not trusted"

    Scenario: A changed script stops the start
      Given the script "guard.sh"
        """
        #!/bin/sh
        """
      And the hook file
        """
        hooks: {pre_tool_call: [{command: ./guard.sh}]}
        """
      When the hook file is read, trusted as it is
      And the script "guard.sh" is changed
      And the hook file is read, with the same trust
      Then reading it fails with
        | line | path                           | told                                       |
        | 1    | hooks.pre_tool_call[0].command | it is not trusted: it or a script of it has changed |

    Scenario: A script that can't be read has no digest
      Given the script "guard.sh"
        """
        #!/bin/sh
        """
      And the hook file
        """
        hooks: {pre_tool_call: [{command: [sh, guard.sh]}]}
        """
      When the hook file is read, trusted as it is
      And the script "guard.sh" is deleted
      And the tool "Edit" is about to be called with {}
      Then the call is denied because "failed (untrusted)"

    Scenario: A script that nobody may read any more
      Given the script "guard.sh"
        """
        #!/bin/sh
        """
      And the hook file
        """
        hooks: {pre_tool_call: [{command: [sh, guard.sh]}]}
        """
      When the hook file is read, trusted as it is
      And the script "guard.sh" is changed
      And no file may be read any more
      And the tool "Edit" is about to be called with {}
      Then the call is denied because "failed (untrusted)"
      And the log says once "it is not trusted: Permission denied: guard.sh"
      And digests of all hooks are refused with "no digest can be made of guard.sh: Permission denied"
      And the report of the file has no digest of a hook

    Scenario: However many scripts there are
      Then the digests of 300 scripts are the same when they are made again, and another when one is changed

    Scenario Outline: Only scripts count, not the words behind -c
      Given the script "<script>"
        """
        <first line>
        """
      And the scenario's folder is on the PATH
      And the hook file
        """
        hooks:
          pre_tool_call: [{command: [<script>, -c, "exit 0 # <long>"]}]
        """
      When the hook file is read, trusted as it is
      And the script "<script>" is changed
      And the hook file is read, with the same trust
      Then <what follows>

      Examples:
        | script | first line | long      | what follows     |
        | binary | not a word | short     | it holds 1 hooks |
        | binary | not a word | very long | it holds 1 hooks |
        | script | #!/bin/sh  | short     | it is refused    |

  Rule: A file can be tried out

    Scenario: What it holds
      Given the hook file
        """
        hooks:
          pre_tool_call: [{command: "true"}]
          post_tool_call: [{command: "true"}, {command: "true", timeout: 0}]
        """
      Then the report of the file says {"starts": true, "hooks": 2, "problems": 1}
      Given the hook file
        """
        hooks: {pre_tool_call: [{command: "true", timeout: 0}]}
        """
      Then the report of the file says {"starts": false, "hooks": 0, "problems": 1}

    Scenario: What its hooks say, and what would come of it
      Given the hook file
        """
        hooks:
          pre_tool_call:
            - {matcher: Bash, command: [sh, -c, 'grep -q rm && echo no >&2 && exit 2']}
            - {matcher: Bash, command: [sh, -c, 'exit 1'], on_failure: pass}
            - {matcher: Bash, command: [sh, -c, 'exit 1']}
            - {matcher: Bash, command: [sh, -c, 'echo "{}"']}
            - {matcher: Bash, command: [sh, -c, "echo '{\"action\": \"approve\"}'"]}
            - {matcher: Bash, command: [./missing]}
            - {matcher: Edit, command: [sh, -c, 'exit 2']}
        """
      Then trying pre_tool_call with {"tool_name": "Bash", "tool_input": {"command": "rm"}} reports
        | exit_code | failure             | stderr | consequence                                                         |
        | 2         | None                | no     | the tool call would be denied                                       |
        | 1         | exit: it exited with 1 |     | it failed, and on_failure is pass: the tool call would go on        |
        | 1         | exit: it exited with 1 |     | it failed, and on_failure is deny: the tool call would be denied    |
        | 0         | None                |        | the tool call would go on                                           |
        | 0         | None                |        | the tool call would need approval, and be denied without an approver |
        | None      | start: it can't be started: FileNotFoundError: [Errno 2] No such file or directory: './missing' | | it failed, and on_failure is deny: the tool call would be denied |

    Scenario: A payload that nobody gives is made up
      Given the hook file
        """
        hooks:
          post_llm_call:
            - command: [sh, -c, 'grep -q conversation_history || exit 1; grep -q x']
          pre_llm_call:
            - {dialect: claude, command: [echo, It rains.]}
        """
      Then trying pre_llm_call with {} reports
        | exit_code | failure | consequence                                |
        | 0         | None    | the run would go on with what AddContext says |

  Rule: The examples run as they are written

    Scenario Outline: The guards
      Given the examples' "<example>"
      When the tool "Bash" is about to be called with {"command": "rm -rf /srv"}
      Then the call is denied because "rm -rf is not allowed here"
      When the tool "Bash" is about to be called with {"command": "ls"}
      Then the call is allowed with {"command": "ls"}

      Examples:
        | example    |
        | hooks.yaml |
        | guard.py   |

    Scenario: The audit log
      Given the examples' "hooks.yaml"
      When the tool Bash has answered
      Then the example's log holds
        | key    | value |
        | tenant | t1    |
        | tool   | Bash  |
        | status | ok    |

    Scenario: The notifier
      Given the examples' "notifier.py"
      When a message "It is done." is shown to the end
      Then "main: It is done." was printed
