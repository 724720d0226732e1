"""What an export is handed on as: what it needs, and a wheel of it."""
