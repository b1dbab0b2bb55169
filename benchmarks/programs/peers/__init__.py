"""The same agent in other libraries: one module each, with a class `Peer`, importing nothing of this library."""
