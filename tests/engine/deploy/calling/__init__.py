"""Tests of how programs call a loaded module."""
