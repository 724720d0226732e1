"""The keys of the commands: those of the table, and those that a person gave instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.process.settings import Settings
from widgets.look.language import plain, tr
from widgets.window.shortcut_rules import Shortcut, sequence

if TYPE_CHECKING:
    from app.window.actions.actions import ActionSpec

KEY = "shortcuts"


class Shortcuts(QObject):
    """Stored in the settings, which all windows share: a change holds in all of them at once."""

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        settings.told.changed.connect(lambda key: self.changed.emit() if key == KEY else None)

    def keys(self, spec: ActionSpec) -> str:
        """The keys of a command, as portable text; empty for none."""
        own = self._own().get(spec.id)
        return spec.shortcut if own is None else own

    def shortcut(self, spec: ActionSpec) -> Shortcut:
        """A command's keys for a person to read and change."""
        title, menu = plain(tr(spec.text)), tr(spec.menu)
        return Shortcut(spec.id, title, menu, self.keys(spec), spec.shortcut)

    def set(self, id: str, keys: str) -> None:
        """Give a command other keys, or none."""
        self._store(self._own() | {id: keys})

    def reset(self, *ids: str) -> None:
        """Give commands their first keys again."""
        self._store({id: keys for id, keys in self._own().items() if id not in ids})

    def _own(self) -> dict[str, str]:
        """What a person chose; nonsense in the settings is no choice."""
        stored: dict[str, object] = self._settings.get(KEY, {})
        return {
            id: keys
            for id, keys in stored.items()
            if isinstance(keys, str) and (not keys or not sequence(keys).isEmpty())
        }

    def _store(self, own: dict[str, str]) -> None:
        self._settings.set(KEY, own)
