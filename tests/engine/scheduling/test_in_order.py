"""In order is what `engine.jobs.resources.Resources` does, step by step."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.jobs.resources import Need, Resources
from engine.records.stage import Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.in_order import InOrder

CORES = 4


class Real:
    """`Resources`, told what to do one thing at a time; stages lasts only when they are told."""

    def __init__(self) -> None:
        self.resources = Resources(CORES)
        self.started: list[int] = []
        self._ends: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._needs: dict[int, Need] = {}

    async def add(self, stage: Stage) -> None:
        device = stage.needs.devices[0] if stage.needs.devices else ""
        need = Need(stage.needs.cores, device, stage.urgency, stage.long, stage.brief)
        self._needs[stage.order] = need
        self._ends[stage.order] = asyncio.Event()
        self._tasks[stage.order] = asyncio.create_task(self._hold(stage.order, need))

    async def end(self, stage: Stage) -> None:
        self._ends[stage.order].set()

    async def cancel(self, stage: Stage) -> None:
        self._tasks[stage.order].cancel()

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _hold(self, order: int, need: Need) -> None:
        async with self.resources.hold(need):
            self.started.append(order)
            await self._ends[order].wait()


def make_stage(dice: random.Random, order: int) -> Stage:
    flag = dice.choice(["", "long", "brief", "brief"])
    devices = dice.choice([(), (), ("gpu",), ("cpu",)])
    needs = Needs(dice.choice([1, 1, 2, 9]), devices)
    made = Stage(order, "job", "kind", needs, urgency=dice.randrange(4))
    return replace(made, long=flag == "long", brief=flag == "brief")


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_the_policy_starts_what_resources_start(seed: int, steps: int) -> None:
    async def run() -> None:
        dice, real, policy = random.Random(seed), Real(), InOrder(Free({"": CORES}))
        waiting: dict[int, Stage] = {}
        running: dict[int, Stage] = {}
        started: list[int] = []
        for order in range(steps):
            what = dice.choice(["add", "add", "end", "cancel"])
            if what == "end" and running:
                stage = running.pop(dice.choice(sorted(running)))
                policy.ended(stage, 0.0)
                await real.end(stage)
            elif what == "cancel" and waiting:
                stage = waiting.pop(dice.choice(sorted(waiting)))
                policy.withdraw(stage)
                await real.cancel(stage)
            else:
                stage = make_stage(dice, order)
                waiting[order] = stage
                policy.add(stage, 0.0)
                await real.add(stage)
            for stage in policy.start(0.0):
                running[stage.order] = waiting.pop(stage.order)
                started.append(stage.order)
            for _ in range(6):
                await asyncio.sleep(0)
            assert sorted(real.started) == sorted(started)
        await real.close()

    asyncio.run(run())


def test_a_brief_stage_that_lasts_lets_other_brief_ones_pass_as_with_resources() -> None:
    policy = InOrder(Free({"": 2}))
    slow, run, build = (
        Stage(0, "a", "build", Needs(), urgency=2, brief=True),
        Stage(1, "a", "run", Needs(2, ("cpu",))),
        Stage(2, "a", "build", Needs(), urgency=2, brief=True),
    )
    for stage in (slow, run, build):
        policy.add(stage, 0.0)
        policy.start(0.0)
    assert policy.running == (slow,)
    policy.lasts(slow)
    assert policy.start(1.0) == [build]
    policy.ended(slow, 2.0)
    policy.ended(build, 2.0)
    assert policy.start(2.0) == [run]
