"""Who got the slots, and why."""
