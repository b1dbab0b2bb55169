Feature: What a run must not do

  The way of a run that nobody listens to is short. What happens on it is counted, not timed.

  Scenario Outline: A <kind> run
    Given an executor that has answered once, with an async tool
    When a <kind> run of one tool round is counted
    Then nothing of events and hooks has run
    And we have started <tasks> task and no thread
    And no timer was set
    And no answer went through LangChain's agenerate
    And no tool was made ready for the model again
    And 5 messages and 1 place for a result were made
    And each of 5 messages was measured once
    And each of 2 attempts has one object, frozen once
    And the chunks of <streams> streams were put together once each

    Examples:
      | kind     | tasks | streams |
      | blocking | 0     | 0       |
      | streamed | 1     | 2       |

  Scenario: The first run of an executor
    When the first run of an executor is counted
    Then the tools were made ready for the model once

  Scenario: Imports
    When a program makes an executor and answers twice
    Then its runs have imported nothing

  Scenario: What a chunk holds
    Then two chunks of a stream share nothing that can be written into
