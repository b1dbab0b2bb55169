*** Settings ***
Documentation       A web server that streams runs to clients, some of which leave in the middle.
Resource            resources/cleveractors.resource
Library             libraries/Web.py
Suite Setup         Start Server And Provider
Suite Teardown      Stop Server And Provider


*** Variables ***
${LONG}             One two three four five six seven eight nine ten eleven twelve.


*** Test Cases ***
Who Stays Gets The Answer And Its Bill
    Provider Answers    {"calls": [{"name": "look_up", "arguments": {"word": "word"}}]}    {"text": "A word."}
    ${text} =    Get Text    /chat/tokens
    Should Be Equal    ${text}    A word.
    ${bill} =    Wait For Bill
    ${billed} =    Provider Totals
    Should Be Equal As Integers    ${bill}[total_tokens]    ${billed}[total_tokens]

Who Leaves While An Actor Without Tools Writes Ends The Run
    Provider Holds    ${LONG}    after=4
    Begin To Read    /chat/plain    until=two
    Leave And Check

Who Leaves While An Actor With Tools Writes Tokens Ends The Run
    Provider Holds    ${LONG}    after=4
    Begin To Read    /chat/tokens    until=two
    Leave And Check

Who Leaves Before The One Chunk Of An Answer Ends The Run
    Provider Holds    ${LONG}
    Begin To Read    /chat/answer
    Wait Until Provider Holds
    Leave And Check

Who Leaves In The Second Round Pays For The First
    Provider Answers    {"calls": [{"name": "look_up", "arguments": {"word": "word"}}], "prompt_tokens": 40}
    And Then Holds    ${LONG}
    Begin To Read    /chat/answer
    Wait Until Provider Holds
    Leave And Check    paid=40

The Server Serves On
    Provider Answers    {"text": "Still here."}
    ${text} =    Get Text    /chat/plain
    Should Be Equal    ${text}    Still here.

The Server Has Complained Of Nothing
    ${output} =    Output Of Server    web
    Should Not Contain Any    ${output}    Traceback    ERROR    was never    never awaited


*** Keywords ***
Start Server And Provider
    ${env} =    Start Provider
    VAR    @{app}    --app-dir    ${FIXTURES}    server_app:app
    ${port} =    Start Server    web    python    -m    uvicorn    --port    {port}    @{app}    env=${env}
    Ask Server On    ${port}
    ${stats} =    Get Json    /stats
    VAR    ${IDLE}    ${{len($stats["tasks"])}}    scope=SUITE

Leave And Check
    [Documentation]    The connection to the provider is closed, the bill delivered with its row, and no task left.
    [Arguments]    ${paid}=0
    ${stats} =    Get Json    /stats
    Leave
    Provider Should Be Cut Off
    ${bill} =    Wait For Bill    ${{len($stats["bills"]) + 1}}
    Should Be Equal    ${bill}[stop_reason] ${bill}[invocations][-1][state]    cancelled unmeasured
    Should Be Equal As Integers    ${bill}[unmeasured_calls]    1
    Should Be Equal As Integers    ${bill}[prompt_tokens]    ${paid}
    Wait For Tasks    ${IDLE}

Stop Server And Provider
    Stop Server    web
    Stop Provider
