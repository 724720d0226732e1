"""The paper's policy: its bound in numbers, and what its curves say beside the other tasks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine.allocation.curve_belief import CurveSettings
from engine.allocation.curve_forecast import CurveForecaster
from engine.allocation.policies.dynatune_paper import DynaTunePaper
from engine.records.errors import UsageError
from tests.engine.allocation.support import chosen, flat_task, forecast, log_power_task, situation

BRIEF: dict[str, Any] = {"steps": 60, "samples": 50}


def paper(**options: Any) -> DynaTunePaper:
    return DynaTunePaper(DynaTunePaper.Options(**BRIEF | options))


def curves(pooled: float) -> CurveForecaster:
    return CurveForecaster(CurveSettings(**BRIEF), pooled, True, 0, peers=True)


# Terms

NOW = situation(latency_s=8e-3, untuned_s=40e-3, slots=100)
ROOT = math.sqrt(2 * math.log(100) / 4)


def test_it_is_the_papers_by_default() -> None:
    gain, bonus = paper().terms(forecast(4, 0.1, 0.05, 2e-3), NOW)
    assert [gain, bonus] == pytest.approx([0.2, ROOT])
    given = DynaTunePaper.Options()
    assert (given.pooled, given.first_pass, given.per_second) == (0.0, True, False)
    assert (given.family, given.walkers, given.steps) == ("log-power", 10, 500)


def test_the_papers_form_takes_a_tenth_of_c_for_a_model_under_a_millisecond() -> None:
    quick = situation(latency_s=5e-4, untuned_s=9e-4, slots=100)
    _, bonus = paper().terms(forecast(4, 0.1, 0.05, 2e-4), quick)
    assert bonus == pytest.approx(math.sqrt(0.2 * math.log(100) / 4))


def test_the_share_form_scales_the_bonus_by_the_tasks_part_of_the_model() -> None:
    gain, bonus = paper(form="share").terms(forecast(4, 0.1, 0.05, 2e-3), NOW)
    assert [gain, bonus] == pytest.approx([0.25 * 0.1, 0.25 * ROOT])


def test_the_relative_form_scales_the_bonus_by_what_the_belief_is_unsure_of() -> None:
    gain, bonus = paper(form="relative").terms(forecast(4, 0.1, 0.05, 2e-3), NOW)
    assert [gain, bonus] == pytest.approx([0.25 * 0.1, 0.25 * 0.05 * ROOT])


def test_no_relative_bound_is_above_the_whole_of_a_task() -> None:
    gain, bonus = paper(form="relative").terms(forecast(1, 0.4, 0.9, 2e-3), NOW)
    assert gain + bonus == pytest.approx(0.25)


@pytest.mark.parametrize("options", [{"form": "best"}, {"family": "spline"}, {"walkers": 3}])
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        DynaTunePaper.Options(**options)


# Curves


def test_experience_of_other_tasks_counts_until_a_task_has_its_own() -> None:
    others = [log_power_task(index, 32) for index in range(1, 7)]
    new = flat_task(0, 16, untuned_s=4e-4)

    def gain(pooled: float) -> float:
        forecaster = curves(pooled)
        tasks = [new, *others]
        return forecaster.of(forecaster.situation(tasks), [new])[0].gain

    assert gain(0.0) < gain(1.0) < gain(8.0)


def test_a_task_whose_search_is_still_slower_than_untuned_counts_with_that() -> None:
    """It would be deployed untuned, and what its search gains above that is not worth anything."""
    behind = replace(log_power_task(0, 32), untuned_s=1.5e-4)
    ahead = replace(log_power_task(0, 32), untuned_s=1e-2)
    forecaster = curves(0.0)
    known = [forecaster.of(forecaster.situation([view]), [view])[0] for view in (behind, ahead)]
    assert known[0].cost_s == pytest.approx(1.5e-4)
    assert known[1].cost_s == pytest.approx(min(ahead.latencies))
    assert known[0].gain < known[1].gain


def test_with_equal_bonuses_the_papers_form_goes_round_and_the_relative_one_does_not() -> None:
    """What the paper's C does to a model of microseconds, and why there are others."""
    counts = {}
    for form in ("paper", "relative"):
        policy = paper(form=form)
        tasks = [
            log_power_task(0, 16, weight=4),
            *(flat_task(index, 16, latency_s=2e-4) for index in (1, 2, 3)),
        ]
        given = [0] * 4
        for _ in range(12):
            index = chosen(policy, *tasks).task
            given[index] += 1
            tasks[index] = replace(tasks[index], slots=tasks[index].slots + 1)
        counts[form] = given
    assert max(counts["paper"]) - min(counts["paper"]) <= 1
    assert counts["relative"][0] >= 10
