"""From a file to a model that can be tuned, in a worker of its own."""
