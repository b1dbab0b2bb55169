Feature: What several tasks do with one stream, and what no request can hold

  However many close a stream, each of them returns, and when it does all is settled. A text that can't be sent costs
  nothing.

  Scenario: Two tasks close a stream that a third one reads
    Given a stream of tokens that a task waits for
    When two other tasks close it
    Then both have returned, and the result was there each time

  Scenario: A task closes a stream that another one is closing
    Given a stream of tokens that nobody waits for
    When two other tasks close it
    Then both have returned, and the result was there each time

  Scenario: Half a character in the user's message
    When a message with half a surrogate pair is sent under a budget
    Then its row is unsent, the bill is exact, and the budget has all its room

  Scenario: Sync tools hold all threads while another run ends
    When a run ends beside sync tools that hold every thread
    Then its bill was delivered
