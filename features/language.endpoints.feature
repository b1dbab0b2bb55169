Feature: Where a key goes

  A host's users write the files, the host's keys are out of their reach: a key goes to the endpoints that its credential
  names, and nowhere else. A second server stands by and must see nothing.

  Background:
    Given a house whose key belongs to one server, beside another server

  Scenario: A file that names no address
    When a file that names nothing is run there
    Then the other server has seen nothing, and the key's own 1 requests with it

  Scenario: A file that names the key's own address
    When a file that names its own server is run there
    Then the other server has seen nothing, and the key's own 1 requests with it

  Scenario: A file that names another address
    When a file that names the other server is run there
    Then the file is refused for its address
    And the other server has seen nothing, and the key's own 0 requests with it

  Scenario: A fallback that names another address
    When a file whose fallback names the other server is run there
    Then the file is refused for its address
    And the other server has seen nothing, and the key's own 0 requests with it

  Scenario: An address that the credential lists
    Given the key's credential lists the other server too
    When a file that names the other server is run there
    Then the other server has seen the key in 1 requests

  Scenario: The environment is not asked
    Given the environment of the process names the other server and a key
    When a file that names nothing is run there
    Then the other server has seen nothing, and the key's own 1 requests with it

  Scenario: A run's own key
    When a run brings a key of its own
    Then no server has seen the house's key

  Scenario: The page of the language is made from the models
    Then the page of the language says what the models say
