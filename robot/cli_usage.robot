*** Settings ***
Documentation       Bad usage: exit status 2 and a sentence, before anything is called.
Resource            resources/cleveractors.resource
Test Template       Run Should Refuse


*** Variables ***
${LONG}             ${{"x" * (1024 * 1024 + 1)}}


*** Test Cases ***    STDERR                          ARGUMENTS
A Setting Without A Value
    has no name and value                   --set    agents.assistant.model    hello

A Setting Of Nobody
    there is no agent `nobody`              --set    nobody\=1    --set    agents.nobody.model\=x    hello
    unknown agent `nobody`                  --set    entry\=nobody    --model    x    hello

A Variable That The File Does Not Declare
    did you mean `company`?                 --var    compny\=Zeta    hello

An Empty Message
    it is empty                             ${SPACE}

No Message At All
    standard input is empty: give a message

A Message That Is Not UTF-8
    [Template]    NONE
    Run Program    bash    -c    exec cleveractors run "$0" $'\\xff'    ${EXAMPLES}/weather.yaml
    Exit Code Should Be    2
    Stderr Should Contain    it is not UTF-8

A Limit That Is None
    Limits.timeout must be                  --timeout    0    hello
    Limits.max_cost must be                 --max-cost    much    hello

A Provider Nobody Knows
    unknown provider `opnai`                --provider    opnai    hello

OpenAI Without A Key
    OPENAI_API_KEY is not set               --provider    openai    hello
    = hint: set it, or try the actor        --provider    openai    hello

Standard Input Without An End
    [Template]    NONE
    Run Cleveractors    run    @{WEATHER}    -    stdin=${LONG}
    Exit Code Should Be    2
    Stderr Should Contain    longer than 1 MiB


*** Keywords ***
Run Should Refuse
    [Arguments]    ${text}    @{arguments}
    Run Cleveractors    run    @{WEATHER}    @{arguments}
    Exit Code Should Be    2
    Stdout Should Be Empty
    Stderr Should Contain    ${text}
