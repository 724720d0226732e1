"""Tests of widgets/knobs."""
