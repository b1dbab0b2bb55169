Feature: Commands of hooks as processes

  A host's commands start processes of their own, hold pipes, ignore signals and write without end. None of them
  outlives its time, and none makes a verdict late.

  Rule: It ends when its time is up, with all that it has started

    Scenario: A tree of processes, one of which has left the session
      Given the hooks
        | event         | hook | does                                                                                                               | options      |
        | pre_tool_call | tree | runs echo $$ >> pids; sleep 600 & echo $! >> pids; setsid sh -c 'echo $$ >> pids; exec sleep 600' & wait | {timeout: 1} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "failed (timeout)"
      And it took less than 4.5 s
      And all processes of the hook are dead

    Scenario: A hook that ignores SIGTERM, with a child that does
      Given a pipe "never"
      And the hooks
        | event         | hook     | does                                                                                   | options      |
        | pre_tool_call | stubborn | runs trap '' TERM; sleep 600 & echo $$ $! >> pids; while :; do read line < never; done | {timeout: 1} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "failed (timeout)"
      And it took less than 4.5 s
      And all processes of the hook are dead

    Scenario: The run is cancelled
      Given a pipe "never"
      And the hooks
        | event         | hook     | does                                                                                                | options      |
        | pre_tool_call | stubborn | runs trap '' TERM; sleep 600 & echo $$ $! >> pids; echo > up; while :; do read line < never; done | {timeout: 60} |
      When the call is cancelled when its hook is up
      Then the call is cancelled
      And all processes of the hook are dead

    Scenario: A command that fails leaves no child
      Given the hooks
        | event         | hook | does                                            |
        | pre_tool_call | odd  | runs sleep 600 & echo $! >> pids; exit 1        |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "failed (exit)"
      And all processes of the hook are dead

    Scenario: A system that tells nobody when a process has ended
      Given a system that can't tell when a process has ended
      And the hooks
        | event         | hook | does                                   | options        |
        | pre_tool_call | no   | runs echo no >&2; exit 2               |                |
        | pre_tool_call | late | runs echo $$ >> pids; exec sleep 600   | {timeout: 0.5} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because of
        | reason                                                           |
        | no                                                               |
        | the hook sh -c echo $$ >> pids; exec sleep 600 failed (timeout) |

  Rule: Its exit decides, not who else holds its output

    Scenario: A child that holds the output of a gate that said no
      Given the hooks
        | event         | hook | does                                                 | options       |
        | pre_tool_call | no   | runs sleep 600 & echo $! >> pids; echo no >&2; exit 2 | {timeout: 20} |
      When the tool "Bash" is about to be called with {}
      Then the call is denied because "no"
      And it took less than 10 s
      And the process that the hook has left goes on

    Scenario: A child that holds the output of a gate that said yes
      Given the hooks
        | event         | hook | does                                  | options       |
        | pre_tool_call | yes  | runs sleep 600 & echo $! >> pids      | {timeout: 20} |
      When the tool "Bash" is about to be called with {}
      Then the call is allowed with {}
      And it took less than 10 s
      And the process that the hook has left goes on

    Scenario: A hook that never reads, and one that reads to the end
      Given the hooks
        | event         | hook | does                               |
        | pre_tool_call | deaf | runs exit 0                        |
        | pre_tool_call | all  | runs tr -cd x \| wc -c > count     |
      When a tool is about to be called with 5000000 bytes
      Then the failures are none
      And "count" counts at least 5000000

    Scenario: Output without end
      Given the hooks
        | event         | hook | does                             | options             |
        | pre_tool_call | loud | runs head -c 50000000 /dev/zero  | {on_failure: pass} |
      Then a call takes less than 6 MiB of memory

  Rule: There are places for only so many

    Scenario: Commands that run at a time
      Given at most 3 commands at a time
      And the hooks
        | event         | hook | does      |
        | pre_tool_call | one  | runs true |
      When 12 calls of Bash are about to be made, counted as processes
      Then no more than 3 of them ran at a time, and it was 3
      And all 12 calls are allowed

    Scenario: Waiting for a place takes of the hook's own time
      Given at most 1 commands at a time
      And the hooks
        | event         | hook | does      | options        |
        | pre_tool_call | one  | runs true | {timeout: 0.2} |
      When 3 calls of Bash are about to be made, as processes that never end
      Then all 3 calls are denied
      And the failures are "sh -c true: timeout 3"
