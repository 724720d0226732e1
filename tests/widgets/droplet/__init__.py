"""Tests of widgets/droplet."""
