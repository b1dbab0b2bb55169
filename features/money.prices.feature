Feature: What a run costs
  Money is Decimal, from the price to the bill: each kind of token has its own price, where the price comes from stands on
  the row, and what has no price is counted, not taken for nothing.

  Rule: Each kind of token has its price

    Scenario Outline: <what>
      Given the host's prices {"gpt-4o-mini": <price>}
      And the actor's provider bills <tokens>
      When the actor is asked
      Then the run cost <cost>, and nothing of it is estimated
      And its rows are
        | price_source |
        | host         |

      Examples:
        | what                                        | price                                                              | tokens                                                    | cost     |
        | prompt and completion                       | {"prompt": "2", "completion": "8"}                                 | 1000 prompt and 100 completion tokens                     | 0.0028   |
        | a float, by its shortest text               | {"prompt": 0.1, "completion": 0.3}                                 | 1000 prompt and 100 completion tokens                     | 0.00013  |
        | cached tokens have their own price          | {"prompt": "2", "completion": "8", "cached": "0.5"}                | 1000 prompt, 600 cached and 100 completion tokens         | 0.0019   |
        | without one they cost what the prompt costs | {"prompt": "2", "completion": "8"}                                 | 1000 prompt, 600 cached and 100 completion tokens         | 0.0028   |
        | reasoning tokens have their own price       | {"prompt": "2", "completion": "8", "reasoning": "16"}              | 1000 prompt and 100 completion tokens, of which 40 are reasoning | 0.00312 |
        | without one they cost what an answer costs  | {"prompt": "2", "completion": "8"}                                 | 1000 prompt and 100 completion tokens, of which 40 are reasoning | 0.0028  |
        | what costs nothing                          | {"prompt": 0, "completion": 0}                                     | 1000 prompt and 100 completion tokens                     | 0        |

    Scenario: Tokens that are written to a cache
      Then at 2 a prompt, 8 an answer, 0.5 cached and 2.5 a cache write
        | prompt | completion | cached | cache_write | reasoning | cost    |
        | 1000   | 100        | 0      | 400         | 0         | 0.003   |
        | 1000   | 100        | 600    | 400         | 0         | 0.0021  |
        | 1000   | 100        | 1000   | 0           | 0         | 0.0013  |
        | 0      | 0          | 0      | 0           | 0         | 0       |

    Scenario: Long prompts have another price for the whole request
      Given the host's prices rise from 1 to 3 above 200 prompt tokens
      Then these prompts cost
        | prompt | cost     |
        | 200    | 0.0002   |
        | 201    | 0.000603 |

  Rule: Where prices come from

    Scenario Outline: The list price of <model>
      When the list is asked for <provider>'s <model> at <url>
      Then the list <knows>

      Examples:
        | provider | model          | url                        | knows                                        |
        | openai   | gpt-4o-mini    | its own address            | says 0.15 and 0.6, cached 0.075              |
        | google   | gemini-2.5-pro | its own address            | says 1.25 and 10, and more for long prompts  |
        | openai   | gpt-4o-mini    | https://api.openai.com/v1  | says 0.15 and 0.6, cached 0.075              |
        | openai   | gpt-4o-mini    | http://127.0.0.1:9/v1      | does not know it                             |
        | openai   | gpt-4o-mini    | https://llm.example.com/v1 | does not know it                             |
        | openai   | no-such-model  | its own address            | does not know it                             |

    Scenario: A model whose answers cost nothing is held to a ceiling by its prompts
      Given the host's prices {"gpt-4o-mini": {"prompt": 1000, "completion": 0}}
      And the host's limits of 1 a run
      And the actor's provider bills 100 prompt and 50 completion tokens
      When the actor is asked
      Then the run cost 0.1, and nothing of it is estimated

    Scenario: What a tool says that it paid stands on the bill as it is
      Given the host's prices {"gpt-4o-mini": {"prompt": 1, "completion": 1}}
      And a tool that pays "0.25" for "search-1"
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then the bill cost 0.25 for "search-1", by "host"

    Scenario Outline: What a tool can't have paid is its mistake: <cost>
      Given a tool that pays "<cost>" for "search-1"
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then the model reads that its tool has failed, since "<says>"
      And its rows are
        | purpose |
        | turn    |
        | turn    |

      Examples:
        | cost           | says                                   |
        | -1             | report_usage cost must be              |
        | -1 tokens      | report_usage figures must be 0 or more |

    Scenario: A model without a price is counted as such, beside those that have one
      Given the host's prices {"gpt-4o-mini": {"prompt": 1, "completion": 1}}
      And the actor has a tool that reports 1000 prompt and 100 completion tokens
      And the actor's provider now asks for "spend" first
      When the actor is asked
      Then the run cost 0.000185, and nothing of it is estimated
      And the bill's unpriced_calls is 1

    Scenario: Nothing that has a price
      Given the host's prices {}
      And the actor's provider bills 1000 prompt and 100 completion tokens
      When the actor is asked
      Then the run cost none, and nothing of it is estimated
      And the bill's unpriced_calls is 1

    Scenario: A call that was cut has an estimated cost, beside the sum
      Given the host's prices {"gpt-4o-mini": {"prompt": 1000000, "completion": 1000000}}
      And the actor's provider tells no usage
      When the actor is asked
      Then the run cost what its estimated tokens say, and nothing that is known

  Rule: A cost ceiling holds only what has a price

    Scenario Outline: A model without a price is refused when the executor is made: <ceiling>
      Given the host's prices {"gpt-4o": {"prompt": 1, "completion": 1}}
      And the host's <ceiling>
      When the actor is asked
      Then it is a ConfigurationError that says "agents.main.model: model openai/gpt-4o-mini has no known price"
      And no request was sent

      Examples:
        | ceiling                  |
        | limits of 1 a run        |
        | purse of 1, for all runs |

    Scenario: It is refused in the run, where only the run knows its price
      Given the host's prices are a function that knows none
      And the host's limits of 1 a run
      When the actor is asked
      Then it is a ConfigurationError that says "model openai/gpt-4o-mini has no known price"
      And no request was sent

    Scenario: Or it runs uncounted
      Given the host's prices {}
      And the host's limits of 1 a run
      And the host allows unpriced models
      And the actor's provider bills 1000 prompt and 100 completion tokens
      When the actor is asked
      Then the run cost none, and nothing of it is estimated

    Scenario: A purse of money that many runs share
      Given the host's prices {"gpt-4o-mini": {"prompt": 1000, "completion": 1000}}
      And the host's purse of 1, for all runs
      And the actor's model may say 900 tokens, and stands at the gate first
      When 5 runs ask at once, and the gate is opened
      Then at most 1 of them has made a call, and the others end by "cost_budget" for contention
      And the purse has spent what the bills cost, and no more than 1
