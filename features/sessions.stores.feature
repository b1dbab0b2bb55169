Feature: Stores of sessions
  A host must be able to trust that a conversation is stored once, whole and in order, whoever else writes to it.

  . SPECIFICATION: A position is where the list of a session ends. An append names the position that its writer has
  . seen, and its run: it is refused where the list ends elsewhere, and does nothing for a run that it knows.

  Rule: Every store keeps the same contract

    Scenario Outline: What was stored comes back: <store>
      Given a session store of the kind <store>
      Then a session that nobody has written to has nothing, at position 0
      And a stored conversation comes back equal, message for message
      And texts that no wire carries come back equal

      Examples:
        | store  |
        | memory |
        | sqlite |

    Scenario Outline: Of two writers that have read the same, the second is refused: <store>
      Given a session store of the kind <store>
      When two runs that have read the same append to the session
      Then the second is refused with a SessionConflictError that names both positions
      And only the first one's messages are stored

      Examples:
        | store  |
        | memory |
        | sqlite |

    Scenario Outline: A run is stored once, however often it is appended: <store>
      Given a session store of the kind <store>
      When a run is appended, then another one, then the first one again
      Then its second append has returned the position of its first
      And both runs are stored once

      Examples:
        | store  |
        | memory |
        | sqlite |

    Scenario Outline: A session holds what its winners wrote, however reads and appends fall: <store>
      Given a session store of the kind <store>
      Then for <count> drawn orders of three writers the session is what an honest list would be

      Examples:
        | store  | count |
        | memory | 100   |
        | sqlite | 15    |

    Scenario Outline: Several threads with loops of their own: <store>
      Given a session store of the kind <store>
      When 4 threads append 5 runs each, and read anew after each conflict
      Then all 20 runs are stored once

      Examples:
        | store  |
        | memory |
        | sqlite |

    Scenario Outline: What is forgotten is gone: <store>
      Given a session store of the kind <store>
      When a run is appended, and the session is forgotten
      Then a session that nobody has written to has nothing, at position 0

      Examples:
        | store  |
        | memory |
        | sqlite |

  Rule: Memory is bounded

    Scenario: However many are used, neither sessions nor messages pass the bounds
      Then for 100 drawn uses of a memory store its bounds are kept, and each session is valid

    Scenario: A session that had to go goes on where it ended
      Given a session store of the kind memory for 1 session
      When a run is appended, another session is used, and the first one goes on
      Then its append was no conflict

    Scenario: Ends of sessions that had to go are not remembered for ever
      Given a session store of the kind memory for 1 session
      When a run is appended, and 12 other sessions are used
      Then a session that nobody has written to has nothing, at position 0

    Scenario: Of a session's runs the last ones are known
      Given a session store of the kind memory
      When 300 runs are appended, and the last one again
      Then it was known, and the session goes on

    Scenario: Bounds that can't be
      When a memory store is made with max_sessions 0
      Then the session store is refused with "max_sessions must be 1 at least"

  Rule: A file is shared

    @slow
    Scenario: Several processes open a new file and append to one session
      Given a session store of the kind sqlite
      When 3 processes append 5 runs each, and read anew after each conflict
      Then all 15 runs are stored once

    Scenario: A load that is cancelled leaves no thread behind
      Given a session store of the kind sqlite
      When a load of the session is cancelled
      Then the call of the store is cancelled

    Scenario: A row that no message can be made of comes back as it stands
      Given a session store of the kind sqlite
      When a run is appended, and a row of it is damaged
      Then the damaged row is read as {"unreadable": "{not json"}

    Scenario Outline: A file that can't be used: <file>
      When sessions are read from <file>
      Then the session store is refused with "<text>"

      Examples:
        | file                     | text                                            |
        | a file of a newer version | the file is of version 99, and this library    |
        | a text file              | DatabaseError: file is not a database           |
        | a folder that is not there | OperationalError: unable to open database file |
        | memory                   | in memory: MemorySessions()                     |
        | nowhere                  | needs the path of a file                        |

    Scenario: Without aiosqlite the extra is named
      When sessions are kept in a file without aiosqlite
      Then the session store is refused with "pip install 'cleveractors[sqlite]'"
