"""The colours of the themes to eyes that lack a kind of cone; where literals may stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from tests.color_vision import VISIONS, lab, nearest
from tests.widgets.look.test_theme import THEMES, contrast
from widgets.look.theme import load_theme

ROOT = Path(__file__).parents[3]
CATEGORIES_APART, STATES_APART = 22.0, 15.0
each_vision = pytest.mark.parametrize("vision", VISIONS)
each_theme = pytest.mark.parametrize("name", THEMES)


def test_the_distance_is_that_of_the_literature() -> None:
    assert lab(QColor("white")) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab(QColor("red")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


def test_grey_is_grey_to_every_eye_and_red_and_green_are_near_to_some() -> None:
    for vision in VISIONS:
        assert lab(QColor("#808080"), vision) == pytest.approx([53.59, 0, 0], abs=0.6)
    mixed = [QColor("#b05020"), QColor("#807020")]
    assert nearest(mixed, "deuteranopia")[0] < nearest(mixed, "normal")[0] / 2


@each_theme
@each_vision
def test_categories_can_be_told_apart_by_every_eye(name: str, vision: str) -> None:
    distance, first, second = nearest(load_theme(name).categories, vision)
    assert distance >= CATEGORIES_APART, (first, second)


@each_theme
@each_vision
def test_states_can_be_told_apart_by_every_eye(name: str, vision: str) -> None:
    colors = load_theme(name)
    states = (colors.good, colors.warning, colors.error, colors.accent)
    distance, first, second = nearest(states, vision)
    assert distance >= STATES_APART, (first, second)


@each_theme
def test_marks_and_the_ring_of_the_keyboard_stand_out_from_the_ground(name: str) -> None:
    colors = load_theme(name)
    for category in colors.categories:
        assert contrast(category, colors.surface) >= 2.9, category.name()
    for ground in (colors.window, colors.surface, colors.raised, colors.selection):
        assert contrast(colors.accent, ground) >= 3.0, ground.name()


# A report is printed: paper has no theme.
PAPER = {"app/window/aids/report_paper.py"}
LITERAL = re.compile(
    r"""["'\s:]\#[0-9a-fA-F]{3,8}\b            # of a style sheet
    | \bQColor\(\s*["'\d]                       # by name or by numbers
    | \brgba?\(\s*\d
    | GlobalColor\.(?!transparent)
    | \bsetNamedColor\b | \bpg\.mk(?:Pen|Brush|Color)\(\s*["'\d(]""",
    re.VERBOSE,
)


def literals(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if LITERAL.search(line)]


def test_no_colour_stands_outside_the_tokens() -> None:
    found = {}
    for path in sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")]):
        name = str(path.relative_to(ROOT))
        if name not in PAPER and (lines := literals(path.read_text())):
            found[name] = lines
    text_on = "return QColor(Qt.GlobalColor.black if luminance > 0.179 else Qt.GlobalColor.white)"
    assert found == {"widgets/look/theme.py": [text_on]}
    assert literals((ROOT / "resources" / "themes" / "style.qss").read_text()) == []


@pytest.mark.parametrize(
    "line",
    ['x = "#ff0000"', "p.setPen(QColor(255, 0, 0))", 'QColor("red")', "Qt.GlobalColor.red",
     '"color: rgb(1, 2, 3)"', 'pg.mkPen("r")', '"color: #abc;"'],
)  # fmt: skip
def test_a_literal_would_be_found(line: str) -> None:
    assert literals(line) == [line]
