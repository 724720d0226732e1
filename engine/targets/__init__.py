"""What a person calls a target, and what its device can do at most."""
