"""Tests of the widgets, offscreen."""
