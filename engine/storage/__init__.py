"""What lies on the disk: SQLite files of ours, and files that are written whole."""
