"""The keys of the commands: those of the table, and those that a person gave instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.process.settings import Settings
from widgets.window.shortcut_rules import Shortcut, sequence

KEY = "shortcuts"


class Shortcuts(QObject):
    """Stored in the settings, which all windows share: a change holds in all of them at once."""

    changed = Signal(list)  # all of them, as they are now

    def __init__(
        self, settings: Settings, table: Sequence[Shortcut], parent: QObject | None = None
    ) -> None:
        """`table` has all commands with their first keys."""
        super().__init__(parent)
        self._settings, self._table = settings, table
        settings.told.changed.connect(self._told)

    def all(self) -> list[Shortcut]:
        """Every command with the keys that it has now."""
        own = self._own()
        return [replace(each, keys=own.get(each.id, each.default)) for each in self._table]

    def set(self, id: str, keys: str) -> None:
        """Give a command other keys, or none."""
        self._store(self._own() | {id: keys})

    def reset(self, *ids: str) -> None:
        """Give commands their first keys again."""
        self._store({id: keys for id, keys in self._own().items() if id not in ids})

    def _told(self, key: str) -> None:
        if key == KEY:
            self.changed.emit(self.all())

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
