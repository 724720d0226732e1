"""Edits that are in no file yet, kept aside for the case that the program dies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.storage.whole_file import write_whole

EVERY_MS = 2000
_BYTES_READ = 1_000_000


@dataclass(frozen=True, slots=True)
class Draft:
    """One edit: its kind, what a person calls it, the project it is of (or none), its content."""

    kind: str
    title: str
    project: str
    value: Any


Read = Callable[[], Draft | None]


class Drafts(QObject):
    """Looks every few seconds at what would be lost, and writes it to a file of this session's.

    The file is gone after an orderly end. `left_by` reads those of dead sessions, once.
    """

    def __init__(self, folder: Path, session: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder, self._session = folder, session
        self._sources: list[Read] = []
        self._written: list[Draft] = []
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.keep)

    def watch(self, read: Read) -> Callable[[], None]:
        """Ask `read` for its draft from now on, None where nothing would be lost; the call that is
        returned ends it. A source that is gone (RuntimeError) is asked no more."""
        self._sources.append(read)

        def end() -> None:
            if read in self._sources:
                self._sources.remove(read)

        return end

    def start(self) -> None:
        self._timer.start()

    def keep(self) -> None:
        found = []
        for read in list(self._sources):
            try:
                draft = read()
            except RuntimeError:  # its window is gone
                self._sources.remove(read)
                continue
            if draft is not None:
                found.append(draft)
        if found != self._written:
            self._write(found)

    def close(self) -> None:
        """An orderly end loses nothing that a person did not want to lose."""
        self._timer.stop()
        self._sources.clear()
        with suppress(OSError):
            self._path(self._session).unlink(missing_ok=True)

    def left_by(self, sessions: Iterable[str]) -> list[Draft]:
        """What these sessions, now dead, would have lost; their files are removed."""
        found: list[Draft] = []
        for session in sessions:
            path = self._path(session)
            with suppress(OSError, ValueError, TypeError):
                with path.open("rb") as file:
                    rows = json.loads(file.read(_BYTES_READ))
                found += [Draft(**row) for row in rows]
            with suppress(OSError):
                path.unlink(missing_ok=True)
        return found

    def _path(self, session: str) -> Path:
        return self._folder / f"drafts-{Path(session).name}.json"

    def _write(self, drafts: list[Draft]) -> None:
        path = self._path(self._session)
        with suppress(OSError):  # a full disk must not disturb who edits
            if not drafts:
                path.unlink(missing_ok=True)
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps([asdict(draft) for draft in drafts]))
            self._written = drafts
