"""What benchmarks are made of: reports, profiles, peaks."""
