"""The job queue: several tunings on one machine, without disturbing one another."""
