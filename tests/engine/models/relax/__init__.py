"""Tests of engine/models/relax."""
