"""An engine that only remembers what it was asked; tests answer for it."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from engine.jobs.commands import EngineCommands
from engine.records.errors import TunewrightError
from engine.records.events import Event, Failure


class FakeEngine(EngineCommands):
    """Records calls as (name, arguments); futures stay open until `answer` or `refuse`."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.futures: dict[str, Future[Any]] = {}
        self.looked_at = ""

    def tell(self, *events: Event) -> None:
        """Put events into the queue."""
        for event in events:
            self.events.put(event)

    def answer(self, name: str, result: Any = None) -> None:
        """End the last call of `name` well."""
        self.futures[name].set_result(result)

    def refuse(self, name: str, error: TunewrightError) -> None:
        """End the last call of `name` as the real engine does: an event, then the error."""
        self.tell(Failure(error.what, error.todo))
        self.futures[name].set_exception(error)

    def names(self) -> list[str]:
        """The names of the calls so far."""
        return [call[0] for call in self.calls]

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        self.calls.append((command, *arguments))
        self.futures[command] = Future()
        return self.futures[command]

    def start(self) -> None:
        """Remembered."""
        self.calls.append(("start",))

    def shutdown(self, timeout_s: float = 5) -> None:
        """Remembered."""
        self.calls.append(("shutdown",))

    def look_at_target(self, target: str) -> Future[Any]:
        """The last one is in `looked_at`; it is no command, so not among the calls."""
        self.looked_at = target
        self.futures["look_at_target"] = Future()
        return self.futures["look_at_target"]
