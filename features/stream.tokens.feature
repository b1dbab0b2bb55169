Feature: Tokens as they come
  With `streaming="tokens"` an actor with tools hands out what the model writes while it writes it: from the same loop,
  at the same price. What can't be streamed comes as one text.

  Scenario: Text beside calls is handed out too, parted by a blank line; the response is the answer alone
    Given the actor has the tools "get_weather"
    And the actor's keys {"streaming": "tokens"}
    And the actor's provider will answer
      | text          | calls       | prompt | completion | chunks |
      | Let me look.  | get_weather | 120    | 18         | 3      |
      | Take a coat.  |             | 230    | 9          | 4      |
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream's texts make "Let me look.⏎⏎Take a coat."
    And the stream has 7 texts
    And the answer is "Take a coat.", after 1 rounds and 1 tool calls
    And the bill equals the provider's ledger
    And every way to the bill shows it

  Scenario Outline: Streaming is asked for <where>
    Given the actor has the tools "get_weather"
    And <where> is <mode>
    And the actor's provider will answer
      | text                      | prompt | completion | chunks |
      | It rains in all of Paris. | 120    | 18         | 5      |
    When the actor is asked as a stream
    Then the stream has <count> texts

    Examples:
      | where                 | mode     | count |
      | streaming in the file | "tokens" | 5     |
      | streaming in the file | "answer" | 1     |
      | streaming of the host | "tokens" | 5     |
      | streaming of the run  | "tokens" | 5     |

  Scenario: The run's word is above the host's, and the host's above the file's
    Given the actor has the tools "get_weather"
    And streaming in the file is "tokens"
    And streaming of the host is "tokens"
    And streaming of the run is "answer"
    And the actor's provider will answer
      | text                      | prompt | completion | chunks |
      | It rains in all of Paris. | 120    | 18         | 5      |
    When the actor is asked as a stream
    Then the stream has 1 texts

  Scenario: The wrap-up at a limit is streamed
    Given the actor has the tools "get_weather"
    And the actor's keys {"streaming": "tokens", "tool_max_rounds": 1}
    And the actor's provider will answer
      | text             | calls       | prompt | completion | chunks |
      |                  | get_weather | 120    | 18         |        |
      |                  | get_weather | 150    | 18         |        |
      | What I know: rain. |           | 230    | 9          | 4      |
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream's texts make "What I know: rain."
    And the stream has 4 texts
    And the bill's stop_reason is "max_rounds"
    And the response is the text What I know: rain.
    And every way to the bill shows it

  Scenario: A sentence of ours comes as one text
    Given the actor has the tools "get_weather"
    And the actor's keys {"streaming": "tokens", "tool_max_rounds": 0}
    And the actor's provider will answer
      | text | calls       | prompt | completion | fault |
      |      | get_weather | 120    | 18         |       |
      |      |             |        |            | 400   |
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream has 1 texts
    And the response says why
    And the bill's stop_reason is "max_rounds"

  Scenario: Blanks alone are no text
    Given the actor has the tools "get_weather"
    And the actor's keys {"streaming": "tokens"}
    And a model whose turns are ["  ", "The end."]
    When the actor is asked as a stream
    Then the stream's texts are ["The model gave an empty answer."]

  Scenario: A finish() of the agent's own holds the text back
    Given an LLMAgent that overrides finish
    When the overriding agent is asked as a stream of tokens
    Then the stream's texts are ["Rain. overridden"]

  Scenario: A slow consumer holds the model back
    Given a model that writes 2000 pieces as fast as it can
    When its stream is read slowly
    Then the model was never more than 300 pieces ahead
    And all 2000 pieces arrived, in order

  Scenario: A slow consumer is not the model's fault
    Given the actor's keys {"stream_idle_timeout": 0.05}
    And the actor's provider will answer
      | text            | prompt | completion | chunks |
      | It rains today. | 31     | 7          | 4      |
    When the actor is asked as a stream whose consumer takes longer than stream_idle_timeout
    Then the answer is "It rains today.", after 0 rounds and 0 tool calls
    And the bill has 31 prompt and 7 completion tokens

  Scenario: An attempt whose text was handed out is not tried again
    Given the actor's provider will answer
      | text                       | prompt | completion | chunks | fault |
      | It rains today, as always. | 31     | 7          | 5      | cut   |
      | Not this one.              | 31     | 7          |        |       |
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the run fails with OpenAIConnectionError
    And 1 requests have arrived
    And every way to the bill shows it
    And the bill holds what was streamed

  Scenario: An attempt that failed before any text is tried again, and seen once
    Given the actor's provider will answer
      | text            | prompt | completion | chunks | fault   |
      |                 |        |            |        | 500     |
      |                 |        |            |        | dropped |
      | It rains today. | 31     | 7          | 4      |         |
    When the actor is asked as a stream, and its ways to the bill are looked at
    Then the stream's texts make "It rains today."
    And its rows are
      | state      | attempt |
      | rejected   | 1       |
      | unmeasured | 2       |
      | settled    | 3       |
    And every way to the bill shows it

  Scenario: The tokens in the context are never those of an earlier run
    Given the actor's provider will answer
      | text            | prompt | completion | chunks | held |
      | It rains today. | 31     | 7          | 4      |      |
      | It rains today. | 31     | 7          | 4      | 2    |
    When a stream is read, and a second one is begun
    Then while it runs the context has no tokens of the first
