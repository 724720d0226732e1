"""Tests of engine.models.refusals."""
