"""Tokens, ramp, contrast, and what applying a theme does."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from widgets.icons import icon
from widgets.theme import TOKENS, apply_theme, blend, load_theme, text_on, theme, theme_notifier


def luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: QColor, second: QColor) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_of_every_kind_reads_well_on_every_ground(name: str) -> None:
    colors = load_theme(name)
    grounds = (colors.window, colors.surface, colors.raised)
    inks = (colors.text, colors.muted, colors.good, colors.warning, colors.error)
    for ground, ink in itertools.product(grounds, inks):
        assert contrast(ground, ink) >= 4.5, (ground.name(), ink.name())
    assert contrast(colors.selection, colors.text) >= 4.5
    assert contrast(colors.accent, text_on(colors.accent)) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_has_all_tokens_and_eight_distinct_categories(name: str) -> None:
    colors = load_theme(name)
    assert all(getattr(colors, token).isValid() for token in TOKENS)
    assert len({color.name() for color in colors.categories}) == 8
    assert colors.category(9) == colors.category(1)


def test_the_ramp_grows_lighter_and_is_held_at_its_ends() -> None:
    colors = load_theme("light")
    steps = [luminance(colors.ramp(x / 20)) for x in range(21)]
    assert steps == sorted(steps)
    assert colors.ramp(-1) == colors.ramp(0)
    assert colors.ramp(2) == colors.ramp(1)


def test_a_blend_keeps_its_ends() -> None:
    first, second = QColor("#102030"), QColor("#405060")
    assert blend(first, second, 0).name() == first.name()
    assert blend(first, second, 1).name() == second.name()


def test_applying_a_theme_tells_painters_once(qtbot: QtBot, qapp: QApplication) -> None:
    heard: list[str] = []
    connection = theme_notifier().changed.connect(lambda: heard.append(theme().name))
    apply_theme(qapp, "dark")
    apply_theme(qapp, "light")
    theme_notifier().changed.disconnect(connection)
    assert heard == ["dark", "light"]
    assert qapp.palette().window().color() == theme().window


def test_an_icon_takes_the_colour_of_the_text(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "dark")
    image = icon("stop").pixmap(16, 16).toImage()
    assert image.pixelColor(8, 8).name() == theme().text.name()
    apply_theme(qapp, "light")
