"""The layers of a model as its designers know them, and what each takes."""
