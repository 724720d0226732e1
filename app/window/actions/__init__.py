"""What can be done: actions, their keys, menus and bars."""
