"""Graphs for tensor cores: values of 16 bits between kernels, float32 inside of them."""
