"""Tests of app/window/aids."""
