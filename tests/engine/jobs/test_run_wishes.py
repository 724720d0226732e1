"""A run's wishes reach its allocation, over the head of its policy."""

from __future__ import annotations

import math

import pytest

from engine.allocation.wishes import Wishes
from engine.records.events import SlotStarted
from engine.records.settings import Budget, RunSettings
from engine.replay.replay_job import ReplayEngine
from tests.engine.allocation.curves_data import recording


def tasks_of_slots(wishes: Wishes, trials: int) -> list[int]:
    engine = ReplayEngine(recording(), math.inf)
    engine.start()
    try:
        settings = RunSettings(Budget(trials), "round-robin", wishes=wishes.as_dict())
        engine.start_run(settings).result(30)
        engine.wait().result(30)
    finally:
        engine.shutdown()
    events = engine.events.drain()
    return [event.slot.task for event in events if isinstance(event, SlotStarted)]


@pytest.mark.parametrize("trials", [32, 64])
def test_a_skipped_task_gets_no_slot(trials: int) -> None:
    tasks = tasks_of_slots(Wishes(skipped=frozenset({0})), trials)
    assert tasks and 0 not in tasks


def test_a_pinned_task_goes_first_each_time_it_is_open() -> None:
    tasks = tasks_of_slots(Wishes(pinned=frozenset({2})), 64)
    assert tasks[0] == 2
    assert tasks.count(2) > len(tasks) / 3


def test_a_floor_is_filled_before_the_policy_decides() -> None:
    tasks = tasks_of_slots(Wishes(floors={1: 3}), 80)
    assert tasks[:7].count(1) == 3  # in turn it would have two of them
