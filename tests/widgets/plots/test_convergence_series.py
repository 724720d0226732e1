"""The numbers behind the convergence plots, checked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.history.history import History
from engine.records.events import TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import ErrorKind
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.convergence.hover import (
    convergence_sheet,
    describe_model,
    describe_task,
    describe_trial,
    summary,
)
from widgets.plots.convergence_series import (
    Across,
    build_error_marks,
    build_trial_marks,
    changes,
    model_changes,
    nearest,
    value_at,
)
from widgets.plots.step_set import StepSet


@pytest.fixture
def history() -> History:
    """Two tasks (2 x 4 ms, 1 x 8 ms untuned) and six trials, half a second apart."""
    tasks = (make_task(0, "a", 4e-3, weight=2), make_task(1, "b", 8e-3))
    made = History(Snapshot("", "test data", "", "llvm", tasks, (), ()))
    latencies = [(1, 0, 2e-3), (2, 1, None), (3, 1, 6e-3), (4, 0, 3e-3), (5, 1, None), (6, 0, 1e-3)]
    for number, task, latency_s in latencies:
        error = ErrorKind.RUN_TIMEOUT if latency_s is None else None
        made.apply([TrialDone(make_trial(number, task, latency_s, error=error))])
    return made


def test_the_models_steps_start_untuned_and_last_until_now(history: History) -> None:
    steps = StepSet.of({-1: model_changes(history, Across.TRIALS)}, 6.0).steps
    assert steps.x.tolist() == [0, 1, 1, 3, 3, 6, 6, 6]
    expected = [16e-3, 16e-3, 12e-3, 12e-3, 10e-3, 10e-3, 8e-3, 8e-3]
    assert steps.y.tolist() == pytest.approx(expected)


def test_a_tasks_steps_are_level_between_improvements(history: History) -> None:
    steps = StepSet.of({0: changes(history, 0, Across.SECONDS)}, 3.0).steps
    assert steps.x.tolist() == [0, 0.5, 0.5, 3, 3, 3]
    assert steps.y.tolist() == pytest.approx([4e-3, 4e-3, 2e-3, 2e-3, 1e-3, 1e-3])
    level, upright = np.diff(steps.y) == 0, np.diff(steps.x) == 0
    assert np.all(level | upright)


def test_a_task_without_any_latency_has_no_curve_and_no_marks() -> None:
    tasks = (make_task(0, "a", None),)
    history = History(Snapshot("", "test data", "", "llvm", tasks, (), ()))
    history.apply([TrialDone(make_trial(1, 0, None, error=ErrorKind.BUILD_ERROR))])
    assert len(changes(history, 0, Across.TRIALS)[0]) == 0
    assert len(build_error_marks(history, 0, Across.TRIALS).x) == 0
    assert len(model_changes(history, Across.TRIALS)[0]) == 0
    assert describe_task(history, 0, Across.TRIALS, 1.0) is None
    assert describe_model(history, Across.TRIALS, 1.0) is None
    assert summary(history) == ""


def test_valid_trials_are_points_and_failed_ones_lie_on_the_curve(history: History) -> None:
    points = build_trial_marks(history, 0, Across.TRIALS)
    assert points.numbers.tolist() == [1, 4, 6]
    assert points.y.tolist() == pytest.approx([2e-3, 3e-3, 1e-3])
    errors = build_error_marks(history, 1, Across.SECONDS)
    assert errors.numbers.tolist() == [2, 5]
    assert errors.x.tolist() == [1.0, 2.5]
    assert errors.y.tolist() == pytest.approx([8e-3, 6e-3])


def test_joined_series_know_their_tasks_and_have_gaps(history: History) -> None:
    parts = {task: changes(history, task, Across.TRIALS) for task in (0, 1)}
    joined = StepSet.of(parts, 9.0).steps
    gaps = np.flatnonzero(np.isnan(joined.x))
    assert gaps.tolist() == [6]
    assert (joined.x[5], joined.x[-1]) == (9, 9)
    assert joined.owner.tolist() == [0] * 7 + [1] * 4
    assert len(StepSet.of({}, 9.0).steps.x) == 0


def test_the_nearest_segment_is_found_on_levels_uprights_and_across_gaps() -> None:
    x = np.array([0.0, 10.0, 10.0, 20.0, np.nan, 0.0, 20.0])
    y = np.array([0.0, 0.0, 8.0, 8.0, np.nan, 30.0, 30.0])
    assert nearest(x, y, (5.0, 2.0)) == (0, 2.0)
    assert nearest(x, y, (11.0, 4.0)) == (1, 1.0)
    assert nearest(x, y, (15.0, 29.0)) == (5, 1.0)
    assert nearest(x[:1], y[:1], (0.0, 0.0))[1] == np.inf


def test_a_step_curve_holds_its_value_until_the_next_point() -> None:
    x, y = np.array([1.0, 2.0]), np.array([5.0, 3.0])
    assert value_at(x, y, np.array([0.0, 1.0, 1.9, 2.0, 9.0])).tolist() == [5, 5, 5, 3, 3]


def test_hovering_tells_exact_values_with_units(history: History) -> None:
    text, latency_s = describe_model(history, Across.TRIALS, 3.4) or ("", 0.0)
    assert text == "model 10.000 ms\nsince trial 3 at 1.5 s"
    assert latency_s == pytest.approx(10e-3)
    text, _ = describe_task(history, 0, Across.SECONDS, 0.2) or ("", 0.0)
    assert text == "a\n4.0000 ms untuned"
    text, _ = describe_task(history, 0, Across.SECONDS, 2.9) or ("", 0.0)
    assert text == "a\n2.0000 ms best so far, trial 1 at 0.5 s"
    assert describe_trial(history, 0, 4) == "a\n3.0000 ms, trial 4 at 2.0 s"
    assert describe_trial(history, 1, 5) == "b\nrun timeout, trial 5 at 2.5 s"
    assert summary(history) == "16.00 ms → 8.000 ms"


@pytest.mark.parametrize("across", list(Across))
@pytest.mark.parametrize(
    "latencies", [(14e-3,), (14e-3, 9e-3), (14e-3, 50e-6), (90e-6, 14e-3), (200e-6, 100e-6, 40e-6)]
)
@pytest.mark.parametrize("confirmed", [None, 80e-6, 20e-3])
def test_the_best_so_far_never_rises(
    latencies: tuple[float, ...], confirmed: float | None, across: Across
) -> None:
    whole = squeezenet_like_snapshot(0)
    tasks = (replace(whole.tasks[0], untuned_latency_s=105e-6), *whole.tasks[1:])
    trials = [make_trial(n, 0, s, elapsed_s=n) for n, s in enumerate(latencies, 1)]
    if confirmed is not None:
        trials[-1] = replace(trials[-1], confirmed=(confirmed,) * 8)
    history = History(replace(whole, tasks=tasks, trials=tuple(trials)))
    x, y = changes(history, 0, across)
    assert (np.diff(y) <= 0).all() and (np.diff(x) >= 0).all()
    last = history.curve(0).latency_s[-1]
    assert y[-1] == min(105e-6, last)
    hovered = [describe_task(history, 0, across, at) or ("", 0.0) for at in range(4)]
    assert (np.diff([latency_s for _, latency_s in hovered]) <= 0).all()
    assert all(("untuned" in text) is (latency_s == 105e-6) for text, latency_s in hovered)
    assert hovered[-1][1] == y[-1]
    rows = convergence_sheet(history, None).rows
    written = np.array([row[4] for row in rows if row[1] == tasks[0].name], np.float64)
    assert (np.diff(written) <= 0).all() and written[-1] == y[-1]
    drawn = history.best_so_far(0).latency_s  # what a report draws
    assert (np.diff(drawn) <= 0).all() and (drawn <= 105e-6).all()
