"""Tests of widgets/tasks."""
