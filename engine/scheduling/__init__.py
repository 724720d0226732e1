"""Which waiting stages of which jobs start now, in plain data."""
