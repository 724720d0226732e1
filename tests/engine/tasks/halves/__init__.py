"""Tests of engine.tasks.halves."""
