Feature: A thousand clients leave a web server
  The server runs in a process of its own, under uvicorn. Each client asks, reads the beginning of the answer, and closes
  its connection while the provider is at work. After the last of them the process holds what it held half-way.

  . CLEVERACTORS_DISCONNECTS=5000 sends more of them; `nox -s endurance` does.

  @slow
  Scenario Outline: A thousand clients leave a server that <kind>
    Given the actor has the tools "get_weather"
    And a provider that stands still in the middle of every answer
    And a server process that <kind>
    When 1000 clients of the process ask, read a little, and leave
    Then every run of the process was billed
    And the process has no more tasks, sockets, threads and memory than half-way

    Examples:
      | kind                 |
      | cancels the response |
      | raises in send       |
