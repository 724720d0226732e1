"""What stands in the way of a model, in a person's words."""
