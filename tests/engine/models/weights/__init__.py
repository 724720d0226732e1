"""Tests of weights beside their model."""
