"""Tests of widgets/clusters."""
