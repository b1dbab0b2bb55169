*** Settings ***
Documentation       Python is imported from `--tools` alone; which of it are tools, and what is said when it fails.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Suite Setup         Create File    ${UNFINISHED}    """Not Python."""\ndef shout(text: str) -> str\n


*** Variables ***
${T}                ${FIXTURES}/tools
${UNFINISHED}       ${OUTPUT DIR}/unfinished.py
@{SHOUT}            run    ${FIXTURES}/shout.yaml    --no-stream    Say Hello    --tools


*** Test Cases ***
Where Nothing Is Marked Every Public Function Of The File Is A Tool
    Run Cleveractors    @{SHOUT}    ${T}/plain.py
    Stdout Should Be    shout returned: "HELLO!"

A Module's Name Will Do As Well
    Run Cleveractors    @{SHOUT}    plain    cwd=${T}
    Stdout Should Be    shout returned: "HELLO!"

Marked Functions LangChain Tools And Tool Objects Are Tools And Nothing Beside Them
    Run Cleveractors    run    ${FIXTURES}/three_tools.yaml    --json    go    --tools    ${T}/marked.py
    ${result} =    Output As Json
    ${told} =    Evaluate    [one["content"] for one in $result["messages"] if one["role"] == "tool"]
    Should Be Equal    ${told}    ${{["HELLO!", "hello…", "0 arguments"]}}

What A Module Lists Is What Is Public
    Run Cleveractors    @{SHOUT}    ${T}/listed.py
    Stdout Should Be    shout returned: HELLO?

An Import That Fails Exits With Two, File And Line
    [Template]    It Should Fail
    ${T}/failing.py    failing.py:5: error: KeyError: 'no such thing'
    ${T}/leaving.py    leaving.py:3: error: SystemExit: 3
    ${UNFINISHED}    unfinished.py:2: error: SyntaxError: expected ':'
    no.such.module    no.such.module: error: ModuleNotFoundError: No module named 'no'
    ${T}/missing.py    missing.py: error: there is no such file
    ${{"x" * 300}}.py    xx.py: error: there is no such file
    ../tools    ../tools: error: this is neither a .py file nor a module's name
    ${T}/empty.py    empty.py: error: there are no tools in it    = hint: define public functions

Tools Of The Same Name Are Refused
    Run Cleveractors    @{SHOUT}    ${T}/plain.py    --tools    ${T}/listed.py
    Exit Code Should Be    2
    Stderr Should Contain    error: two tools are named shout

Without Tools It Is Said Where They Come From
    Run Cleveractors    run    ${FIXTURES}/shout.yaml    Say Hello
    Exit Code Should Be    2
    Stderr Should Contain    shout.yaml:4:9: error: tools[0]: unknown tool `shout`    = hint: name the file that has them: --tools PY

A Tool That Never Comes Back Does Not Keep The Program
    Run Cleveractors    @{SHOUT}    ${T}/stuck.py    --timeout    1    timeout=30
    Exit Code Should Be    0
    Stderr Should Contain    note: ended by timeout


*** Keywords ***
It Should Fail
    [Arguments]    ${tools}    @{texts}
    Run Cleveractors    @{SHOUT}    ${tools}
    Exit Code Should Be    2
    Stderr Should Contain    @{texts}
    Stderr Should Not Contain    Traceback
