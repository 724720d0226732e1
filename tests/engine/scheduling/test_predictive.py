"""Shortest first, what fills gaps, and the bound that no stage is overtaken beyond."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.stage import ALL_CORES, Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.predictive import Predictive
from tests.engine.scheduling.plays import GROUPS, Coming, Play, Scene, make_scene, seeds, stage


def make(cores: int = 1, **options: Any) -> Predictive:
    return Predictive(Free({"": cores}), Predictive.Options(**options))


def test_the_shortest_stage_goes_first_by_what_was_learned_of_its_task() -> None:
    policy = make()
    for _ in range(9):
        policy.times.add("build", "slow", 8.0)
        policy.times.add("build", "quick", 0.1)
    tasks = ["slow", "unseen", "quick"]
    for number, task in enumerate(tasks):
        policy.add(stage(number, task=task), 0.0)
    order = []
    for now_s in (0.0, 1.0, 2.0):
        (started,) = policy.start(now_s)
        order.append(started.task)
        policy.ended(started, now_s, learn=False)
    assert order == ["quick", "unseen", "slow"]


def test_a_stage_that_ended_teaches_and_one_that_was_cut_short_does_not() -> None:
    policy = make()
    for order, learn in enumerate((True, False)):
        item = stage(order, task="t")
        policy.add(item, float(order))
        policy.start(float(order))
        policy.ended(item, order + 0.5, learn=learn)
    assert policy.times.as_dict()["tasks"] == {"build": {"t": [1, 0.5]}}


def test_a_gap_before_a_measurement_is_filled_by_what_ends_in_time() -> None:
    policy = make(2, gather_s=0.0)
    search = stage(0, expected_s=4.0)
    policy.add(search, 0.0)
    assert policy.start(0.0) == [search]
    run = stage(1, needs=Needs(ALL_CORES, ("cpu",)), expected_s=0.1)
    fits, too_long = stage(2, expected_s=1.0), stage(3, expected_s=1.6)
    policy.add(run, 1.0)
    for item in (too_long, fits):
        policy.add(item, 2.5)
    assert policy.start(2.5) == [fits]
    policy.ended(fits, 3.5)
    assert policy.start(3.5) == []
    policy.ended(search, 9.0)
    assert policy.start(9.0) == [run]


def test_a_stage_of_unknown_length_fills_no_gap() -> None:
    policy = make(2, gather_s=0.0)
    search, run = stage(0, expected_s=4.0), stage(1, needs=Needs(ALL_CORES), expected_s=0.1)
    policy.add(search, 0.0)
    policy.start(0.0)
    policy.add(run, 1.0)
    policy.add(stage(2, "b", kind="replay"), 2.5)
    assert policy.start(2.5) == []


def test_nothing_fills_a_gap_once_what_runs_is_late() -> None:
    policy = make(2, gather_s=0.0)
    late, run = stage(0, expected_s=1.0), stage(1, needs=Needs(ALL_CORES, ("cpu",)))
    policy.add(late, 0.0)
    policy.start(0.0)
    policy.add(run, 0.0)
    policy.add(stage(2, expected_s=0.01), 2.0)
    assert policy.start(2.0) == []


def bound(policy: Predictive, steps: int = 0) -> float:
    """How much later a stage may come and still start first, in seconds.

    `steps` is how much less urgent the waiting stage's job is than the most urgent one.
    """
    options = policy.options
    late_s = options.late_s + 2 * options.job_late_s
    return float(late_s + options.patience_s + options.priority_s * steps)


def passed(scene: Scene, options: Predictive.Options) -> list[tuple[Stage, Stage]]:
    """Pairs of a stage that waited, its devices free, and one that started although it came
    later than the bound allows, with both jobs' priorities in it."""
    found: list[tuple[Stage, Stage]] = []
    dice = random.Random(len(scene.coming))
    free = Free(GROUPS)
    policy = Predictive(free, options)
    begin = policy._begin
    arrived = {item.stage.order: item.at_s for item in scene.coming}

    def watched(late: Stage, now_s: float) -> None:
        priority = {job.name: job.priority for job in policy.jobs}
        for waiting in policy._waiting.values():
            early = waiting.stage
            bound_s = bound(policy, priority[early.job] - min(priority.values()))
            if (
                early.needs.group == late.needs.group
                and arrived[late.order] > arrived[early.order] + bound_s + 1e-9
                and not free.busy(early.needs)
            ):
                found.append((early, late))
        begin(late, now_s)
        job = next(job for job in policy.jobs if job.name == late.job)
        policy.put_job(replace(job, left_s=dice.choice([0.0, 0.3, 9.0])))

    setattr(policy, "_begin", watched)  # noqa: B010 - a method in place of a method
    Play(policy).run(scene)
    return found


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 60), seeds, st.sampled_from([0.0, 0.5, 1.5]), st.sampled_from([0.0, 1.0]))
def test_nothing_that_came_later_than_the_bound_goes_before_a_stage(
    size: int, seed: int, patience_s: float, late_s: float
) -> None:
    options = Predictive.Options(min(0.2, patience_s), patience_s, 50.0, late_s, 0.5, 0.5)
    assert passed(make_scene(size, seed, pauses=0), options) == []


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 200), seeds)
def test_short_stages_without_end_do_not_starve_a_long_one(size: int, seed: int) -> None:
    dice = random.Random(seed)
    long = Coming(stage(0, "patient", needs=Needs(ALL_CORES), expected_s=1e6), 0.0, 1.0)
    flood = tuple(
        Coming(stage(n + 1, "flood", expected_s=0.01), n * 0.05, dice.uniform(0.05, 0.4))
        for n in range(size)
    )
    policy = Predictive(Free(GROUPS), Predictive.Options(0.5, 1.0, late_s=2.0, job_late_s=0.5))
    done = Play(policy).run(Scene((*flood, long)))
    before = [item for _, item in done.starts[: [s.order for _, s in done.starts].index(0)]]
    assert all(flood[item.order - 1].at_s <= bound(policy) + 1e-9 for item in before)


@pytest.mark.parametrize(("wait_s", "first"), [(5.0, "urgent"), (11.0, "waiting")])
def test_a_step_of_priority_is_worth_so_many_seconds_of_waiting(wait_s: float, first: str) -> None:
    policy = make(priority_s=10.0)
    running = stage(0, "running")
    policy.add(running, 0.0)
    policy.start(0.0)
    policy.put_job(Job("waiting", priority=1, place=1))
    policy.put_job(Job("urgent", priority=0, place=2))
    policy.add(stage(1, "waiting", expected_s=1.0), 0.0)
    policy.add(stage(2, "urgent", expected_s=1.0), wait_s)
    policy.ended(running, 20.0)
    assert [item.job for item in policy.start(20.0)] == [first]
