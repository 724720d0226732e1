"""The belief over the convergence curves, and the dialog that shows its sampler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import widgets.convergence.belief_job
from engine.allocation.belief_series import (
    BeliefQuestion,
    BeliefSeries,
    ChainSeries,
    build_belief_series,
)
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.history.slot_log import SlotLog
from engine.records.events import SlotStarted, TrialDone
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import SlotInfo
from tests.feeding import begin, feed
from tests.replayed import folded, replayed_events
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.convergence.belief_job import belief_text, pace_of, place_belief
from widgets.convergence.sampler_dialog import (
    NO_CHAIN,
    NO_SAMPLER,
    SamplerDialog,
    chain_text,
    trace_of,
)
from widgets.convergence.view import ConvergenceView
from widgets.plots.convergence_series import Across

PROJECT = folded(replayed_events(budgets=(Budget(trials=110),)))
TASK = 1


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ConvergenceView]:
    """A view of a replayed project, a task selected, without a belief."""
    made = ConvergenceView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    begin(made, PROJECT)
    made.select_task(TASK)
    yield made
    made.close()


@pytest.fixture
def by_the_paper(view: ConvergenceView) -> ConvergenceView:
    """The same view of a run of the paper's policy."""
    settings = RunSettings(policy="dynatune-paper", policy_options={"steps": 60})
    begin(view, replace(PROJECT, runs=tuple(replace(r, settings=settings) for r in PROJECT.runs)))
    view.select_task(TASK)
    return view


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The trials of each history that a belief was worked out of."""
    found: list[int] = []

    def counted(question: BeliefQuestion) -> BeliefSeries | None:
        found.append(len(question.view.latencies))
        return build_belief_series(question)

    monkeypatch.setattr(widgets.convergence.belief_job, "build_belief_series", counted)
    return found


def series(**changes: object) -> BeliefSeries:
    made = BeliefSeries(
        task=0, family="log-power", starts=np.array([2, 4]), fit_at=np.array([2.0, 3.0, 4.0]),
        fit_s=np.array([3e-3, 2e-3, 1e-3]), ahead_at=np.array([4.0, 8.0]),
        mean_s=np.array([1e-3, 9e-4]), fast_s=np.array([1e-3, 8e-4]),
        slow_s=np.array([1e-3, 1e-3]), gain_s=1e-4, spread_s=5e-5, curves=True, acceptance=0.54,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def history() -> History:
    """A task with four trials at 1, 2, 6 and 7 s, and another's until 10 s."""
    own = [(1, 1.0), (2, 2.0), (5, 6.0), (6, 7.0)]
    trials = [make_trial(n, 0, 1e-3, elapsed_s=at) for n, at in own]
    trials.append(make_trial(9, 1, 1e-3, elapsed_s=10.0))
    tasks = (make_task(0, "a", 4e-3), make_task(1, "b", 4e-3))
    return History(replace(squeezenet_like_snapshot(), tasks=tasks, trials=tuple(trials)))


# Places


def test_the_past_is_where_the_trials_were_and_the_future_begins_now() -> None:
    placed = place_belief(history(), series(), Across.SECONDS, pace=0.5)
    assert placed.fit_x.tolist() == [2.0, 6.0, 7.0, 10.0]
    assert placed.fit_y.tolist() == [3e-3, 2e-3, 1e-3, 1e-3]
    assert placed.ahead_x.tolist() == [10.0, 12.0]
    assert placed.starts_x.tolist() == [2.0, 7.0]


def test_by_trials_each_trial_ahead_is_one() -> None:
    placed = place_belief(history(), series(), Across.TRIALS, pace=1.0)
    assert placed.fit_x.tolist() == [2.0, 5.0, 6.0, 9.0]
    assert placed.ahead_x.tolist() == [9.0, 13.0]


def test_a_fallback_has_a_band_without_a_fit() -> None:
    nothing = np.empty(0)
    placed = place_belief(history(), series(fit_at=nothing, fit_s=nothing), Across.SECONDS, 1.0)
    assert placed.fit_x.size == 0
    assert placed.ahead_x.tolist() == [10.0, 14.0]


def test_the_pace_is_that_of_the_tasks_own_slots_where_it_had_any() -> None:
    spans = SlotLog(PROJECT).spans()
    own = [span for span in spans if span.info.task == TASK]
    wanted = sum(span.seconds for span in own) / sum(span.trials for span in own)
    known = History(PROJECT)
    assert pace_of(known, TASK, spans, Across.SECONDS) == pytest.approx(wanted)
    assert pace_of(known, TASK, spans, Across.TRIALS) == 1.0
    assert pace_of(history(), 0, (), Across.SECONDS) == 2.0


def test_a_belief_in_words_has_gain_spread_and_acceptance_or_why_there_is_none() -> None:
    assert belief_text(series()) == (
        "next slot: 100 us expected off the model ± 50 us (log-power, acceptance 54 %)"
    )
    assert "(no curve fits)" in belief_text(series(why="no curve fits", acceptance=None))
    assert belief_text(series(curves=False, low_s=0.0, high_s=3e-4)) == (
        "next slot: 100 us expected off the model ± 50 us (80 %: 0 to 300 us)"
    )
    assert "before the first latency" in belief_text(None)


# The view


def test_the_belief_is_off_until_a_person_asks_and_needs_a_task(view: ConvergenceView) -> None:
    assert not view.bar.belief.isChecked()
    assert view.bar.belief.isEnabled()
    view.select_task(None)
    assert not view.bar.belief.isEnabled()


def test_a_belief_is_drawn_ahead_and_all_of_it_is_in_sight(
    view: ConvergenceView, qtbot: QtBot
) -> None:
    before = view.plots.model.plot.vb.viewRange()[0][1]
    QTest.keyClick(view, Qt.Key.Key_B)
    layer = view.plots.tasks.belief
    qtbot.waitUntil(lambda: layer.placed is not None)
    assert layer.end() > PROJECT.elapsed_s
    assert view.plots.model.plot.vb.viewRange()[0][1] >= max(before, layer.end())
    assert layer.text.startswith("next slot:")
    QTest.keyClick(view, Qt.Key.Key_B)
    assert (layer.placed, layer.text) == (None, "")


def test_another_task_shows_its_own_belief(view: ConvergenceView, qtbot: QtBot) -> None:
    view.set_belief(True)
    qtbot.waitUntil(lambda: view.belief.answered)
    view.select_task(2)
    assert view.plots.tasks.belief.placed is None
    qtbot.waitUntil(lambda: view.belief.answered)
    assert view.belief.series is not None
    assert view.belief.series.task == 2
    view.select_task(None)
    assert view.plots.tasks.belief.placed is None


def test_a_belief_is_worked_out_once_for_each_history(
    view: ConvergenceView, qtbot: QtBot, asked: list[int]
) -> None:
    view.set_belief(True)
    for task in (TASK, 2, TASK, 2):
        view.select_task(task)
        qtbot.waitUntil(lambda: view.belief.answered)
    assert len(asked) == 2


def test_a_belief_waits_for_the_next_slot_not_for_each_trial(
    view: ConvergenceView, qtbot: QtBot, asked: list[int]
) -> None:
    view.set_belief(True)
    qtbot.waitUntil(lambda: view.belief.answered)
    count = asked[0]
    end_s = PROJECT.elapsed_s
    number = max(trial.number for trial in PROJECT.trials)
    for extra in (1, 2, 3):
        feed(view, [TrialDone(make_trial(number + extra, TASK, 1e-3, elapsed_s=end_s + extra))])
    assert asked == [count]
    feed(view, [SlotStarted(SlotInfo(99, 1, 0, end_s + 4))])
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked == [count, count + 3]


def test_a_task_without_results_says_so(view: ConvergenceView, qtbot: QtBot) -> None:
    tasks = tuple(replace(task, untuned_latency_s=None) for task in PROJECT.tasks)
    trials = tuple(trial for trial in PROJECT.trials if trial.task != TASK)
    begin(view, replace(PROJECT, trials=trials, tasks=tasks))
    view.set_belief(True)
    view.select_task(TASK)
    qtbot.waitUntil(lambda: view.belief.answered)
    assert "before the first latency" in view.plots.tasks.belief.text


def test_a_task_without_a_slot_has_a_belief_of_its_first_one(
    view: ConvergenceView, qtbot: QtBot
) -> None:
    trials = tuple(trial for trial in PROJECT.trials if trial.task != TASK)
    slots = tuple(slot for slot in PROJECT.slots if slot.task != TASK)
    begin(view, replace(PROJECT, trials=trials, slots=slots))
    view.set_belief(True)
    view.select_task(TASK)
    qtbot.waitUntil(lambda: view.belief.answered)
    assert "next slot:" in view.plots.tasks.belief.text


def test_the_band_of_the_default_policy_begins_at_the_best_and_has_no_curve(
    view: ConvergenceView, qtbot: QtBot
) -> None:
    view.set_belief(True)
    qtbot.waitUntil(lambda: view.belief.answered)
    placed, history = view.plots.tasks.belief.placed, History(PROJECT)
    assert placed is not None
    assert (placed.fit_x.size, placed.starts_x.size) == (0, 0)
    assert placed.mean_y[0] == placed.slow_y[0] == history.now(TASK)
    assert (placed.fast_y <= placed.mean_y).all()


def test_the_papers_policy_shows_its_curve(by_the_paper: ConvergenceView, qtbot: QtBot) -> None:
    by_the_paper.set_belief(True)
    qtbot.waitUntil(lambda: by_the_paper.belief.answered)
    placed = by_the_paper.plots.tasks.belief.placed
    assert placed is not None
    assert placed.fit_x.size > 0
    assert "acceptance" in by_the_paper.plots.tasks.belief.text


def test_a_view_that_closes_leaves_no_thread(qtbot: QtBot) -> None:
    made = ConvergenceView(OpenProject())
    qtbot.addWidget(made)
    made.show()
    begin(made, PROJECT)
    made.select_task(TASK)
    made.set_belief(True)
    made.close()
    assert made.belief.series is None


# The sampler


def test_the_sampler_shows_a_plot_for_each_parameter(
    by_the_paper: ConvergenceView, qtbot: QtBot
) -> None:
    dialog = by_the_paper.show_sampler()
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.series is not None)
    assert dialog.windowTitle() == f"Sampler: {PROJECT.tasks[TASK].name}"
    assert len(dialog.plots.ci.items) == 3
    assert "Mean acceptance 0." in dialog.text.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_sampler_is_offered_for_the_papers_policy_and_a_sentence_otherwise(
    view: ConvergenceView, qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    assert view.bar.belief.isVisible() and not view.bar.sampler.isVisible()
    dialog = view.show_sampler()
    assert dialog is not None
    assert dialog.text.text() == NO_SAMPLER
    assert not dialog.plots.isVisible() and dialog.series is None
    dialog.close()
    assert request.getfixturevalue("by_the_paper").bar.sampler.isVisible()


def test_a_sampler_without_a_chain_says_why(by_the_paper: ConvergenceView, qtbot: QtBot) -> None:
    question = by_the_paper.belief.question()
    assert question is not None
    few = replace(question, views=(replace(question.view, latencies=(1e-3,)),))
    dialog = SamplerDialog(few, "a")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.text.text() == NO_CHAIN)
    dialog.close()


def test_without_a_task_there_is_no_sampler(view: ConvergenceView) -> None:
    view.select_task(None)
    assert view.show_sampler() is None


def test_walkers_are_one_line_with_a_gap_after_each() -> None:
    x, y = trace_of(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert x.tolist() == [0, 1, 2, 0, 1, 2]
    assert np.isnan(y).tolist() == [False, False, True] * 2


def test_a_chain_in_words_has_what_the_papers_appendix_has() -> None:
    chain = ChainSeries(
        0, "pow2", ("a", "alpha"), np.zeros((2, 10, 500)), 100, 0.541, np.array([31.4, 28.0])
    )
    text = chain_text(chain)
    assert "pow2, 10 walkers, 500 steps" in text
    assert "acceptance 0.54 (the paper: 0.54)" in text
    assert "a 31, alpha 28" in text
