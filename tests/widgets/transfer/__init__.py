"""Tests of widgets/transfer."""
