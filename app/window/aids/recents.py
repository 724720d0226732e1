"""The projects opened lately, with what their files say; read in the background, once a change."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.process.settings import Settings
from engine.project.glance import Glance, glance
from engine.records.errors import TunewrightError
from widgets.parts.background import Background, Job
from widgets.window.recent_list import Recent

KEY = "recent/facts"


class Recents(QObject):
    """Knows the facts of files from the last time and looks again where they have changed."""

    changed = Signal(list)  # of Recent

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._background = Background(self)
        self._background.done.connect(self._found)
        self._paths: tuple[str, ...] = ()

    def show(self, paths: Sequence[str]) -> None:
        """Tell of these at once what is known, and then what their files say."""
        if self.busy and tuple(paths) == self._paths:
            return  # they are being read
        self._paths = tuple(paths)
        known = self._known()
        self._tell(known, dict.fromkeys(paths, True))
        self._background.start(lambda job: _look(job, self._paths, known))

    @property
    def busy(self) -> bool:
        """Whether files are still being read."""
        return self._background.busy

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()

    def _known(self) -> dict[str, tuple[float, Glance | None]]:
        stored: dict[str, Any] = self._settings.get(KEY, {})
        known: dict[str, tuple[float, Glance | None]] = {}
        for path, row in stored.items():
            with suppress(TypeError, ValueError):
                changed, facts = row
                known[path] = (float(changed), Glance.from_dict(facts))
        return known

    def _found(self, found: dict[str, tuple[float, Glance | None]]) -> None:
        stored = {
            path: [changed, facts.as_dict()]
            for path, (changed, facts) in found.items()
            if facts is not None
        }
        self._settings.set(KEY, stored)
        self._tell(found, {path: path in found for path in self._paths})

    def _tell(self, known: dict[str, tuple[float, Glance | None]], there: dict[str, bool]) -> None:
        rows = [
            Recent(path, known[path][1] if path in known else None, not there[path])
            for path in self._paths
        ]
        self.changed.emit(rows)


def _look(
    job: Job, paths: Sequence[str], known: dict[str, tuple[float, Glance | None]]
) -> dict[str, tuple[float, Glance | None]]:
    """Facts of the files that are there, with when each was changed."""
    found: dict[str, tuple[float, Glance | None]] = {}
    for path in paths:
        if job.stopped:
            break
        try:
            changed = Path(path).stat().st_mtime
        except OSError:
            continue
        if path in known and known[path][0] == changed and known[path][1] is not None:
            found[path] = known[path]
            continue
        found[path] = (changed, None)
        with suppress(TunewrightError, OSError):
            found[path] = (changed, glance(Path(path)))
    return found
