"""Tokens, ramp, contrast, and what applying a theme does."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from widgets.look.icons import icon
from widgets.look.theme import (
    TOKENS,
    apply_theme,
    blend,
    load_theme,
    text_on,
    theme,
    theme_notifier,
    token_set,
)

THEMES = ("light", "dark", "contrast-light", "contrast-dark")


def luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: QColor, second: QColor) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_of_every_kind_reads_well_on_every_ground(name: str) -> None:
    colors = load_theme(name)
    grounds = (colors.window, colors.surface, colors.raised)
    inks = (colors.text, colors.muted, colors.good, colors.warning, colors.error)
    for ground, ink in itertools.product(grounds, inks):
        assert contrast(ground, ink) >= 4.5, (ground.name(), ink.name())
    assert contrast(colors.selection, colors.text) >= 4.5
    assert contrast(colors.accent, text_on(colors.accent)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
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


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_high_contrast_has_all_of_its_name(name: str) -> None:
    colors = load_theme(name)
    for ink in (colors.text, colors.muted, colors.good, colors.warning, colors.error):
        assert contrast(colors.surface, ink) >= 7.0, ink.name()
    for edge in (colors.border, colors.accent):
        assert contrast(colors.surface, edge) >= 4.5, edge.name()


class Desktop(QObject):
    """What a desktop says of its colours, as Qt's style hints do."""

    colorSchemeChanged = Signal()
    contrastPreferenceChanged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.scheme, self.contrast = Qt.ColorScheme.Light, Qt.ContrastPreference.NoPreference

    def accessibility(self) -> Desktop:
        return self

    def colorScheme(self) -> Qt.ColorScheme:
        return self.scheme

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self.contrast


def test_colours_follow_the_desktop_while_they_are_asked_to(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = Desktop()
    monkeypatch.setattr(QApplication, "styleHints", lambda _=None: desktop)
    monkeypatch.setattr("widgets.look.theme._Current.follows_system", False)
    apply_theme(qapp, "system")
    assert theme().name == "light"
    desktop.scheme = Qt.ColorScheme.Dark
    desktop.colorSchemeChanged.emit()
    assert theme().name == "dark"
    desktop.contrast = Qt.ContrastPreference.HighContrast
    desktop.contrastPreferenceChanged.emit()
    assert theme().name == "contrast-dark"
    apply_theme(qapp, "light")
    desktop.colorSchemeChanged.emit()
    assert theme().name == "light"


def test_high_contrast_is_light_or_dark_as_the_desktop(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = Desktop()
    monkeypatch.setattr(QApplication, "styleHints", lambda _=None: desktop)
    assert token_set(qapp, "contrast") == "contrast-light"
    desktop.scheme = Qt.ColorScheme.Dark
    assert token_set(qapp, "contrast") == "contrast-dark"
    assert token_set(qapp, "system") == "dark"


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
