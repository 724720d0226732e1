"""What the reference of a file is fed: what inputs may be, and who runs the file on them."""
