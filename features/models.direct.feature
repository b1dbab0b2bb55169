Feature: What stands around a host's model

  A model around which nobody has put anything is asked by what it implements, which saves half of a call's own cost.
  Whatever LangChain or the host puts around a call still sees each of them.

  Scenario Outline: <what> sees each call
    Given a host's model with <what>
    When the host's actor is asked twice
    Then both are answered, and <what> has seen 2 calls

    Examples:
      | what                                   |
      | a callback of the model                |
      | a callback of the program around it    |
      | a callback by a context variable       |
      | a cache of the model                   |
      | a cache of the whole program           |
      | a rate limiter                         |
      | an ainvoke of its own                  |
      | an agenerate of its own                |
      | a way of its own to choose a stream    |
      | a switch that makes it stream          |
      | a program that wraps LangChain's class |

  Scenario: Nobody stands around it
    Given a host's model with nothing
    When the host's actor is asked twice
    Then both are answered, and LangChain's own way to it was never taken

  Scenario: The message is the one that LangChain gives
    Then a model's answer is the same as by ainvoke, whatever it tells beside it

  Scenario: A model that knows no manager of callbacks
    Given a host's model with no parameter for a manager
    When the host's actor is asked twice
    Then both are answered, and LangChain's own way to it was never taken

  Scenario: What stops an answer is sent on
    Given a host's model with words that stop it
    When the host's actor is asked twice
    Then both are answered, and words that stop it has seen 2 calls
