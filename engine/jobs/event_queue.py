"""The one queue on which the engine speaks."""

from __future__ import annotations

from collections import deque

from engine.records.events import Event


class EventQueue:
    """Unbounded; any thread may put and drain (both are atomic in CPython's deque)."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()

    def put(self, event: Event) -> None:
        self._events.append(event)

    def drain(self) -> list[Event]:
        """Every waiting event, oldest first."""
        drained = []
        while self._events:
            drained.append(self._events.popleft())
        return drained
