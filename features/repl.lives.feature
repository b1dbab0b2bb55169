Feature: The lives of kernels
  A kernel is a process: a host must know when it begins, whose it is, and that it is gone when that is over.

  Rule: Each session has its own, else each run

    Scenario: Runs of one session share a kernel, and nobody else does
      Given a kernel as the tool of an actor
      When runs set and read a variable: "set s1, read s1, read s2, read, set, read, read s1"
      Then they found "-, 1, nothing, nothing, -, nothing, 1"

    Scenario: Runs at the same time have kernels of their own
      Given a kernel as the tool of an actor
      When 4 runs at the same time set a variable to their number, wait for each other, and read it
      Then each found its own number

    Scenario: Calls of one round share the kernel, one after the other
      Given a kernel as the tool of an actor
      When the model runs in one round
        | code                        |
        | x = []⏎x.append(1); len(x)  |
        | x.append(2); len(x)         |
        | x.append(3); len(x)         |
      Then the model was told
        | result | ok  |
        | 1      | yes |
        | 2      | yes |
        | 3      | yes |

    Scenario: Two executors that share the tool share no kernel
      Given a kernel as the tool of an actor
      When two executors run in sessions of the same name
      Then they found "-, nothing"

  Rule: It is gone when that is over

    Scenario Outline: <over>
      Given a kernel as the tool of an actor
      When a kernel has started a program in a session of its own, and then <over>
      Then the kernel and the program are gone
      And the tool holds 0 kernels

      Examples:
        | over                                |
        | its run has ended                   |
        | its session is ended                |
        | its executor is closed              |
        | the tool is closed                  |
        | the tool has released all, outside a loop |
        | the tool is lost                    |

    Scenario Outline: A run that is <left> while its code runs
      Given a kernel as the tool of an actor
      When a run is <left> while its code runs
      Then the kernel and the program are gone
      And the tool holds 0 kernels

      Examples:
        | left      |
        | cancelled |
        | aborted   |
        | timed out |

    Scenario: A kernel that ends itself takes its forks along
      Given a kernel as the tool of an actor
      When a kernel exits and leaves a fork behind
      Then the kernel and the program are gone

    Scenario: So it does where the system can't tell when a process has ended
      Given a kernel as the tool of an actor
      And a system that can't tell when a kernel has ended
      When a kernel exits and leaves a fork behind
      Then the kernel and the program are gone

    Scenario: A session whose run was cancelled is told that its variables are gone
      Given a kernel as the tool of an actor
      When a run of a session is cancelled while its code runs, and the session goes on
      Then the last result is "[a fresh kernel: variables of the earlier one are gone, since it was ended with the call that it worked for]⏎7"

    Scenario: A kernel that died between two calls is told of
      Given a kernel as the tool of an actor
      When the kernel of a session dies between two runs
      Then the last result is "[a fresh kernel: variables of the earlier one are gone, since its process ended between two calls]⏎7"

    Scenario: A session that is ended while a call runs
      Given a kernel as the tool of an actor
      When the kernel of a session is released while its code runs
      Then the last result names "[the kernel is gone: it was ended with its run or session; its variables are lost, the next call starts a fresh one]"

    Scenario: A kernel whose host is gone ends itself
      When a kernel's program is started by hand, asked, and left
      Then it has answered, and ended by itself with code 0

    Scenario: So does one that can tell nobody what its code came to
      When a kernel's program is started by hand, and nobody hears its answer
      Then it has ended by itself with code 1

    Scenario: So does one that is at work
      When a kernel's program is started by hand, and left while it works
      Then it has ended by signal 9

  Rule: There are so many at most

    Scenario: The session that was quiet for longest makes room
      Given a kernel with the settings {"max_kernels": 2} as the tool of an actor
      When runs set and read a variable: "set s1, set s2, read s1, set s3, read s1, read s2"
      Then they found "-, -, 1, -, 1, nothing"
      And the tool holds 2 kernels

    Scenario: Where all are at work, one more is refused
      Given a kernel with the settings {"max_kernels": 1} as the tool of an actor
      When a run asks for a kernel while the only one works
      Then the last result names "1 kernels are at work, as many as may be"

    Scenario Outline: A kernel that can't come up is refused: <settings>
      Given a kernel with the settings <settings> as the tool of an actor
      When the model runs
        | code |
        | 1    |
      Then the model was told, among other things
        | result | ok |
        | <text> | no |

      Examples:
        | settings                   | text                                              |
        | {"python": "true"}         | the kernel did not come up: no word of it         |
        | {"cwd": "no-such-folder"}  | no kernel could be started: FileNotFoundError     |
