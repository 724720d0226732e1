"""What a person would otherwise use, and how it is measured."""
