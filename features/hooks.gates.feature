Feature: Gates before tool calls

  A host that guards its tools by hooks relies on each of them being asked, about what will really run, on every call.
  A hook that fails is no hook that agrees.

  Rule: Matchers are regular expressions for whole names

    Scenario Outline: A matcher chooses tools
      Given the hooks
        | event         | hook  | does      | options              |
        | pre_tool_call | guard | denies no | {matcher: <matcher>} |
      When the tool "<tool>" is about to be called with {}
      Then the hook "guard" was called <times> times

      Examples:
        | matcher             | tool         | times |
        | Edit                | Edit         | 1     |
        | Edit                | NotebookEdit | 0     |
        | Edit\|Write         | Write        | 1     |
        | ' Edit \| Write '   | Write        | 1     |
        | '*'                 | Anything     | 1     |
        | '  '                | Anything     | 1     |
        | 'mcp__.*'           | mcp__files   | 1     |

    Scenario: Where no hook matches, no payload is made
      Given the hooks
        | event         | hook  | does   | options         |
        | pre_tool_call | guard | passes | {matcher: Edit} |
      Then no payload is made for a call of "Read"
      And a payload is made for a call of "Edit"

  Rule: What can't be is refused when it is registered

    Scenario: Options that mean nothing
      When the hooks are registered
        | event          | hook | does   | options                                    |
        | post_tool_call | odd  | passes | {on_failure: deny, timeout: 60000, matcher: '('} |
      Then registering fails with
        """
        on_failure='deny': nothing can be denied here
        timeout=60000: allowed are seconds above 0, at most 3600; in milliseconds? then 60
        matcher '(' is no regular expression
        """

    Scenario Outline: One thing that is wrong
      When the hooks are registered
        | event   | hook | does   | options   |
        | <event> | odd  | <does> | <options> |
      Then registering fails with
        """
        <told>
        """

      Examples:
        | event            | does         | options             | told                                              |
        | pre_tool_cal     | passes       |                     | did you mean 'pre_tool_call'                      |
        | PreToolUse       | passes       |                     | did you mean 'pre_tool_call'                      |
        | nothing_like_it  | passes       |                     | the events are on_session_start                   |
        | stop             | passes       | {matcher: Edit}     | matcher selects tools, and this event has none    |
        | pre_tool_call    | passes       | {timeout: 0}        | allowed are seconds above 0                       |
        | pre_tool_call    | passes       | {timeout: soon}     | timeout='soon': allowed are seconds               |
        | pre_tool_call    | passes       | {on_failure: maybe} | allowed are 'deny' and 'pass'                     |
        | pre_tool_call    | passes       | {observe: true}     | observe is for stop and transform_llm_output      |
        | pre_tool_call    | passes       | {scope: all}        | scope is for message_display                      |
        | message_display  | passes       | {scope: some}       | allowed are 'root' and 'all'                      |
        | pre_tool_call    | passes       | {until: noon}       | unknown until                                     |
        | pre_api_request  | runs true    |                     | commands are not run for this event               |
        | pre_tool_call    | runs true    | {dialect: klingon}  | allowed are 'hermes' and 'claude'                 |
        | pre_tool_call    | runs true    | {env: PATH}         | allowed is a list of names of variables           |
        | pre_tool_call    | starts       |                     | argv=[]: allowed is a list of texts               |
        | pre_tool_call    | starts a{nul}b |                   | argv holds a NUL character                        |

    Scenario: An annotation that promises what the event can't take
      When a function that returns "Deny | Continue" is registered on "pre_tool_call"
      Then registering fails with
        """
        it may return Modify, Deny, Ask, and says it returns Continue
        """

    Scenario: An annotation that can't be read, and one that fits
      When a function that returns "Deny | None" is registered on "pre_tool_call"
      And a function that returns "OnlyWhileTypesAreChecked" is registered on "pre_tool_call"
      Then the tool "Edit" is guarded by 2 hooks

    Scenario: A function of which a part is given says what the whole one says
      When a partial of a function that returns "Deny | Continue" is registered on "pre_tool_call"
      Then registering fails with
        """
        hook _hook on pre_tool_call: it may return Modify, Deny, Ask, and says it returns Continue
        """

    Scenario: A hook is a function
      When something that is no function is registered on "stop"
      Then registering fails with
        """
        a hook is a function, found 'a text'
        """

  Rule: Every hook is asked, in order, and every refusal is kept

    Scenario: Two refuse
      Given the hooks
        | event         | hook   | does         |
        | pre_tool_call | first  | denies no    |
        | pre_tool_call | second | passes       |
        | pre_tool_call | third  | denies never |
        | pre_tool_call | fourth | asks really? |
      When the tool "Edit" is about to be called with {}
      Then the hooks were called in this order: "first second third fourth"
      And the call is denied because of
        | reason  |
        | no      |
        | never   |
        | really? |

    Scenario: Nobody refuses, somebody wants approval
      Given the hooks
        | event         | hook | does         |
        | pre_tool_call | one  | asks really? |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "really?"
      And it waits for approval

    Scenario: A refusal without words
      Given the hooks
        | event         | hook  | does   |
        | pre_tool_call | guard | denies |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "the hook guard said no"

    Scenario: A refusal stays, whatever another hook does
      Given the hooks
        | event         | hook   | does                                                                         |
        | pre_tool_call | first  | runs echo no >&2; exit 2                                                     |
        | pre_tool_call | second | runs echo '{"hookSpecificOutput": null}'                                     |
        | pre_tool_call | third  | raises broken                                                                |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because of
        | reason                         |
        | no                             |
        | the hook third failed (raised) |

    Scenario: A command that changes arguments where there are none to change
      Given the hooks
        | event         | hook  | does                                                  |
        | pre_tool_call | guard | runs echo '{"action": "modify", "args": {"a": 1}}'    |
      When the tool "Edit" is about to be called with [1]
      Then the call is denied because "failed (output)"
      And the log says once "it modified arguments that are no mapping"

    Scenario: A log handler that raises undoes nothing
      Given the hooks
        | event         | hook  | does          |
        | pre_tool_call | guard | raises broken |
      And the host's log handler raises
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "the hook guard failed (raised)"

  Rule: Gates see what will run

    Scenario: Each hook sees what those before made of the arguments
      Given the hooks
        | event         | hook   | does            |
        | pre_tool_call | first  | sets {a: 1}     |
        | pre_tool_call | second | sets {b: 2}     |
        | pre_tool_call | third  | runs echo '{}'  |
        | pre_tool_call | fourth | sets {a: 3}     |
      When the tool "Edit" is about to be called with {"a": 0}
      Then the call is allowed with {"a": 3, "b": 2}

    Scenario: A hook that passed is asked again about what came after it
      Given the hooks
        | event         | hook   | does               |
        | pre_tool_call | guard  | denies-if rm       |
        | pre_tool_call | helper | passes             |
        | pre_tool_call | maker  | sets-if clean rm x |
      When the tool "Bash" is about to be called with {"command": "clean"}
      Then the call is denied because "never rm"
      And the hooks were called in this order: "guard helper maker guard helper"

    Scenario: Whoever wants to change them when asked again comes too early
      Given the hooks
        | event         | hook  | does                |
        | pre_tool_call | early | sets-if rm trash x  |
        | pre_tool_call | late  | sets-if clean rm x  |
      When the tool "Bash" is about to be called with {"command": "clean"}
      Then the call is denied because "the hook early would change arguments that a later hook has changed"

    Scenario: New arguments have to fit the tool
      Given the hooks
        | event         | hook   | does               |
        | pre_tool_call | change | sets {limit: many} |
        | pre_tool_call | look   | passes             |
      When the tool "Read" is about to be called with {"limit": 1}
      Then the call is denied because "the hook change made arguments that do not fit the tool: limit must be an integer"

    Scenario: A hook that spoils its own copy spoils nothing
      Given the hooks
        | event         | hook  | does              |
        | pre_tool_call | one   | spoils            |
        | pre_tool_call | guard | denies-if spoiled |
      When the tool "Edit" is about to be called with {"a": 0}
      Then the call is allowed with {"a": 0}

    Scenario: Arguments that are a list reach in-process hooks as they are
      Given the hooks
        | event         | hook  | does        |
        | pre_tool_call | guard | denies-if b |
      When the tool "Edit" is about to be called with ["a", "b"]
      Then the call is denied because "never b"

  Rule: A failure is a verdict, and the host says which

    Scenario Outline: A gate that fails denies
      Given the hooks
        | event         | hook  | does   | options                            |
        | pre_tool_call | guard | <does> | {timeout: 0.05, on_failure: deny} |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "the hook guard failed (<kind>)"
      And the failures are "guard: <kind> 1"

      Examples:
        | does          | kind    |
        | raises broken | raised  |
        | exits         | raised  |
        | cancels       | raised  |
        | hangs         | timeout |
        | blocks        | timeout |
        | returns false | verdict |
        | adds text     | verdict |

    Scenario Outline: A gate whose failures the host forgives passes, and is told to the log once
      Given the hooks
        | event         | hook  | does   | options                            |
        | pre_tool_call | guard | <does> | {timeout: 0.05, on_failure: pass} |
      When the tool "Edit" is about to be called with {}
      And the tool "Edit" is about to be called with {}
      Then the call is allowed with {}
      And the log says once "hook guard on pre_tool_call failed (<kind>)"
      And the failures are "guard: <kind> 2"

      Examples:
        | does          | kind    |
        | raises broken | raised  |
        | hangs         | timeout |
        | returns 7     | verdict |

    Scenario: A gate that hung once is asked again the next time
      Given the hooks
        | event         | hook | does       | options          |
        | pre_tool_call | once | hangs-once | {timeout: 0.05} |
      When the tool "Edit" is about to be called with {}
      Then the call is denied because "the hook once failed (timeout)"
      When the tool "Edit" is about to be called with {"n": 2}
      Then the call is allowed with {"n": 2}

    Scenario: Its own time is the only limit that a hook has
      Given the hooks
        | event         | hook  | does   | options        |
        | pre_tool_call | guard | passes | {timeout: 120} |
      Then the hook of "pre_tool_call" has 120 s

    Scenario: Abort does not wait for a gate
      Given the hooks
        | event         | hook  | does  |
        | pre_tool_call | guard | hangs |
      When the run is aborted while a hook is asked about Edit
      Then the call is denied because "the run was aborted"

    Scenario: Nobody is asked after an abort
      Given the hooks
        | event         | hook  | does   |
        | pre_tool_call | guard | passes |
      When the run has been aborted
      And the tool "Edit" is about to be called with {}
      Then the call is denied because "the run was aborted"
      And no hook was called

  Rule: Calls side by side do not get in each other's way

    Scenario: Every one of parallel calls gets its own answer
      Given the hooks
        | event         | hook  | does      | options         |
        | pre_tool_call | guard | denies no | {matcher: Edit} |
      When 20 calls of Edit are about to be made at once
      Then all 20 calls are denied
      And the hook "guard" was called 20 times

    Scenario: Many runs, a gate of 50 ms in each
      Given the hooks
        | event         | hook  | does  |
        | pre_tool_call | guard | takes |
      When 500 runs are about to call Edit at once
      Then all 500 calls are allowed
      And the hook "guard" was called 500 times

    Scenario: A function that blocks its thread leaves the loop alone
      Given the hooks
        | event         | hook  | does   | options                          |
        | pre_tool_call | guard | blocks | {timeout: 0.3, on_failure: pass} |
      When 5 calls of Edit are about to be made at once
      Then all 5 calls are allowed
      And the loop was never silent for 100 ms
