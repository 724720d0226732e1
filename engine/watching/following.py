"""A watch in an engine's loop: the first look, then what each later one tells."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from engine.records.events import Event, Watched
from engine.records.snapshot import Snapshot
from engine.watching.address import WatchedFile
from engine.watching.changes import changes
from engine.watching.watch import Lost, Seen, Watch


class Following:
    """Belongs to a loop, in which `renew` is called before the events of a change are told."""

    def __init__(self, file: WatchedFile, emit: Callable[[Event], None]) -> None:
        self.file = file
        self._emit = emit
        self._loop = asyncio.get_running_loop()
        self._first: asyncio.Future[Snapshot] = self._loop.create_future()
        self._renew: Callable[[], object] | None = None
        self._shown: Snapshot | None = None
        self._at = 0.0
        self._watch = Watch(file, self._told)

    async def first(self) -> Snapshot:
        """Begin, and wait for the project as it is; TunewrightError where it cannot be had."""
        self._watch.start()
        return await self._first

    def follow(self, shown: Snapshot, renew: Callable[[], object]) -> None:
        """Tell from now on how the project differs from what is shown."""
        self._shown, self._renew = shown, renew
        self._emit(Watched(self.file.place, self._at))

    async def close(self) -> None:
        """End the connection and remove the copy."""
        self._renew = None
        await self._loop.run_in_executor(None, self._watch.close)

    def _told(self, found: Seen | Lost) -> None:
        """In the watch's thread."""
        self._loop.call_soon_threadsafe(self._hear, found)

    def _hear(self, found: Seen | Lost) -> None:
        if isinstance(found, Seen):
            self._at = found.at
        if not self._first.done():
            if isinstance(found, Lost):
                self._first.set_exception(found.error)
            elif found.snapshot is not None:
                self._first.set_result(found.snapshot)
            return
        if self._renew is None or self._shown is None:
            return
        if isinstance(found, Lost):
            self._emit(Watched(self.file.place, self._at, found.error.what))
            return
        if found.snapshot is not None:
            now = _as_shown(found.snapshot, self._shown)
            self._renew()
            for event in changes(self._shown, now):
                self._emit(event)
            self._shown = now
        self._emit(Watched(self.file.place, self._at))


def _as_shown(snapshot: Snapshot, shown: Snapshot) -> Snapshot:
    return replace(snapshot, read_only=shown.read_only, watched=shown.watched)
