"""Commands that a person may take back: opening, exporting, finding design spaces."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

from engine.jobs.resources import Need, Resources
from engine.jobs.together import end
from engine.records.errors import TunewrightError
from engine.records.words import Say

_T = TypeVar("_T")
Stopped = Callable[[], bool]


class Cancelled(TunewrightError):
    """A person took a command back before it had a result."""

    def __init__(self) -> None:
        super().__init__("It was cancelled.", "Nothing was changed.")


class Cancelling:
    """Runs one command at a time that `cancel` ends. One loop's own."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None

    async def run(self, command: Coroutine[Any, Any, _T]) -> _T:
        """The command's result; Cancelled where it was cancelled."""
        task = asyncio.ensure_future(command)
        self._task = task
        try:
            await asyncio.wait([task])
        finally:  # who waits for it may be cancelled itself
            await end(task)
            self._task = None if self._task is task else self._task
        if task.cancelled():
            raise Cancelled
        return task.result()

    def cancel(self) -> None:
        """End the command under way, if there is one."""
        if self._task is not None:
            self._task.cancel()


async def run_stoppable(
    resources: Resources, need: Need, threads: Executor, call: Callable[[Stopped], _T]
) -> _T:
    """As `Resources.run`; a call that is not waited for any more learns it from its argument.

    What it needs is held until its thread has ended.
    """
    flag = threading.Event()
    try:
        return await resources.run(need, threads, partial(call, flag.is_set))
    except asyncio.CancelledError:
        flag.set()
        raise


def saying(say: Say, stopped: Stopped) -> Say:
    """`say`, which ends the thread that says something after it was stopped."""

    def checked(*said: str) -> None:
        if stopped():
            raise Cancelled
        say(*said)

    return checked
