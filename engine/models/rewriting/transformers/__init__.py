"""Attention and what stands beside it: heads, pairs that are turned by their place."""
