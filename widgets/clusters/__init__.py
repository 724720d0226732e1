"""The clusters of similar tasks."""
