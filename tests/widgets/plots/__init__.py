"""Tests of widgets/plots."""
