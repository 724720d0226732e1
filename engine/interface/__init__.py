"""The engine as a program uses it: a chain of wishes, and the work that the command line shares."""
