"""Tests of widgets/window."""
