*** Settings ***
Documentation       What a terminal is shown.
Resource            resources/cleveractors.resource


*** Variables ***
${ESC}              ${{"\x1b"}}


*** Test Cases ***
The Bill Is Dim On A Terminal
    Cleveractors Is On A Terminal    run    @{WEATHER}    In Paris?
    Should Match Regexp    ${OUTCOME.stdout}    \\x1b\\[2m\\d+ prompt .* completed\\x1b\\[0m

No Color Means None
    VAR    &{env}    NO_COLOR=1
    Cleveractors Is On A Terminal    run    @{WEATHER}    In Paris?    env=${env}
    Stdout Should Contain    tokens · completed
    Should Not Contain    ${OUTCOME.stdout}    ${ESC}

A Limit Stands Out
    Cleveractors Is On A Terminal    run    @{WEATHER}    --max-tokens    50    In Paris?
    Stdout Should Contain    ${ESC}\[33mnote:${ESC}\[0m ended by token_budget

A Bad File Is Shown As A Compiler Would
    Cleveractors Is On A Terminal    validate    ${FIXTURES}/bad.yaml
    Stdout Should Contain    ${ESC}\[1;31merror${ESC}\[0m: agents.assistant.tool_max_round    ${ESC}\[1;31m^${ESC}\[0m

A Model Can't Steer The Terminal
    Cleveractors Is On A Terminal    run    ${FIXTURES}/echo.yaml    ${ESC}\[31mred
    Stdout Should Contain    You said: "[31mred"

Without A Message Nobody Waits For One
    Cleveractors Is On A Terminal    run    @{WEATHER}
    Exit Code Should Be    2
    Stdout Should Contain    say something

An Extra That Is Broken Shows Its Own Error
    VAR    &{env}    PYTHONPATH=${FIXTURES}/broken_extra
    Cleveractors Is On A Terminal    --help    env=${env}
    Stdout Should Contain    ModuleNotFoundError: No module named 'below_typer'

Money Is Told Where Prices Are Known
    Run Program    python    ${FIXTURES}/bill_lines.py
    Stdout Should Contain    12,000 prompt + 345 completion = 12,345 tokens · cost $0.002017 · completed
    Stdout Should Contain    15 tokens · about 1,234 more in 2 unmeasured calls · cost $10 · 1 unpriced call · about $0.5 more
