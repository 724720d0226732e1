"""Tests of engine.tasks."""
