"""Kernels by hand or of a library, as candidates of tasks whose mathematics they compute."""
