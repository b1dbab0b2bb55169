Feature: Budgets that many share
  A purse belongs to a tenant, not to a run: any number of runs, executors and threads draw on it at once, and its ceiling
  holds. What nobody could have reserved is counted in full, and flagged.

  Rule: The ceiling holds, whoever asks

    Scenario: Ten runs whose prompts dominate
      Given a loop without tools
      And the loop's settings {"parameters": {"max_tokens": 100}}
      And the loop has a budget of 2000 tokens
      And the provider answers the loop with 100 tokens for ever, at the gate
      When 10 runs of the loop ask with 2400 letters, while the gate is closed
      Then at most 2 of the loop's runs have made a call
      And the others end with "token_budget", for contention
      And the provider bills the loop at most 2000 tokens

    Scenario: Two executors, asked from the loops of four threads
      Given a purse of 3000 tokens that every change of is looked at
      And a model of the host's that says 200 tokens
      When 4 threads ask two executors, 6 times each
      Then all 24 runs have their bill, and some were refused
      And the purse was never overdrawn, holds nothing, and has spent what the bills say

    Scenario Outline: <parts> of a message are held at <least> to <most> tokens beside the answer
      Given a purse of 60000 tokens that every change of is looked at
      And the runs' options {"parameters": {"max_tokens": 100}}
      And the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When the actor is asked with a message of <parts>
      Then for its call there were held <least> to <most> tokens beside the answer

      Examples:
        | parts                | least | most |
        | a text               | 10    | 100  |
        | a bare text          | 10    | 100  |
        | a text and an image  | 2010  | 2100 |
        | two files            | 4010  | 4100 |
        | a part of its own    | 10    | 100  |

    Scenario: A call that could not be read is held at its size too, where it is sent again
      Given a purse of 60000 tokens that every change of is looked at
      And an agent of the host's own that sends a broken call of 3000 letters
      When the actor is asked
      Then for its call there were held 1000 to 1500 tokens beside the answer

  Rule: Waiting for room

    Scenario Outline: A run waits for room until <end>
      Given a purse of 1060 tokens for which runs wait
      And the actor's model may say 1000 tokens, and stands at the gate first
      When a second run waits for room until <end>, with <options>
      Then the second run ends with "<stop>" and <rows> rows
      And the purse was never overdrawn, and holds nothing

      Examples:
        | end                   | options          | stop      | rows |
        | the first one ends    | {}               | completed | 1    |
        | the host aborts it    | {}               | aborted   | 0    |
        | its task is cancelled | {}               | cancelled | 0    |
        | its time is up        | {"timeout": 0.1} | timeout   | 0    |

    Scenario: A run that needs what it keeps for its wrap-up waits for its first call too
      Given a purse of 1200 tokens for which runs wait
      And the actor has the tools "get_weather"
      And the actor's model may say 900 tokens, and stands at the gate first
      When a second run with a ceiling of its own of 350 tokens waits for room until the first one ends
      Then the second run ends with "completed" and 1 rows
      And the purse was never overdrawn, and holds nothing

  Rule: What nobody could have reserved

    Scenario: A tool spends more than there was
      Given a purse of 60000 tokens that every change of is looked at
      And a tool that reports 90000 tokens of its own
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then the bill's stop_reason is "token_budget"
      And its rows are
        | purpose | state   | prompt_tokens | over_reserved |
        | turn    | settled | 50            | False         |
        | tool    | settled | 90000         | True          |
      And the bill's budget_refusal is "exhausted"

    Scenario: A provider that heeds no cap and tells nothing
      Given a purse of 500 tokens that every change of is looked at
      And the actor's provider answers at length, heeds no cap and tells nothing
      When the actor is asked
      Then the bill's stop_reason is "completed"
      And the bill's budget_exhausted is true
      And its rows are
        | state      | estimated | over_reserved |
        | unmeasured | True      | True          |

    Scenario: A tool's own spend has the house's price
      Given the host's prices {"search-1": {"prompt": 2, "completion": 4}, "gpt-4o-mini": {"prompt": 1, "completion": 1}}
      And the actor has a tool that reports 1000 prompt and 100 completion tokens
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then the bill cost 0.0024 for "search-1", by "host"

    Scenario Outline: A run is cancelled when the room for its <call> is reserved and the call has not begun
      Given a purse of 60000 tokens that every change of is looked at
      When a run of events is cancelled before its model call number <number> begins
      Then the purse was never overdrawn, and holds nothing
      And its rows have the states <states>

      Examples:
        | call       | number | states      |
        | first call | 1      | []          |
        | wrap-up    | 2      | ["settled"] |

    Scenario: A thread that was left behind reports when its run has been billed
      When a tool reports its spend too late
      Then on_usage still had it, and the bill that was delivered is as it was

  Rule: What happened before is not what happens now

    Scenario Outline: A host that handles <handled> asks again <mode>, and the call breaks
      When the actor is asked <mode> while the host handles <handled>
      Then its rows are
        | state      | estimated | error_type       |
        | unmeasured | True      | ModelOutputError |

      Examples:
        | handled                  | mode        |
        | nothing                  | whole       |
        | nothing                  | as a stream |
        | an error with status 429 | whole       |
        | an error with status 429 | as a stream |
        | a ConnectError           | whole       |
        | a ConnectError           | as a stream |

  Rule: The bill comes before the caller goes on

    Scenario: A reader of events leaves a tool that does not let itself be stopped
      When a reader of events leaves while a tool holds on, whoever cancels it
      Then the leaver was not held up, and its exception carries the bill
      And its rows have the states ["settled"]
      And the same bill is delivered when the tool has ended

    Scenario: A row that two close is counted once
      Then a row of 5 tokens that is closed twice makes a sum of 5 tokens

    Scenario: A reader of events leaves, and the sink is slow
      When a reader of events leaves whose bill takes longer than the work to stop
      Then it went on when the bill was delivered, and its exception carries it
