"""Files that outlast a crash: SQLite, locks, and what is said where the system refuses."""
