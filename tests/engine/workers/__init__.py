"""Tests of engine/workers."""
