"""What runs cost, against a hand-written loop on `ChatOpenAI`: `python -m benchmarks`."""
