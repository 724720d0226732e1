"""Clocks that jump, run fast, or stand still."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Iterator

import pytest

from engine.replay.paced_loop import PacedLoop, run_virtual


async def sleepers(order: list[str]) -> float:
    """Three sleeps beside each other; the clock at their end."""

    async def sleep(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        order.append(name)

    await asyncio.gather(sleep("long", 5e5), sleep("short", 0.25), sleep("none", 0))
    return asyncio.get_running_loop().time()


def test_a_virtual_run_skips_every_wait_in_the_right_order() -> None:
    order: list[str] = []
    assert run_virtual(sleepers(order)) == 5e5
    assert order == ["none", "short", "long"]


def test_time_limits_count_virtual_seconds() -> None:
    async def limited() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(100):
                await asyncio.sleep(1000)
        return asyncio.get_running_loop().time()

    assert run_virtual(limited()) == 100


def test_waiting_for_nothing_is_an_error_not_a_hang() -> None:
    async def stuck() -> None:
        await asyncio.get_running_loop().create_future()

    loop = PacedLoop(alone=True)
    job = loop.create_task(stuck())
    with pytest.raises(RuntimeError, match="never come"):
        loop.run_until_complete(job)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(job)
    loop.close()


@pytest.fixture(params=[1000.0, math.inf])
def loop(request: pytest.FixtureRequest) -> Iterator[PacedLoop]:
    """A loop that runs in a thread of its own."""
    made = PacedLoop(request.param)
    thread = threading.Thread(target=made.run_forever)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join(10)
    made.close()


def test_a_loop_in_a_thread_sleeps_at_its_own_pace(loop: PacedLoop) -> None:
    order: list[str] = []
    job = asyncio.run_coroutine_threadsafe(asyncio.sleep(200.0, "slept"), loop)
    assert job.result(10) == "slept"
    assert loop.time() >= 200.0
    assert order == []


def test_a_held_clock_stands_still_but_hears_calls(loop: PacedLoop) -> None:
    async def hold() -> None:
        loop.hold()

    async def let_go() -> None:
        loop.let_go()

    asyncio.run_coroutine_threadsafe(hold(), loop).result(10)
    job = asyncio.run_coroutine_threadsafe(asyncio.sleep(50.0), loop)
    before = loop.time()
    time.sleep(0.15)
    assert loop.time() == before
    assert not job.done()
    asyncio.run_coroutine_threadsafe(let_go(), loop).result(10)
    job.result(10)
    assert loop.time() >= before + 50.0
