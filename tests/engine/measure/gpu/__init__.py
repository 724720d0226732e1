"""Tests of engine.measure on GPUs, most of them without one."""
