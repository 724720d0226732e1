"""The convergence view: what it shows, what a person picks, what never moves by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import Scores, TrialDone
from engine.records.snapshot import Snapshot
from tests.feeding import begin, feed
from tests.figures import figure
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.convergence.view import NO_TRIALS, ConvergenceView
from widgets.parts.notice import NO_MODEL
from widgets.plots.convergence_series import Across

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
Range = list[list[float]]


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ConvergenceView]:
    """A view of 900 x 600, without a project."""
    made = ConvergenceView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    yield made
    made.close()


@pytest.fixture
def picked(view: ConvergenceView) -> list[object]:
    """What the view says a person picked."""
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    return heard


def two_tasks() -> Snapshot:
    """Two tasks far apart, with two trials each."""
    trials = [(1, 0, 2e-3), (2, 1, 60e-6), (3, 0, 1e-3), (40, 1, 50e-6)]
    return Snapshot(
        "",
        "test data",
        "",
        "llvm",
        (make_task(0, "a", 4e-3), make_task(1, "b", 80e-6)),
        (),
        tuple(make_trial(*trial) for trial in trials),
        reference_latency_s=3e-3,
    )


def ranges(view: ConvergenceView) -> Range:
    """What is in sight: across, and upwards in both plots."""
    (across, up), (_, up_below) = (
        panel.plot.vb.viewRange() for panel in (view.plots.model, view.plots.tasks)
    )
    return [list(across), list(up), list(up_below)]


def on_screen(view: ConvergenceView, time_s: float, latency_s: float) -> QPoint:
    """Where a place of the lower plot is in the canvas."""
    QApplication.processEvents()
    x, y = view.plots.tasks.plot.on_screen(np.array([time_s]), np.array([latency_s]))
    place: QPoint = view.plots.mapFromScene(QPointF(float(x[0]), float(y[0])))
    return place


def point_at(view: ConvergenceView, time_s: float, latency_s: float) -> None:
    """Move the pointer there; pyqtgraph listens to it a hundred times a second."""
    QTest.qWait(15)
    QTest.mouseMove(view.plots.viewport(), on_screen(view, time_s, latency_s))


def turn_wheel(view: ConvergenceView) -> None:
    port = view.plots.viewport()
    at = QPointF(port.width() / 2, port.height() / 4)
    event = QWheelEvent(
        at,
        port.mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        NO_KEY,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def test_an_empty_view_says_the_next_step(view: ConvergenceView) -> None:
    assert view.notice.isVisible()
    assert view.notice.text() == NO_MODEL
    begin(view, squeezenet_like_snapshot())
    assert view.notice.text() == NO_TRIALS
    feed(view, [TrialDone(make_trial(1, 0, 1e-3))])
    assert not view.notice.isVisible()
    assert view.plots.isVisible()


def test_the_model_starts_untuned_and_meets_its_reference_line(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    assert view.plots.model.steps.y[0] == pytest.approx(4.08e-3)
    assert view.plots.model.steps.y[-1] == pytest.approx(1.05e-3)
    assert view.plots.model.reference.text == "ONNX Runtime 3.00 ms"
    assert view.plots.model.untuned.text == "untuned 4.08 ms"
    assert view.bar.summary.text() == "4.080 ms → 1.050 ms"


def test_a_reference_that_comes_later_gets_its_line(view: ConvergenceView) -> None:
    begin(view, replace(two_tasks(), reference_latency_s=None))
    assert view.plots.model.reference.text == ""
    feed(view, [Scores(1.0, figure(4e-3, 1e-3), 2e-3, 1.0, 4, 1.0, None)])
    assert view.plots.model.reference.text == "ONNX Runtime 2.00 ms"


def test_following_keeps_all_of_the_run_in_sight(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    feed(view, [TrialDone(make_trial(41, 0, 1e-6, elapsed_s=500.0))])
    across, up, up_below = ranges(view)
    assert across[0] == 0 and across[1] >= 500
    assert up[0] < math.log10(view.plots.model.steps.y[-1]) < math.log10(4.08e-3) < up[1]
    assert up_below[0] < -6 < -2.4 < up_below[1]
    view.bar.model_log.click()
    _, up, _ = ranges(view)
    assert up[0] == 0 and up[1] > 4.08e-3


def test_a_range_that_a_person_chose_never_moves_by_itself(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    turn_wheel(view)
    assert not view.bar.follow.isChecked()
    before = ranges(view)
    feed(view, [TrialDone(make_trial(41, 0, 1e-6, elapsed_s=500.0))])
    view.select_task(1)
    view.resize(700, 500)
    assert ranges(view) == before
    view.bar.follow.click()
    assert ranges(view)[0][1] >= 500


def test_the_axis_counts_time_or_trials(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    assert np.nanmax(view.plots.tasks.steps.x) == 20.0
    view.bar.trials.click()
    assert np.nanmax(view.plots.tasks.steps.x) == 40.0
    assert ranges(view)[0][1] >= 40
    view.set_across(Across.SECONDS)
    assert np.nanmax(view.plots.tasks.steps.x) == 20.0


def test_another_scale_keeps_the_latencies_in_sight(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    view.set_follow(False)
    low, high = view.plots.tasks.plot.vb.viewRange()[1]
    view.bar.tasks_log.click()
    assert view.plots.tasks.plot.vb.viewRange()[1] == pytest.approx([10**low, 10**high])
    view.bar.tasks_log.click()
    assert view.plots.tasks.plot.vb.viewRange()[1] == pytest.approx([low, high])


def test_a_click_on_a_curve_picks_its_task(view: ConvergenceView, picked: list[object]) -> None:
    begin(view, two_tasks())
    for task, latency_s in ((1, 60e-6), (0, 1e-3)):
        QTest.mouseClick(view.plots.viewport(), LEFT, NO_KEY, on_screen(view, 10.0, latency_s))
        assert picked[-1] == task
        assert set(view.plots.tasks.chosen.owner) == {task}
    empty = on_screen(view, 10.0, 250e-6)
    QTest.mouseClick(view.plots.viewport(), LEFT, NO_KEY, empty)
    assert picked == [1, 0]


def test_a_selection_from_elsewhere_shows_the_tasks_trials_and_is_not_echoed(
    view: ConvergenceView, picked: list[object]
) -> None:
    begin(view, squeezenet_like_snapshot(trials=400))
    view.select_task(3)
    assert set(view.plots.tasks.chosen.owner) == {3}
    shown = len(view.plots.tasks.trials.x) + len(view.plots.tasks.errors.x)
    assert shown == sum(t.task == 3 for t in squeezenet_like_snapshot(trials=400).trials)
    view.select_task(None)
    assert len(view.plots.tasks.chosen.x) == len(view.plots.tasks.trials.x) == 0
    assert picked == []


def test_hovering_shows_exact_values_and_leaving_hides_them(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    point_at(view, 10.0, 60e-6)
    assert view.plots.readout.isVisible()
    assert view.plots.readout.text() == "b\n60.000 us best so far, trial 2 at 1.0 s"
    view.select_task(1)
    point_at(view, 20.0, 50e-6)
    assert view.plots.readout.text() == "b\n50.000 us, trial 40 at 20.0 s"
    point_at(view, 10.0, 250e-6)
    assert not view.plots.readout.isVisible()


def test_keys_go_from_task_to_task_and_escape_clears(
    view: ConvergenceView, picked: list[object]
) -> None:
    begin(view, two_tasks())
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Escape):
        QTest.keyClick(view, key)
    assert picked == [0, 1, 1, None]
    QTest.keyClick(view, Qt.Key.Key_T)
    assert view.bar.trials.isChecked()
    QTest.keyClick(view, Qt.Key.Key_L)
    assert not view.plots.tasks.plot.log


def test_what_came_while_hidden_is_there_when_shown(view: ConvergenceView) -> None:
    begin(view, two_tasks())
    view.hide()
    feed(view, [TrialDone(make_trial(41, 0, 0.5e-3))])
    view.show()
    assert view.plots.model.steps.y[-1] == pytest.approx(0.55e-3)


def test_it_draws_in_both_scales_without_a_complaint(view: ConvergenceView) -> None:
    begin(view, squeezenet_like_snapshot(trials=300))
    view.select_task(0)
    for switch in (view.bar.model_log, view.bar.tasks_log, view.bar.trials):
        switch.click()
        assert not view.grab().isNull()


def test_switches_and_scales_agree_from_the_start(view: ConvergenceView) -> None:
    plots = view.plots
    for switch, panel in ((view.bar.model_log, plots.model), (view.bar.tasks_log, plots.tasks)):
        assert switch.isChecked() == panel.plot.log
