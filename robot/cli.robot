*** Settings ***
Documentation       The command line: one run, its answer, its bill, and how it ends.
Resource            resources/cleveractors.resource
Suite Setup         Prepare
Suite Teardown      Stop Provider


*** Test Cases ***
The Answer Is On Standard Output And The Bill On Standard Error
    Run Cleveractors    run    @{WEATHER}    What should I wear in Paris today?
    Exit Code Should Be    0
    Stdout Should Contain    Paris has 14 °C and light rain    Wear a light jacket
    Stderr Should Contain    prompt +    tokens · completed
    Stderr Should Not Contain    note:    Paris

Json Has The Whole Result As The Provider Billed It
    Provider Answers    ${CALL}    {"text": "Take a coat."}
    Run Cleveractors    run    @{REAL}    --json    What now?    env=${ENV}
    ${result} =    Output As Json
    ${billed} =    Provider Totals
    Should Be Equal    ${result}[response] ${result}[exact]    Take a coat. True
    Should Be Equal As Integers    ${result}[total_tokens]    ${billed}[total_tokens]

A Limit Ends With Zero And A Note
    Run Cleveractors    run    @{WEATHER}    --max-tokens    50    What should I wear in Paris?
    Exit Code Should Be    0
    Stderr Should Contain    note: ended by token_budget: the run's limits: 0 of 50 tokens

A Provider's Error Exits With One And The Bill So Far
    Provider Answers    ${CALL}    {"fault": {"status": 403, "message": "Not for you."}}
    Run Cleveractors    run    @{REAL}    What now?    env=${ENV}
    Exit Code Should Be    1
    Stderr Should Contain    error:    Not for you.    completion =    tokens · error
    Stderr Should Not Contain    Traceback    sk-test

A Bad File Exits With Two Before Anything Is Called
    Provider Answers
    Run Cleveractors    run    ${FIXTURES}/bad.yaml    --provider    openai    hello    env=${ENV}
    Exit Code Should Be    2
    Stderr Should Contain    bad.yaml:6:5: error: agents.assistant.tool_max_round    = hint: did you mean `tool_max_rounds`?
    ${requests} =    Provider Requests
    Should Be Equal As Integers    ${requests}    0

Interrupted Twice It Exits With 130 And The Bill So Far
    Provider Holds    Never said.
    Begin Cleveractors    run    @{REAL}    What now?    env=${ENV}
    Interrupt When Provider Holds
    Exit Code Should Be    130
    Stderr Should Contain    interrupted    more in 1 unmeasured call · cancelled
    Stderr Should Not Contain    Traceback

Standard Input Is The Message
    Run Cleveractors    run    @{WEATHER}    --no-stream    stdin=What should I wear in Rome?
    Stdout Should Contain    Rome has 27 °C
    Run Cleveractors    run    @{WEATHER}    -    stdin=What should I wear in Oslo?
    Stdout Should Contain    Oslo has -3 °C

Set And Var Replace Values Of The File
    Provider Answers    {"text": "Hello.", "prompt_tokens": 7, "completion_tokens": 2}
    VAR    @{set}    --set    agents.assistant.provider=openai    --set    agents.assistant.model=gpt-x
    Run Cleveractors    run    @{WEATHER}    @{set}    --var    company\=Zeta    hello    env=${ENV}
    Stdout Should Be    Hello.
    Last Request Should Say    gpt-x    You tell people at Zeta what to wear

A Closed Pipe Ends The Run Quietly
    Nobody Reads Cleveractors    run    @{WEATHER}    What should I wear in Paris?
    Exit Code Should Be    141
    Stderr Should Not Contain    Traceback    Errno    error

Without The Extra One Sentence Names It
    VAR    &{env}    PYTHONPATH=${FIXTURES}/without_extra
    Run Cleveractors    --help    env=${env}
    Exit Code Should Be    2
    Should Be Equal    ${OUTCOME.stderr}    error: the command line needs an extra: pip install 'cleveractors[cli]', or '.[cli]' in the project's folder\n


*** Keywords ***
Prepare
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
    VAR    ${CALL}    {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}    scope=SUITE

Interrupt When Provider Holds
    Wait Until Provider Holds
    Interrupt Command
    Interrupt Command
    Cleveractors Ends
