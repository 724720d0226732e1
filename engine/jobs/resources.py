"""CPU cores and devices, and who may use them now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from engine.jobs.granting import Granting, Need
from engine.records.stage import Stage
from engine.scheduling.policy import SchedulingPolicy

__all__ = ["Need", "Resources"]

_T = TypeVar("_T")
_BRIEF_S = 1.0


class Resources:
    """Hands out cores and devices as a scheduling policy says. One loop's own.

    Without a queue of jobs that is by priority, then arrival, where a stage that does not fit
    holds back every stage behind it: a measurement which needs all the cores is not overtaken
    forever.
    """

    def __init__(
        self,
        cores: int,
        policy: SchedulingPolicy | None = None,
        *,
        granting: Granting | None = None,
        job: str = "",
    ) -> None:
        self.granting = granting or Granting(cores, policy)
        self.job = job

    def of_job(self, job: str) -> Resources:
        """The same cores and devices for the stages of a job."""
        return Resources(self.cores, granting=self.granting, job=job)

    @property
    def cores(self) -> int:
        return self.granting.cores

    @property
    def cores_in_use(self) -> int:
        """Cores that stages hold now."""
        return self.cores - self.granting.policy.free.free_cores("")

    def tell_share(self, tell: Callable[[float], None] | None) -> None:
        """Tell which share a job of a queue has of what it would have alone; None ends it."""
        if self.job:
            self.granting.tell_share(self.job, tell)

    @asynccontextmanager
    async def hold(self, need: Need) -> AsyncIterator[None]:
        """Wait for what a stage needs, and hold it inside the block."""
        stage = await self.granting.acquire(need, self.job)
        loop = asyncio.get_running_loop()
        timer = loop.call_later(_BRIEF_S, self.granting.lasts, stage) if need.brief else None
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()
            self.granting.release(stage)

    async def run(self, need: Need, executor: Executor, call: Callable[[], _T]) -> _T:
        """Run a blocking call in a thread; what it needs is held until the thread has ended.

        A cancelled stage's thread cannot be stopped, and must not share cores with a
        measurement meanwhile.
        """
        stage = await self.granting.acquire(need, self.job)
        loop = asyncio.get_running_loop()
        try:
            done = executor.submit(call)
        except BaseException:
            self.granting.release(stage, learn=False)
            raise
        done.add_done_callback(partial(self._release_from_thread, loop, stage))
        return await asyncio.wrap_future(done)

    def _release_from_thread(
        self, loop: asyncio.AbstractEventLoop, stage: Stage, _: Future[Any]
    ) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
            loop.call_soon_threadsafe(self.granting.release, stage)
