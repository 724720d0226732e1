"""Tests of widgets/parts."""
