"""Tests of engine/measure/remote."""
