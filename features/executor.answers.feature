Feature: Runs that are answered
  A host's backend asks an actor and gets an answer with a bill that is right to the token. Every number is compared
  with the books of the provider, a real server, which knows nothing of ours.

  Background:
    Given the actor's provider will answer
      | text          | calls       | prompt | completion | chunks |
      | Let me look.  | get_weather | 120    | 18         | 3      |
      |               | get_weather | 170    | 12         |        |
      | Take a coat.  |             | 230    | 9          | 4      |

  Scenario: Two rounds, then the answer
    Given the actor has the tools "get_weather"
    When the actor is asked, and its ways to the bill are looked at
    Then the bill equals the provider's ledger
    And the bill has 520 prompt and 39 completion tokens
    And nothing of it is unknown
    And its rows are
      | state   | purpose | outcome | round | attempt | prompt_tokens | completion_tokens | model       | provider |
      | settled | turn    | tools   | 1     | 1       | 120           | 18                | gpt-4o-mini | openai   |
      | settled | turn    | tools   | 2     | 1       | 170           | 12                | gpt-4o-mini | openai   |
      | settled | turn    | answer  | 3     | 1       | 230           | 9                 | gpt-4o-mini | openai   |
    And on_usage saw each row open before its request arrived, and settled before the next began
    And every way to the bill shows it
    And the answer is "Take a coat.", after 2 rounds and 2 tool calls

  Scenario: An actor with tools is streamed as exactly one chunk
    Given the actor has the tools "get_weather"
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream's texts are ["Take a coat."]
    And the bill equals the provider's ledger
    And the bill has 520 prompt and 39 completion tokens
    And every way to the bill shows it
    And the stream carries the same bill
    And 3 requests have arrived

  Scenario: Tokens come from the same loop, at the same price
    Given the actor has the tools "get_weather"
    And the runs' options {"streaming": "tokens"}
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream has several texts
    And the provider was asked in streams
    And the answer is "Take a coat.", after 2 rounds and 2 tool calls
    And the bill has 520 prompt and 39 completion tokens
    And 3 requests have arrived
    And every way to the bill shows it
    And on_usage saw each row open before its request arrived, and settled before the next began

  Scenario: The history of a run goes into the next one
    Given the actor has the tools "get_weather"
    When the actor is asked
    And it is asked again with the history of the last run
      | text       | prompt | completion |
      | As I said. | 260    | 5          |
    Then the last request holds the roles "user assistant tool assistant tool assistant user"
    And the new messages of the last run are "human ai"
    And the answer is "As I said.", after 0 rounds and 0 tool calls

  Scenario: Labels stand on the result, on every row and in every tool
    Given the actor has the tools "get_weather"
    And the runs' options {"tenant": "t1", "session_id": "s1", "run_id": "r1", "metadata": {"plan": "pro"}}
    When the actor is asked
    Then the bill's tenant is "t1"
    And the bill's session_id is "s1"
    And the bill's run_id is "r1"
    And the bill's metadata is {"plan": "pro"}
    And every row carries these labels
