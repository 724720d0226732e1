"""The page of the help that lists all keys, made from the table of actions.

`python -m app.window.actions.key_page` writes it; a test fails where it is not what the table says.
"""

from __future__ import annotations

from pathlib import Path

from app.window.actions.actions import MENUS, SPECS
from widgets.look.language import plain

PAGE = Path(__file__).parents[3] / "resources" / "help" / "keys.md"
_HEAD = """# Keys

*Help > Keyboard shortcuts* (Ctrl+F1) finds a command by its name or its key, and changes keys:
choose a command, click into the line below the list, press the new keys. Where another command has
them, the dialog says which one, and takes them from it if you want that. A change holds at once in
all windows.

Ctrl+K finds commands, tasks, views and recent files by a few letters, those used last first.

In tables arrows move and Enter picks. Tab goes to the next part.
"""


def key_page() -> str:
    parts = [_HEAD]
    for menu in MENUS:
        rows = [
            f"| {spec.shortcut} | {plain(spec.text)} | {spec.tip} |"
            for spec in SPECS
            if spec.menu == menu
        ]
        table = ["| Key | Command | What it does |", "|-----|---------|--------------|", *rows]
        parts.append("\n".join([f"## {plain(menu)}", "", *table, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(key_page(), encoding="utf-8")
