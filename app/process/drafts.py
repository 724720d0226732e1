"""Edits that are in no file yet, kept aside for the case that the program dies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.storage.whole_file import write_whole

EVERY_MS = 2000
_BYTES_READ = 1_000_000
_PREFIX, _SUFFIX = "drafts-", ".json"


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

    What dead sessions `left` is in that file, too, until it is `drop`ped: a second crash, or an
    end without a decision, loses none of it.
    """

    def __init__(self, folder: Path, session: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder, self._session = folder, session
        self._sources: list[Read] = []
        self._written: list[Draft] = []
        self.left: list[Draft] = []
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
        found = list(self.left)
        for read in list(self._sources):
            try:
                draft = read()
            except RuntimeError:  # its window is gone
                self._sources.remove(read)
                continue
            if draft is not None and draft not in found:
                found.append(draft)
        if found != self._written:
            self._write(found)

    def close(self) -> None:
        """An orderly end loses nothing but what a person wanted to lose."""
        self._timer.stop()
        self._sources.clear()
        self._write(self.left)

    def adopt(self, lives: Callable[[str], bool]) -> list[Draft]:
        """What sessions that do not live any more would have lost, the oldest first: `left` from
        now on."""
        own = self._path(self._session)  # where it is there, of a dead session of this number
        paths = [
            path
            for path in sorted(self._folder.glob(f"{_PREFIX}*{_SUFFIX}"), key=_changed)
            if path == own or not lives(path.name.removeprefix(_PREFIX).removesuffix(_SUFFIX))
        ]
        self.left = list(_unique(draft for path in paths for draft in _read(path)))
        if self._write(self.left):
            for path in paths:
                if path != own:
                    with suppress(OSError):
                        path.unlink(missing_ok=True)
        return list(self.left)

    def drop(self, drafts: Iterable[Draft]) -> None:
        """These were recovered, or are not wanted."""
        dropped = list(drafts)
        self.left = [draft for draft in self.left if draft not in dropped]
        self.keep()

    def _path(self, session: str) -> Path:
        return self._folder / f"{_PREFIX}{Path(session).name}{_SUFFIX}"

    def _write(self, drafts: list[Draft]) -> bool:
        """Whether they are on the disk: a full one must not disturb who edits."""
        path = self._path(self._session)
        try:
            if not drafts:
                path.unlink(missing_ok=True)
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps([asdict(draft) for draft in drafts]))
        except OSError:
            return False
        self._written = list(drafts)
        return True


def _read(path: Path) -> list[Draft]:
    """The drafts in a file, none where it is damaged."""
    try:
        with path.open("rb") as file:
            found = [Draft(**row) for row in json.loads(file.read(_BYTES_READ))]
    except (OSError, ValueError, TypeError, RecursionError):
        return []
    texts = (text for draft in found for text in (draft.kind, draft.title, draft.project))
    return found if all(isinstance(text, str) for text in texts) else []


def _unique(drafts: Iterable[Draft]) -> Iterator[Draft]:
    seen: list[Draft] = []
    for draft in drafts:
        if draft not in seen:
            seen.append(draft)
            yield draft


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
