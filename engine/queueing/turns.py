"""Devices between a queue and the windows beside it: the jobs of one queue share its turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from engine.jobs.host import RunQueue

_NAME = "the job queue"


class SharedTurns(RunQueue):
    """The first job on a device takes the queue's turn there, and the last one gives it back."""

    def __init__(self, outer: RunQueue) -> None:
        super().__init__()
        self._outer = outer
        self._guards: dict[str, asyncio.Lock] = {}
        self._jobs: Counter[str] = Counter()
        self._stacks: dict[str, AsyncExitStack] = {}

    @asynccontextmanager
    async def turn(
        self, device: str, name: str, say: Callable[[str], None] = lambda text: None
    ) -> AsyncIterator[None]:
        """Hold `device` inside the block, with other jobs of the queue."""
        async with self._guards.setdefault(device, asyncio.Lock()):
            if not self._jobs[device]:
                stack = AsyncExitStack()
                await stack.enter_async_context(self._outer.turn(device, _NAME, say))
                self._stacks[device] = stack
            self._jobs[device] += 1
        try:
            yield
        finally:
            self._jobs[device] -= 1
            if not self._jobs[device]:
                await self._stacks.pop(device).aclose()
