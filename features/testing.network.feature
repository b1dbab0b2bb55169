Feature: A network that stays closed
  Under block_network() a test that would leave the machine fails at once and says where it wanted to go; servers
  of the test itself on loopback are reached.

  Scenario Outline: What would leave the machine is refused: <way>
    When under a block, code does <way>
    Then it is refused, and the block has noted <address>

    Examples: connections and datagrams
      | way                                                            | address              |
      | tcp().connect(("203.0.113.1", 443))                            | "203.0.113.1:443"    |
      | tcp().connect_ex(("203.0.113.1", 443))                         | "203.0.113.1:443"    |
      | tcp6().connect(("2001:db8::1", 443))                           | "2001:db8::1:443"    |
      | tcp6().connect(("::ffff:203.0.113.1", 443, 0, 0))              | "::ffff:203.0.113.1:443" |
      | tcp().connect(("example.org", 443))                            | "example.org:443"    |
      | udp().sendto(b"x", ("203.0.113.1", 53))                        | "203.0.113.1:53"     |
      | udp().sendto(b"x", 0, ("203.0.113.1", 53))                     | "203.0.113.1:53"     |
      | udp().sendmsg([b"x"], [], 0, ("203.0.113.1", 53))              | "203.0.113.1:53"     |
      | socket.create_connection(("203.0.113.1", 443))                 | "203.0.113.1:443"    |
      | asyncio.open_connection("203.0.113.1", 443)                    | "203.0.113.1:443"    |
      | loop.create_datagram_endpoint(Protocol, remote_addr=("203.0.113.1", 53)) | "203.0.113.1:53" |

    Examples: look-ups
      | way                                                            | address              |
      | socket.create_connection(("example.org", 443))                 | "example.org"        |
      | asyncio.open_connection("example.org", 443)                    | "example.org"        |
      | socket.getaddrinfo(b"example.org", 443)                        | "example.org"        |
      | socket.getaddrinfo(host="example.org", port=443)               | "example.org"        |
      | socket.gethostbyname("example.org")                            | "example.org"        |
      | socket.gethostbyname_ex("example.org")                         | "example.org"        |
      | socket.gethostbyaddr("203.0.113.1")                            | "203.0.113.1"        |
      | socket.getnameinfo(("203.0.113.1", 443), 0)                    | "203.0.113.1:443"    |
      | socket.getfqdn("203.0.113.1")                                  | "203.0.113.1"        |

  Scenario Outline: What stays on the machine is let through: <way>
    Given a server of the test on loopback
    When under a block, code does <way>
    Then it is not refused

    Examples:
      | way                                                                                  |
      | tcp().connect(("127.0.0.1", port))                                                   |
      | tcp().connect(("127.9.9.9", port))                                                   |
      | tcp().connect_ex(("127.0.0.1", port))                                                |
      | tcp().connect(("localhost", port))                                                   |
      | tcp().connect(("", port))                                                            |
      | tcp().connect(("0.0.0.0", port))                                                     |
      | socket.create_connection(("LOCALHOST", port)).close()                               |
      | asyncio.open_connection("127.0.0.1", port)                                           |
      | udp().sendto(b"x", ("127.0.0.1", port))                                              |
      | udp().sendmsg([b"x"], [], 0, ("127.0.0.1", port))                                    |
      | unix().sendmsg([b"x"])                                                               |
      | unix().sendmsg([b"x"], [], 0, None)                                                  |
      | socket.getaddrinfo("203.0.113.1", 80)                                                |
      | socket.getaddrinfo(None, 80)                                                         |
      | socket.getaddrinfo("localhost", 80)                                                  |
      | socket.getnameinfo(("203.0.113.1", 80), socket.NI_NUMERICHOST \| socket.NI_NUMERICSERV) |
      | socket.getnameinfo(("127.0.0.1", 80), 0)                                             |
      | http_server.HTTPServer(("", 0), http_server.BaseHTTPRequestHandler).server_close()   |

  Scenario Outline: Code that asks for nonsense gets Python's own error: <way>
    When under a block, code does <way>
    Then it fails with <error>

    Examples:
      | way                         | error     |
      | tcp().connect()             | TypeError |
      | tcp().connect(())           | TypeError |
      | tcp().connect("127.0.0.1")  | TypeError |
      | udp().sendmsg()             | TypeError |
      | socket.getnameinfo()        | TypeError |

  Scenario Outline: Loopback may be closed too: <way>
    Given a server of the test on loopback
    When under a block without loopback, code does <way>
    Then it is refused, and the block has noted <address>

    Examples:
      | way                                    | address                      |
      | tcp().connect(("127.0.0.1", port))     | f"127.0.0.1:{port}"          |
      | tcp6().connect(("::1", port))          | f"::1:{port}"                |
      | unix_stream().connect("/nowhere")      | "/nowhere"                   |
      | socket.getaddrinfo("localhost", 80)    | "localhost"                  |

  Scenario: A client that hides the error is found out by the attempts
    When under a block, code does hide(lambda: tcp().connect(("203.0.113.1", 443)))
    Then it is not refused, but the block has noted "203.0.113.1:443"

  Scenario: The error is none that a client takes for a fault worth a retry
    Then a refusal is a RuntimeError, and no OSError, and says "block_network() is in force, and something tries to reach 203.0.113.1:443"

  Scenario: Python's own functions are back when the block is left, also by an error
    When a block is entered and left, by an error too
    Then socket is as it was before

  Scenario: Blocks within blocks: the strictest rules, until the last is left
    Given a server of the test on loopback
    Then loopback is reached in a block, not in one without loopback inside it, and again after that
    And each of two blocks in force has noted what was refused, a block within itself once

  Scenario: Blocks of threads overlap
    Then a block that a thread enters holds for all threads, until the thread leaves it

  Scenario Outline: A block is a decorator of a <kind> function, as often as it is called
    When a <kind> function with a block around it tries to leave the machine twice
    Then both calls were refused, and the function has kept its name
    And socket is as it was before

    Examples:
      | kind  |
      | sync  |
      | async |

  Scenario Outline: What runs after its call has returned can't be decorated: <what>
    Then a block around <what> is a TypeError "use it in a with statement inside"

    Examples:
      | what               |
      | a generator        |
      | an async generator |
      | a class            |
