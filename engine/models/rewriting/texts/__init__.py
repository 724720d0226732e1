"""Rules for operators on texts that have become numbers."""
