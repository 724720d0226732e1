"""Coroutines that go on together: after an error or a stop, none of them is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

_T = TypeVar("_T")


async def all_of(
    works: Iterable[Callable[[], Awaitable[_T]]], tell: Callable[[int], None] = lambda _: None
) -> list[_T]:
    """What the works give, in their order; they begin in it, and `tell` hears how many are done.

    Where one fails, the others are ended before its error, which is none of a group, comes out.
    """
    done = 0

    async def one(work: Callable[[], Awaitable[_T]]) -> _T:
        nonlocal done
        found = await work()
        done += 1
        tell(done)
        return found

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(work)) for work in works]
    except BaseExceptionGroup as errors:
        first = errors.exceptions[0]
    else:
        return [task.result() for task in tasks]
    raise first  # here, so that it keeps its cause and has no group for a context


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Let something go on beside the block, and end it with that."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        await end(task)


async def end(task: asyncio.Task[Any]) -> None:
    """Cancel a task that goes on, and wait until it has ended."""
    if not task.done():
        task.cancel()
        await asyncio.wait([task])
