*** Settings ***
Documentation       What somebody types first: the demo, an actor of one's own, and what goes wrong with it.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Library             libraries/Chat.py
Suite Setup         Prepare
Suite Teardown      End


*** Variables ***
${SHOP}             ${OUTPUT DIR}/first shop
@{ACTOR}            actor.yaml    --tools    tools.py


*** Test Cases ***
The Demo Shows Two Tools Side By Side The Answer The Budget And The Bill
    Run Cleveractors    demo
    Exit Code Should Be    0
    Should Match Regexp    ${OUTCOME.stdout}    (?s)→ get_weather .*→ find_train .*← get_weather: .*← find_train:
    Stdout Should Contain    Your train to Rome leaves at 18:42    of 5,000 tokens are spent
    Should Match Regexp    ${OUTCOME.stdout}    the bill +completed +\\d+ +\\d+ +\\d+ +\\$0\\.\\d+
    Stderr Should Contain    tokens · cost $0.    · completed    next: `cleveractors init DIR`

The Demo On A Terminal
    Cleveractors Is On A Terminal    demo
    Exit Code Should Be    0
    Stdout Should Contain    ← find_train: 18:42 from Paris to Rome    the bill    next: `cleveractors init DIR`

The Demo As Json Is The Whole Result
    Run Cleveractors    demo    --json
    ${result} =    Output As Json
    Should Be Equal    ${result}[stop_reason] ${result}[exact] ${result}[tool_calls]    completed True 2
    Stderr Should Contain    next: `cleveractors init DIR`

The Demo Interrupted Exits As A Run Does
    Begin Cleveractors    demo
    Wait Until Command Prints    find_train
    Interrupt Command
    Cleveractors Ends
    Exit Code Should Be    130
    Stderr Should Contain    interrupted    · cancelled
    Stderr Should Not Contain    Traceback    next:

The Demo Into A Closed Pipe Ends Quietly
    Nobody Reads Cleveractors    demo
    Exit Code Should Be    141
    Stderr Should Not Contain    Traceback    Errno    error

Init Has Said What Comes Next
    Should Be Equal As Integers    ${INIT.exit_code}    0
    Should Contain    ${INIT.stdout}    cd '${SHOP}'
    Should Contain    ${INIT.stdout}    python test_actor.py
    Should Match Regexp    ${INIT.stdout}    uvicorn app:app\n.*curl -N localhost:8000/chat .*Where is my order A1
    Should Contain    ${INIT.stdout}    provider: openai

Its Actor Is Right And Answers
    Run Cleveractors    validate    @{ACTOR}    cwd=${SHOP}
    Stdout Should Be    actor.yaml: ok
    Run Cleveractors    run    @{ACTOR}    Where is my order A1?    cwd=${SHOP}
    Exit Code Should Be    0
    Stdout Should Contain    was sent this morning.

Its Tests Pass As A Program
    Run Program    python    test_actor.py    cwd=${SHOP}
    Exit Code Should Be    0
    ${lines} =    Get Line Count    ${OUTCOME.stdout}
    Should Be Equal As Integers    ${lines}    3

Its Tests Can Fail
    Copy Directory    ${SHOP}    ${OUTPUT DIR}/late
    ${tools} =    Get File    ${SHOP}/tools.py
    Create File    ${OUTPUT DIR}/late/tools.py    ${tools.replace("this morning", "last week")}
    Run Program    python    test_actor.py    cwd=${OUTPUT DIR}/late
    Exit Code Should Be    1
    Stderr Should Contain    AssertionError

Its Tests Pass For A Real Provider Without A Key
    Copy Directory    ${SHOP}    ${OUTPUT DIR}/real
    ${actor} =    Get File    ${SHOP}/actor.yaml
    Create File    ${OUTPUT DIR}/real/actor.yaml    ${actor.replace("provider: scripted", "provider: openai")}
    Run Program    python    test_actor.py    cwd=${OUTPUT DIR}/real
    Exit Code Should Be    0

Its Server Answers And Writes The Bill Down
    ${frames} =    Chat    Where is order A1?    s1    stays
    ${text} =    Evaluate    "".join(data["text"] for name, data in $frames if name == "text")
    Should Contain    ${text}    was sent this morning.
    ${bills} =    Wait For Bills Of    stays    1
    Should Be Equal    ${bills}[0][run] ${bills}[0][stop_reason]    ${frames}[0][1][run_id] completed

Its Server Ends The Run Of A Client Who Leaves And Writes The Bill Down
    Set Tool Slow
    ${frames} =    Chat    Where is order A1?    s2    leaves    leave_at=tool_start
    ${bills} =    Wait For Bills Of    leaves    1
    Should Be Equal    ${bills}[0][run] ${bills}[0][stop_reason]    ${frames}[0][1][run_id] cancelled
    Should Be True    ${bills}[0][prompt_tokens] > 0

Its Server Keeps The Sessions Of Tenants Apart
    Chat    Where is order A1?    b/c    a
    Chat    Where is order A1?    c    a/b
    ${one} =    Wait For Bills Of    a    1
    ${other} =    Wait For Bills Of    a/b    1
    Should Be Equal    ${one}[0][prompt_tokens]    ${other}[0][prompt_tokens]

Its Server Has Complained Of Nothing
    ${output} =    Output Of Server    shop
    Should Not Contain Any    ${output}    Traceback    ERROR    never awaited

Init Writes Over Nothing
    VAR    ${folder}    ${OUTPUT DIR}/half
    Create File    ${folder}/tools.py    mine
    Run Cleveractors    init    ${folder}
    Exit Code Should Be    2
    Stderr Should Contain    half: error: nothing is written: tools.py is there already    = hint: give another folder
    ${left} =    List Directory    ${folder}
    Should Be Equal    ${left}    ${{["tools.py"]}}
    Run Cleveractors    init    ${folder}    --force
    Exit Code Should Be    0
    ${text} =    Get File    ${folder}/tools.py
    Should Contain    ${text}    def find_order

Init Into The Current Folder Needs No Change Of Folder
    Create Directory    ${OUTPUT DIR}/here
    Run Cleveractors    init    .    cwd=${OUTPUT DIR}/here
    Exit Code Should Be    0
    Should Not Contain    ${OUTCOME.stdout}    cd${SPACE}

Init Where No Folder Can Be Says So
    [Template]    Init Is Refused
    ${CURDIR}/cli.robot    cli.robot: error: it is a file: give the name of a folder
    ${CURDIR}/cli.robot/shop    it can't be written: Not a directory
    ${{"x" * 300}}    xx: error: it can't be written: File name too long

What Goes Wrong On The Command Line Is Told With What To Type
    [Template]    It Is Refused
    the provider `openai` needs a key    try the actor without key and network    --provider    openai
    the model `demo` is of the provider `scripted`    name one, such as: --model    --provider    openai
    ...    key=sk-test
    unknown provider `opnai`    did you mean `openai`?    --provider    opnai
    has no known price    bound tokens in place of money: --max-tokens N    --max-cost    1
    has no known price    bound tokens in place of money: --max-tokens N
    ...    --provider    openai    --model    my-llm    --max-cost    1    key=sk-test
    there is no agent `asistant`    did you mean `assistant`?    --set    agents.asistant.model\=x

A Wrong Key And A Wrong Model Have A Note
    [Template]    Provider Refuses
    401    refused the key: is it right
    404    is the model's name right, and the base URL?


*** Keywords ***
Prepare
    Remove Directory    ${SHOP}    recursive=True
    FOR    ${name}    IN    late    real    half    here
        Remove Directory    ${OUTPUT DIR}/${name}    recursive=True
    END
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
    ${outcome} =    Run Command    cleveractors    init    ${SHOP}
    VAR    ${INIT}    ${outcome}    scope=SUITE
    Serve Shop    shop    0.01

Serve Shop
    [Documentation]    With a key that is empty, as many a `.env` has it: no key is needed yet.
    [Arguments]    ${name}    ${seconds}
    VAR    &{env}    BILLS_DATABASE=${OUTPUT DIR}/${name}.db    FIND_ORDER_SECONDS=${seconds}    OPENAI_API_KEY=${EMPTY}
    Remove File    ${OUTPUT DIR}/${name}.db
    ${port} =    Start Server
    ...    ${name}    python    -m    uvicorn    --port    {port}    app:app    env=${env}    cwd=${SHOP}
    Chat With    ${port}

Set Tool Slow
    Serve Shop    slow shop    50

End
    Stop Everything
    Stop Provider

Init Is Refused
    [Arguments]    ${folder}    ${text}
    Run Cleveractors    init    ${folder}
    Exit Code Should Be    2
    Stderr Should Contain    ${text}
    Stderr Should Not Contain    Traceback

It Is Refused
    [Arguments]    ${what}    ${hint}    @{options}    ${key}=${EMPTY}
    VAR    &{env}    OPENAI_API_KEY=${key}    OPENAI_BASE_URL=http://127.0.0.1:1/v1
    Run Cleveractors    run    @{WEATHER}    @{options}    hi    env=${env}
    Exit Code Should Be    2
    Stderr Should Contain    ${what}    ${hint}
    Stderr Should Not Contain    Traceback

Provider Refuses
    [Arguments]    ${status}    ${note}
    Provider Answers    {"fault": {"status": ${status}}}
    Run Cleveractors    run    @{REAL}    hi    env=${ENV}
    Exit Code Should Be    1
    Stderr Should Contain    = note: http://127.0.0.1:    ${note}
    Stderr Should Not Contain    Traceback    sk-test
