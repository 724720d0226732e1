"""Tests of widgets/comparison."""
