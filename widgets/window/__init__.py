"""The window's own parts: scoreboard, start page, help, log, guide."""
