"""One operator set for a whole model, its own functions and older operators included."""
