"""Plain data that the engine's rooms exchange; imports nothing of ours."""
