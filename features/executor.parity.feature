Feature: Every face tells the same story
  Blocking or streamed, whole or in tokens, by the executor or by the agent itself: for one script of the model there
  is one answer, one bill, one history and one reason to end.

  Scenario: Generated scripts end alike on every face
    Then for 150 generated scripts all faces of an actor with tools agree

  Scenario: Generated scripts end alike without tools
    Then for 60 generated scripts all faces of an actor without tools agree

  Scenario: What a token stream hands out is what the model said
    Then for 100 generated scripts the texts of a token stream are those that the model said
