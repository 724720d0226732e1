"""The console's window and what joins its views to the document."""
