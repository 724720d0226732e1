"""What plots are made of: axes, items, keys, pictures, time."""
