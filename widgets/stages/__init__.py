"""Schedules of stages: what runs side by side or merged."""
