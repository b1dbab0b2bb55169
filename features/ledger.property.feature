Feature: The ledger adds up, whatever happens
  Stories are drawn: what the model answers and how it fails, what tools come to, sub-agents, forks, pruning, limits,
  budgets, slow sinks, and a cancel, an abort or a leaving reader after any step of the event loop.

  . After every step each loop's record is a valid history. At every change of a shared budget, what is spent and held is
  . within its ceiling, or a row is flagged. In the end the rows make the sums, no row is open, nothing is reserved,
  . on_usage and on_result had what the result shows, and a story that nobody cut ends alike in another mode.
  . `nox -s endurance` draws 20,000 of them.

  @slow
  Scenario Outline: 500 stories, asked as <mode>
    Then the books are right in 500 drawn stories, asked as <mode>

    Examples:
      | mode     |
      | blocking |
      | answer   |
      | tokens   |
      | events   |
