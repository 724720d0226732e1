"""Measured benchmarks: run one with python -m tests.benchmarks.NAME."""
