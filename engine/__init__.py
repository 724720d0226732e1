"""The tuning engine: everything that works, and nothing of Qt."""
