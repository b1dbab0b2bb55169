*** Settings ***
Documentation       An actor with tools, streamed: a provider and a host in processes of their own, two rounds of tools.
...                 What a test compares with is the provider's own ledger.
Resource            resources/cleveractors.resource
Suite Setup         Stream In Both Ways
Suite Teardown      Stop Provider


*** Variables ***
${PARIS}            {"text": "Let me see.", "calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}
${ROME}             {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}], "cached_tokens": 16}
${ANSWER}           {"text": "Take a coat to Paris and none to Rome.", "reasoning_tokens": 5}


*** Test Cases ***
The Answer Is Exactly One Chunk And Not Empty
    Should Be Equal    ${ONE}[chunks]    ${{["Take a coat to Paris and none to Rome."]}}

Its Tokens Are Those Of All Rounds
    Should Be Equal As Integers    ${ONE_BILLED}[billed]    3
    The Bills Should Agree    ${ONE}[result]    ${ONE_BILLED}

Every Call Has Its Row, Open Before It Is Sent And Settled Before The Next
    Should Be Equal    ${ONE}[states]    ${{["open", "settled"] * 3}}
    ${sum} =    Evaluate    sum(row["prompt_tokens"] for row in $ONE["result"]["invocations"])
    Should Be Equal    ${sum}    ${ONE}[result][prompt_tokens]

The Bill Is Delivered Once And Is The Last Result
    Should Be Equal    ${ONE}[bills] ${ONE}[same]    1 True

Rounds And Calls Are Counted
    Should Be Equal    ${ONE}[result][rounds] ${ONE}[result][tool_calls] ${ONE}[result][stop_reason]    2 2 completed

As Tokens It Comes In Several Chunks With The Same Answer
    ${chunks} =    Get Length    ${TOKENS}[chunks]
    Should Be True    ${chunks} > 3
    Should Be Equal    ${{"".join($TOKENS["chunks"])}}    Let me see.\n\n${TOKENS}[result][response]
    Should Be Equal    ${TOKENS}[result][response]    ${ONE}[result][response]

As Tokens It Costs The Same Calls And The Same Tokens
    The Bills Should Agree    ${TOKENS}[result]    ${TOKENS_BILLED}
    Should Be Equal    ${TOKENS_BILLED}    ${ONE_BILLED}
    Should Be Equal    ${TOKENS}[states]    ${ONE}[states]

The History It Returns Is The Same In Both Ways
    ${contents} =    Evaluate    [[one.get("content") for one in run["result"]["messages"]] for run in ($ONE, $TOKENS)]
    Should Be Equal    ${contents}[0]    ${contents}[1]


*** Keywords ***
Stream In Both Ways
    ${env} =    Start Provider
    VAR    ${ENV}    ${env}    scope=SUITE
    ${one}    ${billed} =    Stream    answer
    VAR    ${ONE}    ${one}    scope=SUITE
    VAR    ${ONE_BILLED}    ${billed}    scope=SUITE
    ${tokens}    ${billed} =    Stream    tokens
    VAR    ${TOKENS}    ${tokens}    scope=SUITE
    VAR    ${TOKENS_BILLED}    ${billed}    scope=SUITE

Stream
    [Arguments]    ${way}
    Provider Answers    ${PARIS}    ${ROME}    ${ANSWER}
    Run Program    python    ${FIXTURES}/stream_actor.py    ${way}    env=${ENV}
    Exit Code Should Be    0
    ${seen} =    Output As Json
    ${billed} =    Provider Totals
    RETURN    ${seen}    ${billed}

The Bills Should Agree
    [Arguments]    ${result}    ${billed}
    FOR    ${kind}    IN    prompt_tokens    completion_tokens    cached_tokens    reasoning_tokens
        Should Be Equal As Integers    ${result}[${kind}]    ${billed}[${kind}]    ${kind}
    END
