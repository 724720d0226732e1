"""Tests of app/doctor."""
