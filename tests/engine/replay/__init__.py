"""Tests of engine/replay."""
