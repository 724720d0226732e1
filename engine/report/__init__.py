"""A project as one page to read, keep, send and print: plain data in, one HTML text out."""
