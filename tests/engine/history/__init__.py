"""Tests of engine/history."""
