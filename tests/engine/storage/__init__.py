"""Tests of engine/storage."""
