"""Figures of replays, worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.allocation.policies.round_robin import RoundRobin
from engine.allocation.recording import Recording
from engine.replay.regret import best_final, regret_curve
from engine.replay.replay import ReplayResult, ReplaySlot, make_replay_policy, replay
from tests.benchmarks.parts.figures import area, figures, seconds_to, spread
from tests.engine.allocation.curves_data import recorded_task, recording


def result(seconds: list[float], latency_s: list[float], start_s: float = 10.0) -> ReplayResult:
    """A replay with these results and nothing else."""
    return ReplayResult(
        policy="none",
        seconds=np.array(seconds),
        latency_s=np.array(latency_s),
        task=np.zeros(len(seconds), np.int64),
        slots=(),
        start_s=start_s,
        end="",
        decision_s=np.zeros(0),
    )


def test_a_latency_is_reached_with_the_first_result_that_is_so_low() -> None:
    played = result([1, 2, 3], [9, 8, 7])
    assert [seconds_to(played, goal) for goal in (9.5, 8, 7)] == [1, 2, 3]
    assert seconds_to(played, 6.9) == math.inf


def test_a_latency_that_was_there_from_the_start_takes_no_time() -> None:
    assert seconds_to(result([1, 2], [8, 7]), 10) == 0
    assert seconds_to(result([], []), 10) == 0
    assert seconds_to(result([], []), 9) == math.inf


def test_the_area_holds_each_latency_until_the_next_result() -> None:
    played = result([1, 3], [8, 4])
    assert area(played, 5) == 10 * 1 + 8 * 2 + 4 * 2
    assert area(played, 2) == 10 * 1 + 8 * 1
    assert area(result([], []), 2) == 20


def two_tasks() -> Recording:
    """Two tasks of four trials in slots of two: one gains 1 + 1 s, the other 6 + 0 s (weight 2)."""
    rng = np.random.default_rng(0)
    base = recording()
    slow, quick = (recorded_task(0, rng, 4, weight=weight) for weight in (1, 2))
    slow = replace(slow, untuned_s=10.0, latency_s=np.array([np.inf, 9.0, 8.5, 8.0]))
    quick = replace(quick, untuned_s=10.0, latency_s=np.array([8.0, 7.0, 7.0, 7.5]))
    return replace(base, tasks=(slow, quick), batch=2)


def with_slots(order: list[int], overlap: bool = False) -> ReplayResult:
    """Slots of two trials, one after another or two at a time."""
    slots = tuple(
        ReplaySlot(task, float(i - i % 2 if overlap else i), i + 1.0, 2, "", {}, {})
        for i, task in enumerate(order)
    )
    return replace(result([], []), slots=slots)


def test_regret_adds_what_the_best_slot_would_have_brought_more() -> None:
    made = two_tasks()
    assert regret_curve(made, with_slots([1, 0, 0, 1])).tolist() == [0, 0, 0, 0]
    assert regret_curve(made, with_slots([0, 0, 1, 1])).tolist() == [5, 10, 10, 10]
    assert regret_curve(made, with_slots([1, 1, 0, 0])).tolist() == [0, 1, 1, 1]


def test_regret_blames_nobody_for_not_choosing_a_task_in_flight() -> None:
    assert regret_curve(two_tasks(), with_slots([1, 0], overlap=True)).tolist() == [0, 0]


def test_the_best_final_latency_is_where_every_whole_replay_ends() -> None:
    made = recording(1)
    assert best_final(made) == pytest.approx(replay(made, RoundRobin()).final_s)
    assert best_final(two_tasks()) == 8 + 2 * 7


def test_the_oracle_regrets_less_than_round_robin_and_is_faster() -> None:
    made = recording(2, tasks=6, trials=64)
    horizon = replay(made, RoundRobin()).duration_s
    plain, oracle = (
        figures(made, replay(made, make_replay_policy(made, name)), horizon)
        for name in ("round-robin", "oracle")
    )
    assert oracle.regret < plain.regret
    assert oracle.area_s2 < plain.area_s2
    assert oracle.to_5_s <= oracle.to_1_s <= oracle.duration_s
    assert oracle.to_1_s <= plain.to_1_s
    assert oracle.final_s == pytest.approx(plain.final_s)


def test_a_spread_is_the_median_and_an_interval_that_holds_it() -> None:
    found = spread([3.0, 1.0, 2.0, 9.0, 4.0])
    assert found.median == 3.0
    assert 1.0 <= found.low <= 3.0 <= found.high <= 9.0
    assert spread([3.0, 1.0, 2.0, 9.0, 4.0]) == found
    assert spread([5.0]).as_dict() == {"median": 5.0, "low": 5.0, "high": 5.0}


def test_goals_that_were_never_reached_count_as_infinite() -> None:
    assert spread([1.0, math.inf, math.inf]).median == math.inf
    assert spread([1.0, 2.0, math.inf]).median == 2.0
    assert spread([math.inf]).as_dict() == {"median": None, "low": None, "high": None}
    assert spread([1.0, math.inf]).median == math.inf
