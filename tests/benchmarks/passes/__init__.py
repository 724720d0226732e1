"""What the benchmarks of the passes share."""
