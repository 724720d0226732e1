"""Whether what was compiled answers as it should: a model as its file, a kernel as untuned."""
