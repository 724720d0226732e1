"""How the time of opening a model grows with its nodes."""
