"""Tests of engine/jobs/steps."""
