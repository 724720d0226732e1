"""Settings that come back with the type they were stored with."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

T = TypeVar("T")


class Told(QObject):
    """Says which key was set or removed."""

    changed = Signal(str)


class Settings:
    """A typed front to QSettings, which by itself returns True as "true" in a later process.

    Values are JSON (bool, int, float, str, None, lists and dicts of these) or bytes. `memory`
    keeps everything in the process: for tests and for pictures.
    """

    def __init__(self, store: QSettings | None = None, memory: bool = False) -> None:
        self._store = None if memory else store or QSettings("Tunewright", "Tunewright")
        self._memory: dict[str, str] = {}
        self.told = Told()

    def get(self, key: str, default: T) -> T:
        """The value of `key`; `default` where there is none or it has another type."""
        text = self._read(key)
        if text is None:
            return default
        try:
            value = json.loads(text)
        except ValueError:
            return default
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        fits = default is None or type(value) is type(default)
        return value if fits else default

    def set(self, key: str, value: Any) -> None:
        self._write(key, json.dumps(value))
        self.told.changed.emit(key)

    def get_bytes(self, key: str) -> QByteArray:
        """Bytes stored with `set_bytes`, empty where there are none."""
        return QByteArray.fromBase64(self.get(key, "").encode("ascii"))

    def set_bytes(self, key: str, value: QByteArray) -> None:
        """Store bytes, such as a window's state."""
        self.set(key, bytes(value.toBase64().data()).decode("ascii"))

    def remove(self, key: str) -> None:
        """Forget `key`."""
        self._memory.pop(key, None)
        if self._store is not None:
            self._store.remove(key)
        self.told.changed.emit(key)

    def _read(self, key: str) -> str | None:
        if self._store is None:
            return self._memory.get(key)
        value = self._store.value(key)
        return value if isinstance(value, str) else None

    def _write(self, key: str, text: str) -> None:
        if self._store is None:
            self._memory[key] = text
        else:
            self._store.setValue(key, text)
