"""Tests of engine.deploy.packing."""
