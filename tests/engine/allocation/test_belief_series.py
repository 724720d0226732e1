"""A belief as numbers for a plot: in latencies, never slower than the best, with its segments."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.allocation.belief import BeliefSettings
from engine.allocation.belief_series import (
    BeliefQuestion,
    belief_question,
    build_belief_series,
    build_chain_series,
)
from engine.allocation.policy import TaskView
from engine.history.history import History
from engine.history.slot_log import SlotLog
from engine.records.errors import UsageError
from engine.records.settings import RunSettings
from tests.replayed import folded, replayed_events


def question(latencies: list[float], peak: float | None = None, **settings: Any) -> BeliefQuestion:
    view = TaskView(
        index=2, weight=3, flops=1e8, op_class="conv", latencies=tuple(latencies), untuned_s=None,
        slots=len(latencies) // 8, in_flight=False, finished=False, peak_flops=peak, slot_trials=8,
    )  # fmt: skip
    return BeliefQuestion(view, BeliefSettings(**settings), seed=1)


def falling(count: int) -> list[float]:
    """Latencies that fall a little each time, without a jump."""
    return [1e-3 * (1.0 + 2.0 / math.sqrt(number + 4)) for number in range(count)]


def test_the_fit_follows_the_history_and_ends_at_the_last_trial() -> None:
    latencies = falling(40)
    series = build_belief_series(question(latencies, peak=1e12))
    assert series is not None and not series.why
    assert (series.fit_at[0], series.fit_at[-1]) == (1.0, 40.0)
    measured = np.interp(series.fit_at, np.arange(1, 41), latencies)
    assert np.abs(series.fit_s / measured - 1.0)[8:].max() < 0.1


@pytest.mark.parametrize("peak", [None, 1e12])
def test_the_band_is_ordered_and_never_slower_than_the_best(peak: float | None) -> None:
    latencies = falling(40)
    series = build_belief_series(question(latencies, peak), slots=2)
    assert series is not None
    assert (series.ahead_at[0], series.ahead_at[-1]) == (40.0, 56.0)
    assert (series.fast_s <= series.mean_s).all()
    assert (series.mean_s <= series.slow_s).all()
    assert (series.slow_s <= latencies[-1] * (1 + 1e-12)).all()
    assert (np.diff(series.mean_s) <= 1e-15).all()


def test_the_gain_is_that_of_the_model_for_the_next_slot() -> None:
    series = build_belief_series(question(falling(40), peak=1e12))
    assert series is not None
    at_horizon = np.interp(48.0, series.ahead_at, series.mean_s)
    assert series.gain_s == pytest.approx(3 * (falling(40)[-1] - at_horizon), rel=0.3)
    assert series.spread_s > 0


def test_a_jump_begins_a_segment_that_failed_trials_do_not_shift() -> None:
    latencies = [math.inf, 8e-3, *([8e-3] * 9), *falling(12)]
    series = build_belief_series(question(latencies))
    assert series is not None
    assert series.starts.tolist() == [2, 12]
    assert series.fit_at[0] == 12.0


def test_too_few_trials_give_the_fallback_rules_straight_lines() -> None:
    series = build_belief_series(question([4e-3, 2e-3]))
    assert series is not None and series.why
    assert series.fit_at.size == 0
    assert series.ahead_at.tolist() == [2.0, 10.0]
    assert series.mean_s[0] == series.slow_s[0] == 2e-3
    assert series.fast_s[1] < series.mean_s[1] < series.slow_s[1] == 2e-3


@pytest.mark.parametrize("latencies", [[], [math.inf, math.inf]])
def test_without_a_valid_trial_there_is_no_belief(latencies: list[float]) -> None:
    assert build_belief_series(question(latencies)) is None
    assert build_chain_series(question(latencies)) is None


def test_the_chain_has_every_walker_and_step_of_each_parameter() -> None:
    series = build_chain_series(question(falling(40), steps=60, walkers=12))
    assert series is not None
    assert series.parameters == ("a", "b", "c")
    assert series.values.shape == (3, 12, 60)
    assert series.burn_in == 30
    assert 0.1 < series.acceptance < 0.9
    assert (series.autocorrelation > 0).all()


def test_the_same_question_has_the_same_answer_and_key() -> None:
    first, second = question(falling(20)), question(falling(20))
    assert first.key == second.key != question(falling(21)).key
    one, two = build_belief_series(first), build_belief_series(second)
    assert one is not None and two is not None
    assert one.mean_s.tolist() == two.mean_s.tolist()


def test_a_run_is_asked_as_its_policy_asks() -> None:
    snapshot = folded(replayed_events())
    history, spans = History(snapshot), SlotLog(snapshot).spans()
    settings = RunSettings(policy_options={"family": "pow2", "walkers": 8}, seed=5)
    asked = belief_question(history, 1, spans, settings, 4e11)
    assert asked.settings == BeliefSettings(family="pow2", walkers=8)
    assert asked.seed == 5
    assert asked.view.latencies == tuple(history.log(1).latency_s)
    assert asked.view.slots == sum(span.info.task == 1 for span in spans)
    assert asked.view.slot_trials == settings.search.batch
    assert asked.view.peak_flops == 4e11


@pytest.mark.parametrize("options", [{"family": "none"}, {"no": 1}])
def test_options_that_make_no_sense_are_those_of_the_default(options: dict[str, object]) -> None:
    snapshot = folded(replayed_events())
    settings = replace(RunSettings(), policy_options=dict(options))
    asked = belief_question(History(snapshot), 0, (), settings, None)
    assert asked.settings == BeliefSettings()
    with pytest.raises(UsageError):
        BeliefSettings(family="none")
