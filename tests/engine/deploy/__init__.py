"""Tests of engine.deploy."""
