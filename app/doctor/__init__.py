"""What this machine lacks."""
