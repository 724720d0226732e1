"""The process: its start, its windows, its settings, its recovery."""
