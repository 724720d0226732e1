"""History: what trials add up to, by hand-checked numbers."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from engine.history.history import History
from engine.history.improvements import improvements
from engine.records.events import (
    Event,
    ProjectOpened,
    RunChanged,
    TaskChanged,
    TrialConfirmed,
    TrialDone,
)
from engine.records.network import Operator
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from engine.records.task import Task, TaskState, TensorSpec
from engine.records.trial import ErrorKind, Trial
from tests.samples import make_task, make_trial, squeezenet_like_snapshot


def snapshot(*tasks: Task, trials: tuple[Trial, ...] = ()) -> Snapshot:
    return Snapshot("", "test data", "", "llvm", tasks, (), trials)


def two_tasks() -> tuple[Task, Task]:
    """Untuned 3 x 4 ms and 1 x 8 ms: 20 ms in all."""
    return make_task(0, "a", 4e-3, weight=3), make_task(1, "b", 8e-3)


def test_without_trials_a_model_is_as_fast_as_its_untuned_tasks() -> None:
    history = History(snapshot(*two_tasks()))
    assert history.now_s() == history.untuned_s() == pytest.approx(20e-3)
    assert history.share(0) == pytest.approx(0.6)
    assert history.share_tuned() == 0.0
    assert history.best(0) is None
    assert history.model_curve().latency_s.tolist() == pytest.approx([20e-3])


def test_each_improvement_is_a_change_point_and_moves_the_model() -> None:
    history = History(snapshot(*two_tasks()))
    latencies = [(1, 0, 3e-3), (2, 0, 3.5e-3), (3, 1, 2e-3), (4, 0, 1e-3)]
    changed = history.apply([TrialDone(make_trial(*one)) for one in latencies])
    assert changed == {0, 1}
    assert history.curve(0).trials.tolist() == [1, 4]
    assert history.curve(0).elapsed_s.tolist() == [0.5, 2.0]
    assert history.curve(0).latency_s.tolist() == pytest.approx([3e-3, 1e-3])
    model = history.model_curve()
    assert model.trials.tolist() == [0, 1, 3, 4]
    assert model.latency_s.tolist() == pytest.approx([20e-3, 17e-3, 11e-3, 5e-3])
    assert history.best_trial(0) == 4
    assert history.now_s() == pytest.approx(5e-3)
    assert history.share(0) == pytest.approx(0.6)
    assert history.speedup(0) == pytest.approx(4.0)
    assert history.flops_per_s(0) == pytest.approx(1e11)
    assert history.share_tuned() == pytest.approx(1.0)


def test_a_failed_trial_counts_as_an_error_and_never_as_a_latency() -> None:
    history = History(snapshot(*two_tasks()))
    kinds = [ErrorKind.BUILD_ERROR, ErrorKind.RUN_CRASH, ErrorKind.RUN_CRASH]
    for number, kind in enumerate(kinds, 1):
        history.apply([TrialDone(make_trial(number, 0, None, error=kind))])
    assert history.trials(0) == history.errors(0) == history.trial_count == 3
    assert history.commonest_error(0) is ErrorKind.RUN_CRASH
    assert history.commonest_error(1) is None
    assert history.best(0) is None
    assert history.now(0) == 4e-3


def test_a_task_that_failed_stays_marked_with_its_reason_after_reopening() -> None:
    made = snapshot(*two_tasks())
    run = RunInfo(1, RunState.FINISHED, RunSettings(), 0.0, failed={1: "a rule broke", 99: "none"})
    failed = make_trial(1, 0, None, error=ErrorKind.BUILD_ERROR)
    history = History(replace(made, runs=(run,), trials=(failed, make_trial(2, 1, 1e-3))))
    assert [history.state(task) for task in (0, 1)] == [TaskState.FAILED] * 2
    assert history.why_failed(0) == "its only candidate failed with a build error"
    assert history.why_failed(1) == "a rule broke"
    again = replace(run, id=2, failed={})
    history = History(replace(made, runs=(run, again), trials=(failed, make_trial(2, 1, 1e-3))))
    assert history.state(1) is TaskState.FINISHED
    assert history.why_failed(1) == ""
    history.apply([TaskChanged(1, TaskState.FAILED, "another rule broke")])
    assert history.why_failed(1) == "another rule broke"
    history.apply([TaskChanged(1, TaskState.SEARCHING)])
    assert history.why_failed(1) == ""


@pytest.mark.parametrize(("best_s", "tuned"), [(5e-3, False), (4e-3, False), (3.9e-3, True)])
def test_a_schedule_that_is_no_faster_than_the_untuned_kernel_counts_for_nothing(
    best_s: float, tuned: bool
) -> None:
    history = History(snapshot(*two_tasks()))
    history.apply([TrialDone(make_trial(1, 0, best_s))])
    assert (history.record(0) is not None) == tuned
    assert history.stays_untuned(0) == (not tuned)
    assert not history.stays_untuned(1)  # it was not tuned at all
    assert (history.share_tuned() > 0) == tuned
    assert history.now(0) == min(best_s, 4e-3)


def test_a_confirmation_overrides_a_lucky_first_measurement() -> None:
    history = History(snapshot(*two_tasks()))
    trials = [make_trial(1, 0, 1.0e-3), make_trial(2, 0, 1.1e-3), make_trial(3, 0, 1.05e-3)]
    history.apply([TrialDone(trial) for trial in trials])
    confirmed = [replace(trials[0], confirmed=(1.3e-3,)), replace(trials[1], confirmed=(1.2e-3,))]
    history.apply([TrialConfirmed(trial) for trial in confirmed])
    assert history.best(0) == pytest.approx(1.2e-3)
    assert history.best_trial(0) == 2
    assert history.trial_count == 3
    assert history.curve(0).trials.tolist() == [1, 3]
    assert history.curve(0).latency_s.tolist() == pytest.approx([1.0e-3, 1.2e-3])


@pytest.mark.parametrize(
    ("rival", "wins"),
    [
        ((0.90e-3, 0.91e-3, 0.92e-3, 0.93e-3), True),
        ((0.80e-3, 0.95e-3, 1.02e-3, 1.10e-3), False),  # faster by luck, as far as samples tell
        ((1.10e-3, 1.11e-3, 1.12e-3, 1.13e-3), False),
    ],
)
def test_a_record_of_an_earlier_run_stays_unless_a_later_one_is_surely_faster(
    rival: tuple[float, ...], wins: bool
) -> None:
    samples = (1.00e-3, 1.01e-3, 1.02e-3, 1.03e-3)
    trials = [make_trial(1, 0, 1e-3), replace(make_trial(2, 0, 0.9e-3), run=2)]
    history = History(snapshot(*two_tasks()))
    history.apply([TrialDone(trial) for trial in trials])
    assert history.record(0) == 2
    confirmed = [replace(trials[0], confirmed=samples), replace(trials[1], confirmed=rival)]
    history.apply([TrialConfirmed(trial) for trial in confirmed])
    assert history.record(0) == (2 if wins else 1)


def test_trials_of_a_later_run_compete_with_what_was_confirmed() -> None:
    history = History(snapshot(*two_tasks()))
    first = make_trial(1, 0, 1.0e-3)
    history.apply([TrialDone(first), TrialConfirmed(replace(first, confirmed=(1.2e-3,)))])
    history.apply([TrialDone(make_trial(2, 0, 1.25e-3, run=2))])
    assert history.best_trial(0) == 1
    history.apply([TrialDone(make_trial(3, 0, 1.1e-3, run=2))])
    assert history.best(0) == pytest.approx(1.1e-3)
    assert history.curve(0).latency_s.tolist() == pytest.approx([1.2e-3, 1.1e-3])


def test_a_trial_that_comes_twice_counts_once() -> None:
    trial = make_trial(1, 0, 3e-3)
    failed = make_trial(2, 0, None, error=ErrorKind.RUN_ERROR)
    history = History(snapshot(*two_tasks(), trials=(trial, failed)))
    history.apply([TrialDone(trial), TrialDone(failed)])
    assert history.trials(0) == 2
    assert history.errors(0) == 1
    assert history.curve(0).trials.tolist() == [1]


def test_the_model_is_unknown_until_its_last_task_has_a_latency() -> None:
    history = History(snapshot(make_task(0, "a", None), make_task(1, "b", 2e-3)))
    history.apply([TrialDone(make_trial(1, 1, 1e-3))])
    assert history.now_s() is None
    assert history.untuned_s() is None
    assert len(history.model_curve().trials) == 0
    assert history.shares() == {1: 1.0}
    history.apply([TrialDone(make_trial(2, 0, 5e-3))])
    assert history.model_curve().trials.tolist() == [2]
    assert history.model_curve().latency_s.tolist() == pytest.approx([6e-3])


def test_an_operator_has_its_part_of_the_share_of_its_task() -> None:
    output = TensorSpec((1,), "float32")
    operators = tuple(Operator(i, "a", "a", 0, (), output) for i in range(3))
    history = History(replace(snapshot(*two_tasks()), operators=operators))
    assert history.operator_share(0) == pytest.approx(0.2)
    assert history.operator_share(1) == pytest.approx(0.4)


def test_events_of_tasks_that_the_project_does_not_have_change_nothing() -> None:
    history = History(snapshot(*two_tasks()))
    assert history.apply([TrialDone(make_trial(1, 99, 1e-3))]) == frozenset()
    assert History().now_s() is None
    assert len(History().model_curve().trials) == 0


def test_a_task_is_in_the_state_it_entered_until_its_run_ends() -> None:
    history = History(snapshot(*two_tasks()))
    assert history.apply([TaskChanged(0, TaskState.MEASURING)]) == {0}
    assert history.apply([TaskChanged(0, TaskState.MEASURING)]) == frozenset()
    assert history.apply([TaskChanged(1, TaskState.FAILED)]) == {1}
    assert history.apply([RunChanged(1, RunState.STOPPED)]) == {0}
    assert history.state(0) is TaskState.WAITING
    assert history.state(1) is TaskState.FAILED


@pytest.mark.parametrize("state", [state for state in RunState if not state.active])
@pytest.mark.parametrize("left", [TaskState.WAITING, TaskState.SEARCHING, TaskState.MEASURING])
def test_a_task_with_a_schedule_is_not_waiting_once_its_run_is_over(
    state: RunState, left: TaskState
) -> None:
    history = History(snapshot(*two_tasks()))
    history.apply([TrialDone(make_trial(1, 0, 1e-5)), TaskChanged(0, left), TaskChanged(1, left)])
    history.apply([RunChanged(1, state)])
    tuned = TaskState.FINISHED if state is RunState.FINISHED else TaskState.TUNED
    assert history.state(0) is tuned
    assert history.state(1) is TaskState.WAITING


@pytest.mark.parametrize("state", [state for state in RunState if not state.active])
def test_a_reopened_project_tells_tuned_tasks_from_those_that_wait(state: RunState) -> None:
    whole = squeezenet_like_snapshot(trials=100)
    runs = (replace(whole.runs[-1], state=state),)
    history = History(replace(whole, runs=runs))
    tuned = TaskState.FINISHED if state is RunState.FINISHED else TaskState.TUNED
    found = {history.state(task.index) for task in whole.tasks if history.record(task.index)}
    assert found == {tuned}


def test_a_reopened_project_shows_failed_and_finished_tasks_as_such() -> None:
    finished = squeezenet_like_snapshot(trials=400)
    bad = tuple(make_trial(n, 0, None, error=ErrorKind.BUILD_ERROR) for n in (1, 2))
    others = tuple(trial for trial in finished.trials if trial.task != 0)
    history = History(replace(finished, trials=bad + others[2:]))
    assert history.state(0) is TaskState.FAILED
    assert history.state(1) is TaskState.FINISHED


def events_of(project: Snapshot) -> list[Event]:
    """The project's trials as live events, with a confirmation for some of them."""
    dice = random.Random(1)
    events: list[Event] = [TrialDone(trial) for trial in project.trials]
    for trial in project.trials:
        if trial.error is None and dice.random() < 0.05:
            events.append(TrialConfirmed(replace(trial, confirmed=(trial.latency_s * 1.02,))))
    return events


def test_following_events_ends_where_reopening_the_file_starts() -> None:
    project = squeezenet_like_snapshot(trials=600)
    live = History(replace(project, trials=()))
    trials = {}
    for event in events_of(project):
        assert isinstance(event, TrialDone | TrialConfirmed)
        live.apply([event])
        trials[event.trial.number] = event.trial
        live.now_s()
    final = replace(project, trials=tuple(trials.values()))
    reopened = History()
    reopened.apply([ProjectOpened(final)])
    for task in project.tasks:
        assert live.curve(task.index).latency_s.tolist() == pytest.approx(
            reopened.curve(task.index).latency_s.tolist()
        )
        assert live.best_trial(task.index) == reopened.best_trial(task.index)
        assert live.errors(task.index) == reopened.errors(task.index)
    np.testing.assert_allclose(live.model_curve().latency_s, reopened.model_curve().latency_s)
    assert live.model_curve().latency_s[-1] == pytest.approx(live.now_s())
    assert sum(live.shares().values()) == pytest.approx(1.0)


def test_a_merged_operator_has_figures_of_its_own_and_is_no_part_of_the_model() -> None:
    alone = snapshot(*two_tasks(), trials=(make_trial(1, 0, 2e-3),))
    merged = replace(make_task(2, "m", 1e-3), untuned_latency_s=None, weight=0, merged=(0, 1))
    grown = replace(alone, tasks=(*alone.tasks, merged))
    before, after = History(alone), History(grown)
    assert after.now(2) is None
    for trial in (make_trial(2, 2, 5e-3), make_trial(3, 2, 4e-3)):
        after.apply([TrialDone(trial)])
    assert (after.best(2), after.record(2), after.now(2)) == (4e-3, 3, 4e-3)
    assert after.speedup(2) is None
    assert after.share(2) is None
    assert (after.now_s(), after.untuned_s()) == (before.now_s(), before.untuned_s())
    assert (after.shares(), after.share_tuned()) == (before.shares(), before.share_tuned())
    assert after.model_curve().latency_s.tolist() == before.model_curve().latency_s.tolist()
    assert improvements(replace(grown, trials=(*grown.trials, make_trial(2, 2, 5e-3)))).totals == (
        improvements(alone).totals
    )


def test_a_task_whose_every_trial_is_slower_than_untuned_stays_untuned() -> None:
    task = make_task(0, "conv2d", 1e-3, weight=2)
    trials = (make_trial(1, 0, 3e-3), make_trial(2, 0, 2e-3))
    history = History(replace(squeezenet_like_snapshot(), tasks=(task,), trials=trials))
    assert history.now(0) == 1e-3
    assert history.record(0) is None
    assert history.best_trial(0) == 2
    assert set(history.model_curve().latency_s) == {task.weight * 1e-3}
    history.apply([TrialDone(make_trial(3, 0, 5e-4))])
    assert history.record(0) == 3
