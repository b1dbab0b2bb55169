Feature: The documentation is true
  What a page shows is a program, a file or a command, and it runs as it stands: a reader can copy it. Pieces of the
  examples are the examples; what the pages name is there.

  @slow
  Scenario: What the pages show runs
    When the blocks of all pages are run, each page in a folder of its own
    Then every one of them has ended well, and printed what stands behind it
    And that were at least 38 programs and 10 commands

  Scenario: Blocks that are not run are sound too
    Then every block of every page is valid: its syntax, its names, its keys, its commands
    And at most 3 blocks are marked as fragments

  Scenario Outline: The tutorial ends in exactly the example: <file>
    Then the pieces of "examples/fastapi_chat/<file>" in the pages are the whole file, as it stands

    Examples:
      | file        |
      | app.py      |
      | chat.yaml   |
      | test_app.py |

  Scenario: Links lead somewhere
    Then no page has a link that leads to no file, or to no heading
    And the site's navigation names every page, and every page that it names is there

  Scenario: The reference has every public name
    Then every public name has an entry in the reference, and every entry is a name

  Scenario: The page of events has all that a browser may be sent
    Then the page of events lists each code of an error frame, and all that include= may name

  Scenario: The page of dependencies has every package that the project requires
    Then the page of dependencies lists what pyproject.toml requires

  Scenario Outline: A page that is wrong is found: <what>
    When a page holds <what>
    Then its fault is "<fault>"

    Examples:
      | what                             | fault                        |
      | a name that is not there         | cleveractors has no Executer |
      | a program with a slip            | SyntaxError                  |
      | a program that raises            | ZeroDivisionError            |
      | a program that prints otherwise  | 'four' is not printed        |
      | an actor with an unknown key     | tols                         |
      | a command of no program          | nobody knows the program     |
      | an option that is not there      | No such option               |
      | an extra that is not there       | there is no extra webb       |
      | a session that is not there      | there is no session docks    |
      | a link to no heading             | #nowhere                     |
