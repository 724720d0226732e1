"""Tests of engine/targets."""
