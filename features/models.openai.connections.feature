Feature: HTTP connections of the OpenAI models

  Each connection has a transport to itself, so that a request costs the same beside ten others as beside a thousand.

  Background:
    Given connections, 3 at most, kept for 30 seconds

  Rule: A connection that is free is used again

    Scenario: One after the other
      When 5 requests to a host follow each other
      Then 1 connection was opened

    Scenario: The one that was used last goes first
      When 3 requests to a host are answered at a time
      And 5 requests to a host follow each other
      Then 3 connections were opened
      And the connections have served 6, 1 and 1 requests

    Scenario: Not for another host
      When requests to 2 hosts follow each other
      Then 2 connections were opened

    Scenario: One that failed
      When a request to a host fails
      And 1 request to a host follows
      Then 2 connections were opened
      And 1 connection was closed

    Scenario: One whose response could not be closed
      When a response of a host can't be closed
      And 1 request to a host follows
      Then 2 connections were opened
      And 1 connection was closed

  Rule: There are never more than allowed

    Scenario: Requests wait for their turn
      When 7 requests to a host are answered at a time
      Then 3 connections were opened
      And all 7 requests were answered

    Scenario: One that waits is cancelled when it is called
      When a request that waits is cancelled as a connection becomes free
      Then the request behind it is answered

    Scenario Outline: One that waits is cancelled <when>
      When a request that waits is cancelled <when>
      Then the request behind it is answered

      Examples:
        | when                                 |
        | before a connection becomes free     |
        | and then a connection becomes free   |

    Scenario: A response that is closed twice gives its connection back once
      When a response of a host is closed twice
      And 2 requests to a host are answered at a time
      Then 2 connections were opened

    Scenario: An idle one of another host makes room
      When requests to 5 hosts follow each other
      Then 5 connections were opened
      And 2 connections were closed

  Rule: It is an HTTP client like others

    Scenario: A query and a login, which models never need, are sent all the same
      When a client of the models gets a page with a query and a login
      Then the page was asked for with both

  Rule: None outlives its use

    Scenario: Idle ones grow old
      When 3 requests to a host are answered at a time
      And 1 request to a host follows 31 seconds later
      Then 2 connections were closed

    Scenario: All are closed at the end
      When 2 requests to a host are answered at a time
      And the connections are closed while a request is answered
      Then 2 connections were closed
      And a further request is refused

    Scenario: Whoever waits at the end is told
      When the connections are closed while a request waits
      Then the request that waits is refused
