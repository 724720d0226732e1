"""Tests of widgets/stages."""
