"""Operators on images and other grids: resized, pooled, padded, cut and sampled."""
