"""Tests of engine/jobs."""
