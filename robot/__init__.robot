*** Settings ***
Documentation       What can be seen from outside: the command line, HTTP, and the commands of the README.
Library             libraries/Runner.py
Suite Teardown      Stop Everything
Test Timeout        2 minutes
