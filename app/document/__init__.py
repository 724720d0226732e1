"""The open project as the window knows it, its edits and their undoing."""
