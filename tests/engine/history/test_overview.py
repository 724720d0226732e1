"""The model at a glance: what takes the time, and what a person is told to try next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.history.open_project import OpenProject
from engine.history.overview import Advice, advice_text, overview
from engine.records.settings import RunSettings, RunState, Step
from engine.records.snapshot import REFERENCE, RunInfo, Snapshot
from engine.records.trial import ErrorKind, Measured, Source, Trial
from engine.records.words import RunEnd
from tests.samples import make_task, make_trial, squeezenet_like_snapshot

TASKS = (
    make_task(0, "conv", 6e-3, weight=2, flops=3e8),
    make_task(1, "pool", 4e-3, flops=1e8),
    make_task(2, "add", 1e-4, flops=0.0),
)
RUN = RunInfo(1, RunState.FINISHED, RunSettings(), 1e9)


def trials(counts: Sequence[int], latency_s: float = 1e-3) -> tuple[Trial, ...]:
    """So many for each task."""
    tasks = [task for task, count in enumerate(counts) for _ in range(count)]
    return tuple(make_trial(number, task, latency_s) for number, task in enumerate(tasks, 1))


def tuned(*counts: int, **changes: object) -> Snapshot:
    """A project with so many trials for each task; its reference takes a fifth of it."""
    snapshot = Snapshot(
        "", "net", "net.onnx", "llvm", TASKS, (), trials(counts), (RUN,), reference_latency_s=6e-4
    )
    return replace(snapshot, **changes)  # type: ignore[arg-type]


def ran(*kinds: str, state: RunState = RunState.FINISHED, reason: str = "") -> RunInfo:
    """A run of these steps."""
    settings = RunSettings(steps=tuple(map(Step, ("search", *kinds))))
    return replace(RUN, settings=settings, state=state, reason=reason)


def advice(snapshot: Snapshot) -> Advice | None:
    found = overview(OpenProject(snapshot), None).advice
    return found[0] if found else None


def test_the_tasks_that_take_most_come_first_and_five_at_most() -> None:
    found = overview(OpenProject(tuned(1, 1, 1, trials=())), None)
    assert [task for task, _ in found.top] == [0, 1, 2]
    assert found.top[0][1] == pytest.approx(12 / 16.1)
    many = overview(OpenProject(squeezenet_like_snapshot(300)), None)
    shares = [share for _, share in many.top]
    assert len(shares) == 5 and shares == sorted(shares, reverse=True)


def test_the_part_of_the_peak_is_all_work_over_the_latency_now() -> None:
    project = OpenProject(tuned(1, 1, 1))
    found = overview(project, 1e12)
    assert found.figure.latency_s == pytest.approx(2e-3 + 1e-3 + 1e-4)
    assert found.peak_share == pytest.approx(7e8 / 3.1e-3 / 1e12)
    assert (found.reference, found.reference_s) == ("ONNX Runtime", 6e-4)
    assert overview(project, None).peak_share is None


CROWDED = Measured(5e-4, load=0.6)
ALL = ("share", "droplet", "transfer")


@pytest.mark.parametrize(
    ("snapshot", "expected"),
    [
        (tuned(), Advice.START),
        (tuned(70, 70, 70, runs=(ran(state=RunState.RUNNING),)), None),
        (tuned(70, 70, 70, runs=(ran(state=RunState.INTERRUPTED),)), Advice.CONTINUE),
        (tuned(70, 70, 70, measured={REFERENCE: CROWDED}), Advice.MEASURE),
        (tuned(70, 3, 70), Advice.TRIALS),
        (tuned(70, 70, 3), Advice.DROPLET),  # a task of no weight in the latency
        (tuned(70, 3, 70, runs=(ran(reason=RunEnd.EXHAUSTED),)), Advice.DROPLET),
        (tuned(70, 70, 70, runs=(ran("droplet"),)), Advice.TRANSFER),
        (tuned(70, 70, 70, runs=(ran(*ALL),)), Advice.LONGER),
        (tuned(70, 70, 70, runs=(ran(*ALL),), reference_latency_s=1.0), Advice.EXPORT),
        (tuned(70, 70, 70, runs=(ran(*ALL),), reference_latency_s=None), Advice.EXPORT),
        (squeezenet_like_snapshot(24), Advice.SHARE),
        (replace(tuned(), tasks=()), None),
    ],
)
def test_what_to_try_next_is_what_matters_most_now(
    snapshot: Snapshot, expected: Advice | None
) -> None:
    assert advice(snapshot) == expected


def test_the_task_that_is_to_have_more_trials_has_most_of_the_latency_for_each() -> None:
    found = overview(OpenProject(tuned(40, 2, 0)), None)
    text = "pool has 32 % of the latency and had only 2 trials: tune it longer."
    assert advice_text(found.advice) == text


def test_a_task_that_failed_is_not_to_have_more_trials() -> None:
    failed = tuple(
        replace(make_trial(100 + n, 1, None, error=ErrorKind.BUILD_ERROR)) for n in range(3)
    )
    snapshot = tuned(70, 0, 70)
    assert advice(replace(snapshot, trials=(*snapshot.trials, *failed))) is Advice.DROPLET


@pytest.mark.parametrize("source", [Source.DROPLET, Source.TRANSFERRED])
def test_a_pass_that_gave_trials_was_run_whatever_the_plan_says(source: Source) -> None:
    snapshot = tuned(70, 70, 70)
    given = replace(make_trial(300, 0, 9e-4), source=source)
    found = advice(replace(snapshot, trials=(*snapshot.trials, given)))
    assert found is (Advice.TRANSFER if source is Source.DROPLET else Advice.DROPLET)


def test_every_advice_has_the_fields_of_its_sentence() -> None:
    told = {
        found[0]: advice_text(found)
        for snapshot in (
            *(tuned(), tuned(70, 3, 70), tuned(70, 70, 70), squeezenet_like_snapshot(24)),
            *(tuned(70, 70, 70, runs=(ran(*ALL[:count]),)) for count in (2, 3)),
            tuned(70, 70, 70, runs=(ran(*ALL),), reference_latency_s=1.0),
            tuned(70, 70, 70, runs=(ran(state=RunState.INTERRUPTED),)),
            tuned(70, 70, 70, measured={REFERENCE: CROWDED}),
        )
        if (found := overview(OpenProject(snapshot), None).advice)
    }
    assert set(told) == set(Advice)
    assert not any("{" in text for text in told.values())
