"""What the console looks like on data that never changes, and how alike two pictures of it are.

python -m tests.journey.looks    draws the references in tests/data/pictures anew
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QLoggingCategory, Qt
from PySide6.QtGui import QFont, QFontInfo, QImage

FOLDER = Path(__file__).parent.parent / "data" / "pictures"
SIZE = (1440, 900)
FONT = "DejaVu Sans"
REDUCED = 4  # a dot of a reference is the mean of so many by as many: antialiasing is lost in it
CELL = 15  # dots
DOT_DIFFERS = 24  # of 255, in one colour
CELL_DIFFERS = 0.15  # the share of its dots

Dots = np.ndarray[tuple[int, int, int], np.dtype[np.int16]]

# By name: the theme, and the page or panel on show.
CONSOLES = {"console": ("light", "graph"), "allocation": ("dark", "allocation"),
            "trials": ("dark", "trials")}  # fmt: skip
STAGES = {"stages": ("light", "stages")}
NAMES = (*CONSOLES, *STAGES)


def draw(folder: Path) -> None:
    """Draw all pictures, reduced; needs no display. To be called in a process of its own."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.process.main import application
    from app.window.aids.picture import picture
    from tests.replayed import folded, replayed_events
    from tests.stage_data import branched_snapshot

    application()
    QLoggingCategory.setFilterRules("default.warning=false")  # what only a display could do
    if QFontInfo(QFont()).family() != FONT:
        sys.exit(f"The references are drawn with {FONT}, which is not the font here.")
    folder.mkdir(parents=True, exist_ok=True)
    for snapshot, pages in (
        (folded(replayed_events()), CONSOLES),
        (branched_snapshot(1), STAGES),
    ):
        for name, (theme, page) in pages.items():
            png = folder / f"{name}.png"
            picture(snapshot, png, SIZE, theme, page)  # type: ignore[arg-type]
            reduced(QImage(str(png))).save(str(png), quality=0)


def reduced(image: QImage) -> QImage:
    """A picture in dots, without an alpha channel."""
    return image.scaled(
        image.width() // REDUCED,
        image.height() // REDUCED,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    ).convertToFormat(QImage.Format.Format_RGB888)


def differing(one: QImage, other: QImage) -> list[tuple[int, int]]:
    """The cells, by column and row, in which two reduced pictures are not alike."""
    assert one.size() == other.size()
    first, second = _dots(one), _dots(other)
    far = _beyond(first, second) | _beyond(second, first)
    rows, columns = (length // CELL for length in far.shape)
    cells = far[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL)
    shares = cells.mean(axis=(1, 3))
    return [(int(column), int(row)) for row, column in np.argwhere(shares > CELL_DIFFERS)]


def _beyond(dots: Dots, others: Dots) -> np.ndarray:
    """Where a dot is like none of the other picture's dots there and next to there."""
    padded = np.pad(others, ((1, 1), (1, 1), (0, 0)), "edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(0, 1))
    low, high = windows.min(axis=(3, 4)), windows.max(axis=(3, 4))
    outside = (dots < low - DOT_DIFFERS) | (dots > high + DOT_DIFFERS)
    found: np.ndarray = outside.any(axis=2)
    return found


def _dots(image: QImage) -> Dots:
    """Rows by columns by red, green, blue."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    width = image.width()
    return lines[:, : 3 * width].reshape(image.height(), width, 3).astype(np.int16)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
