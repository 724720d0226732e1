"""Stages that come, run and end on a virtual clock, and everything that a policy did with them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any

from hypothesis import strategies as st

from engine.records.stage import ALL_CORES, Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.policy import SchedulingPolicy
from engine.scheduling.registry import make_scheduling

GROUPS = {"": 4, "far": 2}
LASTS_S = 1.0


@dataclass(frozen=True)
class Coming:
    """A stage, when it comes and how long it really runs."""

    stage: Stage
    at_s: float
    seconds: float


@dataclass(frozen=True)
class Scene:
    """What happens: stages, jobs with their priorities, and (when, job, paused)."""

    coming: tuple[Coming, ...]
    jobs: tuple[Job, ...] = ()
    pauses: tuple[tuple[float, str, bool], ...] = ()


@dataclass
class Play:
    """One scene under one policy. `check` is called after every decision."""

    policy: SchedulingPolicy
    check: Callable[[Play], None] = lambda play: None
    now_s: float = 0.0
    starts: list[tuple[float, Stage]] = field(default_factory=list)
    waiting: dict[int, Coming] = field(default_factory=dict)
    running: dict[int, Stage] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    left: Counter[str] = field(default_factory=Counter)

    def run(self, scene: Scene) -> Play:
        """To the end: every job is ended after its last stage, and none stays paused."""
        numbers = count()
        events: list[tuple[float, int, str, Any]] = []
        for job in scene.jobs:
            self.policy.put_job(job)
        for item in scene.coming:
            self.left[item.stage.job] += 1
            heappush(events, (item.at_s, next(numbers), "come", item))
        for at_s, name, paused in scene.pauses:
            heappush(events, (at_s, next(numbers), "pause", (name, paused)))
        while events or self.paused:
            if not events:
                for name in sorted(self.paused):
                    heappush(events, (self.now_s, next(numbers), "pause", (name, False)))
            self.now_s, _, what, subject = heappop(events)
            getattr(self, f"_{what}")(subject)
            for stage in self.policy.start(self.now_s):
                seconds = self.waiting.pop(stage.order).seconds
                self.running[stage.order] = stage
                self.starts.append((self.now_s, stage))
                heappush(events, (self.now_s + seconds, next(numbers), "end", stage))
                if stage.brief and seconds > LASTS_S:
                    heappush(events, (self.now_s + LASTS_S, next(numbers), "last", stage))
            self.check(self)
        return self

    def _come(self, item: Coming) -> None:
        self.waiting[item.stage.order] = item
        self.policy.add(item.stage, self.now_s)

    def _pause(self, change: tuple[str, bool]) -> None:
        name, paused = change
        job = next((job for job in self.policy.jobs if job.name == name), None)
        if job:
            self.policy.put_job(replace(job, paused=paused))
        (self.paused.add if paused and job else self.paused.discard)(name)

    def _end(self, stage: Stage) -> None:
        del self.running[stage.order]
        self.policy.ended(stage, self.now_s)
        self.left[stage.job] -= 1
        if not self.left[stage.job]:
            self.policy.end_job(stage.job)
            self.paused.discard(stage.job)

    def _last(self, stage: Stage) -> None:
        self.policy.lasts(stage)


def play(name: str, scene: Scene, check: Callable[[Play], None] = lambda play: None) -> Play:
    """A scene under a policy with its defaults."""
    return Play(make_scheduling(name, Free(GROUPS)), check).run(scene)


def stage(order: int, job: str = "a", needs: Needs | None = None, **more: Any) -> Stage:
    """A stage of one core."""
    return Stage(order, job, more.pop("kind", "build"), needs or Needs(), **more)


def overcommitted(stages: Sequence[Stage]) -> bool:
    """Whether stages that run at once hold more than there is, by a ledger of the test's own."""
    cores: Counter[str] = Counter()
    devices: Counter[str] = Counter()
    for item in stages:
        cores[item.needs.group] += min(item.needs.cores, GROUPS[item.needs.group])
        devices.update(item.needs.devices)
    too_many = any(used > GROUPS[group] for group, used in cores.items())
    return too_many or any(holders > 1 for holders in devices.values())


_SECONDS = (0.05, 0.3, 0.9, 1.5, 4.0)
_DEVICES = {"": ((), (), ("g0",), ("g0",), ("g1",), ("g0", "g1")), "far": ((), ("f0",))}


def make_scene(size: int, seed: int, pauses: int = 6) -> Scene:
    """Stages of four jobs; expectations have nothing to do with what is true."""
    dice = random.Random(seed)
    coming = []
    for order in range(size):
        flag = dice.choice(["", "long", "brief"])
        group = dice.choice(["", "", "far"])
        cores = dice.choice([1, 1, 1, 2, 3, ALL_CORES])
        needs = Needs(cores, dice.choice(_DEVICES[group]), group)
        made = Stage(
            order,
            dice.choice("abcd"),
            dice.choice(["search", "build", "run"]),
            needs,
            task=dice.choice(["", "t0", "t1"]),
            urgency=dice.randrange(4),
            long=flag == "long",
            brief=flag == "brief",
            expected_s=dice.choice([None, *_SECONDS]),
        )
        coming.append(Coming(made, round(dice.uniform(0, 8), 2), dice.choice(_SECONDS)))
    names = sorted({item.stage.job for item in coming})
    dice.shuffle(names)
    jobs = tuple(Job(name, dice.randrange(3), place) for place, name in enumerate(names))
    changes = tuple(
        (round(dice.uniform(0, 8), 2), dice.choice("abcd"), dice.random() < 0.6)
        for _ in range(dice.randint(0, pauses))
    )
    return Scene(tuple(coming), jobs, changes)


seeds = st.integers(0, 2**32)
scenes = st.builds(make_scene, st.integers(0, 24), seeds)
"""A drawn seed rather than drawn stages: twenty times as fast."""
