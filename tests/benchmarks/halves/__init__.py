"""Exporters' own graphs in 16 bits on a GPU against the PyTorch models that they came from."""
