"""The small pieces that views are built of, each in one statement."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from widgets.look.plain_label import PlainLabel
from widgets.look.theme import TEXT_PIXELS

_Box = TypeVar("_Box", bound=QBoxLayout)
_Content: TypeAlias = QWidget | QLayout
# A widget or a layout, either with its weight, or so many pixels of nothing.
Part: TypeAlias = _Content | tuple[_Content, int] | int
Margins: TypeAlias = int | tuple[int, int, int, int]
STRETCH = -1  # in place of pixels: all that nothing else takes


def stacked(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int = -1
) -> QVBoxLayout:
    """Parts one below another, on a widget; without margins and spacing those of the style."""
    return _filled(QVBoxLayout(), parts, on, margins, spacing)


def beside(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int = -1
) -> QHBoxLayout:
    """Parts one beside another, as `stacked` has them one below another."""
    return _filled(QHBoxLayout(), parts, on, margins, spacing)


def surface(layout: QLayout) -> QWidget:
    """A page with the ground of tables and plots."""
    page = QWidget()
    page.setProperty("role", "surface")
    page.setLayout(layout)
    return page


def scrolled(content: QWidget, *, across: bool = False, focus: bool = False) -> QScrollArea:
    """Content that may need more room than there is; `across`: also more width, `focus`: the
    keyboard can scroll it."""
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    if not across:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if not focus:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def divide(split: QSplitter, *parts: QWidget, weights: tuple[int, ...] = ()) -> QSplitter:
    """Put parts into a splitter, none of which can be pushed away; `weights` are their shares."""
    split.setChildrenCollapsible(False)
    for part in parts:
        split.addWidget(part)
    for place, weight in enumerate(weights):
        split.setStretchFactor(place, weight)
    return split


def pages(stack: QStackedWidget, *parts: QWidget, on: QWidget) -> None:
    """Put pages with the ground of tables and plots over all of a view."""
    stack.setProperty("role", "surface")
    for part in parts:
        stack.addWidget(part)
    stacked(stack, on=on, margins=0)


def text_label(
    text: str = "",
    role: str = "",
    *,
    wraps: bool = True,
    name: str = "",
    margins: tuple[int, int, int, int] | None = None,
) -> QLabel:
    """A label in its `role` of the style."""
    label = PlainLabel(text)
    if role:
        label.setProperty("role", role)
    label.setWordWrap(wraps)
    label.setAccessibleName(name)
    if margins is not None:
        label.setContentsMargins(*margins)
    return label


def tool_button(text: str, tip: str) -> QToolButton:
    """A button; one without a text of its own is read out as its tip."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    if not text:
        button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def switch(text: str, tip: str, on: bool = False) -> QToolButton:
    """A button that stays pressed."""
    button = tool_button(text, tip)
    button.setCheckable(True)
    button.setChecked(on)
    return button


def _filled(
    box: _Box, parts: tuple[Part, ...], on: QWidget | None, margins: Margins | None, spacing: int
) -> _Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*([margins] * 4 if isinstance(margins, int) else margins))
    box.setSpacing(spacing)
    for part in parts:
        if part == STRETCH:
            box.addStretch()
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            content, weight = part if isinstance(part, tuple) else (part, 0)
            _add(box, content, weight)
    return box


def _add(box: QBoxLayout, content: _Content, weight: int) -> None:
    if isinstance(content, QWidget):
        box.addWidget(content, weight)
    else:
        box.addLayout(content, weight)


def mono_font() -> QFont:
    """The system's font for program text, in our size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(TEXT_PIXELS - 1)
    return font


class MonoPage(QPlainTextEdit):
    """Text to read, to search by eye and to copy."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
