"""Tests of widgets/timeline."""
