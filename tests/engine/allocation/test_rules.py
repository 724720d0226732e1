"""The policies without beliefs, in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.allocation.policies.ansor import Ansor, best_speeds
from engine.allocation.policies.flops import Flops
from engine.allocation.policies.gradient import Gradient
from engine.allocation.policies.random_choice import DynamicRandom, RandomChoice
from engine.allocation.policies.round_robin import DynamicRoundRobin
from engine.allocation.policies.sequential import Sequential
from engine.allocation.policy import Policy, TaskView
from engine.allocation.progress import ProgressCache, progress_of
from tests.engine.allocation.support import task


def by_slots(index: int, *bests_s: float, **changes: object) -> TaskView:
    """A task whose slots of one trial each had these latencies."""
    return task(index, bests_s, **{"slots": len(bests_s), "slot_trials": 1, **changes})


def picks(policy: Policy, tasks: Sequence[TaskView], count: int) -> list[int]:
    """The next slots, each counted but without a result."""
    views, found = list(tasks), []
    for _ in range(count):
        choice = policy.choose(views)
        assert choice is not None
        found.append(choice.task)
        place = [view.index for view in views].index(choice.task)
        views[place] = replace(views[place], slots=views[place].slots + 1)
    return found


# MetaSchedule's gradient


def test_the_gradient_is_the_recent_drop_and_the_latency_over_the_slots() -> None:
    view = by_slots(0, 9e-3, 8e-3, 6e-3, 5e-3, 4e-3, weight=3)
    drop, hope = (8e-3 - 4e-3) / 3, 4e-3 / 5
    expected = 3 * (0.2 * drop + 0.8 * hope)
    assert Gradient().score(view, progress_of(view)) == pytest.approx(expected)


def test_the_drop_counts_only_once_the_window_is_full() -> None:
    view = by_slots(0, 9e-3, 8e-3, 6e-3)
    assert Gradient().score(view, progress_of(view)) == pytest.approx(0.8 * 6e-3 / 3)
    failed_before = by_slots(0, math.inf, 8e-3, 6e-3, 5e-3)
    assert Gradient().score(failed_before, progress_of(failed_before)) == pytest.approx(
        0.8 * 5e-3 / 4
    )


def test_the_gradient_rule_begins_with_one_slot_each_and_ends_with_hopeless_tasks() -> None:
    tasks = [by_slots(0, 1e-3), by_slots(1), by_slots(2, math.inf)]
    choice = Gradient().choose(tasks)
    assert choice is not None
    assert choice.task == 1
    choice = Gradient().choose([tasks[2], tasks[0]])
    assert choice is not None
    assert choice.task == 0
    assert "800 us" in choice.reason
    assert choice.scores == {"gradient_s": {"0": pytest.approx(8e-4)}}


# Ansor's gradient


def test_ansor_hopes_for_a_part_of_the_latency_or_the_speed_of_similar_tasks() -> None:
    view = by_slots(0, 9e-3, 8e-3, 6e-3, 5e-3, 4e-3, weight=3, flops=1e8)
    drop = (8e-3 - 4e-3) / 3
    known = progress_of(view)
    by_slots_alone = 3 * (0.2 * drop + 0.8 * 4e-3 / 5)
    assert Ansor().score(view, known, None) == pytest.approx(by_slots_alone)
    similar = 2 * 1e8 / 2e11
    by_similar = 3 * (0.2 * drop + 0.8 * (4e-3 - similar))
    assert Ansor().score(view, known, 2e11) == pytest.approx(by_similar)
    assert Ansor().score(view, known, 1e9) == pytest.approx(by_slots_alone)


def test_the_speed_of_a_class_is_that_of_its_fastest_task_where_it_has_two() -> None:
    tasks = [
        by_slots(0, 1e-3, flops=1e8),
        by_slots(1, 1e-3, flops=3e8),
        by_slots(2, 1e-3, op_class="dense"),
        by_slots(3, op_class="pool"),
        by_slots(4, op_class="pool"),
    ]
    speeds = best_speeds(tasks, ProgressCache().all(tasks))
    assert speeds == {"conv2d": pytest.approx(3e11), "pool": 0.0}


def test_ansor_goes_for_a_task_without_a_result_after_each_had_a_slot() -> None:
    choice = Ansor().choose([by_slots(0, 1e-3), by_slots(1, math.inf)])
    assert choice is not None
    assert choice.task == 1
    assert choice.scores == {}


# Static rules


def test_by_flops_each_task_gets_slots_in_proportion() -> None:
    tasks = [task(0, flops=6e6, weight=1), task(1, flops=1e6, weight=3), task(2, flops=1e6)]
    assert Counter(picks(Flops(), tasks, 50)) == {0: 30, 1: 15, 2: 5}


def test_by_flops_tasks_without_any_come_last_and_share_where_none_has_any() -> None:
    some = [task(0, flops=0.0), task(1, flops=1e6)]
    assert picks(Flops(), some, 5) == [1] * 5
    choice = Flops().choose([some[0], replace(some[1], finished=True)])
    assert choice is not None
    assert choice.task == 0
    none = [task(index, flops=0.0) for index in range(3)]
    assert Counter(picks(Flops(), none, 9)) == {0: 3, 1: 3, 2: 3}


def test_sequential_gives_a_task_all_its_slots_before_the_next_and_then_starts_again() -> None:
    policy = Sequential(Sequential.Options(slots_per_task=2))
    tasks = [task(index) for index in range(3)]
    assert picks(policy, tasks, 8) == [0, 0, 1, 1, 2, 2, 0, 0]
    policy = Sequential(Sequential.Options(slots_per_task=2))
    busy = [replace(tasks[0], in_flight=True), *tasks[1:]]
    assert picks(policy, busy, 1) == [1]


def test_random_gives_every_task_about_as_much_and_differs_by_seed() -> None:
    tasks = [task(index) for index in range(4)]
    counts = Counter(picks(RandomChoice(seed=1), tasks, 400))
    assert min(counts.values()) > 70
    assert picks(RandomChoice(seed=1), tasks, 20) != picks(RandomChoice(seed=2), tasks, 20)


# Dynamic rules


def test_dynamic_rules_leave_out_tasks_that_stopped_improving() -> None:
    tasks = [task(0, [1e-3] * 201), task(1, [1e-3] * 100), task(2)]
    assert picks(DynamicRoundRobin(), tasks, 4) == [1, 2, 1, 2]
    assert set(picks(DynamicRandom(), tasks, 40)) == {1, 2}
    patient = DynamicRoundRobin(DynamicRoundRobin.Options(finish_after=0))
    assert picks(patient, tasks, 3) == [0, 1, 2]
