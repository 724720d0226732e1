"""Colour tokens, the palette and the stylesheet; views read colours from here and nowhere else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

ThemeName = Literal["light", "dark", "contrast", "system"]
THEME_NAMES: tuple[ThemeName, ...] = get_args(ThemeName)
TOKENS = (
    "window",
    "surface",
    "raised",
    "text",
    "muted",
    "border",
    "accent",
    "selection",
    "good",
    "warning",
    "error",
    "grid",
)
TEXT_PIXELS = 12


@dataclass(frozen=True, slots=True)
class Theme:
    """Named colours: `categories` tell kinds apart, `ramp` shows a value in [0, 1]."""

    name: str
    dark: bool
    window: QColor
    surface: QColor
    raised: QColor
    text: QColor
    muted: QColor
    border: QColor
    accent: QColor
    selection: QColor
    good: QColor
    warning: QColor
    error: QColor
    grid: QColor
    categories: tuple[QColor, ...]
    stops: tuple[QColor, ...]

    def ramp(self, x: float) -> QColor:
        """The colour of `x`, held within [0, 1], on a perceptually even scale."""
        position = min(max(x, 0.0), 1.0) * (len(self.stops) - 1)
        low = min(int(position), len(self.stops) - 2)
        return blend(self.stops[low], self.stops[low + 1], position - low)

    def category(self, number: int) -> QColor:
        """A colour for the kind `number`; the colours come round again after eight."""
        return self.categories[number % len(self.categories)]


class _Notifier(QObject):
    """Tells painters that the colours are other ones now."""

    changed = Signal()


class _Current:
    """The theme in force and what was asked for."""

    theme: Theme | None = None
    asked: ThemeName = "light"
    follows_system = False


def blend(first: QColor, second: QColor, amount: float) -> QColor:
    """`amount` of the way from `first` to `second`, alpha included."""
    keep = 1.0 - amount
    return QColor.fromRgbF(
        first.redF() * keep + second.redF() * amount,
        first.greenF() * keep + second.greenF() * amount,
        first.blueF() * keep + second.blueF() * amount,
        first.alphaF() * keep + second.alphaF() * amount,
    )


def text_on(background: QColor) -> QColor:
    """Black or white, whichever reads better on `background` (WCAG relative luminance)."""
    parts = (background.redF(), background.greenF(), background.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return QColor(Qt.GlobalColor.black if luminance > 0.179 else Qt.GlobalColor.white)


@cache
def load_theme(name: str) -> Theme:
    """The token set `name`, from resources/themes."""
    text = (resources.files("resources") / "themes" / f"{name}.json").read_text("utf-8")
    data = json.loads(text)
    colors = {token: QColor(data["colors"][token]) for token in TOKENS}
    return Theme(
        name=name,
        dark=data["dark"],
        categories=tuple(map(QColor, data["categories"])),
        stops=tuple(map(QColor, data["ramp"])),
        **colors,
    )


def theme() -> Theme:
    """The theme in force, light before one was applied."""
    return _Current.theme or load_theme("light")


@cache
def theme_notifier() -> _Notifier:
    """The one object whose `changed` signal follows `apply_theme`."""
    return _Notifier()


def apply_theme(app: QApplication, name: ThemeName) -> None:
    """Give `app` a palette and a stylesheet, then tell the views."""
    _Current.asked = name
    chosen = load_theme(token_set(app, name))
    _Current.theme = chosen
    if not _Current.follows_system:
        _Current.follows_system = True
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(_system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(_system_changed)
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    font = app.font()
    font.setPixelSize(TEXT_PIXELS)
    app.setFont(font)
    app.setPalette(_palette(chosen))
    app.setStyleSheet(_stylesheet(chosen))
    theme_notifier().changed.emit()


def tabular(font: QFont, pixels: int | None = None, bold: bool = False) -> QFont:
    """`font` with figures of one width, so that changing numbers do not move."""
    figures = QFont(font)
    figures.setFeature(QFont.Tag("tnum"), 1)
    if pixels:
        figures.setPixelSize(pixels)
    figures.setBold(bold)
    return figures


def token_set(app: QApplication, name: ThemeName) -> str:
    """The token set that `name` means on this desktop as it is now."""
    if name in ("light", "dark"):
        return name
    hints = app.styleHints()
    high = hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
    shade = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
    return f"contrast-{shade}" if name == "contrast" or high else shade


def _system_changed() -> None:
    app = QApplication.instance()
    if _Current.asked in ("system", "contrast") and isinstance(app, QApplication):
        apply_theme(app, _Current.asked)


def _palette(colors: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    roles = {
        role.Window: colors.window,
        role.WindowText: colors.text,
        role.Base: colors.surface,
        role.AlternateBase: colors.raised,
        role.Text: colors.text,
        role.Button: colors.raised,
        role.ButtonText: colors.text,
        role.BrightText: colors.error,
        role.ToolTipBase: colors.raised,
        role.ToolTipText: colors.text,
        role.PlaceholderText: colors.muted,
        role.Highlight: colors.selection,
        role.HighlightedText: colors.text,
        role.Link: colors.accent,
        role.LinkVisited: colors.accent,
        role.Light: colors.raised,
        role.Midlight: colors.grid,
        role.Mid: colors.border,
        role.Dark: colors.border,
        role.Shadow: colors.border,
        role.Accent: colors.accent,
    }
    for which, color in roles.items():
        palette.setColor(which, color)
    faint = blend(colors.muted, colors.window, 0.35)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, faint)
    return palette


def _stylesheet(colors: Theme) -> str:
    folder = resources.files("resources")
    text = (folder / "themes" / "style.qss").read_text("utf-8")
    tokens = {token: getattr(colors, token).name() for token in TOKENS}
    tokens["faint"] = blend(colors.muted, colors.window, 0.35).name()
    tokens["hover"] = blend(colors.raised, colors.text, 0.07).name()
    tokens["on_accent"] = text_on(colors.accent).name()
    tokens["icons"] = str(folder / "icons").replace("\\", "/")
    return Template(text).substitute(tokens)
