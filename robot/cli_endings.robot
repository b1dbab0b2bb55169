*** Settings ***
Documentation       Endings that are no plain answer: what is said of them, and that the bill is always there.
Resource            resources/cleveractors.resource
Suite Setup         Prepare
Suite Teardown      Stop Provider


*** Test Cases ***
A Failed Run Has Its Bill As Json
    Provider Answers    ${CALL}    {"fault": {"status": 403, "message": "Not for you."}}
    Run Cleveractors    run    @{REAL}    --json    What now?    env=${ENV}
    Exit Code Should Be    1
    ${result} =    Output As Json
    ${billed} =    Provider Totals
    Should Be Equal    ${result}[stop_reason] ${result}[total_tokens]    error ${billed}[total_tokens]

Debug Shows The Traceback
    Provider Answers    {"fault": {"status": 403, "message": "Not for you."}}
    Run Cleveractors    run    @{REAL}    --debug    What now?    env=${ENV}
    Stderr Should Contain    error:    Traceback (most recent call last):    tokens · error

A Wrap-Up That Failed Is Told
    Provider Answers    ${CALL}    {"fault": {"status": 403, "message": "Not for you."}}
    Run Cleveractors    run    @{REAL}    --set    agents.assistant.tool_max_rounds\=0    What now?    env=${ENV}
    Exit Code Should Be    0
    Stdout Should Contain    The work was stopped before it was finished
    Stderr Should Contain    note: ended by max_rounds    (the wrap-up failed:    Not for you.

A Refused Connection Says What Was Behind It
    ${port} =    Free Port
    VAR    &{env}    OPENAI_API_KEY=sk-test    OPENAI_BASE_URL=http://127.0.0.1:${port}/v1
    Run Cleveractors    run    @{REAL}    --set    agents.assistant.retry.attempts\=1    What now?    env=${env}
    Exit Code Should Be    1
    Should Match Regexp    ${OUTCOME.stderr}    ^error: OpenAIConnectionError: Connection error\\. \\S+:${port}/v1/chat/completions can't be reached \\(.+\\): .+\n0 prompt

Terminated It Settles As If Interrupted
    Provider Holds    ${TEXT}    after=3
    Begin Cleveractors    run    @{REAL}    What now?    env=${ENV}
    Wait Until Provider Holds
    Terminate Command
    Cleveractors Ends
    The Bill Should Come With    143    interrupted

Where Interrupts Are Switched Off They Change Nothing
    Provider Holds    ${TEXT}
    Begin Command    bash    -c    trap '' INT; exec cleveractors "$@"    bash    run    @{REAL}    hello    env=${ENV}
    Interrupt When Provider Holds
    Exit Code Should Be    0
    Stdout Should Be    ${TEXT}

Interrupted Before It Began It Ends Without A Word
    Run Cleveractors    run    @{WEATHER}    --tools    ${FIXTURES}/tools/interrupting.py    hello
    Exit Code Should Be    130
    Stderr Should Be Empty

A Tool That Ends The Run Is Told With What Was Behind It
    Run Cleveractors    run    ${FIXTURES}/shout.yaml    Say Hello    --tools    ${FIXTURES}/tools/fatal.py
    Exit Code Should Be    1
    Stderr Should Contain    FatalToolError: the archive is broken (OSError: no disk is left)    tokens · error

A Script Is Dropped For Whoever Chooses A Real Provider
    Provider Answers    {"text": "No script."}
    VAR    @{scripted}    ${FIXTURES}/three_tools.yaml    --tools    ${FIXTURES}/tools/marked.py
    Run Cleveractors    run    @{scripted}    --provider    openai    --model    gpt-4o-mini    hello    env=${ENV}
    Stdout Should Be    No script.

Json That Nobody Reads Ends Quietly
    Nobody Reads Cleveractors    run    @{WEATHER}    --json    What should I wear in Paris?
    Exit Code Should Be    141
    Should Match Regexp    ${OUTCOME.stderr}    ^[\\d,]+ prompt .* completed\n$

What Tools Print And Nobody Reads Is No Trouble
    Nobody Reads Cleveractors    run    @{WEATHER}    --tools    ${FIXTURES}/tools/empty.py    hello
    Exit Code Should Be    2
    Stderr Should Not Contain    Errno    Exception


*** Keywords ***
Prepare
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
    VAR    ${CALL}    {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}    scope=SUITE
    VAR    ${TEXT}    A text of several words, so that there is something to cut.    scope=SUITE

Interrupt When Provider Holds
    Wait Until Provider Holds
    Interrupt Command
    Let Provider Go On
    Cleveractors Ends

The Bill Should Come With
    [Arguments]    ${code}    ${word}
    Exit Code Should Be    ${code}
    Stderr Should Contain    ${word}    more in 1 unmeasured call · cancelled
    Stderr Should Not Contain    Traceback
