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
      | a program that puts its own in its place |

  Scenario: Nobody stands around it
    Given a host's model with nothing
    When the host's actor is asked twice
    Then both are answered, and LangChain's own way to it was never taken

  Scenario: The messages are those that LangChain sends and gives
    Then what a model is sent, and its answer, are the same as by ainvoke, whatever it tells beside it

  Scenario: A model that knows no manager of callbacks
    Given a host's model with no parameter for a manager
    When the host's actor is asked twice
    Then both are answered, and LangChain's own way to it was never taken

  Scenario: What stops an answer is sent on
    Given a host's model with words that stop it
    When the host's actor is asked twice
    Then both are answered, and words that stop it has seen 2 calls

  Scenario Outline: A model that <goes on> when its call is ended: <how>
    When a run whose model <goes on> is <how>
    Then it ends with "<ending>" after 1 call, whose row is <row>

    Examples:
      | goes on       | how                      | ending         | row        |
      | answers       | cancelled                | CancelledError | settled    |
      | answers       | aborted                  | aborted        | settled    |
      | answers       | out of its model_timeout | TimeoutError   | settled    |
      | answers       | out of its own time      | timeout        | settled    |
      | loses its way | cancelled                | CancelledError | unmeasured |
      | loses its way | aborted                  | aborted        | unmeasured |
      | loses its way | out of its model_timeout | TimeoutError   | unmeasured |
      | loses its way | out of its own time      | timeout        | unmeasured |
