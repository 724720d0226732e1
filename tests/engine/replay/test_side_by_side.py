"""Runs and replays side by side: who reached the threshold when, and what that saved."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.records.events import TrialDone
from engine.records.settings import Budget
from engine.records.snapshot import SlotInfo
from engine.records.trial import ErrorKind, Source
from engine.replay.replay import make_replay_policy, replay
from engine.replay.side_by_side import Contender, judge, replay_contender, run_contender
from tests.benchmarks.parts.figures import seconds_to
from tests.engine.allocation.curves_data import recording
from tests.replayed import folded, replayed_events
from tests.samples import make_task, make_trial


def contender(name: str, *steps: tuple[float, float]) -> Contender:
    seconds, latency_s = np.array(steps).T
    return Contender(name, name, False, seconds, latency_s, float(seconds[-1]))


def test_the_slowest_saves_nothing_and_the_others_against_it() -> None:
    quick = contender("quick", (0, 9.0), (10, 2.0), (90, 1.0))
    slow = contender("slow", (0, 9.0), (50, 1.04))
    never = contender("never", (0, 9.0), (50, 1.2))
    verdict = judge([quick, slow, never], 0.05)
    assert verdict.threshold_s == pytest.approx(1.05)
    assert [row.reached_s for row in verdict.rows] == [90.0, 50.0, math.inf]
    assert [row.saved_s for row in verdict.rows] == [0.0, 40.0, None]
    assert verdict.fastest is verdict.rows[1]
    assert verdict.slowest is verdict.rows[0]


def test_alone_there_is_nothing_to_save() -> None:
    verdict = judge([contender("one", (0, 2.0), (5, 1.0))], 0.01)
    assert verdict.rows[0].saved_s is None
    assert judge([], 0.05).threshold_s is None
    assert judge([], 0.05).fastest is None


def test_a_run_counts_by_its_own_trials_from_its_first_slot_on() -> None:
    tasks = (make_task(0, "a", 4e-3), make_task(1, "b", 2e-3, weight=3))
    trials = [
        make_trial(1, 0, 1e-3, run=1, elapsed_s=3.0),
        make_trial(2, 0, 3e-3, run=2, elapsed_s=12.0),
        make_trial(3, 1, None, error=ErrorKind.RUN_CRASH, run=2, elapsed_s=13.0),
        make_trial(4, 1, 1e-3, run=2, elapsed_s=15.0, confirmed=(9.0,)),
        replace(make_trial(5, 1, 1e-6, run=2, elapsed_s=16.0), source=Source.TRANSFERRED),
    ]
    slots = [SlotInfo(1, 1, 0, 0.0), SlotInfo(2, 2, 0, 10.0)]
    made = run_contender(tasks, 2, trials, slots, "Run 2")
    assert made is not None
    assert made.seconds.tolist() == [0.0, 2.0, 5.0]
    assert made.latency_s.tolist() == pytest.approx([10e-3, 9e-3, 6e-3])
    assert made.end_s == 5.0
    assert made.informed
    assert run_contender(tasks, 3, trials, slots, "Run 3") is None


def test_a_run_begins_when_every_task_has_a_latency() -> None:
    tasks = (make_task(0, "a", None), make_task(1, "b", 2e-3))
    trials = [make_trial(2, 1, 1e-3, elapsed_s=2.0), make_trial(3, 0, 5e-3, elapsed_s=3.0)]
    made = run_contender(tasks, 1, trials, [SlotInfo(1, 1, 0, 1.0)], "Run 1")
    assert made is not None
    assert (made.seconds.tolist(), made.latency_s.tolist()) == ([2.0], [6e-3])
    assert run_contender(tasks, 1, trials[:1], [], "Run 1") is None


def test_a_replay_is_where_its_result_is() -> None:
    recorded = recording()
    result = replay(recorded, make_replay_policy(recorded, "round-robin"))
    made = replay_contender(recorded, result, "Round robin")
    assert made.final_s == result.final_s
    for part in (1.05, 1.5, 3.0):
        goal_s = part * result.final_s
        assert made.seconds_to(goal_s) == seconds_to(result, goal_s)
    assert made.regret is not None and made.regret >= 0


def test_a_run_that_replays_a_recording_is_the_replay() -> None:
    recorded = recording()
    snapshot = folded(replayed_events("round-robin", recorded))
    run = run_contender(snapshot.tasks, 1, snapshot.trials, snapshot.slots, "Run 1")
    result = replay(recorded, make_replay_policy(recorded, "round-robin"))
    played = replay_contender(recorded, result, "Round robin")
    assert run is not None
    assert run.final_s == pytest.approx(played.final_s)
    assert run.seconds_to(run.final_s * 1.05) == pytest.approx(
        played.seconds_to(1.05 * run.final_s)
    )


def test_two_runs_of_one_project_are_told_apart() -> None:
    events = replayed_events(budgets=(Budget(trials=60), Budget(trials=40)))
    snapshot = folded(events)
    counts = {run.id: run.trials for run in snapshot.runs}
    assert counts == {1: 60, 2: 40}
    assert sum(isinstance(event, TrialDone) for event in events) == 100
    for run in (1, 2):
        made = run_contender(snapshot.tasks, run, snapshot.trials, snapshot.slots, "")
        assert made is not None
        assert made.latency_s[0] == pytest.approx(snapshot.untuned_latency_s)
