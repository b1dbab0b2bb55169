Feature: A Python kernel as a tool
  A model that computes must see what a console would show it, and find its variables again in the next call.

  Rule: It is a console

    Scenario: Values, output and state
      Given a kernel as the tool of an actor
      When the model runs
        | code                                    |
        | x = 20                                  |
        | x + 22                                  |
        | print("one"); print("two"); x           |
        | _ * 2                                   |
        | None                                    |
        | import sys⏎print("oops", file=sys.stderr) |
        | "é" * 2                                 |
        | def f():⏎    return x⏎f()               |
        | # only a comment                        |
      Then the model was told
        | result        | ok  |
        | [no output]   | yes |
        | 42            | yes |
        | one⏎two⏎20    | yes |
        | 40            | yes |
        | [no output]   | yes |
        | oops          | yes |
        | 'éé'          | yes |
        | 20            | yes |
        | [no output]   | yes |

    Scenario: Errors are told as a console tells them, and the state stays
      Given a kernel as the tool of an actor
      When the model runs
        | code                                        |
        | x = 1⏎print("before")⏎1 / 0                 |
        | def f(:                                     |
        | input()                                     |
        | exit()                                      |
        | class Odd:⏎    def __repr__(self):⏎        return 1 / 0⏎Odd() |
        | x                                           |
      Then the model was told, among other things
        | result                                     | ok  |
        | before⏎Traceback (most recent call last):⏎  File "<cell 1>", line 3, in <module>⏎    1 / 0⏎ | no |
        |   File "<cell 2>", line 1⏎    def f(:⏎          ^⏎SyntaxError: invalid syntax | no |
        | EOFError: EOF when reading a line          | no  |
        | SystemExit                                 | no  |
        | ZeroDivisionError: division by zero        | no  |
        | 1                                          | yes |

    Scenario: The last lines of a traceback are the code's own
      Given a kernel as the tool of an actor
      When the model runs
        | code                                        |
        | def f():⏎    raise ValueError("why")⏎f()    |
      Then nothing that the model was told names a file of this library

    Scenario: Modules of the working directory can be imported, and __main__ is the code's own
      Given a kernel in a folder with a module "numbers_of_mine", as the tool of an actor
      When the model runs
        | code                                                  |
        | import numbers_of_mine; numbers_of_mine.ANSWER        |
        | y = 5⏎import __main__⏎__main__.y                      |
        | import sys; sys.argv                                  |
      Then the model was told
        | result | ok  |
        | 42     | yes |
        | 5      | yes |
        | ['']   | yes |

  Rule: What it prints is heard live

    Scenario: Events come while the code runs
      Given a kernel as the tool of an actor
      When the model runs code that goes on only when its first line was heard
      Then the events of the kernel are
        | name          | text       |
        | kernel_stdout | first⏎     |
        | kernel_stderr | go on⏎     |
      And the model was told
        | result        | ok  |
        | first⏎go on⏎7 | yes |

    Scenario: They lie between the start and the end of their call, and carry its id
      Given a kernel as the tool of an actor
      When the model runs, and its events are read
        | code          |
        | print("here") |
      Then each event of the kernel lies within its own call

  Rule: Only what the host passes on is seen

    Scenario: No key is in its environment
      Given the environment variable "SECRET_KEY" with the value "sk-secret"
      And a kernel as the tool of an actor
      When the model runs
        | code                                                                                 |
        | import os; set(os.environ) - {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "PYTHONUTF8"} |
      Then the model was told
        | result | ok  |
        | set()  | yes |

    Scenario Outline: Variables can be passed on by name, or given: <env>
      Given the environment variable "COLOUR" with the value "red"
      And a kernel with the settings {"env": <env>} as the tool of an actor
      When the model runs
        | code                                 |
        | import os; os.environ.get("COLOUR")  |
      Then the model was told
        | result   | ok  |
        | <result> | yes |

      Examples:
        | env                 | result |
        | ["COLOUR"]          | 'red'  |
        | {"COLOUR": "green"} | 'green' |

    Scenario Outline: Settings that can't be: <settings>
      When a kernel is made with <settings>
      Then the kernel is refused with "<text>"

      Examples:
        | settings                     | text                                    |
        | {"timeout": 0}               | timeout must be 0.1 at least, found 0   |
        | {"memory_mb": 1}             | memory_mb must be 64 at least, found 1  |
        | {"max_output": 10}           | max_output must be 200 at least         |
        | {"max_kernels": 0}           | max_kernels must be 1 at least          |
        | {"python": "no-such-python"} | is no program that can be started       |
