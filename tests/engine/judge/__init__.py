"""Tests of engine.judge."""
