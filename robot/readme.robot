*** Settings ***
Documentation       The README's commands and code, as written.
Resource            resources/cleveractors.resource
Library             OperatingSystem
Library             libraries/Readme.py
Suite Setup         Prepare
Suite Teardown      Stop Provider


*** Variables ***
${QUESTION}         "What should I wear in Paris today?"
${RUN}              cleveractors run examples/weather.yaml --tools examples/weather_tools.py ${QUESTION}


*** Test Cases ***
Its Top Has Two Commands
    ${top} =    Readme Block    console
    Should Be Equal    ${top}    pip install '.[cli]' && ${RUN}\npip install nox && nox\n

Every Command Runs And Prints What Is Shown
    Provider Answers    {"calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}    {"text": "A jacket."}
    Run Console Blocks    ${ENV}

The Real Provider Is Asked Over HTTP
    Provider Answers    {"text": "A jacket."}
    ${command} =    Readme Block    console    2
    Run Program    bash    -euo    pipefail    -c    ${command}    env=${ENV}    cwd=${CURDIR}/..
    Stdout Should Be    A jacket.
    Last Request Should Say    gpt-4o-mini    What should I wear in Paris today?

Every Python Block Runs
    Run Python Blocks    ${OUTPUT DIR}

The Embedding Example Is The File And Has At Most Fifteen Lines
    ${example} =    Readme Block    python
    ${file} =    Get File    ${EXAMPLES}/embed.py
    Should Be Equal    ${example}    ${file}
    Should Be True    len([line for line in $file.splitlines() if line]) <= 15


*** Keywords ***
Prepare
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
