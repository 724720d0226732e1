"""The console looks as it did: pictures of it against references, with a tolerance."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.journey.looks import FOLDER, FONT, NAMES, REDUCED, SIZE, differing, reduced

ROOT = Path(__file__).parent.parent.parent
ANEW = "`python -m tests.journey.looks` draws the references anew, where the change is meant."

# Where the parts of the window are, roughly, in points.
PARTS = {
    "toolbar": QRect(0, 24, 1440, 40),
    "scoreboard": QRect(0, 110, 1440, 60),
    "project": QRect(0, 180, 210, 420),
    "workspace": QRect(215, 180, 950, 420),
    "inspector": QRect(1170, 180, 270, 700),
    "bottom": QRect(0, 610, 1160, 260),
}


@pytest.fixture(scope="module")
def drawn(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pictures as they are drawn now."""
    if QFontInfo(QFont()).family() != FONT:
        pytest.skip(f"The references are drawn with {FONT}, which is not the font here.")
    folder = tmp_path_factory.mktemp("looks")
    done = subprocess.run(
        [sys.executable, "-m", "tests.journey.looks", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_the_console_looks_as_it_did(name: str, drawn: Path) -> None:
    now, before = QImage(str(drawn / f"{name}.png")), QImage(str(FOLDER / f"{name}.png"))
    assert differing(now, before) == [], f"{name}: cells by column and row. {ANEW}"


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_missing_is_found(part: str) -> None:
    whole = QImage(str(FOLDER / "console.png"))
    without = whole.copy()
    place = PARTS[part]
    painter = QPainter(without)
    painter.fillRect(
        QRect(place.topLeft() / REDUCED, place.size() / REDUCED), without.pixelColor(2, 2)
    )
    painter.end()
    assert differing(without, whole)


def test_antialiasing_and_a_shift_of_half_a_point_are_not_found() -> None:
    small = QImage(str(FOLDER / "console.png"))
    large = small.scaled(*SIZE)
    shifted = QImage(large.size(), large.format())
    painter = QPainter(shifted)
    painter.drawImage(QPoint(0, 0), large)
    painter.setOpacity(0.5)
    painter.drawImage(QPoint(1, 1), large)
    painter.end()
    assert differing(reduced(shifted), small) == []


def test_the_references_are_small() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(NAMES)
    assert sum(path.stat().st_size for path in FOLDER.glob("*.png")) < 300_000
