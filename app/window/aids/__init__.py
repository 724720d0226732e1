"""What goes with a console: its work, notices, reports, help, the guide."""
