"""The test suite; it mirrors the tree."""

from tests import processor

processor.pretend()
