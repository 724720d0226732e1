"""CurveBeliefs: fit, posterior, expected improvement, fallback, and what is refitted."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from engine.allocation import curve_belief as belief_module
from engine.allocation.curve_belief import (
    CurveBelief,
    CurveBeliefs,
    CurveSettings,
    believe,
    expected_improvement,
    walkers,
)
from engine.allocation.curves import FAMILIES, family
from engine.allocation.fitting import Points, fit
from engine.allocation.policy import TaskView
from engine.allocation.progress import progress_of
from engine.allocation.sampler import _ensemble, log_posterior, sample
from engine.records.errors import UsageError
from tests.engine.allocation.support import FLOPS, PEAK, flat_task, log_power_task, task

FULL = CurveSettings()
BRIEF = CurveSettings(steps=120, samples=100)

X = np.arange(1.0, 65.0)
TRUE = np.array([0.6, math.log(8.0), -0.8])


def points(noise: float = 0.005) -> Points:
    """A log-power curve with noise, to be read 16 trials on."""
    y = family("log-power")(TRUE, X)[0] + np.random.default_rng(0).normal(0, noise, len(X))
    return Points(X, np.maximum.accumulate(y), 80.0)


def belief_of(view: TaskView, settings: CurveSettings = BRIEF, seed: int = 0) -> CurveBelief:
    return believe(view, progress_of(view), settings, seed)


# Fit


def test_the_fit_finds_the_curve_behind_the_points() -> None:
    found = fit(family("log-power"), points(0.0))
    assert found is not None
    assert found == pytest.approx(TRUE, rel=0.05)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("speed", [1e-4, 0.02, 0.5, 0.97])
@pytest.mark.parametrize(
    "shape", [[1.0], [0.3, 0.3, 0.9, 1.0], [0.8, 0.8, 0.8, 0.8, 1.0], [0.1, 0.2, 0.3, 1.0]]
)
def test_every_family_starts_from_a_curve_that_the_prior_allows(
    name: str, speed: float, shape: list[float]
) -> None:
    y = speed * np.repeat(shape, 8)
    data = Points(np.arange(5.0, 5.0 + len(y)), y, 100.0)
    found = fit(family(name), data)
    assert found is not None
    assert np.isfinite(log_posterior(family(name), data)(found[None]))[0]


# Posterior


def test_the_prior_refuses_what_falls_below_the_best_or_leaves_its_bounds() -> None:
    data = points()
    curves = np.array([[0.6, 2.0, -0.8], [0.3, 2.0, -0.8], [1.2, 2.0, -0.8], [0.6, 2.0, 0.1]])
    values = log_posterior(family("log-power"), data)(curves)
    assert np.isfinite(values).tolist() == [True, False, False, False]


def test_a_closer_curve_is_more_likely() -> None:
    curves = np.array([TRUE, TRUE * [1.3, 1.0, 1.0]])
    values = log_posterior(family("log-power"), points())(curves)
    assert values[0] > values[1] + 10


def test_the_walkers_accept_about_half_and_spread_round_the_truth() -> None:
    data = points()
    start = fit(family("log-power"), data)
    assert start is not None
    chain = sample(family("log-power"), data, start, 10, 500, [1])
    assert chain is not None
    assert chain.theta.shape == (500, 10, 3)
    assert 0.3 < chain.acceptance < 0.8
    kept = chain.theta[100:].reshape(-1, 3)
    at_horizon = family("log-power")(kept, np.array([80.0]))[:, 0]
    truth = family("log-power")(TRUE, np.array([80.0]))[0, 0]
    assert at_horizon.mean() == pytest.approx(truth, rel=0.03)
    assert 1e-4 < at_horizon.std() < 0.02
    assert (at_horizon >= data.best).all()


def test_the_same_seed_gives_the_same_chain_and_another_one_another() -> None:
    data, shape = points(), family("log-power")
    one, same, other = (sample(shape, data, TRUE, 10, 50, [seed]) for seed in (1, 1, 2))
    assert one is not None
    assert same is not None
    assert other is not None
    assert np.array_equal(one.theta, same.theta)
    assert not np.array_equal(one.theta, other.theta)


def test_a_start_that_the_prior_refuses_gives_no_chain() -> None:
    assert sample(family("log-power"), points(), np.array([0.1, 2.0, -0.8]), 10, 50, [1]) is None


# Expected improvement


@pytest.mark.parametrize(
    ("mean", "std", "best", "value"),
    [
        (1.0, 1.0, 1.0, 1 / math.sqrt(2 * math.pi)),
        (2.0, 1.0, 1.0, 1.0833154705876864),
        (0.0, 1.0, 1.0, 0.08331547058768635),
        (3.0, 0.0, 1.0, 2.0),
        (0.5, 0.0, 1.0, 0.0),
    ],
)
def test_expected_improvement_is_that_of_a_normal_variable(
    mean: float, std: float, best: float, value: float
) -> None:
    assert expected_improvement(mean, std, best) == pytest.approx(value)


# CurveBelief


def test_a_task_that_rises_is_expected_to_gain_and_one_that_is_level_hardly() -> None:
    rising, level = belief_of(log_power_task(0, 32), FULL), belief_of(flat_task(1, 64), FULL)
    assert 0.01 < rising.gain < 0.3
    assert level.gain < 0.03
    assert 0 < rising.spread < 0.3


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_holds_beliefs(name: str) -> None:
    found = belief_of(log_power_task(0, 48), CurveSettings(family=name, steps=60, samples=50))
    assert 0 < found.gain < 1
    assert found.acceptance is not None
    assert 0.1 < found.acceptance < 0.95


def test_the_prediction_is_for_the_end_of_the_next_slot() -> None:
    found = belief_of(log_power_task(0, 32))
    assert (found.trials, found.horizon, found.peak_speed) == (32, 48, PEAK / FLOPS)


def test_only_what_came_after_the_last_jump_is_fitted() -> None:
    view = task(0, [math.inf, 9e-4, *[8e-4] * 6, *[3e-4] * 8])
    assert belief_of(view).first == 8
    assert belief_of(view, CurveSettings(steps=60, samples=50, jump=0.0)).first == 1


def test_a_task_without_operations_is_taken_to_run_at_half_of_its_best() -> None:
    for view in (flat_task(0, 16, flops=0.0), flat_task(0, 16, peak_flops=None)):
        found = belief_of(view)
        assert 1.0 / (found.peak_speed * 3e-4) == pytest.approx(0.5)
        assert 0 < found.gain < 0.5


def test_a_task_faster_than_the_known_peak_is_believed_all_the_same() -> None:
    found = belief_of(flat_task(0, 32, latency_s=0.5 * FLOPS / PEAK))
    assert found.theta is not None
    assert 0 < found.gain < 0.05


def test_the_band_narrows_where_there_is_data_and_its_levels_are_in_order() -> None:
    found = belief_of(log_power_task(0, 64), FULL)
    assert found.theta is not None
    speeds = family(found.family)(found.theta, np.array([64.0, 80.0, 400.0]))
    low, middle, high = 1.0 / np.quantile(speeds, (0.95, 0.5, 0.05), axis=0)
    assert (low <= middle).all()
    assert (middle <= high).all()
    widths = (high - low) / middle
    assert widths[0] < widths[1] < widths[2]


def test_the_walkers_are_those_of_the_belief() -> None:
    view = log_power_task(0, 32)
    chain = walkers(view, progress_of(view), BRIEF, 0)
    found = belief_of(view)
    assert chain is not None
    assert found.theta is not None
    assert chain.acceptance == found.acceptance
    assert np.isin(found.theta, chain.theta).all()


# Fallback


def test_after_a_late_jump_the_last_slots_gain_halves() -> None:
    view = task(0, [1e-3] * 4 + [1e-3, 1e-3, 6e-4, 6e-4])
    found = belief_of(view)
    assert found.gain == pytest.approx(0.2)
    assert found.theta is None
    assert "jump" in found.why
    assert walkers(view, progress_of(view), BRIEF, 0) is None


def test_where_no_curve_fits_the_rule_holds_and_it_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(belief_module, "fit", lambda *_: None)
    beliefs = CurveBeliefs(BRIEF, 0)
    with caplog.at_level(logging.WARNING):
        for trials in (8, 12):
            view = task(3, [1e-3] * trials)
            found = beliefs.of(view, progress_of(view))
    assert found.why == "no curve fits"
    assert found.gain == 0.0
    assert len(caplog.records) == 1
    assert "task 3" in caplog.text


# What is refitted


def test_a_belief_is_kept_until_its_own_history_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = believe

    def counting(view: TaskView, *rest: object) -> CurveBelief:
        asked.append(view.index)
        return real(view, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(belief_module, "believe", counting)
    beliefs = CurveBeliefs(BRIEF, 0)
    one, two, longer = log_power_task(0, 16), log_power_task(1, 16), log_power_task(1, 32)
    for view in (one, two, one, two, one, longer, one, longer):
        beliefs.of(view, progress_of(view))
    assert asked == [0, 1, 1]


def test_a_belief_does_not_depend_on_those_before_it() -> None:
    beliefs = CurveBeliefs(BRIEF, 5)
    for trials in (16, 32):
        view = log_power_task(0, trials)
        last = beliefs.of(view, progress_of(view))
    alone = belief_of(view, seed=5)
    assert (last.gain, last.spread) == (alone.gain, alone.spread)


# Settings


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"family": "spline"}, "'spline'"),
        ({"walkers": 5}, "5 walkers"),
        ({"walkers": 11}, "11 walkers"),
        ({"family": "pow4", "walkers": 6}, "pow4"),
        ({"steps": 3}, "steps is 3"),
        ({"samples": 1}, "samples is 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        CurveSettings(**settings)  # type: ignore[arg-type]
    assert says in caught.value.what
    assert caught.value.todo


def test_the_walkers_follow_the_distribution_they_are_given() -> None:
    deviations = np.array([2.0, 0.1, 30.0])
    random = np.random.RandomState(0)

    def normal(theta: np.ndarray) -> np.ndarray:
        return np.asarray(-0.5 * ((theta / deviations) ** 2).sum(1))

    sampler = _ensemble(normal, 10, 3, 4000, random)
    sampler.run_mcmc(0.1 * random.randn(10, 3), 4000, skip_initial_state_check=True)
    kept = sampler.get_chain()[500:].reshape(-1, 3)
    assert kept.std(0) / deviations == pytest.approx(np.ones(3), abs=0.12)
    assert kept.mean(0) / deviations == pytest.approx(np.zeros(3), abs=0.25)
    assert sampler.acceptance_fraction.mean() == pytest.approx(0.63, abs=0.1)
