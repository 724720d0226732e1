"""The allocation policies, by name."""
