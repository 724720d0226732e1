"""Tests of widgets/convergence."""
