"""Icons, theme tokens, help pages and sample models."""
