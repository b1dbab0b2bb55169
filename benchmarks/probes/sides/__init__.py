"""The same moments in each library: one module each, with a coroutine for each probe.

A coroutine gets the stage and gives facts: what a user has in hand then.
`stage.asked` tells whether the library's opt-in is to be used; a module without one for a probe gives `{}`.
"""
