*** Settings ***
Documentation       The research actor over HTTP, as its user runs it: three agents, one bill.
...                 What a test compares with is the provider's own ledger.
Resource            resources/cleveractors.resource
Suite Setup         Research
Suite Teardown      Stop Provider


*** Variables ***
@{RESEARCH}         ${EXAMPLES}/research/actor.yaml    --tools    ${EXAMPLES}/research/tools.py
${TASK}             {"task": "What has caffeine?"}
${CLAIM}            {"claim": "Half of it has left after five hours.", "title": "Caffeine"}
${ASK}              {"calls": [{"name": "searcher", "arguments": ${TASK}}, {"name": "checker", "arguments": ${CLAIM}}]}
${ANSWER}           {"text": "Tea and coffee do, for five hours."}
${SEARCH}           {"calls": [{"name": "search", "arguments": {"query": "caffeine"}}]}
${READ}             {"calls": [{"name": "read", "arguments": {"title": "Caffeine"}}]}


*** Test Cases ***
The Answer Is The Lead's
    Should Be Equal    ${RESULT}[response]    Tea and coffee do, for five hours.

The Bill Is The Provider's Own
    Should Be Equal As Integers    ${RESULT}[total_tokens]    ${BILLED}[total_tokens]
    Should Be Equal As Integers    ${BILLED}[billed]    6

Each Call Has One Row Under The Agent That Made It
    ${rows} =    Evaluate    [(row["agent"], row["parent_run_id"] is None) for row in $RESULT["invocations"]]
    Should Be Equal    ${{sorted($rows)}}    ${{[("checker", False)] * 2 + [("lead", True)] * 2 + [("searcher", False)] * 2}}
    ${parents} =    Evaluate    {row["parent_run_id"] for row in $RESULT["invocations"]} - {None}
    Should Be Equal    ${parents}    ${{{$RESULT["run_id"]}}}

Rounds And Calls Are The Lead's
    Should Be Equal    ${RESULT}[rounds] ${RESULT}[tool_calls] ${RESULT}[stop_reason]    1 2 completed

The Lead Was Told What They Answered In The Order Asked
    ${told} =    Evaluate    [one["content"] for one in $RESULT["messages"] if one["role"] == "tool"]
    Should Be Equal    ${told}    ${{["Tea and coffee have it.", "Yes: about five hours."]}}

Its Trace Shows Who Works For Whom
    Play The Research
    Run Cleveractors    run    @{RESEARCH}    --set    agents.checker.model\=checker    --trace    Caffeine?    env=${ENV}
    Stderr Should Contain    searcher    checker    search    read

Without A Key It Runs On The Scripted Provider
    Run Cleveractors    run    @{RESEARCH}    --provider    scripted    --no-stream    How much caffeine is in Tea?
    Exit Code Should Be    0
    Stdout Should Contain    searcher returned: search returned: ["Tea", "Coffee"]    checker returned: read returned: Tea

Interrupted Within A Sub-Agent It Prints The Bill So Far
    Provider Answers    ${ASK}
    And Then Holds    Never told.
    Begin Cleveractors    run    @{RESEARCH}    Caffeine?    env=${ENV}
    Wait Until Provider Holds
    Interrupt Command
    Cleveractors Ends
    Exit Code Should Be    130
    Stderr Should Contain    cancelled

A Circle Is Refused Before Anything Is Called
    Provider Answers    ${ANSWER}
    Run Cleveractors    run    ${FIXTURES}/circle.yaml    Caffeine?    env=${ENV}
    Exit Code Should Be    2
    Stderr Should Contain    circle.yaml:6:13: error:    agents call each other in a circle: lead → helper → lead
    ${requests} =    Provider Requests
    Should Be Equal As Integers    ${requests}    0


*** Keywords ***
Research
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
    Play The Research
    Run Cleveractors    run    @{RESEARCH}    --set    agents.checker.model\=checker    --json    Caffeine?    env=${ENV}
    Exit Code Should Be    0
    ${result} =    Output As Json
    VAR    ${RESULT}    ${result}    scope=SUITE
    ${billed} =    Provider Totals
    VAR    ${BILLED}    ${billed}    scope=SUITE

Play The Research
    Provider Answers
    Model Answers    gpt-4o    ${ASK}    ${ANSWER}
    Model Answers    gpt-4o-mini    ${SEARCH}    {"text": "Tea and coffee have it."}
    Model Answers    checker    ${READ}    {"text": "Yes: about five hours."}
