*** Settings ***
Documentation       A run that is followed: its events as lines of JSON, in a file, and drawn as a tree.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Suite Setup         Prepare
Suite Teardown      Stop Provider


*** Variables ***
${SAVED}            ${OUTPUT DIR}/events.jsonl
${ESC}              ${{"\x1b"}}
${ANSWER}           suggest_clothes returned: Wear a light jacket and take an umbrella.
@{ASK}              run    @{WEATHER}    In Paris?


*** Test Cases ***
Events Are Lines Of JSON In Place Of The Answer
    Run Cleveractors    @{ASK}    --events
    Exit Code Should Be    0
    ${events} =    Evaluate    [json.loads(line) for line in $OUTCOME.stdout.splitlines()]    modules=json
    ${kinds} =    Evaluate    [one.get("event_type") for one in $events]
    Should Be Equal    ${kinds}[0] ${kinds}[-2]    react_start react_end
    List Should Contain Value    ${kinds}    llm_chunk_arrive
    Should Be Equal    ${events}[-1][kind]    response
    Should Contain    ${events}[-1][response]    ${ANSWER}
    Stderr Should Contain    tokens · completed

Without Streaming There Are No Chunks
    Run Cleveractors    @{ASK}    --events    --no-stream
    Should Not Contain    ${OUTCOME.stdout}    llm_chunk_arrive

Events In A File Come Back As Events
    Run Cleveractors    @{ASK}    --save-events    ${SAVED}
    Stdout Should Contain    ${ANSWER}
    ${lines} =    Get File    ${SAVED}
    ${back} =    Evaluate
    ...    [cleveractors.event_from_dict(json.loads(line)) for line in $lines.splitlines()]    modules=cleveractors,json
    Should Be Equal    ${{$back[0].event.event_type.value}}    react_start
    Should Contain    ${back}[-1].response    ${ANSWER}

A File That Can't Be Written Is Told Before Anything Is Called
    Run Cleveractors    @{ASK}    --save-events    /nonexistent/events.jsonl
    Exit Code Should Be    2
    Stdout Should Be Empty
    Stderr Should Contain    --save-events /nonexistent/events.jsonl: No such file or directory

Two Writers On Standard Output Are Refused
    Run Cleveractors    @{ASK}    --events    --json
    Exit Code Should Be    2
    Stderr Should Contain    --events and --json

A Trace Is A Tree On Standard Error
    Run Cleveractors    @{ASK}    --trace
    Stdout Should Contain    ${ANSWER}
    Stderr Should Contain    weather ·    ├── round 1 ·    get_weather {"city": "Paris"} ·    └── round 2
    Should Match Regexp    ${OUTCOME.stderr}    model · \\d+\\.\\d\\d s · \\d+ \\+ \\d+ tokens
    Should Not Contain    ${OUTCOME.stderr}    ${ESC}

On A Terminal The Run Is Drawn And The Answer Comes Behind It
    Cleveractors Is On A Terminal    @{ASK}
    Should Match Regexp    ${OUTCOME.stdout}    (?s)round 2.*${ANSWER}.*tokens · completed
    Should Contain    ${OUTCOME.stdout}    ${ESC}\[

A Trace Is Not Drawn Where It Is Not Wanted
    Cleveractors Is On A Terminal    @{ASK}    --no-trace
    Should Not Contain    ${OUTCOME.stdout}    round 1
    Stdout Should Contain    ${ANSWER}

A Result As JSON Goes With A Trace
    Run Cleveractors    @{ASK}    --json    --trace
    ${result} =    Output As Json
    Should Be Equal    ${result}[stop_reason]    completed
    Stderr Should Contain    round 1

A Tool That Fails Is Told
    Run Cleveractors    run    ${FIXTURES}/shout.yaml    Say Hello    --tools    ${FIXTURES}/tools/raising.py    --trace
    Stderr Should Contain    ValueError: too loud

An Attempt That Failed Stands In The Tree
    Provider Answers    {"fault": {"status": 500, "message": "Out of order."}}    {"text": "Hello."}
    Run Cleveractors    run    @{REAL}    --set    agents.assistant.retry.initial\=0    hello    --trace    env=${ENV}
    Exit Code Should Be    0
    Stderr Should Contain    Out of order.    model, attempt 2 ·

Of A Long Run The Last Rounds Are Drawn
    ${rounds} =    Evaluate    [{"calls": [{"name": "shout", "arguments": {"text": f"a{i}"}}]} for i in range(25)]
    ${agent} =    Evaluate
    ...    dict(provider="scripted", model="demo", tools=["shout"], tool_max_rounds=30, script=[*$rounds, "Done."])
    ${actor} =    Evaluate    json.dumps({"agents": {"main": $agent}})    modules=json
    Create File    ${OUTPUT DIR}/long.json    ${actor}
    Run Cleveractors    run    ${OUTPUT DIR}/long.json    go    --trace    --tools    ${FIXTURES}/tools/plain.py
    Stdout Should Be    Done.
    Stderr Should Contain    … 6 earlier    round 26
    Stderr Should Not Contain    round 6 ·

An Answer That No Model Wrote Is Printed Too
    Run Cleveractors    @{ASK}    --max-tokens    50    --save-events    ${SAVED}
    Exit Code Should Be    0
    Stdout Should Contain    The work was stopped before it was finished


*** Keywords ***
Prepare
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
