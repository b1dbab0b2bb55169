Feature: Agents of the host's own
  A host writes an agent as a class: what it calls stands on the bill, and the run's clock and signal end it.

  Rule: A custom agent

    Scenario: Its Config's fields are the keys of the file
      Given an echoing agent with the keys {"greeting": "Good day"}
      When the actor is asked, and its ways to the bill are looked at
      Then the response is the text Good day: What should I wear?
      And the bill's stop_reason is "completed"
      And every way to the bill shows it
      And the new messages of the last run are "human ai"

    Scenario: A key that its Config does not have is refused
      Given an echoing agent with the keys {"greting": "Hi"}
      When the actor is asked
      Then the run fails with ConfigurationError "greting"

    Scenario Outline: Model calls, tool calls and reports of a custom agent stand on the bill: <face>
      Given a working agent, which asks its model, calls a tool, and reports what it paid
      And the actor's provider will answer
        | text        | prompt | completion |
        | It will do. | 60     | 7          |
      When the actor is <face>
      Then the response is the text It will do. rain in Paris
      And its rows are
        | purpose | provider | model       | state   | prompt_tokens | completion_tokens |
        | turn    | openai   | gpt-4o-mini | settled | 60            | 7                 |
        | tool    | tool     | search-1    | settled | 40            | 2                 |
      And the bill has 100 prompt and 9 completion tokens
      And on_usage saw of the last row
        | purpose | state   |
        | tool    | settled |
      And on_result came once

      Examples:
        | face                                      |
        | asked, and its ways to the bill are looked at |
        | asked as a stream, and its ways to the bill are looked at |

    Scenario Outline: An agent that waits for ever is ended by <what>
      Given an agent that waits for ever
      When it is asked <how>
      Then the bill's stop_reason is "<reason>"
      And the response says why
      And every way to the bill shows it

      Examples:
        | what        | how                             | reason  |
        | timeout     | with a timeout                  | timeout |
        | timeout     | as a stream with a timeout      | timeout |
        | the signal  | and aborted                     | aborted |
        | the signal  | as a stream and aborted         | aborted |
        | the signal  | with a signal aborted before it | aborted |

    Scenario Outline: An agent whose opening waits for ever is ended by <what>
      Given an agent whose opening waits for ever
      When it is asked <how>
      Then the bill's stop_reason is "<reason>"
      And the response says why

      Examples:
        | what       | how                        | reason  |
        | timeout    | with a timeout             | timeout |
        | the signal | as a stream and aborted    | aborted |

    Scenario: A limit that refuses its model call ends the run
      Given a working agent, which asks its model, calls a tool, and reports what it paid
      And the runs' limits are {"max_tokens": 20}
      When the actor is asked, and its ways to the bill are looked at
      Then the bill's stop_reason is "token_budget"
      And the response says why
      And 0 requests have arrived

    Scenario Outline: An agent that answers <what> fails clearly
      Given an agent that answers <what>
      When the actor is <face>
      Then the run fails with ExecutionError "not text"
      And the bill's stop_reason is "error"

      Examples:
        | what    | face                                                |
        | None    | asked, and its ways to the bill are looked at |
        | 5       | asked, and its ways to the bill are looked at |
        | pieces of 5 | asked as a stream, and its ways to the bill are looked at |

    Scenario: A stream that is a plain iterator is read too
      Given an agent whose stream is a plain iterator
      When the actor is asked as a stream, and its ways to the bill are looked at
      Then the stream's texts are ["one ", "two"]
      And the response is the text one two
      And every way to the bill shows it

    Scenario: What its stream does when it is closed does not hold up the leaver
      Given an agent whose stream waits for ever when it is closed
      When its stream is left after a text
      Then the leaver was told of it in time
      And on_result came once

  Rule: The steps of an LLMAgent can be overridden one by one

    Scenario Outline: <step>
      Given an LLMAgent that overrides <step>
      When the overriding agent is asked
      Then <what> was overridden

      Examples:
        | step             | what             |
        | system_prompt    | system_prompt    |
        | prepare_messages | prepare_messages |
        | prepare_tools    | prepare_tools    |
        | select_model     | select_model     |
        | call_model       | call_model       |
        | call_tool        | call_tool        |
        | finish           | finish           |

    Scenario: A call_model that asks its model twice is held to the same limits
      Given an LLMAgent whose call_model asks its model twice
      And the runs' limits are {"max_model_calls": 2}
      When the actor is asked
      Then the bill's stop_reason is "model_calls"
      And its rows are
        | purpose   | state   |
        | turn      | settled |
        | synthesis | settled |

  Rule: A tool can be an agent

    Scenario: It takes its arguments as JSON, and answers with the result as text
      Given a tool that says how long a word is, as an agent
      Then it answers {"word": "rain"} with "4"
      And it answers nothing with "5"

    Scenario: What goes wrong is raised
      Given a tool that says how long a word is, as an agent
      Then it fails at {"word": 7} with ExecutionError "invalid arguments for length"

  Rule: An LLMAgent stands alone

    Scenario: process_message and stream_message make a context of their own
      Then a lone LLMAgent answers both ways, with the same tokens in _last_token_usage

    Scenario: Its tokens are right when its model fails
      Then a lone LLMAgent whose model fails in the second call has the tokens of the first

  Rule: What the host hands over reaches its code, and nobody else

    Scenario: deps, tenant and metadata in tools, agents and elsewhere
      Given a tool and a helper that look at the run's context
      When the actor is asked with deps, a tenant and metadata
      Then the tool saw the host's object, its own call and the tokens so far
      And the helper saw the same by current_context
      And outside the run there is no current context
      And the model saw neither the context's parameter nor the object

  Rule: A context for unit tests

    Scenario: A tool is called with a context outside any run
      Then a context made for tests carries deps and labels, counts what is reported, and calls no model

    Scenario: It is made without a loop, too
      Then a context made without a loop carries deps and labels
