"""A project on another machine, watched by ssh while it is tuned there."""
