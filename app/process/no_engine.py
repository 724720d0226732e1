"""Stands where an engine would: before it is started, and in pictures."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from engine.jobs.commands import EngineCommands
from engine.records.errors import UsageError
from widgets.look.language import tr


class NoEngine(EngineCommands):
    """Has nothing to say and refuses every command."""

    def start(self) -> None:
        """Nothing to start."""

    def shutdown(self, timeout_s: float = 5) -> None:
        """Nothing to end."""

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(
            UsageError(tr("The engine has not been started."), tr("Wait a moment and try again."))
        )
        return future
