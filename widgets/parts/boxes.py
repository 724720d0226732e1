"""Rows and columns of widgets in one statement."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

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
