@slow
Feature: Ten thousand rounds

  A long run must not grow slower by anything of ours, nor deeper: what a round costs us is the same at its end as at its
  beginning. Calls and objects are counted, not seconds.

  Scenario: One run of 10,000 rounds
    When a lone agent's model asks for a tool in 10000 rounds
    Then its answer comes after 10000 rounds
    And our code made as many calls in round 9000 as in round 100
    And the stack was as deep in round 9000 as in round 100
    And as many objects were added from round 8000 to 9000 as from 1000 to 2000
