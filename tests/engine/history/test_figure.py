"""How fast the model is: which measurement holds, beside which others, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.history.figure import figure_of, known_latencies, schedules_key, with_measured
from engine.history.figure_words import Note, doubts, notes, notes_text, word_of
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.events import ModelMeasured, TrialDone
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import REFERENCE, UNTUNED, RunInfo, Snapshot
from engine.records.trial import Measured, better_of, measured_of, spread_of
from tests.samples import make_task, make_trial

TASKS = (make_task(0, "conv", 60e-3), make_task(1, "dense", 40e-3))
GOOD = Measured(100e-3, 1e-3, 0.0, None, 1.0)
EMPTY = with_measured(Snapshot("", "net", "", "llvm", TASKS, (), ()), UNTUNED, GOOD)
CROWDED, SPREAD = {"load": 0.68}, {"spread_s": 60e-3}
THROTTLED = {"throttled": True}


def tuned(*latencies: tuple[int, float], run: int = 1) -> Snapshot:
    """A project whose tasks have these trials."""
    trials = tuple(
        make_trial(number, task, latency_s, run=run)
        for number, (task, latency_s) in enumerate(latencies, start=1)
    )
    return replace(EMPTY, trials=trials)


def measured(snapshot: Snapshot, latency_s: float, at: float, **disturbed: float) -> Snapshot:
    """The same, its model measured with the schedules it has."""
    history = History(snapshot)
    spread_s, load = disturbed.get("spread_s", 1e-4), disturbed.get("load", 0.0)
    throttled = bool(disturbed.get("throttled"))
    known = Measured(latency_s, spread_s, load, history.now_s(), at, throttled=throttled)
    return with_measured(snapshot, schedules_key(history), known)


def kinds(said: Iterable[tuple[Note, dict[str, str]]]) -> list[Note]:
    return [note for note, _ in said]


ONE = tuned((0, 3e-3), (1, 2e-3))  # 5 ms together
BOTH = (*ONE.trials, make_trial(3, 1, 1e-3, run=2))  # 4 ms


def test_a_model_without_a_schedule_is_the_untuned_one_and_no_faster() -> None:
    brief = tuple(replace(task, untuned_latency_s=1e-6) for task in TASKS)
    found = figure_of(replace(EMPTY, tasks=brief))
    assert (found.latency_s, found.measured, found.tuned) == (100e-3, True, False)
    assert found.speedup is None
    assert word_of(found) == "untuned"


def test_a_schedule_that_is_no_faster_is_none() -> None:
    found = figure_of(tuned((0, 61e-3)))
    assert (found.latency_s, found.tuned, found.speedup) == (100e-3, False, None)


def test_nothing_is_known_of_a_model_that_was_never_measured() -> None:
    tasks = (replace(TASKS[0], untuned_latency_s=None), TASKS[1])
    found = figure_of(Snapshot("", "net", "", "llvm", tasks, (), ()))
    assert (found.latency_s, found.speedup, word_of(found), notes(found)) == (None, None, "", [])


def test_before_it_is_measured_it_is_estimated_from_the_untuned_whole() -> None:
    found = figure_of(ONE)
    assert found.latency_s == pytest.approx(5e-3)
    assert (found.measured, word_of(found)) == (False, "estimate")
    assert found.speedup == pytest.approx(20)  # that of the kernels, so there is one speed-up
    slow = figure_of(replace(ONE, untuned_latency_s=200e-3))
    assert slow.latency_s == pytest.approx(10e-3)
    assert slow.speedup == pytest.approx(20)


def test_what_was_measured_with_just_these_schedules_holds() -> None:
    found = figure_of(measured(ONE, 6e-3, 5.0))
    assert (found.latency_s, found.measured, found.disturbed) == (6e-3, True, False)
    assert found.speedup == pytest.approx(100 / 6)
    assert doubts(found) == []


def test_a_run_that_begins_changes_nothing() -> None:
    before = measured(ONE, 6e-3, 5.0)
    begun = replace(before, runs=(RunInfo(2, RunState.PREPARING, RunSettings(), 9.0),))
    assert figure_of(begun) == figure_of(before)


def test_new_schedules_scale_the_last_measurement_by_what_the_kernels_gained() -> None:
    found = figure_of(replace(measured(ONE, 6e-3, 5.0), trials=BOTH))
    assert found.latency_s == pytest.approx(6e-3 * 4 / 5)
    assert kinds(notes(found)) == [Note.SCALED]


@pytest.mark.parametrize("disturbed", [CROWDED, SPREAD, THROTTLED])
@pytest.mark.parametrize("latency_s", [25.3e-3, 5e-3])
def test_a_disturbed_measurement_of_new_schedules_takes_no_good_one_away(
    disturbed: dict[str, float], latency_s: float
) -> None:
    good = measured(ONE, 6e-3, 5.0)
    found = figure_of(measured(replace(good, trials=BOTH), latency_s, 9.0, **disturbed))
    assert found.latency_s == pytest.approx(6e-3 * 4 / 5)
    assert found.speedup == pytest.approx(100 / 4.8)
    assert (found.measured, found.disturbed) == (False, True)
    assert Note.AGAIN in kinds(doubts(found))


@pytest.mark.parametrize(
    ("disturbed", "note"),
    [(CROWDED, Note.CROWDED), (SPREAD, Note.SPREAD), (THROTTLED, Note.THROTTLED)],
)
def test_the_only_measurement_is_shown_as_disturbed_where_it_is(
    disturbed: dict[str, float], note: Note
) -> None:
    found = figure_of(measured(ONE, 25.3e-3, 5.0, **disturbed))
    assert (found.latency_s, found.measured, found.disturbed) == (25.3e-3, True, True)
    assert word_of(found) == "disturbed"
    assert kinds(doubts(found)) == [note, Note.AGAIN, Note.OVER_DISTURBED]


def test_a_disturbance_is_told_with_its_figures() -> None:
    assert "other programs had 68 % of the cores" in notes_text(
        figure_of(measured(ONE, 25e-3, 5.0, **CROWDED))
    )
    assert "more than 240 % from it" in notes_text(figure_of(measured(ONE, 25e-3, 5.0, **SPREAD)))


def test_a_disturbed_baseline_is_told_beside_what_is_compared_with_it() -> None:
    base = with_measured(measured(ONE, 5e-3, 5.0), UNTUNED, replace(GOOD, load=0.5))
    base = with_measured(base, REFERENCE, replace(GOOD, spread_s=50e-3))
    assert kinds(doubts(figure_of(base))) == [
        Note.UNTUNED_CROWDED,
        Note.REFERENCE_SPREAD,
        Note.AGAIN,
    ]


@pytest.mark.parametrize(
    ("latency_s", "note"), [(5e-3, None), (6e-3, None), (9e-3, Note.OVER), (3e-3, Note.UNDER)]
)
def test_a_gap_between_the_kernels_and_the_whole_is_explained(
    latency_s: float, note: Note | None
) -> None:
    found = kinds(doubts(figure_of(measured(ONE, latency_s, 5.0))))
    assert found == ([note] if note else [])


def test_results_that_are_left_out_bring_back_the_measurement_of_before() -> None:
    later = measured(replace(measured(ONE, 6e-3, 5.0), trials=BOTH), 5e-3, 9.0)
    assert figure_of(later).latency_s == 5e-3
    assert figure_of(replace(later, unused=frozenset({2}))).latency_s == 6e-3


@pytest.mark.parametrize("trials", [0, 4])
def test_a_file_of_an_earlier_version_has_the_latency_of_its_last_run(trials: int) -> None:
    runs = (
        RunInfo(1, RunState.FINISHED, RunSettings(), 1.0, 2.0, tuned_latency_s=7e-3, trials=2),
        RunInfo(2, RunState.STOPPED, RunSettings(), 3.0, 4.0, trials=trials),
    )
    found = figure_of(replace(ONE, runs=runs))
    assert found.measured == (trials == 0)
    assert found.latency_s == pytest.approx(5e-3 if trials else 7e-3)


def test_an_open_project_follows_what_is_measured() -> None:
    project = OpenProject(replace(ONE, runs=(RunInfo(1, RunState.FINISHED, RunSettings(), 1.0),)))
    key = schedules_key(project.history)
    found = Measured(6e-3, 1e-4, 0.0, 5e-3, 9.0)
    project.apply([ModelMeasured(key, found, (1,))])
    assert project.figure().measured_s == 6e-3
    assert project.head.runs[0].tuned_latency_s == 6e-3
    project.apply([ModelMeasured(UNTUNED, replace(GOOD, latency_s=90e-3))])
    assert project.head.untuned_latency_s == 90e-3
    assert project.figure().speedup == pytest.approx(15)
    project.apply([TrialDone(make_trial(3, 1, 1e-3, run=2))])
    assert project.figure().latency_s == pytest.approx(6e-3 * 4 / 5)


def test_a_latency_of_earlier_versions_stays_that_of_its_schedules_in_an_open_project() -> None:
    run = RunInfo(1, RunState.FINISHED, RunSettings(), 1.0, 2.0, tuned_latency_s=7e-3)
    project = OpenProject(replace(ONE, runs=(run,)))
    assert project.figure().measured_s == 7e-3
    project.apply([TrialDone(make_trial(3, 1, 1e-3, run=2))])
    assert project.figure().measured_s is None
    assert known_latencies(project.head, project.history) == project.head.measured


# Which measurement to keep

BAD = replace(GOOD, latency_s=200e-3, load=0.5)


@pytest.mark.parametrize(
    ("known", "new", "kept"),
    [
        (None, BAD, "new"),
        (GOOD, replace(GOOD, latency_s=110e-3), "new"),
        (GOOD, BAD, "known"),
        (GOOD, replace(BAD, latency_s=50e-3), "known"),
        (BAD, GOOD, "new"),
        (BAD, replace(BAD, latency_s=190e-3), "new"),
        (BAD, replace(BAD, latency_s=210e-3), "known"),
    ],
)
def test_a_disturbed_measurement_never_replaces_a_good_one(
    known: Measured | None, new: Measured, kept: str
) -> None:
    assert better_of(known, new) is (new if kept == "new" else known)


def test_a_few_slow_samples_are_no_spread() -> None:
    samples = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 9.0, 8.0, 1.0]
    assert not measured_of(samples).disturbed
    assert measured_of([1.0, 3.0] * 5).disturbed
    assert spread_of([1.0]) is None and not measured_of([1.0]).disturbed
