"""What a history amounts to: rounds, reductions, stuck tasks, the model's latency."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.allocation.progress import (
    ProgressCache,
    cost_first,
    model_latency,
    progress_of,
    unfinished,
)
from tests.engine.allocation.support import task

INF = math.inf


def test_the_best_so_far_is_taken_after_each_slot() -> None:
    known = progress_of(task(0, [INF, 5e-3, 6e-3, 4e-3, 9e-3, 9e-3, 9e-3, 2e-3, 3e-3], slots=3))
    assert known.best.tolist() == [INF, 5e-3, 5e-3, 4e-3, 4e-3, 4e-3, 4e-3, 2e-3, 2e-3]
    assert known.rounds.tolist() == [5e-3, 4e-3, 2e-3]
    assert (known.best_s, known.since, known.trials) == (2e-3, 1, 9)


def test_a_slot_in_flight_is_no_round_yet() -> None:
    known = progress_of(task(0, [4e-3, 2e-3], slots=2, in_flight=True))
    assert known.rounds.tolist() == [2e-3]


def test_a_history_without_a_valid_trial_leaves_the_untuned_latency() -> None:
    known = progress_of(task(0, [INF] * 5))
    assert (known.valid, known.now_s, known.since) == (False, 1e-2, 5)
    assert known.reductions().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("untuned_s", [None, 0.0, INF])
def test_an_untuned_latency_that_makes_no_sense_is_none(untuned_s: float | None) -> None:
    known = progress_of(task(0, [], untuned_s=untuned_s))
    assert known.now_s is None
    assert len(known.reductions()) == 0


def test_each_slot_takes_away_its_part_of_the_latency() -> None:
    known = progress_of(task(0, [INF] * 4 + [5e-3] * 4 + [4e-3] * 4 + [4e-3] * 4))
    assert known.reductions().tolist() == pytest.approx([0.0, 0.5, 0.2, 0.0])


def test_the_first_reduction_is_unknown_without_an_untuned_latency() -> None:
    found = progress_of(task(0, [5e-3] * 4 + [4e-3] * 4, untuned_s=None)).reductions()
    assert math.isnan(found[0])
    assert found[1] == pytest.approx(0.2)


def test_a_first_result_slower_than_untuned_takes_nothing_away() -> None:
    assert progress_of(task(0, [5e-2] * 4)).reductions().tolist() == [0.0]


def test_dry_slots_are_those_in_a_row_that_found_nothing_better() -> None:
    rounds_s = [8e-3, 8e-3, 9e-3, 7e-3, 7e-3]
    known = progress_of(task(0, [value for value in rounds_s for _ in range(4)]))
    assert known.dry() == [0, 0, 1, 2, 0, 1]


def test_a_slot_without_a_result_is_dry_and_one_slower_than_untuned_is_not() -> None:
    known = progress_of(task(0, [INF] * 4 + [5e-2] * 4 + [4e-2] * 4))
    assert known.dry() == [0, 1, 0, 0]
    assert progress_of(task(0, [])).dry() == [0]


def test_a_task_is_deployed_untuned_while_its_search_found_nothing_faster() -> None:
    assert progress_of(task(0, [5e-2], untuned_s=1e-2)).now_s == 1e-2
    assert progress_of(task(0, [5e-3], untuned_s=1e-2)).now_s == 5e-3
    assert progress_of(task(0, [5e-2], untuned_s=None)).now_s == 5e-2


def test_tasks_that_stopped_improving_leave_while_others_go_on() -> None:
    tasks = [task(0, [1e-3] * 7), task(1, [1e-3] * 6), task(2, [], finished=True)]
    cache = ProgressCache()
    assert [view.index for view in unfinished(tasks, cache.all(tasks), 6)] == [1]
    assert [view.index for view in unfinished(tasks, cache.all(tasks), 0)] == [0, 1]


def test_when_all_stopped_improving_they_come_back() -> None:
    tasks = [task(0, [1e-3] * 9), task(1, [INF] * 9), task(2, in_flight=True)]
    assert [view.index for view in unfinished(tasks, ProgressCache().all(tasks), 6)] == [0, 1]


def test_the_model_is_the_sum_of_weights_times_latencies_now() -> None:
    tasks = [task(0, [2e-3], weight=3), task(1), task(2, untuned_s=None)]
    assert model_latency(tasks, ProgressCache().all(tasks)) == pytest.approx(6e-3 + 1e-2)


def test_an_unmeasured_task_is_judged_by_its_operations() -> None:
    small, large = (task(0, untuned_s=None, flops=size) for size in (1e6, 1e8))
    known = progress_of(small)
    assert cost_first(large, known) == pytest.approx(1e8 / 1e10)
    assert cost_first(small, known) < cost_first(large, known)


def test_progress_is_worked_out_again_only_where_something_changed() -> None:
    cache = ProgressCache()
    first = cache.of(task(0, [2e-3]))
    assert cache.of(task(0, [2e-3])) is first
    second = cache.of(task(0, [2e-3, 1e-3]))
    assert second.best_s == 1e-3
    assert np.array_equal(first.best, [2e-3])
