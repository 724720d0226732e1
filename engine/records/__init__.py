"""What the rooms of the engine exchange: plain data, which imports nothing of ours."""
