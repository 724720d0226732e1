"""A matrix of runs that goes on unattended: read from a file, carried out by a queue, summed up."""
