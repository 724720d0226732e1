"""What a project's trials and slots add up to."""
