"""Whether a compiled model computes what its file says, and where it begins not to."""
