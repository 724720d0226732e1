"""Tests of widgets/jobs."""
