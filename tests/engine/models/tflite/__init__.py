"""Tests of TensorFlow Lite models."""
