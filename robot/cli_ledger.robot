*** Settings ***
Documentation       `cleveractors usage` sums a log of rows, as a person at a terminal sees it.
Resource            resources/cleveractors.resource


*** Test Cases ***
A Log Is Summed By Tenant, Model And Day
    Run Cleveractors    usage    ${CURDIR}/fixtures/usage.jsonl
    Exit Code Should Be    0
    Stdout Should Contain    acme
    Stdout Should Contain    2026-01-31

As JSON Each Row Counts Once, As It Last Stood
    Run Cleveractors    usage    ${CURDIR}/fixtures/usage.jsonl    --json
    Exit Code Should Be    0
    Stdout Should Contain    "calls": 2, "prompt_tokens": 300, "completion_tokens": 30

A Log That Is Not There Is One Clear Error
    Run Cleveractors    usage    ${CURDIR}/fixtures/no_such.jsonl
    Exit Code Should Be    2
    Stderr Should Contain    No such file or directory
