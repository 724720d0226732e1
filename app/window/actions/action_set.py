"""The QActions of a window, made from the table of actions and kept up with the state of things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QColor

from app.window.actions.actions import SPECS, ActionSpec
from app.window.actions.shortcuts import Shortcuts
from engine.records.settings import RunState
from widgets.look.icons import icon
from widgets.look.language import plain, tr
from widgets.look.theme import text_on, theme
from widgets.window.shortcut_rules import native, sequence

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class Actions(QObject):
    """The QActions of a window, by id; `refresh` follows the document."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.shortcuts = Shortcuts(window.settings, self)
        self.by_id: dict[str, QAction] = {}
        for spec in SPECS:
            self.by_id[spec.id] = self._make(spec)
            window.addAction(self.by_id[spec.id])
        self._give_keys()
        self.shortcuts.changed.connect(self._give_keys)
        window.commands.edits.undo.changed.connect(self.refresh)
        self.refresh()

    def __getitem__(self, action: str) -> QAction:
        return self.by_id[action]

    def all(self) -> list[QAction]:
        """Every action, in the order of the table."""
        return list(self.by_id.values())

    def refresh(self) -> None:
        """Enable, tick and name by the state of things."""
        window, document = self._window, self._window.document
        for spec in SPECS:
            action = self.by_id[spec.id]
            action.setEnabled(spec.enabled(document) and (spec.ready is None or spec.ready(window)))
            if spec.checked is not None:
                action.setChecked(spec.checked(window))
            if spec.title is not None:
                action.setText(spec.title(window))
        paused = document.state is RunState.PAUSED
        self.by_id["pause"].setIcon(icon("start" if paused else "pause"))

    def retint(self) -> None:
        """Draw the icons in the colours in force."""
        for spec in SPECS:
            if spec.icon:
                self.by_id[spec.id].setIcon(icon(spec.icon, _color(spec)))
        self.refresh()

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(tr(spec.text), self)
        action.setCheckable(spec.checked is not None)
        if spec.icon:
            action.setIcon(icon(spec.icon, _color(spec)))
        action.triggered.connect(lambda: self._run(spec))
        return action

    def _give_keys(self) -> None:
        """Let all have the keys that hold now, and say them."""
        for spec in SPECS:
            action, keys = self.by_id[spec.id], self.shortcuts.keys(spec)
            action.setShortcut(sequence(keys))
            tip = tr(spec.tip)
            action.setToolTip(f"{tip} ({native(keys)})" if keys else tip)
            if spec.shows_keys:
                action.setIconText(native(keys) or plain(tr(spec.text)))

    def _run(self, spec: ActionSpec) -> None:
        spec.run(self._window)
        self.refresh()


def _color(spec: ActionSpec) -> QColor | None:
    return text_on(theme().accent) if spec.id == "start" else None
