"""Tests of engine/jobs/opening."""
