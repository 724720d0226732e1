"""The oracle: greedy with hindsight."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.allocation.policies.oracle import Future, Oracle
from engine.allocation.policies.registry import POLICIES, REPLAY_POLICIES, make_policy
from engine.records.errors import UsageError
from tests.engine.allocation.curves_data import recorded_task
from tests.engine.allocation.support import task


def future(*latencies_s: float, seconds: float = 1.0) -> Future:
    return Future(np.array(latencies_s), np.full(len(latencies_s), seconds))


def chosen(oracle: Oracle, *tasks: object) -> int:
    choice = oracle.choose(tasks)  # type: ignore[arg-type]
    assert choice is not None
    return choice.task


def test_it_takes_the_task_that_will_shorten_the_model_most() -> None:
    oracle = Oracle(futures={0: future(*[9e-3] * 4), 1: future(*[5e-3] * 4)})
    assert chosen(oracle, task(0), task(1)) == 1
    assert chosen(oracle, task(0, weight=9), task(1)) == 0


def test_it_sees_a_gain_behind_slots_that_bring_nothing() -> None:
    late = future(*[1e-2] * 8, *[1e-3] * 4)
    early = future(9e-3, *[9e-3] * 11)
    futures = {0: late, 1: early}
    assert chosen(Oracle(futures=futures), task(0), task(1)) == 0
    short_sighted = Oracle(Oracle.Options(lookahead=1), futures=futures)
    assert chosen(short_sighted, task(0), task(1)) == 1


def test_it_counts_seconds_or_slots() -> None:
    futures = {0: future(*[5e-3] * 4, seconds=4.0), 1: future(*[8e-3] * 4, seconds=1.0)}
    assert chosen(Oracle(futures=futures), task(0), task(1)) == 1
    by_slot = Oracle(Oracle.Options(per_second=False), futures=futures)
    assert chosen(by_slot, task(0), task(1)) == 0


def test_the_rate_is_seconds_of_latency_a_second_of_tuning() -> None:
    oracle = Oracle(futures={0: future(math.inf, 6e-3, 6e-3, 4e-3, 4e-3, 1e-3)})
    view = task(0, weight=2)
    assert oracle.rate(view) == pytest.approx(2 * (1e-2 - 4e-3) / 4)
    after = task(0, [math.inf, 6e-3, 6e-3, 4e-3], weight=2)
    assert oracle.rate(after) == pytest.approx(2 * 3e-3 / 2)


def test_a_task_with_no_future_comes_last() -> None:
    oracle = Oracle(futures={0: future(), 2: future(9e-3)})
    assert chosen(oracle, task(0), task(1), task(2)) == 2
    assert chosen(oracle, task(0), task(1)) == 0


def test_a_task_without_any_latency_goes_first() -> None:
    futures = {0: future(1e-3, 1e-3), 1: future(math.inf, 1e-3)}
    assert chosen(Oracle(futures=futures), task(0), task(1, untuned_s=None)) == 1


def test_a_recorded_trial_costs_its_search_its_run_and_its_part_of_a_build() -> None:
    item = recorded_task(0, np.random.default_rng(0), 8)
    made = Future.of(item, cores=2)
    assert made.seconds == pytest.approx(item.search_s + item.build_s / 2 + item.run_s)
    assert made.latency_s is item.latency_s


def test_a_live_run_cannot_have_it() -> None:
    assert Oracle.name in REPLAY_POLICIES
    assert Oracle.name not in POLICIES
    assert not Oracle.live
    with pytest.raises(UsageError) as caught:
        make_policy("oracle", {}, 0)
    assert "future" in caught.value.what
