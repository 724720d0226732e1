"""Tests of engine.tasks.attention."""
