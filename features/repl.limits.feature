Feature: The limits of a kernel
  A host must be able to let a model run code without waiting for ever, filling its memory or losing its server.

  Rule: Time

    Scenario: Code that takes too long is interrupted, and the variables stay
      Given a kernel with the settings {"timeout": 0.3} as the tool of an actor
      When the model runs
        | code                        |
        | x = 1⏎while True:⏎    pass  |
        | x                           |
      Then the model was told, among other things
        | result                                                     | ok  |
        | KeyboardInterrupt⏎stopped at the time limit of 0.3 s; its variables are kept | no |
        | 1                                                          | yes |

    Scenario: Code that does not end on an interrupt is killed, and the next call says so
      Given a kernel with the settings {"timeout": 0.3} as the tool of an actor
      When the model runs
        | code                                                                                       |
        | import signal⏎x = 1⏎signal.signal(signal.SIGINT, signal.SIG_IGN)⏎while True:⏎    pass       |
        | "x" in globals()                                                                           |
        | "again"                                                                                    |
      Then the model was told
        | result | ok |
        | [the kernel is gone: it was stopped at the time limit of 0.3 s, did not end on an interrupt, and was killed; its variables are lost, the next call starts a fresh one] | no |
        | [a fresh kernel: variables of the earlier one are gone, since it was stopped at the time limit of 0.3 s, did not end on an interrupt, and was killed]⏎False | yes |
        | 'again' | yes |

    Scenario: Code that ends itself on the interrupt is told why
      Given a kernel with the settings {"timeout": 0.3} as the tool of an actor
      When the model runs
        | code                                                                                     |
        | import time⏎try:⏎    time.sleep(60)⏎except KeyboardInterrupt:⏎    print("I was stopped") |
      Then the model was told
        | result                                                                  | ok |
        | I was stopped⏎stopped at the time limit of 0.3 s; its variables are kept | no |

    Scenario: Programs that it has started are interrupted with it
      Given a kernel with the settings {"timeout": 0.5} as the tool of an actor
      When the model runs
        | code                                                   |
        | import subprocess⏎subprocess.run(["sleep", "3600"])    |
        | "alive"                                                |
      Then the model was told, among other things
        | result                             | ok  |
        | stopped at the time limit of 0.5 s | no  |
        | 'alive'                            | yes |

    Scenario: A reader that takes its time takes none of the code's
      Given a kernel with the settings {"timeout": 0.5} as the tool of an actor
      When the model runs code that prints, and a listener takes longer than the limit
      Then the model was told
        | result     | ok  |
        | one⏎two    | yes |

  Rule: Output

    Scenario: A long output keeps its beginning and its end
      Given a kernel with the settings {"max_output": 1000} as the tool of an actor
      When the model runs, and its events are read
        | code                                                        |
        | print("begin" + "x" * 5000 + "end")⏎print("last line")⏎7    |
        | "y" * 5000                                                  |
      Then no result has more than 1000 characters
      And the events of each call have 1000 characters at most
      And the results begin with "begin", "'yyy" and end with "last line⏎7", "yyy'"

    Scenario: A flood is stopped
      Given a kernel with the settings {"max_output": 1000} as the tool of an actor
      When the model runs
        | code                                 |
        | while True:⏎    print("x" * 1000)    |
        | "alive"                              |
      Then the model was told, among other things
        | result                                        | ok  |
        | stopped: it printed more than 20,000 characters; its variables are kept | no |
        | 'alive'                                       | yes |

    Scenario: Whatever is printed, a result is within its bound and ends as the output does
      Then for 200 drawn outputs the text is whole, or its beginning and end are

  Rule: Memory

    Scenario: More than is allowed is a MemoryError
      Given a kernel with the settings {"memory_mb": 256} as the tool of an actor
      When the model runs
        | code                       |
        | x = bytearray(400 << 20)   |
        | "alive"                    |
      Then the model was told, among other things
        | result      | ok  |
        | MemoryError | no  |
        | 'alive'     | yes |

  Rule: Code can't break the host

    Scenario: It is as long as a book
      Given a kernel as the tool of an actor
      When the model runs a cell of 3000000 characters
      Then the model was told
        | result  | ok  |
        | 3000000 | yes |

    Scenario: Nor where the system can't tell when a process has ended
      Given a kernel with the settings {"timeout": 0.3} as the tool of an actor
      And a system that can't tell when a kernel has ended
      When the model runs
        | code                                                                                    |
        | 40 + 2                                                                                  |
        | import os; os._exit(3)                                                                  |
        | import signal⏎signal.signal(signal.SIGINT, signal.SIG_IGN)⏎while True:⏎    pass           |
      Then the model was told, among other things
        | result                          | ok  |
        | 42                              | yes |
        | its process exited with code 3  | no  |
        | and was killed                  | no  |

    Scenario Outline: It <does>
      Given a kernel with the settings {"timeout": 2} as the tool of an actor
      When the model runs
        | code   |
        | <code> |
        | 1 + 1  |
      Then the model was told, among other things
        | result   | ok   |
        | <result> | <ok> |
        | 2        | yes  |

      Examples:
        | does                        | code                                                                            | result                                   | ok  |
        | exits at once               | import os; os._exit(3)                                                          | its process exited with code 3           | no  |
        | kills itself                | import os; os.kill(os.getpid(), 9)                                              | its process ended by signal 9            | no  |
        | closes every low file       | import os; os.closerange(3, 100); "closed"                                      | 'closed'                                 | yes |
        | closes every file           | import os; os.closerange(0, 1000)                                               | the kernel is gone                       | no  |
        | writes into every file      | import os⏎for file in range(3, 300):⏎    try:⏎        os.write(file, b"garbage garbage")⏎    except OSError:⏎        pass | the code has broken the connection | no |
        | forges a reply              | import os, struct, json⏎data = json.dumps({"token": "x", "value": "forged", "error": None}).encode()⏎for file in range(200, 210):⏎    try:⏎        os.write(file, struct.pack(">I", len(data)) + data)⏎    except OSError:⏎        pass | the code has broken the connection | no |
        | sends what is no reply      | import os, struct⏎for file in range(200, 210):⏎    try:⏎        os.write(file, struct.pack(">I", 4) + b"nope")⏎    except OSError:⏎        pass | the code has broken the connection | no |
        | prints bytes that are no text | import sys; n = sys.stdout.buffer.write(b"\xff\xfe ok\n")                     | �� ok                                    | yes |
        | forks                       | import os⏎pid = os.fork()⏎if not pid:⏎    print("the copy")⏎else:⏎    n = os.wait()⏎    print("the first") | the copy⏎the first | yes |
        | leaves a fork behind that holds its pipes | import os, time⏎if not os.fork():⏎    time.sleep(60)⏎os._exit(5)            | its process exited with code 5           | no  |
        | starts a thread that goes on | import threading, time⏎threading.Thread(target=time.sleep, args=(60,)).start()⏎"started" | 'started'                              | yes |
        | replaces its streams        | import sys⏎sys.stdout = None⏎"odd"                                              | 'odd'                                    | yes |
        | raises in a hook of exit    | raise SystemExit(5)                                                             | SystemExit: 5                            | no  |
        | raises what can't be told   | class Sly(type):⏎    __module__ = property(lambda kind: {}["no"])⏎class Odd(Exception, metaclass=Sly):⏎    pass⏎raise Odd | KeyError | no |
        | recurses without end        | def f():⏎    return f()⏎f()                                                     | RecursionError                           | no  |
        | uses multiprocessing        | import multiprocessing⏎context = multiprocessing.get_context("fork")⏎process = context.Process(target=print, args=("from the child",))⏎process.start(); process.join() | from the child | yes |
