Feature: Equal on the wire and in the answer
  The lean transport sends what LangChain's own ChatOpenAI sends, and answers what it answers.

  @slow
  Scenario Outline: Generated conversations, tools, parameters and answers
    Then <count> generated requests over the <transport> transport equal those of LangChain's own model

    Examples:
      | transport | count |
      | lean      | 150   |
      | stock     | 40    |
