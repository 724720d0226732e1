"""What of a window the keyboard reaches, what it is called, and whether one sees where it is."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QTabWidget,
    QWidget,
)

from tests.clipping import parts_in_sight

_BY_TAB = Qt.FocusPolicy.TabFocus


def controls(root: QWidget) -> list[QWidget]:
    """All that can have the keyboard now: without the insides of spin boxes and combo boxes, and
    without texts that only a mouse marks."""
    return [
        part
        for part in parts_in_sight(root)
        if part.focusPolicy() is not Qt.FocusPolicy.NoFocus
        and part.isEnabled()
        and part.focusProxy() is None
        and not isinstance(part.parentWidget(), QComboBox | QAbstractSpinBox)
        and not (isinstance(part, QLabel) and not part.focusPolicy() & _BY_TAB)
        and not (isinstance(part, QTabBar) and part.count() == 0)
    ]


def name_of(part: QWidget) -> str:
    """What assistive technology calls a control: its own name, its text, or its label's."""
    if part.accessibleName():
        return part.accessibleName()
    if isinstance(part, QAbstractButton) and part.text():
        return part.text()
    holder = part.parentWidget()
    if isinstance(part, QTabBar) and isinstance(holder, QTabWidget):
        return holder.accessibleName()
    labels = part.window().findChildren(QLabel)
    return next((label.text() for label in labels if label.buddy() is part), "")


def nameless(root: QWidget) -> list[str]:
    """The controls that have no name."""
    return [_words(part) for part in controls(root) if not name_of(part).strip()]


def unseen_focus(root: QWidget, known: set[int]) -> Iterator[str]:
    """The controls that look the same with the keyboard as without; those `known` are left out."""
    root.activateWindow()
    QCoreApplication.processEvents()
    had = QApplication.focusWidget()
    flash = QApplication.cursorFlashTime()
    QApplication.setCursorFlashTime(0)
    for part in controls(root):
        if id(part) in known or not part.isVisible():
            continue
        known.add(id(part))
        if isinstance(part, QLineEdit):
            part.deselect()
        looks = [_look(part, focused) for focused in (False, True)]
        if part.hasFocus() and looks[0] == looks[1]:
            yield _words(part)
    QApplication.setCursorFlashTime(flash)
    if had is not None:
        had.setFocus()


def _look(part: QWidget, focused: bool) -> object:
    part.setFocus(Qt.FocusReason.TabFocusReason) if focused else part.clearFocus()
    QCoreApplication.processEvents()
    return part.grab().toImage()


def out_of_reach(root: QWidget) -> list[str]:
    """The controls that Tab does not come to."""
    return [_words(part) for part in controls(root) if not part.focusPolicy() & _BY_TAB]


def _words(part: QWidget) -> str:
    text = getattr(part, "text", str)() if isinstance(part, QAbstractButton) else ""
    holder = type(part.parentWidget()).__name__
    return f"{type(part).__name__} {part.objectName()} {text or name_of(part)!r} in {holder}"
