"""The queue of jobs and its timeline."""
