"""Tests of engine.allocation."""
