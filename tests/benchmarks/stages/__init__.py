"""What the benchmarks of stages share."""
