"""Tests of engine.models."""
