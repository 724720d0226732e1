"""Tests of widgets/allocation."""
