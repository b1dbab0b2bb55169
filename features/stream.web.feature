Feature: Clients of a web server that leave
  A browser tab is closed, and the server does what its version of ASGI tells it: cancel, again and again, or merely
  drop the stream. Fifty clients later the server is as it was before the first.

  Scenario Outline: Fifty clients leave a server that <server>
    Given the actor has the tools "get_weather"
    And a provider that stands still in the middle of every answer
    And a web server that <server>, and streams the actor's tokens
    When 50 clients ask, read a little, and leave
    Then 50 bills were delivered, each with its own rows and none of them open
    And at most 1 connection to the provider is open
    And the server has as many tasks and open files as after the first client
    And no reservation is left in the house's budget

    Examples:
      | server                      |
      | cancels the response        |
      | raises in send              |
