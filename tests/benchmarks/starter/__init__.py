"""Making the starter library that comes with the program."""
