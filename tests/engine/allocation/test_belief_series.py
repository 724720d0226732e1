"""A belief as numbers for a plot: in latencies, never slower than the best."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.allocation.belief_series import (
    BeliefQuestion,
    belief_question,
    build_belief_series,
    build_chain_series,
)
from engine.allocation.curve_belief import CurveSettings
from engine.allocation.forecast import Forecaster
from engine.allocation.policies.belief_policy import BeliefOptions
from engine.allocation.policies.dynatune import DynaTune
from engine.allocation.policies.dynatune_paper import DynaTunePaper
from engine.allocation.policies.registry import POLICIES
from engine.allocation.policy import TaskView
from engine.history.history import History
from engine.history.slot_log import SlotLog
from engine.records.settings import RunSettings
from tests.replayed import folded, replayed_events

PLAYED = folded(replayed_events())


def seen(latencies: list[float], peak: float | None = None, index: int = 2) -> TaskView:
    return TaskView(
        index=index, weight=3, flops=1e8, op_class="conv", latencies=tuple(latencies),
        untuned_s=None, slots=len(latencies) // 8, in_flight=False, finished=False,
        peak_flops=peak, slot_trials=8,
    )  # fmt: skip


def question(latencies: list[float], peak: float | None = None, **settings: Any) -> BeliefQuestion:
    """What is asked of a curve."""
    view = seen(latencies, peak)
    return BeliefQuestion(2, (view,), BeliefOptions(), CurveSettings(**settings), seed=1)


def asked_of(*views: TaskView) -> BeliefQuestion:
    """What is asked of the belief that all tasks' slots have taught, of the first of these."""
    return BeliefQuestion(views[0].index, views, BeliefOptions(), None, seed=1)


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


# What slots have taught


def test_the_band_goes_over_three_slots_from_the_best_on_and_its_edges_are_in_order() -> None:
    series = build_belief_series(asked_of(seen(falling(40))))
    assert series is not None and not series.curves
    assert series.ahead_at.tolist() == [40.0, 48.0, 56.0, 64.0]
    assert series.mean_s[0] == series.fast_s[0] == series.slow_s[0] == min(falling(40))
    assert (series.fast_s <= series.slow_s).all()
    for line in (series.mean_s, series.fast_s, series.slow_s):
        assert (np.diff(line) <= 0).all()
    assert series.mean_s[1] < series.mean_s[0]
    assert (series.fit_at.size, series.starts.size) == (0, 0)


def test_what_is_shown_is_what_the_policy_decides_by() -> None:
    views = (seen(falling(40)), seen(falling(16), index=5), seen([4e-3] * 24, index=7))
    choice = DynaTune().choose(views)
    assert choice is not None
    columns = choice.scores["tasks"]
    for place, view in enumerate(views):
        series = build_belief_series(
            asked_of(view, *(other for other in views if other is not view))
        )
        assert series is not None
        assert series.gain_s == pytest.approx(columns["gain_s"][place], rel=1e-3)
        assert series.spread_s == pytest.approx(columns["spread_s"][place], rel=1e-3)
        assert series.low_s <= series.gain_s <= series.high_s or series.high_s == 0.0
        assert series.gain_s == pytest.approx(3 * (series.mean_s[0] - series.mean_s[1]))


def test_another_tasks_slots_change_a_belief_and_the_questions_key() -> None:
    own = seen(falling(40))
    few = asked_of(own, seen([8e-3] * 8, index=5))
    many = asked_of(own, seen([8e-3] * 8 + [2e-3] * 8, index=5))
    assert few.key != many.key
    one, two = build_belief_series(few), build_belief_series(many)
    assert one is not None and two is not None
    assert two.gain_s > one.gain_s


def test_before_its_first_slot_a_task_is_believed_to_gain_what_first_slots_do() -> None:
    new = replace(seen([]), untuned_s=8e-3)
    series = build_belief_series(asked_of(new))
    assert series is not None
    assert series.ahead_at.tolist() == [0.0, 8.0]
    assert series.mean_s.tolist() == pytest.approx([8e-3, 4e-3])
    assert build_belief_series(asked_of(seen([]))) is None


def test_ahead_of_a_slot_are_forecasts_of_the_same_slot() -> None:
    views = [seen(falling(40)), seen(falling(16), index=5)]
    forecaster = Forecaster()
    situation = forecaster.situation(views)
    for view, forecast in zip(views, forecaster.of(situation, views), strict=True):
        outlook = forecaster.ahead(situation, view)[0]
        assert (outlook.gain, outlook.spread) == (forecast.gain, forecast.spread)


# What a run's policy asks


def test_a_run_is_asked_as_its_policy_asks() -> None:
    history, spans = History(PLAYED), SlotLog(PLAYED).spans()
    settings = RunSettings(
        policy=DynaTunePaper.name, policy_options={"family": "pow2", "walkers": 8}, seed=5
    )
    asked = belief_question(history, 1, spans, settings, 4e11)
    assert asked.curves == CurveSettings(family="pow2", walkers=8)
    assert asked.seed == 5
    assert asked.view.latencies == tuple(history.log(1).latency_s)
    assert asked.view.slots == sum(span.info.task == 1 for span in spans)
    assert asked.view.slot_trials == settings.search.batch
    assert asked.view.peak_flops == 4e11


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_only_the_papers_policy_is_asked_of_a_curve(name: str) -> None:
    asked = belief_question(History(PLAYED), 1, (), RunSettings(policy=name), None)
    assert (asked.curves is not None) == (name == DynaTunePaper.name)
    assert len(asked.views) == len(PLAYED.tasks)
    assert build_chain_series(asked) is None or asked.curves is not None


@pytest.mark.parametrize("options", [{"c": -1.0}, {"no": 1}])
def test_options_that_make_no_sense_are_those_of_the_default(options: dict[str, object]) -> None:
    settings = replace(RunSettings(), policy_options=dict(options))
    asked = belief_question(History(PLAYED), 0, (), settings, None)
    assert (asked.options, asked.curves) == (BeliefOptions(), None)
