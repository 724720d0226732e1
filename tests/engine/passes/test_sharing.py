"""What sharing costs and is worth, and who is badly served."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.passes.sharing import (
    GPU_GROWTH,
    WEAK_SHARE,
    effective_weights,
    most_schedules,
    predicted_cost,
    search_seconds,
    weak_dependants,
)
from engine.passes.work import work, work_ratio
from engine.records.clustering import Cluster, Clustering
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.task import Task, TensorSpec
from tests.engine.passes.made_up_spaces import matmul, matmuls, tile

TASKS = [matmul(0, 10, 10, weight=2), matmul(1, 20, 10, weight=3), matmul(2, 40, 10)]
ONE = Clustering("replay", 0.6, (Cluster(0, (0, 1, 2)),))
APART = Clustering("replay", 0.6, tuple(Cluster(i, (i,)) for i in range(3)))
FLOPS_S = 1e9


def copy_task(index: int, elements: int) -> Task:
    """A task that computes nothing."""
    args = (TensorSpec((elements,), "float32"), TensorSpec((elements,), "float32"))
    return Task(index, f"copy_{index}", 2, 0.0, "copy", args, f"copy {elements}")


# How long representatives are searched


@given(
    seconds=st.floats(0.0, 1e4),
    dependants=st.integers(0, 200),
    trial_s=st.floats(0.05, 1.0),
    slot_s=st.floats(0.5, 10.0),
)
def test_a_search_leaves_dependants_their_time_but_never_most_of_it(
    seconds: float, dependants: int, trial_s: float, slot_s: float
) -> None:
    search_s = search_seconds(seconds, dependants, trial_s, slot_s)
    assert search_s >= 1.0
    if search_s > 1.0:
        left_s = seconds - search_s - slot_s  # a slot that begins at the end is carried out
        assert left_s == pytest.approx(min(2 * dependants * trial_s, seconds / 3), abs=1e-6)
        assert search_seconds(seconds, dependants, trial_s, slot_s, part=0.6) < search_s


# What a representative is worth


def test_a_representative_counts_for_its_members_by_weight_and_size() -> None:
    assert effective_weights(TASKS, ONE) == {0: pytest.approx(2 * 1 + 3 * 2 + 1 * 4)}
    assert effective_weights(TASKS, APART) == {0: 2.0, 1: 3.0, 2: 1.0}


def test_a_large_representative_is_worth_less_a_second() -> None:
    other = Clustering("replay", 0.6, (Cluster(2, (0, 1, 2)),))
    assert effective_weights(TASKS, other) == {2: pytest.approx(2 / 4 + 3 / 2 + 1)}


def test_tasks_without_flops_count_by_what_they_touch() -> None:
    copies = [copy_task(0, 100), copy_task(1, 300)]
    clustering = Clustering("replay", 0.6, (Cluster(0, (0, 1)),))
    assert effective_weights(copies, clustering) == {0: pytest.approx(2 + 2 * 3)}
    assert work(copies[0]) == 200
    assert work_ratio(copies[0], replace(copies[0], args=())) == 200


# Weak dependants


def latencies(*speeds: float) -> dict[int, float]:
    """Latencies of TASKS at these shares of FLOPS_S."""
    pairs = zip(TASKS, speeds, strict=True)
    return {task.index: task.flops / (FLOPS_S * speed) for task, speed in pairs}


def test_a_dependant_far_below_its_representatives_speed_is_weak() -> None:
    found = weak_dependants(TASKS, ONE, latencies(1.0, 0.5, 0.2).__getitem__)
    assert [weak.task for weak in found] == [2, 1]
    assert found[0].flops_per_s == pytest.approx(0.2 * FLOPS_S)
    assert found[0].representative == 0
    assert found[0].representative_flops_per_s == pytest.approx(FLOPS_S)
    assert found[0].gain_s == pytest.approx(TASKS[2].flops / FLOPS_S * (5 - 1))
    assert found[1].gain_s == pytest.approx(3 * TASKS[1].flops / FLOPS_S * (2 - 1))


def test_only_dependants_below_the_share_are_weak() -> None:
    just = latencies(1.0, WEAK_SHARE * 1.01, WEAK_SHARE * 0.99)
    assert [weak.task for weak in weak_dependants(TASKS, ONE, just.get)] == [2]
    assert [weak.task for weak in weak_dependants(TASKS, ONE, just.get, 0.5)] == []
    assert weak_dependants(TASKS, APART, just.get) == []


def test_on_a_gpu_a_small_task_may_be_slower() -> None:
    clustering = Clustering("replay", 0.6, (Cluster(2, (0, 1, 2)),))
    slower = latencies(0.25**0.4, 0.5**0.4 / 2, 1.0)  # as expected, and half of that
    found = weak_dependants(TASKS, clustering, slower.get, growth=GPU_GROWTH)
    assert [weak.task for weak in found] == [1]
    assert found[0].gain_s == pytest.approx(3 * slower[1] / 2)
    assert len(weak_dependants(TASKS, clustering, slower.get)) == 2


@pytest.mark.parametrize("unknown", [None, float("inf"), 0.0])
def test_tasks_without_a_latency_are_no_weak_dependants(unknown: float | None) -> None:
    known: dict[int, float | None] = {**latencies(1.0, 0.1, 0.1)}
    assert [w.task for w in weak_dependants(TASKS, ONE, (known | {2: unknown}).get)] == [1]
    assert weak_dependants(TASKS, ONE, (known | {0: unknown}).get) == []


def test_tasks_without_flops_are_never_weak() -> None:
    copies = [copy_task(0, 100), copy_task(1, 100)]
    clustering = Clustering("replay", 0.6, (Cluster(0, (0, 1)),))
    assert weak_dependants(copies, clustering, {0: 1e-6, 1: 1.0}.get) == []


# Cost


def test_the_cost_is_that_of_representatives_and_of_top_k_for_the_others() -> None:
    cost = predicted_cost(ONE, 64, 4, 0.5)
    assert (cost.tasks_to_tune, cost.trials, cost.seconds) == (1, 64 + 2 * 4, 36.0)
    assert predicted_cost(APART, 64, 4, 0.5).trials == 3 * 64


def test_no_dependant_measures_more_than_its_representative_found() -> None:
    assert predicted_cost(ONE, 3, 10, 1.0).trials == 9


def test_a_small_space_costs_no_more_than_its_schedules() -> None:
    _, spaces = matmuls([(10, 10, 10), (20, 10, 10), (40, 10, 10)])
    assert [most_schedules(space) for space in spaces] == [16, 24, 32]
    assert predicted_cost(APART, 20, 4, 1.0, spaces).trials == 16 + 20 + 20
    assert predicted_cost(ONE, 20, 4, 1.0, spaces).trials == 16 + 8


def test_a_space_with_places_has_no_known_size() -> None:
    place = Knob("place of pad", KnobKind.LOCATION)
    choice = Knob("unroll", KnobKind.CATEGORICAL, choices=(0.0, 16.0))
    assert most_schedules(DesignSpace(0, "x", (Sketch("a", (place,)), Sketch("b", ())))) is None
    assert most_schedules(DesignSpace(0, "x", (Sketch("a", (choice,)), Sketch("b", ())))) == 3
    assert most_schedules(DesignSpace(0, "x", (Sketch("a", (tile("N", 0), choice)),))) == 2
    assert most_schedules(DesignSpace(0, "x", ())) is None
