"""Tests of widgets/passes."""
