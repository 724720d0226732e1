"""Replays: the clock, the order of results, budgets, and going on after an interruption."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from engine.allocation.policies.registry import POLICIES, REPLAY_POLICIES
from engine.allocation.policies.round_robin import RoundRobin
from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.recording import RecordedTask, Recording
from engine.records.errors import UsageError
from engine.replay.replay import ReplayResult, ReplaySlot, make_replay_policy, replay
from tests.benchmarks.parts.figures import decision_share
from tests.engine.allocation.curves_data import recording

ALL = sorted({*POLICIES, *REPLAY_POLICIES})


def task(search: list[float], build: list[float], run: list[float], **fields: Any) -> RecordedTask:
    """A task whose trials take these seconds; its latencies are 9, 8, 7, ... ms."""
    latency_s = np.arange(9, 9 - len(search), -1) / 1e3
    known = {"name": "t", "op_class": "t", "weight": 1, "flops": 1.0, "untuned_s": 0.01}
    columns = {
        "latency_s": latency_s,
        "build_s": np.array(build),
        "run_s": np.array(run),
        "search_s": np.array(search),
    }
    return RecordedTask(**{**known, **columns, **fields})


def small(*tasks: RecordedTask, batch: int = 2, target: str = "cpu x2") -> Recording:
    """A recording of these tasks on two cores."""
    return replace(recording(), tasks=tasks, batch=batch, target=target)


def comparable(slots: tuple[ReplaySlot, ...]) -> list[ReplaySlot]:
    """Slots without the one thing that is really measured."""
    kept = []
    for slot in slots:
        scores = {name: value for name, value in slot.scores.items() if name != "decision_s"}
        kept.append(replace(slot, scores=scores))
    return kept


def assert_same(one: ReplayResult, other: ReplayResult) -> None:
    """Two replays gave the same, but for the real time of decisions."""
    assert np.array_equal(one.seconds, other.seconds)
    assert np.array_equal(one.latency_s, other.latency_s)
    assert np.array_equal(one.task, other.task)
    assert comparable(one.slots) == comparable(other.slots)
    assert one.end == other.end


# The clock


def test_a_slot_is_its_search_then_builds_on_all_cores_then_one_measurement_after_another() -> None:
    played = replay(small(task([1, 1], [1, 1], [0.5, 0.5])), RoundRobin(), lanes=1)
    assert played.seconds.tolist() == [3.5, 4.0]
    assert [(slot.start_s, slot.end_s, slot.trials) for slot in played.slots] == [(0.0, 4.0, 2)]


def test_on_a_cpu_a_measurement_waits_for_builds_and_on_a_gpu_it_does_not() -> None:
    item = task([1, 1], [1, 3], [0.5, 0.5])
    assert replay(small(item), RoundRobin(), lanes=1).seconds.tolist() == [5.5, 6.0]
    on_gpu = small(item, target="cuda test")
    assert replay(on_gpu, RoundRobin(), lanes=1).seconds.tolist() == [3.5, 5.5]


def test_a_second_lane_searches_while_the_first_builds() -> None:
    both = small(task([2, 2], [3, 3], [1, 1]), task([1, 1], [1, 1], [1, 1]), target="cuda test")
    one, two = (replay(both, RoundRobin(), lanes=lanes) for lanes in (1, 2))
    assert one.duration_s == 9 + 5
    assert two.duration_s == 9
    assert [slot.start_s for slot in two.slots] == [0.0, 0.0]


def test_a_trial_that_failed_in_its_build_takes_no_device() -> None:
    item = task([0, 0], [1, 1], [0.0, 2.0], latency_s=np.array([np.inf, 5e-3]))
    played = replay(small(item), RoundRobin(), lanes=1)
    assert played.seconds.tolist() == [1.0, 3.0]
    assert played.latency_s.tolist() == [0.01, 5e-3]


# What is shown


@pytest.mark.parametrize("name", ALL)
def test_every_policy_shows_each_tasks_trials_in_their_recorded_order(name: str) -> None:
    made = recording(trials=16)
    seen: dict[int, list[float]] = {}
    policy = make_replay_policy(made, name)
    choose = policy.choose

    def watched(views: Sequence[TaskView]) -> Choice | None:
        for view in views:
            seen[view.index] = list(view.latencies)
        return choose(views)

    with patch.object(policy, "choose", watched):
        played = replay(made, policy)
    assert played.end == "nothing is left to try"
    for index, latencies in seen.items():
        assert latencies == made.tasks[index].latency_s[: len(latencies)].tolist()
    assert np.bincount(played.task).tolist() == [16, 16, 16, 3]
    best = [item.weight * item.latency_s.min(initial=item.untuned_s) for item in made.tasks]
    assert played.final_s == pytest.approx(sum(best))


def test_the_model_counts_an_unmeasured_task_with_its_untuned_latency() -> None:
    first = task([0], [1], [1], weight=3)
    second = task([0], [1], [1])
    played = replay(small(first, second), RoundRobin(), lanes=1)
    assert played.start_s == pytest.approx(0.04)
    assert played.latency_s.tolist() == pytest.approx([0.027 + 0.01, 0.027 + 0.009])


def test_a_trial_that_is_slower_than_the_untuned_kernel_does_not_slow_the_model_down() -> None:
    item = task([0, 0], [1, 1], [1, 1], untuned_s=8.5e-3)
    assert replay(small(item), RoundRobin()).latency_s.tolist() == [8.5e-3, 8e-3]


def test_a_task_without_trials_never_gets_a_slot() -> None:
    played = replay(small(task([], [], []), task([0], [1], [1])), RoundRobin())
    assert [slot.task for slot in played.slots] == [1]


class Watching(RoundRobin):
    """Keeps what it saw of task 0."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def choose(self, tasks: Any) -> Any:
        view = tasks[0]
        self.seen.append((len(view.latencies), view.slots, view.in_flight, view.slot_s))
        return super().choose(tasks)


def test_a_policy_sees_slots_in_flight_without_the_results_to_come() -> None:
    policy = Watching()
    quick, slow = task([0, 0], [1, 1], [1, 1]), task([0, 0], [9, 9], [1, 1])
    replay(small(slow, quick, target="cuda test"), policy, lanes=2, batch=1)
    assert policy.seen == [
        (0, 0, False, None),  # both lanes choose at the start
        (0, 1, True, None),
        (0, 1, True, None),  # at 2 s, when task 1 has its first result
        (0, 1, True, None),  # at 4 s there is nothing left for the second lane
        (1, 1, False, 10.0),
        (1, 2, True, 10.0),
        (2, 2, False, 10.0),
        (2, 2, False, 10.0),
    ]


# Budgets


def test_a_budget_of_seconds_cuts_off_what_comes_later() -> None:
    made = recording()
    whole, part = replay(made, RoundRobin()), replay(made, RoundRobin(), seconds=5.0)
    count = len(part.seconds)
    assert part.end == "the time is spent"
    assert 0 < count < len(whole.seconds)
    assert part.seconds.tolist() == whole.seconds[:count].tolist()
    assert part.seconds[-1] <= 5.0 < whole.seconds[count]


@pytest.mark.parametrize("trials", [1, 8, 13])
def test_a_budget_of_trials_is_spent_exactly(trials: int) -> None:
    played = replay(recording(), RoundRobin(), trials=trials)
    assert (len(played.seconds), played.end) == (trials, "the trials are spent")


def test_a_latency_objective_ends_a_replay_as_soon_as_it_is_met() -> None:
    whole = replay(recording(), RoundRobin())
    goal = float(np.median(whole.latency_s))
    part = replay(recording(), RoundRobin(), latency_s=goal)
    assert part.end == "the latency objective is met"
    assert part.final_s <= goal < part.latency_s[-2]


def test_another_batch_gives_slots_of_that_size() -> None:
    played = replay(recording(), RoundRobin(), batch=5)
    assert max(slot.trials for slot in played.slots) == 5


class Failing(RoundRobin):
    """Has a bug."""

    def choose(self, tasks: Any) -> Any:
        raise ZeroDivisionError("a bug")


def test_a_policy_that_fails_fails_the_replay_with_its_own_error() -> None:
    with pytest.raises(ZeroDivisionError):
        replay(recording(), Failing())


# The same again


@pytest.mark.parametrize("name", ALL)
def test_a_replay_gives_the_same_again(name: str) -> None:
    made = recording(3, trials=16)
    first, second = (replay(made, make_replay_policy(made, name, seed=4)) for _ in range(2))
    assert_same(first, second)


@pytest.mark.parametrize("target", ["cpu x2", "cuda test"])
@pytest.mark.parametrize("name", ALL)
def test_an_interrupted_and_resumed_replay_equals_an_uninterrupted_one(
    name: str, target: str
) -> None:
    made = recording(5, trials=24, target=target)

    def fresh() -> Policy:
        return make_replay_policy(made, name, seed=7)

    whole = replay(made, fresh())
    for kept in (1, len(whole.slots) // 2, len(whole.slots) - 1):
        part = whole.slots[:kept]
        policy = fresh()
        policy.restore(json.loads(json.dumps(part[-1].state)))
        assert_same(replay(made, policy, after=part), whole)


def test_decisions_are_timed_for_real() -> None:
    played = replay(recording(), RoundRobin())
    assert len(played.decision_s) == len(played.slots)
    assert (played.decision_s > 0).all()
    assert 0 < decision_share(played) < 1


def test_a_policy_or_an_option_that_does_not_exist_is_refused() -> None:
    made = recording()
    for name, options in (("none", {}), ("oracle", {"depth": 1}), ("round-robin", {"depth": 1})):
        with pytest.raises(UsageError):
            make_replay_policy(made, name, options)
