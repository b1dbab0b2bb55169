Feature: What takes over when a call fails for good
  Another key, another model, a shorter prompt: each is tried where it can help, in order, and each attempt has its row.

  Rule: Fallbacks, in order

    Scenario Outline: The first model fails with <fault>
      Given the actor's settings {"retry": {"attempts": 2, "initial": 0}, "fallbacks": [{"model": "second"}, {"model": "third"}]}
      And the model "gpt-4o-mini" always meets <fault>
      And the model "second" always meets 500
      And the model "third" always says "It rains."
      When the actor is asked
      Then the answer is "It rains.", after 0 rounds and 0 tool calls
      And its rows are
        | model       | attempt | state     | outcome |
        | gpt-4o-mini | 1       | <state>   | error   |
        | <again>     | <n>     | <state2>  | error   |
        | second      | 1       | rejected  | error   |
        | second      | 2       | rejected  | error   |
        | third       | 1       | settled   | answer  |

      Examples: that is tried again
        | fault   | state      | again       | n | state2     |
        | 500     | rejected   | gpt-4o-mini | 2 | rejected   |
        | dropped | unmeasured | gpt-4o-mini | 2 | unmeasured |

    Scenario Outline: The first model fails with <fault>, which is not tried again
      Given the actor's settings {"fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always meets <fault>
      And the model "second" always says "It rains."
      When the actor is asked
      Then the answer is "It rains.", after 0 rounds and 0 tool calls
      And its rows are
        | model       | state   | outcome |
        | gpt-4o-mini | <state> | error   |
        | second      | settled | answer  |

      Examples:
        | fault    | state      |
        | 400      | rejected   |
        | 401      | rejected   |
        | html     | unmeasured |
        | overflow | rejected   |

    Scenario: A model that took over stays in charge
      Given the actor has the tools "get_weather"
      And the actor's settings {"retry": {"attempts": 1}, "fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always meets 500
      And the model "second" asks for the weather, and then says "It rains."
      When the actor is asked
      Then its rows are
        | model       | round | state    |
        | gpt-4o-mini | 1     | rejected |
        | second      | 1     | settled  |
        | second      | 2     | settled  |

    Scenario: A model that ran into model_timeout may be taken over, but is not asked again
      Given the actor's settings {"model_timeout": 0.1, "fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always stands at the gate
      And the model "second" always says "It rains."
      When the actor is asked
      Then its rows are
        | model       | attempt | state      | error_type   |
        | gpt-4o-mini | 1       | unmeasured | TimeoutError |
        | second      | 1       | settled    |              |

    Scenario: Under a cost ceiling only a model with a price takes over
      Given the host's prices {"gpt-4o-mini": {"prompt": 1, "completion": 1}, "third": {"prompt": 1, "completion": 1}}
      And the host's limits of 1 a run
      And the actor's settings {"retry": {"attempts": 1}, "fallbacks": [{"model": "second"}, {"model": "third"}]}
      And the model "gpt-4o-mini" always meets 500
      And the model "third" always says "It rains."
      When the actor is asked
      Then its rows are
        | model       | state    |
        | gpt-4o-mini | rejected |
        | third       | settled  |

    Scenario: A limit ends the run; it is not passed on
      Given the actor's settings {"retry": {"attempts": 2}, "fallbacks": [{"model": "second"}]}
      And the runs' options {"timeout": 0.3}
      And the model "gpt-4o-mini" always meets 429 for long
      And the model "second" always says "It rains."
      When the actor is asked
      Then the bill's stop_reason is "timeout"
      And its rows are
        | model       | state    |
        | gpt-4o-mini | rejected |

    Scenario: Where no purse has room for the next model, the first one's error leaves
      Given the actor's settings {"retry": {"attempts": 1}, "parameters": {"max_tokens": 100}, "fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always meets html
      And a purse of 200 tokens that every change of is looked at
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with ModelOutputError
      And its rows are
        | model       | state      |
        | gpt-4o-mini | unmeasured |
      And every way to the bill shows it

    Scenario: Text that was handed out is not begun anew by another model
      Given the actor's settings {"retry": {"attempts": 1}, "fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always breaks off after some words
      And the model "second" always says "It rains."
      When the actor is asked as a stream, and its ways to the bill are looked at
      Then the run fails with OpenAIConnectionError
      And its rows are
        | model       | state      |
        | gpt-4o-mini | unmeasured |

    Scenario: When all fail, the last one's error leaves
      Given the actor's settings {"retry": {"attempts": 1}, "fallbacks": [{"model": "second"}]}
      And the model "gpt-4o-mini" always meets 500
      And the model "second" always meets 400
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with OpenAIInvalidRequestError
      And every way to the bill shows it

  Rule: A key is asked for again after a 401

    Scenario: The new key is good
      Given keys that are "bad, good"
      When the actor is asked
      Then the answer is "It rains.", after 0 rounds and 0 tool calls
      And its rows are
        | attempt | state    | error_type                |
        | 1       | rejected | OpenAIAuthenticationError |
        | 2       | settled  |                           |
      And 2 keys were asked for

    Scenario: The new key is bad too: it is not asked for ever
      Given keys that are "bad, bad, good"
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with OpenAIAuthenticationError
      And 2 keys were asked for
      And every way to the bill shows it

    Scenario: There is no new key: the host's own error leaves, with the bill
      Given keys that are "bad, none"
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with LookupError "the vault is closed"
      And every way to the bill shows it
      And its rows are
        | state    |
        | rejected |

    Scenario: The host's function has a clock of its own
      Given keys that are "bad, late"
      When the actor is asked, and its ways to the bill are looked at
      Then the run fails with TimeoutError "the vault is slow"
      And every way to the bill shows it

    Scenario Outline: The host's function never answers, and the run is aborted: <when>
      Given keys of which <times> is bad and the next never comes
      When the actor is asked, and aborted while it waits for a key
      Then the bill's stop_reason is "aborted"

      Examples:
        | when                   | times |
        | before anything        | 0     |
        | after a 401            | 1     |

  Rule: A cool-down is shared

    Scenario: Who waits for one that grows waits on
      Given a cool-down of 0.1 seconds that grows to 0.3 while a run waits for it
      Then that run's request came 0.3 to 3 seconds after the first
