"""The test suite; it mirrors the tree."""
