"""Tests of PyTorch programs."""
