"""Tests of engine/allocation/policies."""
