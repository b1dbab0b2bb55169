*** Settings ***
Documentation       The commands that run nothing.
Resource            resources/cleveractors.resource


*** Test Cases ***
A Good File Is Ok
    Run Cleveractors    validate    @{WEATHER}
    Exit Code Should Be    0
    Stdout Should Be    ${EXAMPLES}/weather.yaml: ok

Without Tools Their Names Are Not Checked And That Is Said
    Run Cleveractors    validate    ${EXAMPLES}/weather.yaml
    Exit Code Should Be    0
    Stdout Should Contain    weather.yaml: ok (tools not checked: get_weather, suggest_clothes; give --tools)

With Tools Their Names Are Checked
    Run Cleveractors    validate    @{WEATHER}    ${FIXTURES}/shout.yaml
    Exit Code Should Be    2
    Stderr Should Contain    shout.yaml:4:9: error: tools[0]: unknown tool `shout`

Every Problem Of Every File Is Listed
    Run Cleveractors    validate    ${FIXTURES}/bad.yaml    ${EXAMPLES}/weather.yaml    ${FIXTURES}/none.yaml
    Exit Code Should Be    2
    Stdout Should Contain    weather.yaml: ok
    Stderr Should Contain    tool_max_round    bad.yaml:7:31: error: agents.assistant.parameters.temperature
    Stderr Should Contain    none.yaml: error: there is no such file

Broken Tools Are Said Once
    Run Cleveractors    validate    @{WEATHER}    --tools    ${FIXTURES}/tools/failing.py
    Exit Code Should Be    2
    Stderr Should Contain    failing.py:5: error: KeyError
    Stdout Should Be Empty

A Host's Provider Can Be Named
    Run Cleveractors    validate    ${FIXTURES}/house.yaml
    Stderr Should Contain    house.yaml:2:11: error: provider: unknown provider `house`
    Run Cleveractors    validate    ${FIXTURES}/house.yaml    --provider    house
    Exit Code Should Be    0

The Schema Is A JSON Schema
    Run Cleveractors    schema
    ${schema} =    Output As Json
    Should Be Equal    ${schema}[$schema]    https://json-schema.org/draft/2020-12/schema

The Version Is Told
    Run Cleveractors    --version
    Should Match Regexp    ${OUTCOME.stdout}    ^cleveractors \\d+\\.\\d+\\.\\d+\\n$

A Closed Pipe Is No Trouble
    Nobody Reads Cleveractors    validate    ${EXAMPLES}/weather.yaml
    Stderr Should Be Empty
    Nobody Reads Cleveractors    schema
    Stderr Should Be Empty

Help Needs Nothing That A Run Needs
    Run Program    python    -X    importtime    -m    cleveractors    --help
    Stdout Should Contain    run    validate    schema
    Stderr Should Not Contain    langchain    openai    pydantic
