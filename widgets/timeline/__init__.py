"""Timeline: one inference, kernel by kernel."""
