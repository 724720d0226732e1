"""The benchmarks on tiny things: what they are made of, never a figure."""
