"""CPU cores and devices, and who may use them now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

_T = TypeVar("_T")
_BRIEF_S = 1.0


@dataclass(frozen=True, slots=True)
class Need:
    """What a stage uses while it runs: `cores`, and a `device` alone where it names one.

    Stages of a lower `priority` number start first. `long` marks a stage of seconds: while one
    runs, `brief` stages go on in spite of a more urgent one that waits for it to end. A brief
    stage that takes over a second counts as long.
    """

    cores: int
    device: str = ""
    priority: int = 0
    long: bool = False
    brief: bool = False


@dataclass(eq=False, slots=True)
class _Waiting:
    need: Need
    order: int
    granted: asyncio.Future[None]


class Resources:
    """Hands out cores and devices in order of priority, then of arrival. One loop's own.

    A stage that does not fit holds back every stage behind it, so that a measurement which
    needs all the cores is not overtaken forever.
    """

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self._free = cores
        self._busy: set[str] = set()
        self._long = 0
        self._count = 0
        self._waiting: list[_Waiting] = []

    @property
    def cores_in_use(self) -> int:
        """Cores that stages hold now."""
        return self.cores - self._free

    @asynccontextmanager
    async def hold(self, need: Need) -> AsyncIterator[None]:
        """Wait for what a stage needs, and hold it inside the block."""
        await self._acquire(need)
        lasting: list[bool] = []
        loop = asyncio.get_running_loop()
        timer = loop.call_later(_BRIEF_S, self._lasts, lasting) if need.brief else None
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()
            self._long -= len(lasting)
            self._release(need)

    def _lasts(self, lasting: list[bool]) -> None:
        """A brief stage turned out long: others go on beside it."""
        lasting.append(True)
        self._long += 1
        self._grant()

    async def run(self, need: Need, executor: Executor, call: Callable[[], _T]) -> _T:
        """Run a blocking call in a thread; what it needs is held until the thread has ended.

        A cancelled stage's thread cannot be stopped, and must not share cores with a
        measurement meanwhile.
        """
        await self._acquire(need)
        loop = asyncio.get_running_loop()
        try:
            done = executor.submit(call)
        except BaseException:
            self._release(need)
            raise
        done.add_done_callback(partial(self._release_from_thread, loop, need))
        return await asyncio.wrap_future(done)

    def _release_from_thread(
        self, loop: asyncio.AbstractEventLoop, need: Need, _: Future[Any]
    ) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
            loop.call_soon_threadsafe(self._release, need)

    async def _acquire(self, need: Need) -> None:
        self._count += 1
        waiting = _Waiting(need, self._count, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._waiting.sort(key=lambda item: (item.need.priority, item.order))
        self._grant()
        try:
            await waiting.granted
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not waiting.granted.cancelled():
                self._release(need)
            self._grant()
            raise

    def _release(self, need: Need) -> None:
        self._free += min(need.cores, self.cores)
        self._busy.discard(need.device)
        self._long -= need.long
        self._grant()

    def _grant(self) -> None:
        blocked = False
        for waiting in list(self._waiting):
            need = waiting.need
            if waiting.granted.done() or (blocked and not (need.brief and self._long)):
                continue
            if self._fits(need):
                self._waiting.remove(waiting)
                self._free -= min(need.cores, self.cores)
                self._long += need.long
                if need.device:
                    self._busy.add(need.device)
                waiting.granted.set_result(None)
            else:
                blocked = True

    def _fits(self, need: Need) -> bool:
        return min(need.cores, self.cores) <= self._free and need.device not in self._busy
