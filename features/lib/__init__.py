"""Ordinary typed code behind the steps: it knows the library and the story of one scenario, but no behave."""
