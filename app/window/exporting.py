"""Copy and save what has the keyboard: a plot or a table; and say what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.window.console import Console
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.exporting import export_notifier
from widgets.parts.message_bar import MessageBar
from widgets.parts.table import Table

NOTHING = QT_TR_NOOP("Nothing to copy or save here.")
TODO = QT_TR_NOOP("Click on a plot or a table first.")


class Giver(Protocol):
    """What can be copied and saved."""

    def copy(self) -> None:
        """Put it on the clipboard."""

    def ask(self) -> QFileDialog:
        """Ask where to save it."""


class ExportMessages(QObject):
    """Shows what becomes of files that are saved, in the window where they are."""

    def __init__(self, window: QWidget, messages: MessageBar) -> None:
        super().__init__(window)
        self._window, self._messages = window, messages
        notifier = export_notifier()
        notifier.saved.connect(self._saved)
        notifier.failed.connect(self._failed)

    def _saved(self, path: str) -> None:
        self._show("info", tr("Saved as {path}.", path=path))

    def _failed(self, what: str, todo: str) -> None:
        self._show("error", what, todo)

    def _show(self, level: str, what: str, todo: str = "") -> None:
        """Not in other windows: all of them hear of it."""
        active = QApplication.activeWindow()
        owner = active
        while owner is not None and owner is not self._window:
            owner = owner.parentWidget()  # a dialog's is the window that it was opened from
        if active is None or owner is self._window:
            self._messages.show_message(level, what, todo)


def copy_here(console: Console) -> None:
    """Copy the plot or the rows that have the keyboard."""
    giver = giver_of(console)
    if giver is not None:
        giver.copy()


def save_here(console: Console) -> QFileDialog | None:
    """Ask where to save the plot or the table that has the keyboard."""
    giver = giver_of(console)
    return None if giver is None else giver.ask()


def giver_of(console: Console) -> Giver | None:
    """The plot or table with the keyboard, or the nearest beside it; says so if there is none."""
    window = console.window
    widget: QWidget | None = QApplication.focusWidget() or window.focusWidget()
    while widget is not None and widget is not window:
        found = next(_givers(widget), None)
        if found is not None:
            return found
        widget = widget.parentWidget()
    console.messages.show_message("info", tr(NOTHING), tr(TODO))
    return None


def _givers(widget: QWidget) -> Iterator[Giver]:
    """A widget itself, or what is in sight in it; plots before tables."""
    inside = [each for each in widget.findChildren(QWidget) if each.isVisible()]
    parts = [widget, *inside]
    yield from (cast(Giver, part.tools) for part in parts if hasattr(part, "tools"))
    yield from (part for part in parts if isinstance(part, Table))
