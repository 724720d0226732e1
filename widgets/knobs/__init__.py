"""Knobs: what schedules chose against their latency, and which choices matter."""
