"""Follows a project elsewhere in a thread of its own, across connections that are cut."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.project.repository import Project
from engine.records.errors import TunewrightError, WatchError
from engine.records.sentences import Sentence
from engine.records.snapshot import Snapshot
from engine.storage.refusals import explained
from engine.watching.address import WatchedFile
from engine.watching.copy import Copy
from engine.watching.link import EVERY_S, Link, Pages, Same, Whole
from engine.workers.artifacts import ArtifactFolder, on_disk, scratch

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 2.0, 60.0


@dataclass(frozen=True, slots=True)
class Seen:
    """The file was looked at; `snapshot` is the project where it has changed, the copy's path
    included."""

    at: float
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no connection, for this reason."""

    error: TunewrightError


class Watch:
    """From `start` to `close`. `tell` hears of each look and each loss, in the watch's thread.

    It ends by itself where the first look fails; later it tries again after growing pauses.
    """

    def __init__(
        self, file: WatchedFile, tell: Callable[[Seen | Lost], None], every_s: float = EVERY_S
    ) -> None:
        self.file = file
        self._tell, self._every_s = tell, every_s
        self._stopped = threading.Event()
        self._link: Link | None = None
        self._seen = False
        self._thread = threading.Thread(target=self._follow, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End it and remove the copy; idempotent."""
        self._stopped.set()
        if self._link is not None:
            self._link.close()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        folder = ArtifactFolder(on_disk())
        copy = Copy(folder.path, self.file.name)
        try:
            pause_s = _FIRST_PAUSE_S
            while not self._stopped.is_set():
                before = time.monotonic()
                error = self._connect(copy)
                if self._stopped.is_set():
                    return  # which is why
                self._tell(Lost(error))
                if not self._seen:
                    return
                if time.monotonic() - before > _LONGEST_PAUSE_S:
                    pause_s = _FIRST_PAUSE_S
                self._stopped.wait(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        finally:
            copy.hold(False)
            folder.close()

    def _connect(self, copy: Copy) -> TunewrightError:
        """Follow one connection; why it ended."""
        try:
            self._link = Link(self.file, self._every_s, copy.known)
            with self._link as link:
                for look in link.looks():
                    self._take(copy, look)
        except TunewrightError as error:
            return error
        except OSError as error:  # of the copy: the disk is full
            return explained(error)
        return WatchError(Sentence("{host} has ended the connection.", host=self.file.host))

    def _take(self, copy: Copy, look: Pages | Whole | Same) -> None:
        snapshot = None
        match look:
            case Pages():
                copy.take(look)
                return
            case Whole():
                copy.finish(look)
                snapshot = _snapshot(copy.path)
            case Same(held=held) if not copy.path.exists():
                return  # its writer is busy with it
            case Same(held=held) if held != copy.held:
                copy.hold(held)
                snapshot = _snapshot(copy.path)
        self._seen = True
        self._tell(Seen(time.time(), snapshot))


@contextmanager
def fetched(file: WatchedFile) -> Iterator[Path]:
    """A copy of the project as it is now, for the block. WatchError."""
    with scratch() as folder:
        copy = Copy(folder, file.name)
        try:
            with Link(file, every_s=0) as link:
                for look in link.looks():
                    if isinstance(look, Pages):
                        copy.take(look)
                    elif isinstance(look, Whole):
                        copy.finish(look)
            if not copy.path.exists():
                raise WatchError(
                    Sentence("{name} is being changed on {host}.", name=file.name, host=file.host),
                    "Try again in a moment.",
                )
            yield copy.path
        finally:
            copy.hold(False)


def _snapshot(path: Path) -> Snapshot:
    """ProjectError where what came is no whole project."""
    with Project.open(path, read_only=True) as project:
        return project.snapshot()
