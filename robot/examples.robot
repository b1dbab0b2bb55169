*** Settings ***
Documentation       The programs of `examples/` as they are written. Those with a server or several agents have suites of
...                 their own: `fastapi_chat`, `chat_page`, `subagents`.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Suite Setup         Prepare


*** Variables ***
${HERE}             ${OUTPUT DIR}/examples
${CELL}             (?m)^\\|.*\\| `((?!uvicorn).*)` \\|$


*** Test Cases ***
The First One Calls Its Tool And Answers
    Run Example    hello.py
    Stdout Should Contain    There are 3.    human: How many r are there in strawberry?    tool: 3    in 2 model calls

Each Tenant Is Billed On A Key Of Its Own
    Run Example Once    tenants.py
    Stdout Should Contain    acme: 300 used, 300 billed to sk-acme    globex: 200 used, 200 billed to sk-globex

A Tenant Whose Purse Is Empty Stops Alone, With Nothing Spent
    Run Example Once    tenants.py
    Stdout Should Contain    globex: token_budget, 0 tokens. The work was stopped before it was finished: the token budget is used up.
    ${answered} =    Get Lines Matching Regexp    ${OUTCOME.stdout}    acme: completed, 100 tokens.*
    Should Be Equal As Integers    ${{len($answered.splitlines())}}    3

Who Is No Tenant Is Refused
    Run Example Once    tenants.py
    Stdout Should Contain    nobody: this executor requires a tenant

An Agent Of One's Own Has The Others Work, On One Bill
    Run Example    custom_agent.py
    ${lines} =    Split To Lines    ${OUTCOME.stdout}
    Should Be Equal    ${lines}[0]    Tea is patience, poured.
    ${agents} =    Evaluate    [line.split(":")[0].strip() for line in $lines[1:5]]
    Should Be Equal    ${agents}    ${{["writer", "critic", "writer", "critic"]}}
    Should Be Equal    ${{$lines[5].split(" tokens")[0]}}    ${{$lines[6].split(" tokens")[0]}}

The Unit Tests Pass
    Run Example    test_weather.py
    Stderr Should Contain    Ran 4 tests    OK

The Chat Backend's Tests Pass
    Run Example    fastapi_chat/test_app.py
    Stderr Should Contain    Ran 3 tests    OK

The Unit Tests Fail When The Actor Does Not Do What They Say
    ${tools} =    Get File    ${HERE}/weather_tools.py
    Create File    ${OUTPUT DIR}/spoiled/weather_tools.py    ${tools.replace("°C", "°F")}
    Copy Files    ${HERE}/test_weather.py    ${HERE}/weather.yaml    ${OUTPUT DIR}/spoiled
    Run Program    python    test_weather.py    cwd=${OUTPUT DIR}/spoiled
    Exit Code Should Be    1
    Stderr Should Contain    Ran 4 tests    FAILED (failures=1)

A Thousand Jobs Each Come To An End
    Run Example Once    jobs.py    usage.jsonl
    ${counts} =    Evaluate    {w.split()[1]: int(w.split()[0]) for w in $OUTCOME.stdout.splitlines()[0].split(", ")}
    Should Be Equal    ${{sorted($counts)}}    ${{["completed", "error", "token_budget"]}}
    Should Be Equal As Integers    ${{sum($counts.values())}}    1000
    Should Be True    ${counts}[error] == 3 and ${counts}[completed] > 900

Bills, Usage Log, Purse And The Provider's Own Ledger Agree
    Run Example Once    jobs.py    usage.jsonl
    ${figures} =    Evaluate    [re.search(r": (\\d+)", line)[1] for line in $OUTCOME.stdout.splitlines()[1:]]    modules=re
    Should Be Equal    ${figures}    ${{[$figures[0]] * 4}}
    Should Be True    59_000 < ${figures}[0] <= 60_000

The Purse Of A Thousand Jobs Holds Nothing Back
    Run Example Once    jobs.py    usage.jsonl
    Stdout Should Contain    of 60000 tokens spent, 0 reserved

A Second Batch In The Same Usage Log Is Counted By Itself
    Run Example Once    jobs.py    usage.jsonl
    VAR    ${first}    ${OUTCOME.stdout}
    Run Example    jobs.py    usage.jsonl
    ${both} =    Evaluate    [int(n) for n in re.findall(r"bills: (\\d+)", $first + $OUTCOME.stdout)]    modules=re
    Stdout Should Contain    usage log: ${both}[1] tokens
    Run Cleveractors    usage    ${OUTPUT DIR}/usage.jsonl    --json
    ${logged} =    Output As Json
    ${tokens} =    Evaluate    sum(one["prompt_tokens"] + one["completion_tokens"] for one in $logged)
    Should Be Equal    ${tokens}    ${{sum($both)}}

A Guard Denies And The Audit Log Has Both Calls
    Remove File    ${OUTPUT DIR}/audit.jsonl
    Run Example    hooks/main.py
    Stdout Should Contain    not run: denied by a hook: rm -rf is not allowed here    the model was told: notes.txt
    The Audit Log Should Hold    ${OUTPUT DIR}/audit.jsonl    acme

The Same Hooks Hold From A File
    VAR    @{actor}    actor.yaml    --tools    tools.py    --hooks    hooks.yaml
    Run Cleveractors    run    @{actor}    --json    Clean up    cwd=${HERE}/hooks
    Exit Code Should Be    0
    Stdout Should Contain    not run: denied by a hook: rm -rf is not allowed here    notes.txt
    The Audit Log Should Hold    ${HERE}/hooks/audit.jsonl    ${None}

A Chat Goes On Where It Stopped
    Remove File    ${OUTPUT DIR}/chats.sqlite
    Run Example    sessions/chat.py    chats.sqlite    alice    stdin=Hello\n\nAnd you?\n
    Stdout Should Contain    0 messages so far    I have read you.    4 messages]
    Run Example    sessions/chat.py    chats.sqlite    alice    stdin=Bye\n
    Stdout Should Contain    4 messages so far    6 messages]

A Chat Without A Name Says How It Is Used
    Run Program    python    ${HERE}/sessions/chat.py
    Exit Code Should Be    2
    Stderr Should Contain    usage: chat.py [-h] file session
    Stderr Should Not Contain    Traceback

Every Command Of The Table Runs From The Project's Folder
    ${table} =    Get File    ${HERE}/README.md
    ${commands} =    Get Regexp Matches    ${table}    ${CELL}    1
    Length Should Be    ${commands}    10
    FOR    ${command}    IN    @{commands}
        Run Program    bash    -euc    ${command}    cwd=${OUTPUT DIR}
        Exit Code Should Be    0
        Should Not Be Empty    ${OUTCOME.stdout}${OUTCOME.stderr}
    END

Every Example Stands In The Table
    ${table} =    Get File    ${HERE}/README.md
    ${files} =    Evaluate    [one.name + "/" * one.is_dir() for one in pathlib.Path($HERE).iterdir()]    modules=pathlib
    FOR    ${file}    IN    @{files}
        IF    $file not in ("README.md", "__pycache__/")    Should Contain    ${table}    [${file}](
    END


*** Keywords ***
Prepare
    [Documentation]    A copy, so that what the programs write lies among the results.
    Remove Directory    ${HERE}    recursive=True
    Copy Directory    ${EXAMPLES}    ${HERE}
    Remove Files    ${OUTPUT DIR}/usage.jsonl    ${HERE}/hooks/audit.jsonl
    VAR    &{ONCE}    scope=SUITE

Run Example
    [Arguments]    ${file}    @{arguments}    &{options}
    Run Program    python    ${HERE}/${file}    @{arguments}    cwd=${OUTPUT DIR}    &{options}
    Exit Code Should Be    0

Run Example Once
    [Documentation]    Once for all tests that speak of it.
    [Arguments]    ${file}    @{arguments}
    IF    $file not in $ONCE
        Run Example    ${file}    @{arguments}
        Set To Dictionary    ${ONCE}    ${file}    ${OUTCOME}
    END
    VAR    ${OUTCOME}    ${ONCE}[${file}]    scope=SUITE

The Audit Log Should Hold
    [Documentation]    The denied call and the one that ran.
    [Arguments]    ${file}    ${tenant}
    ${log} =    Get File    ${file}
    ${lines} =    Evaluate    [json.loads(line) for line in $log.splitlines()]    modules=json
    ${told} =    Evaluate    [(line["tool"], line["status"], line["tenant"]) for line in $lines]
    Should Be Equal    ${told}    ${{[("Bash", "denied", $tenant), ("Bash", "ok", $tenant)]}}
