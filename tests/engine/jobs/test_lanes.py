"""How many slots go on at once: in a live run and in a replay by one rule."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.allocation.board import lanes_on
from engine.allocation.policies.round_robin import RoundRobin
from engine.jobs.allocating import Allocation
from engine.records.machine import TargetSpec
from engine.replay.paced_loop import run_virtual
from engine.replay.replay_run import Given, Listener, ReplayRun
from engine.replay.tape import Tape
from tests.engine.allocation.curves_data import recording


@pytest.mark.parametrize(("cores", "lanes"), [(1, 2), (4, 2), (8, 4), (16, 8), (64, 8)])
def test_half_of_a_gpus_cores_search_and_at_most_eight(cores: int, lanes: int) -> None:
    assert lanes_on(True, cores) == lanes


def test_a_cpu_has_two_lanes_whatever_its_cores() -> None:
    assert lanes_on(False, 64) == 2


class Lanes(Allocation):
    """A live run whose lanes only count themselves."""

    def __init__(self, target: TargetSpec, cores: int) -> None:
        program = SimpleNamespace(target=target)
        context: Any = SimpleNamespace(
            model=SimpleNamespace(program=program), resources=SimpleNamespace(cores=cores)
        )
        ended: Any = SimpleNamespace(over=True)
        unused: Any = None
        super().__init__(context, ended, unused, unused, unused)
        self.count = 0

    async def _lane(self) -> None:
        self.count += 1


class Peak(Listener):
    """The most slots that were in flight."""

    def __init__(self) -> None:
        self._now = self.most = 0

    def slot_given(self, slot: Given) -> None:
        self._now += 1
        self.most = max(self.most, self._now)

    def slot_over(self, slot: Given, now_s: float) -> None:
        self._now -= 1


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("cores", [3, 4, 8, 12, 16, 32, 64])
def test_a_replay_has_as_many_slots_in_flight_as_the_run_that_it_replays(
    device: str, cores: int
) -> None:
    live = Lanes(TargetSpec(device, device, device, cores), cores)
    asyncio.run(live.run())
    builds = cores - 2 if device == "cuda" else cores
    recorded = replace(recording(tasks=12, target=f"{device} test"), cores=builds)
    peak = Peak()
    run_virtual(ReplayRun(Tape(recorded), RoundRobin(), listener=peak).run())
    assert peak.most == live.count
