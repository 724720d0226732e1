"""Kernels written by hand, as candidates of tasks whose mathematics they compute."""
