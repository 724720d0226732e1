"""Tests of engine/records."""
