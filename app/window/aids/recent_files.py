"""The projects opened lately: pinned ones first, in the order of their pinning."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.process.settings import Settings

KEY, PINNED = "recent", "recent/pinned"
KEPT = 8


class RecentFiles(QObject):
    """Kept in the settings, which all windows share; `changed` is told in all of them."""

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        settings.told.changed.connect(self._told)

    def paths(self) -> list[str]:
        """Pinned files, then the others, the latest first."""
        pinned = self.pinned()
        return [*pinned, *(path for path in self._list(KEY) if path not in pinned)]

    def pinned(self) -> list[str]:
        return self._list(PINNED)

    def remember(self, path: str) -> None:
        if path and path != next(iter(self._list(KEY)), ""):
            pinned = self.pinned()
            kept = [path, *(other for other in self._list(KEY) if other != path)]
            loose = [other for other in kept if other not in pinned][:KEPT]
            self._settings.set(KEY, [other for other in kept if other in pinned or other in loose])

    def pin(self, path: str, wanted: bool) -> None:
        """Keep a file at the top, or let it go its way again."""
        others = [other for other in self.pinned() if other != path]
        self._settings.set(PINNED, [*others, path] if wanted and path else others)

    def forget(self, path: str) -> None:
        """Take a file out of the list."""
        self.pin(path, False)
        self._settings.set(KEY, [other for other in self._list(KEY) if other != path])

    def clear(self) -> None:
        """Forget all files but the pinned ones."""
        pinned = self.pinned()
        self._settings.set(KEY, [path for path in self._list(KEY) if path in pinned])

    def _list(self, key: str) -> list[str]:
        return [path for path in self._settings.get(key, [""]) if isinstance(path, str) and path]

    def _told(self, key: str) -> None:
        if key in (KEY, PINNED):
            self.changed.emit()
