"""Networks that benchmarks make, with seeded weights."""
