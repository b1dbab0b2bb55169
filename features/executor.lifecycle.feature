Feature: The life of an executor
  It is made once, serves from any task, thread and event loop, and closes without leaving anything behind.

  Rule: aclose ends what runs

    Scenario: Runs that end within the grace are waited for
      Given the actor's provider will answer
        | text | prompt | completion | held   |
        | Yes. | 10     | 2          | before |
      When the executor is closed while a run is running, which then ends
      Then the answer is "Yes.", after 0 rounds and 0 tool calls
      And on_result came once

    Scenario: Runs that do not are aborted
      Given the actor's provider will answer
        | text | prompt | completion | held   |
        | Yes. | 10     | 2          | before |
      When the executor is closed without grace while a run is running
      Then the bill's stop_reason is "aborted"
      And its rows are
        | state      |
        | unmeasured |
      And on_result came once

    Scenario Outline: A suspended stream is closed: <kind>
      Given the actor has the tools "get_weather"
      And the runs' options {"streaming": "<kind>"}
      And the actor's provider will answer
        | text       | calls       | prompt | completion | chunks | held |
        | Let me see. | get_weather | 120    | 18        | 5      | 3    |
      When the executor is closed while a stream is suspended
      Then the stream has ended, and has its bill
      And on_result came once
      And the provider's connections are closed

      Examples:
        | kind   |
        | tokens |

    Scenario: Closing while the task is cancelled still closes everything
      Given an agent that counts its opening and closing
      And the actor's provider will answer
        | text | prompt | completion | held   |
        | Yes. | 10     | 2          | before |
      When the executor is closed in a cancelled scope while a run is running
      Then the bill's stop_reason is "aborted"
      And the agent was opened once and closed once
      And on_result came once
      And the provider's connections are closed

    Scenario: Twice, and from two tasks at once
      Given an agent that counts its opening and closing
      And the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
        | Yes. | 10     | 2          |
      When 2 runs are made at the same time, and the executor is closed from two tasks, and again
      Then the agent was opened once and closed once

    Scenario: After it new runs are refused, also by streams made before
      When the executor is closed between a stream's making and its reading
      Then both the stream and a new run are refused with ExecutorClosedError
      And 0 requests have arrived

    Scenario: An agent that fails to close is told in the log, and the rest is closed
      Given the log is kept
      And an agent that fails to close
      When the actor is asked
      And the executor is closed
      Then the log has 1 lines at ERROR

  Rule: Agents are opened once

    Scenario: Many runs at a time open an agent once
      Given an agent that counts its opening and closing
      And the actor's provider answers everything
      When 20 runs are made at the same time
      Then the agent was opened once and closed never

    Scenario: A run that is cancelled while it opens the agent does not take the others along
      Given an agent whose first opening is cancelled
      And the actor's provider answers everything
      When its first run is cancelled in the opening, while others wait for it
      Then the others were answered
      And the agent was opened twice

    Scenario: A run that is cancelled while it waits for another's opening does not disturb it
      Given an agent whose first opening is cancelled
      And the actor's provider answers everything
      When a run that waits for the opening is cancelled
      Then the others were answered
      And the agent was opened once

    Scenario: A failed opening is tried again by the next run
      Given an agent whose first opening fails
      And the actor's provider answers everything
      When the actor is asked twice
      Then the first run failed with Odd and its bill, and the second was answered

  Rule: Any event loop

    Scenario: One after another
      Given the actor's provider answers everything
      Then three loops, one after another, are answered by one executor

    Scenario: Two at the same time
      Given the actor's provider answers everything
      Then two loops in two threads are answered by one executor at the same time

    Scenario: Closing from one loop ends a stream that is suspended on another
      Given the actor's provider will answer
        | text            | prompt | completion | chunks | held |
        | It rains today. | 31     | 7          | 4      | 2    |
      Then closing here ends a stream that is suspended on a loop in another thread

    Scenario: A run that a dead loop left behind does not hold up the closing
      Given the actor's provider will answer
        | text            | prompt | completion | chunks | held |
        | It rains today. | 31     | 7          | 4      | 2    |
      Then closing does not wait for a stream whose loop has ended

  Rule: execute_sync

    Scenario Outline: From <where>
      Given the actor's provider answers everything
      When execute_sync is called from <where>
      Then the answer is "Yes.", after 0 rounds and 0 tool calls
      And the caller's last result and tokens are those of its run

      Examples:
        | where               |
        | a thread            |
        | a running loop      |
        | a sync tool         |

    Scenario: A failed run leaves its bill in the caller's context
      Given the actor's provider will answer
        | fault |
        | 400   |
      When execute_sync is called from a thread
      Then the run fails with OpenAIInvalidRequestError
      And the caller's last result and tokens are those of its run

    Scenario: From an async tool on its own thread it is refused
      Given an async tool that calls execute_sync
      When the actor is asked by execute_sync
      Then the tool was told that execute_sync can't be called there
      And the answer is "Well.", after 1 rounds and 1 tool calls

    Scenario: A forked child has a loop thread of its own
      When a script asks by execute_sync, forks, and asks in its child
      Then both printed "Yes."

    @slow
    Scenario Outline: Ctrl-C under <how>
      When a script that runs <how> is interrupted in its call
      Then it printed the bill of a cancelled run before it saw KeyboardInterrupt

      Examples:
        | how          |
        | asyncio.run  |
        | execute_sync |

  Rule: override puts stand-ins in the place of models and tools

    Scenario: Within it, for the tasks that it starts, and nowhere else
      Given the actor has the tools "get_weather"
      And the actor's provider answers everything
      When the actor is asked within an override of model and tools, in a task of it, and beside it
      Then only those within it met the stand-ins

    Scenario: An inner override of tools keeps the outer model
      Given the actor has the tools "get_weather"
      When the actor is asked within an override of tools inside one of the model
      Then both stand-ins were met

    Scenario: It stands in for a model that an agent selects, too
      Given an LLMAgent that overrides select_model
      When the overriding agent is asked within an override of the model
      Then the selected model was not asked

    Scenario: A stand-in for a tool that nobody has is refused
      Given the actor has the tools "get_weather"
      When an override has a tool that no agent has
      Then the run fails with ConfigurationError "no agent has a tool"
