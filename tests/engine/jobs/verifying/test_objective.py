"""A latency objective is one of the whole model, whatever its kernels add up to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.deploy.bench import BenchResult
from engine.jobs import tuning
from engine.jobs.baseline import measure_module
from engine.jobs.steps.spending import Spending
from engine.project.repository import Project
from engine.records.events import RunChanged
from engine.records.settings import Budget, RunState
from engine.records.trial import LOAD_LIMIT, Measured
from engine.records.words import RunEnd
from tests.engine.jobs.support import QUICK, Console, opened
from tests.engine.models.build import two_convs_model

WANTED_S = 1e-3


def spending(reason: str, wanted_s: float | None = WANTED_S) -> Spending:
    settings = replace(QUICK, budget=Budget(latency_s=wanted_s, trials=9))
    history = SimpleNamespace(trial_count=0)
    context = SimpleNamespace(settings=settings, history=history)
    made = Spending(cast(Any, context), 0, lambda: None)
    made.reason = reason
    return made


MET = (RunEnd.OBJECTIVE, RunEnd.KNOWN)


@pytest.mark.parametrize("reason", [end for end in RunEnd if end not in MET])
def test_a_run_that_ended_for_something_else_has_ended(reason: RunEnd) -> None:
    run = spending(reason)
    assert not run.missed(Measured(2 * WANTED_S))
    assert run.reason == reason


@pytest.mark.parametrize("reason", MET)
@pytest.mark.parametrize(
    ("measured", "missed"),
    [
        (Measured(WANTED_S), False),
        (Measured(0.9 * WANTED_S), False),
        (Measured(0.9 * WANTED_S, load=2 * LOAD_LIMIT), False),
        (Measured(1.1 * WANTED_S), True),
    ],
)
def test_a_good_measurement_above_it_lets_the_run_go_on(
    reason: RunEnd, measured: Measured, missed: bool
) -> None:
    run = spending(reason)
    assert run.missed(measured) is missed
    assert run.reason == ("" if missed else reason)


@pytest.mark.parametrize("reason", MET)
def test_a_disturbed_one_above_it_ends_the_run_which_claims_no_objective(reason: RunEnd) -> None:
    run = spending(reason)
    assert not run.missed(Measured(1.1 * WANTED_S, load=2 * LOAD_LIMIT))
    assert run.reason == RunEnd.DISTURBED


@pytest.mark.long
def test_a_module_that_is_slower_than_its_kernels_said_is_tuned_on(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure: Callable[..., BenchResult] = measure_module
    found: list[float] = []

    def measured(*given: Any) -> BenchResult:
        """Ten times the objective at first, then as it is."""
        latency_s = 10.0 if not found else 1e-6
        found.append(latency_s)
        return replace(measure(*given), samples=(latency_s,) * 9, load=0.0)

    monkeypatch.setattr(tuning, "measure_module", measured)
    path = opened(console, tmp_path, two_convs_model())
    console.engine.start_run(replace(QUICK, budget=Budget(latency_s=1.0, trials=24))).result(60)
    console.engine.wait().result(300)
    states = [event for event in console.of(RunChanged) if isinstance(event, RunChanged)]
    assert [event.state for event in states].count(RunState.RUNNING) == 2
    assert len(found) == 2
    with Project.open(path, read_only=True) as project:
        (run,) = project.snapshot().runs
    assert run.state is RunState.FINISHED
    assert run.tuned_latency_s == pytest.approx(1e-6)
