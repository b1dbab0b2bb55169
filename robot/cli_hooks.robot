*** Settings ***
Documentation       A file of hooks is checked, tried out, and holds for a run.
Resource            resources/cleveractors.resource
Library             OperatingSystem


*** Variables ***
${HOOKS}            ${FIXTURES}/hooks.yaml
@{SHOUT}            run    ${FIXTURES}/shout.yaml    --no-stream    Say Hello    --tools    ${FIXTURES}/tools/plain.py


*** Test Cases ***
A Good File Is Listed
    Run Cleveractors    hooks    check    ${HOOKS}
    Exit Code Should Be    0
    Stdout Should Contain    pre_tool_call shout: sh -c    (hermes, 5 s, on_failure deny)    hooks.yaml: ok

What Is Wrong Has Its Line And Leaves Its Siblings Alone
    Run Cleveractors    hooks    check    ${FIXTURES}/bad_hooks.yaml
    Exit Code Should Be    2
    Stdout Should Contain    post_tool_call *: cat
    Stderr Should Contain    bad_hooks.yaml:4:7: error:    fail_closed    note: these entries are left out

A Run Tells Which Of Them It Leaves Out
    Run Cleveractors    run    @{WEATHER}    --hooks    ${FIXTURES}/bad_hooks.yaml    In Paris?
    Exit Code Should Be    0
    Stderr Should Contain    note: left out:    bad_hooks.yaml:4:7:

A Bad Gate Stops The Start
    Run Cleveractors    hooks    check    ${FIXTURES}/bad_gate.yaml
    Exit Code Should Be    2
    Stderr Should Contain    bad_gate.yaml:3:    an executor would not start with it

A Hook Is Tried Out As A Run Would Have It
    Create File    ${OUTPUT DIR}/call.json    {"tool_name": "shout", "tool_input": {"text": "Hello"}}
    Run Cleveractors    hooks    test    ${HOOKS}    pre_tool_call    --payload    ${OUTPUT DIR}/call.json
    Exit Code Should Be    0
    Stdout Should Contain    verdict    not so loud    exit code${SPACE * 2}2    the tool call would be denied

Hooks Of Other Tools Are Left Alone
    Create File    ${OUTPUT DIR}/call.json    {"tool_name": "shouting", "tool_input": {}}
    Run Cleveractors    hooks    test    ${HOOKS}    pre_tool_call    --payload    ${OUTPUT DIR}/call.json
    Exit Code Should Be    0
    Stderr Should Contain    no hook of

A Hook That Fails Says What Would Follow
    Create File    ${OUTPUT DIR}/failing.yaml    hooks: {pre_tool_call: [{command: [sh, -c, exit 1]}]}
    Run Cleveractors    hooks    test    ${OUTPUT DIR}/failing.yaml    pre_tool_call
    Exit Code Should Be    1
    Stdout Should Contain    exit code${SPACE * 2}1    on_failure is deny: the tool call would be denied

Usage That Is Wrong Is Refused
    [Template]    It Should Be Refused
    there is no event 'pre_tool_cal' (did you mean 'pre_tool_call'?)    ${HOOKS}    pre_tool_cal
    No such file    ${HOOKS}    pre_tool_call    --payload    ${OUTPUT DIR}/missing.json
    it holds no JSON object    ${HOOKS}    pre_tool_call    --payload    ${FIXTURES}/list.json

A Run Heeds Them
    Run Cleveractors    @{SHOUT}    --hooks    ${HOOKS}    cwd=${OUTPUT DIR}
    Exit Code Should Be    0
    Stdout Should Contain    not run: denied by a hook: not so loud
    ${told} =    Get File    ${OUTPUT DIR}/told.json
    ${payload} =    Evaluate    json.loads($told)
    Should Be Equal    ${payload}[extra][platform]    cli
    Should Be Equal    ${payload}[extra][user_message]    Say Hello

A Run Does Not Start With A Bad Gate
    Run Cleveractors    @{SHOUT}    --hooks    ${FIXTURES}/bad_gate.yaml
    Exit Code Should Be    2
    Stderr Should Contain    bad_gate.yaml:3:


*** Keywords ***
It Should Be Refused
    [Arguments]    ${text}    @{arguments}
    Run Cleveractors    hooks    test    @{arguments}
    Exit Code Should Be    2
    Stderr Should Contain    ${text}
