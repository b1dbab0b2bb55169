*** Settings ***
Documentation       The chat backend of the examples, as it is written, in a real server, with clients that leave.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Library             libraries/Chat.py
Suite Setup         Start The Example
Suite Teardown      Stop The Example


*** Variables ***
${APP}              ${EXAMPLES}/fastapi_chat


*** Test Cases ***
Who Stays Gets The Answer And Its Bill Stands In The Database
    ${frames} =    Chat    Where is it?    s1    stays
    ${names} =    Evaluate    list(dict.fromkeys(name for name, _ in $frames))
    Should Be Equal    ${names}    ${{["start", "tool_start", "custom", "tool_end", "text", "done"]}}
    ${text} =    Evaluate    "".join(data["text"] for name, data in $frames if name == "text")
    Should Contain    ${text}    was sent this morning.
    ${bills} =    Bills Of    stays
    Should Be Equal    ${bills}[0][run] ${bills}[0][stop_reason]    ${frames}[0][1][run_id] completed
    Should Be True    ${bills}[0][prompt_tokens] > 0

A Conversation Goes On
    ${first} =    Ask    Where is it?    s2    talks
    ${second} =    Ask    And the other one?    s2    talks
    Should Be True    ${second}[tokens] > ${first}[tokens]
    ${bills} =    Bills Of    talks
    Length Should Be    ${bills}    2

Who Leaves In The Middle Ends The Run And Its Bill Stands In The Database
    [Setup]    Chat With    ${SLOW_PORT}
    ${frames} =    Chat    Where is it?    s3    leaves    leave_at=custom
    ${bills} =    Wait For Bills Of    leaves    1
    Should Be Equal    ${bills}[0][run] ${bills}[0][stop_reason]    ${frames}[0][1][run_id] cancelled
    Should Be True    ${bills}[0][prompt_tokens] > 0

Who Has Left Can Go On Where It Stood
    [Setup]    Chat With    ${PORT}
    ${answer} =    Ask    Where is it?    s3    leaves
    Should Be Equal    ${answer}[stop_reason]    completed

The Servers Have Complained Of Nothing
    ${output} =    Output Of Server    chat
    ${slow} =    Output Of Server    slow chat
    Should Not Contain Any    ${output}${slow}    Traceback    ERROR    never awaited


*** Keywords ***
Start The Example
    [Documentation]    Twice, on one database: with a tool that is quick, and with one that outlasts whoever leaves.
    Remove File    ${OUTPUT DIR}/chat.db
    ${slow} =    Start The Chat    slow chat    60
    VAR    ${SLOW_PORT}    ${slow}    scope=SUITE
    ${port} =    Start The Chat    chat    0.1
    VAR    ${PORT}    ${port}    scope=SUITE
    Chat With    ${PORT}

Start The Chat
    [Arguments]    ${name}    ${seconds}
    VAR    &{env}    CHAT_DATABASE=${OUTPUT DIR}/chat.db    CHAT_WAREHOUSE_SECONDS=${seconds}
    ${port} =    Start Server
    ...    ${name}    python    -m    uvicorn    --port    {port}    --app-dir    ${APP}    app:app    env=${env}
    RETURN    ${port}

Stop The Example
    Stop Server    chat
    Stop Server    slow chat
