"""Tests of widgets/layers."""
