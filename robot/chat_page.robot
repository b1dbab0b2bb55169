*** Settings ***
Documentation       The chat page of the examples, as it is written: what its server sends, and, where this machine has a
...                 browser, what it shows.
Resource            resources/cleveractors.resource
Library             libraries/Browser.py
Library             libraries/Chat.py
Library             libraries/Web.py
Suite Setup         Start The Example
Suite Teardown      Stop The Example


*** Variables ***
${APP}              ${EXAMPLES}/chat_page
${IDLE}             document.getElementById("stop").disabled
${TALK}             document.getElementById("talk").innerText


*** Test Cases ***
The Page Is Served
    ${page} =    Get Text    /
    Should Contain    ${page}    <form id="form">

Its Frames Tell What Happens In Order
    ${frames} =    Chat    Where is the Odyssey?    s1    anybody
    ${names} =    Evaluate    list(dict.fromkeys(name for name, _ in $frames))
    Should Be Equal    ${names}    ${{["start", "tool_start", "custom", "tool_end", "text", "done"]}}
    ${told} =    Evaluate    [data["data"]["text"] for name, data in $frames if name == "custom"]
    Should Be Equal    ${told}    ${{[f"shelf {n} of 4" for n in (1, 2, 3, 4)]}}
    ${text} =    Evaluate    "".join(data["text"] for name, data in $frames if name == "text")
    Should Be Equal    ${text}    search_shelves returned: Odyssey stands on shelf 4.

Its Text Comes In Pieces, And Neither Arguments, Results Nor Figures Do
    ${frames} =    Chat    Where is the Odyssey?    s2    anybody
    ${keys} =    Evaluate    [sorted(data) for name, data in $frames if name in ("tool_start", "tool_end", "done")]
    Should Be Equal    ${keys}    ${{[["id", "name"], ["id", "ok", "seconds"], ["stop_reason"]]}}
    ${pieces} =    Evaluate    sum(name == "text" for name, _ in $frames)
    Should Be True    ${pieces} > 2

A Page That Goes Ends Its Run, Which Is Billed
    [Setup]    Chat With    ${SLOW_PORT}
    Chat    Where is the Odyssey?    goes    anybody    leave_at=custom
    Server Prints    slow    goes: [1-9]\\d* tokens, cancelled
    [Teardown]    Chat With    ${PORT}

A Session Goes On
    Chat    Where is the Odyssey?    s3    anybody
    Chat    And the Iliad?    s3    anybody
    ${first}    ${second} =    Server Prints    page    s3: (\\d+) tokens, completed.*s3: (\\d+) tokens, completed
    Should Be True    ${second} > ${first}

In A Browser The Answer And What The Tool Told Are Shown
    [Setup]    Open The Page    ${PORT}
    Ask On The Page    Where is the Odyssey?
    Wait On Page    ${IDLE}
    ${talk} =    On Page    ${TALK}
    Should Match Regexp    ${talk}    (?s)^Where is the Odyssey\\?.*shelf 4 of 4.*Odyssey stands on shelf 4\\.$
    ${kinds} =    On Page    [...document.querySelectorAll("#talk div")].map(one => one.className).join(" ")
    Should Be Equal    ${kinds}    question tool tool tool tool tool text

In A Browser The Work Is Seen While It Goes On, And Stop Ends It
    [Setup]    Open The Page    ${SLOW_PORT}
    Ask On The Page    Where is the Odyssey?
    Wait On Page    ${TALK}.endsWith("shelf 1 of 4")
    ${session} =    On Page    session
    On Page    document.getElementById("stop").click()
    Wait On Page    ${IDLE} && ${TALK}.endsWith("Stopped.")
    Server Prints    slow    ${session}: [1-9]\\d* tokens, cancelled

In A Browser What Somebody Writes Is Text And Never A Part Of The Page
    [Setup]    Open The Page    ${PORT}
    Ask On The Page    Where is <img src=x>?
    Wait On Page    ${IDLE}
    On Page    new Answer().show("text", {text: "Here: <img src=x>"})
    ${images} =    On Page    document.images.length
    Should Be Equal As Integers    ${images}    0

In A Browser Text That Is Void Goes, And What Follows Stands
    [Setup]    Open The Page    ${PORT}
    On Page    answer = new Answer()
    On Page    answer.show("text", {text: "The first try"})
    On Page    answer.show("reset", {})
    On Page    answer.show("text", {text: "The second try"})
    On Page    answer.show("error", {code: "unavailable", message: "The model could not be reached."})
    ${talk} =    On Page    ${TALK}
    Should Be Equal    ${talk}    The second try\nThe model could not be reached.

The Servers Have Complained Of Nothing
    ${output} =    Output Of Server    page
    ${slow} =    Output Of Server    slow
    Should Not Contain Any    ${output}${slow}    Traceback    ERROR    never awaited


*** Keywords ***
Start The Example
    [Documentation]    Twice: with a tool that is quick, and with one that outlasts whoever leaves.
    ${slow} =    Start The Page    slow    60
    VAR    ${SLOW_PORT}    ${slow}    scope=SUITE
    ${port} =    Start The Page    page    0
    VAR    ${PORT}    ${port}    scope=SUITE
    Chat With    ${PORT}
    Ask Server On    ${PORT}

Start The Page
    [Arguments]    ${name}    ${seconds}
    VAR    &{env}    CHAT_PAGE_SECONDS=${seconds}
    VAR    @{app}    --app-dir    ${APP}    app:app
    ${port} =    Start Server    ${name}    python    -m    uvicorn    --port    {port}    @{app}    env=${env}
    RETURN    ${port}

Stop The Example
    Close Browser
    Stop Server    page
    Stop Server    slow

Open The Page
    [Arguments]    ${port}
    ${here} =    Browser Is Here
    Skip If    not ${here}    No Chromium is on this machine's PATH; the page's frames are tested all the same.
    Open Page    http://127.0.0.1:${port}/

Ask On The Page
    [Documentation]    Type a message and send it, as a person does; wait until it is on its way.
    [Arguments]    ${message}
    On Page    document.getElementById("message").value = "${message}"
    On Page    document.getElementById("send").click()
    Wait On Page    ${TALK}.length > 0
