"""Passes over a project's tasks and records: sharing, transfer, Droplet."""
