"""Tests of the plain data that the engine's rooms exchange."""
