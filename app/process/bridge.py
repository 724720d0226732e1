"""The one way from the engine's threads into the window: a timer that drains and re-emits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.jobs.event_queue import EventQueue

TICK_MS = 33

Done = Callable[[Any], None]
Failed = Callable[[BaseException], None]


class Bridge(QObject):
    """Emits the engine's events in batches, and answers futures, both in the main thread."""

    events = Signal(list)

    def __init__(self, source: EventQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._waiting: list[tuple[Future[Any], Done | None, Failed | None]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)

    def attach(self, source: EventQueue) -> None:
        """Drain another queue from now on."""
        self._source = source

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        """Drain a last time and stop."""
        self._timer.stop()
        self.tick()

    def watch(
        self, future: Future[Any], done: Done | None = None, failed: Failed | None = None
    ) -> None:
        """Call `done` with the future's result, or `failed` with its exception, at a later tick."""
        self._waiting.append((future, done, failed))

    def tick(self) -> None:
        """Emit what waits, then answer the futures that had ended: their events are out."""
        ended = [entry for entry in self._waiting if entry[0].done()]
        batch = self._source.drain()
        if batch:
            self.events.emit(batch)
        self._waiting = [entry for entry in self._waiting if entry not in ended]
        for entry in ended:
            _answer(*entry)


def _answer(future: Future[Any], done: Done | None, failed: Failed | None) -> None:
    if future.cancelled():
        return
    error = future.exception()
    if error is None:
        if done is not None:
            done(future.result())
    elif failed is not None:
        failed(error)
