"""Tests of builds, runners and the measurement protocol."""
