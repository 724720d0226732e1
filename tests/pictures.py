"""Draws the pictures of the documentation from a project that was really tuned.

python -m tests.pictures PROJECT.tune [FOLDER]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SIZE = (1440, 900)
FOLDER = Path(__file__).parent.parent / "resources" / "help" / "images"
MOST_BYTES = 200_000


def draw(project: Path, folder: Path = FOLDER, size: tuple[int, int] = SIZE) -> list[Path]:
    """Draw console.png and allocation.png; their paths. Needs no display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.main import render_console

    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, page in (("console", "graph"), ("allocation", "allocation")):
        png = folder / f"{name}.png"
        render_console(project, png, size, page)
        shrink(png)
        drawn.append(png)
    return drawn


def shrink(png: Path) -> None:
    """Pack it as tightly as PNG allows, without an alpha channel."""
    from PySide6.QtGui import QImage

    QImage(str(png)).convertToFormat(QImage.Format.Format_RGB888).save(str(png), quality=0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    for path in draw(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else FOLDER):
        print(f"{path}: {path.stat().st_size:,} bytes")
