"""A run's seconds must do for its end, too."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.jobs.clock import Pace
from engine.jobs.steps.spending import Spending
from engine.jobs.verifying.finalists import expected_s
from engine.records.settings import Budget
from engine.records.trial import Trial
from engine.records.words import RunEnd
from tests.engine.jobs.support import QUICK


def spending(
    run_s: float, ending_s: float, seconds: float | None = 100.0, earlier: int = 0
) -> Spending:
    settings = replace(QUICK, budget=Budget(seconds=seconds, trials=9))
    clock = SimpleNamespace(run_s=run_s)
    history = SimpleNamespace(trial_count=earlier)
    context = cast(Any, SimpleNamespace(settings=settings, clock=clock, history=history))
    return Spending(context, 0, lambda: None, lambda: ending_s)


@pytest.mark.parametrize(
    ("run_s", "ending_s", "left_s"),
    [(0.0, 0.0, 100.0), (50.0, 20.0, 30.0), (85.0, 20.0, 0.0), (0.0, 1000.0, 70.0)],
)
def test_what_the_finals_will_take_is_kept_for_them_within_reason(
    run_s: float, ending_s: float, left_s: float
) -> None:
    assert spending(run_s, ending_s).seconds_left() == pytest.approx(left_s)
    assert spending(run_s, ending_s, None).seconds_left() is None


@pytest.mark.parametrize(
    ("run_s", "ending_s", "ends"),
    [(69.0, 40.0, False), (71.0, 40.0, True), (79.0, 20.0, False), (81.0, 20.0, True)],
)
def test_the_steps_end_when_the_finals_must_begin(
    run_s: float, ending_s: float, ends: bool
) -> None:
    run = spending(run_s, ending_s)

    async def play() -> None:
        await run.until_over(asyncio.sleep(0.3))

    asyncio.run(play())
    assert run.reason == (RunEnd.TIME if ends else "")


def test_what_the_steps_ended_for_stays_the_reason_though_the_objective_is_met_too() -> None:
    run = spending(0.0, 0.0, None)
    run._budget = Budget(latency_s=1.0, trials=9)
    run._latency_s = lambda: 0.5 if run.reason else 2.0

    async def known() -> None:
        await asyncio.sleep(0.01)
        run.reason = RunEnd.KNOWN
        await asyncio.sleep(0.2)

    asyncio.run(run.until_over(known()))
    assert run.reason == RunEnd.KNOWN


@pytest.mark.parametrize("earlier", [0, 30])
@pytest.mark.parametrize(("done", "ends"), [(8, False), (9, True)])
def test_after_the_last_trial_no_search_goes_on(done: int, ends: bool, earlier: int) -> None:
    run = spending(0.0, 0.0, None, earlier)
    ended = []

    async def search() -> None:
        run._context.history.trial_count = earlier + done
        try:
            await asyncio.sleep(3600 if ends else 0.2)
        finally:
            ended.append(True)

    asyncio.run(run.until_over(search()))
    assert ended
    assert run.reason == (RunEnd.TRIALS if ends else "")


@pytest.mark.parametrize(
    ("latencies_s", "builds", "runs"),
    [([1.0], 2, 1), ([1.0, 1.1], 4, 3), ([1.0, 1.1, 1.1, 1.1, 9.0], 5, 4)],
)
@pytest.mark.parametrize(
    ("is_gpu", "is_here", "build_s"), [(False, True, 1.0), (True, True, 0.5), (True, False, 1.0)]
)
def test_finals_are_expected_to_take_what_trials_took_but_for_code_that_is_kept(
    latencies_s: list[float], builds: int, runs: int, is_gpu: bool, is_here: bool, build_s: float
) -> None:
    pace = Pace()
    for seconds in (0.5, 1.5):
        pace.add(cast(Trial, SimpleNamespace(task=0, build_s=seconds, run_s=seconds / 10)))
    history = SimpleNamespace(
        best=lambda task: min(latencies_s), log=lambda task: SimpleNamespace(latency_s=latencies_s)
    )
    context = SimpleNamespace(
        pace=pace,
        history=history,
        settings=replace(QUICK, finalists=3),
        resources=SimpleNamespace(cores=2),
        builder=SimpleNamespace(is_here=is_here, width=2),
        model=SimpleNamespace(program=SimpleNamespace(target=SimpleNamespace(is_gpu=is_gpu))),
    )
    assert expected_s(cast(Any, context)) == pytest.approx(builds * build_s / 2 + runs * 0.1)
