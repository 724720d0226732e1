"""Slots over time: what each took, what it gave, which go on, in which row they are drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.history.slot_log import SlotLog, SlotSpan, lanes
from engine.records.events import RunChanged, Scores, SlotStarted, TaskChanged, TrialDone
from engine.records.settings import RunState
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Trial
from tests.replayed import folded, opened, replayed_events
from tests.samples import make_task, make_trial


def trial(number: int, task: int, slot: int, latency_s: float | None) -> Trial:
    error = ErrorKind.RUN_CRASH if latency_s is None else None
    made = make_trial(number, task, latency_s, error=error, elapsed_s=float(number))
    return replace(made, slot=slot)


def project(*trials: Trial, slots: tuple[SlotInfo, ...] = ()) -> Snapshot:
    """Two tasks, the second without an untuned latency and of weight 3."""
    tasks = (make_task(0, "a", 4e-3), make_task(1, "b", None, weight=3))
    return Snapshot("", "test", "", "llvm", tasks, (), trials, slots=slots)


def at(event_s: float) -> Scores:
    return Scores(event_s)


def test_a_slot_gains_weight_times_what_its_task_became_faster() -> None:
    slots = (SlotInfo(1, 1, 0, 0.0), SlotInfo(2, 1, 1, 2.0), SlotInfo(3, 1, 1, 4.0))
    trials = (
        trial(1, 0, 1, 5e-3), trial(2, 0, 1, 3e-3), trial(3, 1, 2, 2e-3),
        trial(5, 1, 3, 1e-3), trial(6, 1, 3, None),
    )  # fmt: skip
    first, second, third = SlotLog(project(*trials, slots=slots)).spans()
    assert first.gain_s == pytest.approx(1e-3)
    assert second.gain_s is None
    assert third.gain_s == pytest.approx(3e-3)
    assert (third.trials, third.errors, third.end_s) == (2, 1, 6.0)


def test_a_slower_slot_gains_nothing() -> None:
    log = SlotLog(project(trial(1, 0, 1, 9.0), slots=(SlotInfo(1, 1, 0, 0.0),)))
    assert log.spans()[0].gain_s == 0.0


def test_a_slot_runs_until_its_task_rests_and_ends_with_its_last_result() -> None:
    log = SlotLog(project())
    assert log.apply([SlotStarted(SlotInfo(1, 1, 0, 1.0))])
    log.apply([TrialDone(trial(3, 0, 1, 1e-3)), at(7.0)])
    assert (log.spans()[0].running, log.spans()[0].end_s) == (True, 7.0)
    log.apply([TaskChanged(0, TaskState.WAITING)])
    assert (log.spans()[0].running, log.spans()[0].end_s) == (False, 3.0)
    assert not log.apply([at(9.0), TaskChanged(0, TaskState.WAITING)])


def test_the_end_of_a_run_ends_its_slots() -> None:
    log = SlotLog(project())
    log.apply([SlotStarted(SlotInfo(1, 1, 0, 1.0)), RunChanged(1, RunState.STOPPED)])
    assert not log.spans()[0].running


def test_trials_of_unknown_slots_count_for_the_best_alone() -> None:
    log = SlotLog(project(trial(1, 0, 0, 2e-3)))
    log.apply([SlotStarted(SlotInfo(1, 1, 0, 1.0)), TrialDone(trial(2, 0, 1, 1e-3))])
    assert log.spans()[0].gain_s == pytest.approx(1e-3)


def test_events_and_the_file_they_come_to_give_the_same_slots() -> None:
    events = replayed_events()
    live = SlotLog(opened(events))
    live.apply(events)
    stored = SlotLog(folded(events))
    assert live.spans() == stored.spans()
    assert len(stored.spans()) > 10
    assert sum(span.trials for span in stored.spans()) == 147


def test_slots_that_overlap_are_in_different_rows() -> None:
    def span(start_s: float, end_s: float) -> SlotSpan:
        return SlotSpan(SlotInfo(0, 1, 0, start_s), end_s, 1, 0, None, False)

    assert lanes([span(0, 4), span(1, 2), span(2, 3), span(3, 9), span(4, 5)]) == [0, 1, 1, 1, 0]
    assert lanes([]) == []
