"""The view of knobs: importance, one knob against latency, and all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.passes.knobs import NO_STUDY, KnobStudy, study
from engine.records.events import SlotStarted, TrialDone
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.trial import ErrorKind
from tests.clipping import clipped_texts
from tests.engine.passes.landscape import make_trace
from tests.engine.passes.test_knobs import drawn, trial
from tests.engine.project.support import new_project
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.knobs.series import (
    best_rows,
    describe_trial,
    heights,
    knob_sentence,
    lines,
    median_lines,
    nearest_line,
    scatter_x,
    study_sheet,
)
from widgets.knobs.view import NO_TRIALS, VALUES, KnobView
from widgets.look.theme import apply_theme
from widgets.parts.notice import NO_MODEL
from widgets.plots.axes import LevelAxis

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
UNROLL = "unroll explicit of dense"
FOUND = study(drawn(60))


def stored(path: Path, count: int) -> Snapshot:
    """The snapshot of a project with trials of its first task."""
    with new_project(path) as project:
        for each in drawn(count):
            project.add_trial(each)
        return project.snapshot()


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A project with 40 trials of its first task."""
    return stored(tmp_path_factory.mktemp("knobs") / "net.tune", 40)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[KnobView]:
    """A view of 900 x 400, without a project."""
    made = KnobView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    yield made
    made.close()


@pytest.fixture
def shown(view: KnobView, qtbot: QtBot, tried: Snapshot) -> KnobView:
    """The view of a project whose first task was tried."""
    begin(view, tried)
    settle(view, qtbot)
    return view


def settle(view: KnobView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.busy)
    QApplication.processEvents()


@pytest.fixture
def picked(view: KnobView) -> list[object]:
    """The trials that the view says a person picked."""
    heard: list[object] = []
    view.trial_picked.connect(heard.append)
    return heard


def cells(view: KnobView, place: int) -> list[str]:
    row = view.model.row_of(place)
    return [str(view.model.index(row or 0, c).data()) for c in range(view.model.columnCount())]


# The numbers


def test_dots_stand_beside_their_value_and_far_from_those_of_the_next() -> None:
    for knob in FOUND.knobs:
        x = scatter_x(FOUND, knob)
        assert (np.abs(x - knob.codes) <= 0.3).all()
    assert len(set(x.tolist())) == len(x)


def test_a_trial_without_the_knob_has_no_dot_and_a_gap_in_its_line() -> None:
    found = study(
        [
            *(trial(n, make_trace(place=n % 2), 1e-3) for n in range(1, 9)),
            trial(9, make_trace(parallel=16), 2e-3),
        ]
    )
    place = next(knob for knob in found.knobs if knob.name == "place of dense")
    assert np.isnan(scatter_x(found, place)).tolist() == [False] * 8 + [True]
    high = heights(found, [place])
    assert np.isnan(high[8, 0])
    assert high[8, 1] == 1.0


def test_the_lines_go_from_axis_to_axis_and_end_at_the_latency() -> None:
    high = heights(FOUND, FOUND.knobs)
    assert high.shape == (60, len(FOUND.knobs) + 1)
    assert (high[:, :-1] > -0.02).all() and (high[:, :-1] < 1.02).all()
    order = np.argsort(high[:, -1])
    assert (np.diff(FOUND.latency_s[order]) >= 0).all()
    x, y = lines(high)
    assert len(x) == len(y) == 60 * (len(FOUND.knobs) + 2)
    assert np.isnan(x[len(FOUND.knobs) + 1])


def test_the_nearest_line_is_found_between_the_axes_too() -> None:
    high = np.array([[0.0, 1.0], [1.0, 0.0], [np.nan, 0.5]])
    for x, y, expected in ((0.25, 0.3, (0, 0.05)), (1.0, 0.1, (1, 0.1)), (9.0, 0.5, (2, 0.0))):
        found = nearest_line(high, x, y)
        assert found is not None
        assert list(found) == pytest.approx(list(expected))
    assert nearest_line(high[2:], 0.5, 0.5) is None


def test_equal_latencies_are_in_the_middle_of_their_axis() -> None:
    equal = study([trial(n, make_trace(unroll=n % 2), 1e-3) for n in range(8)])
    assert (heights(equal, equal.knobs)[:, -1] == 0.5).all()


def test_the_medians_lie_over_their_values_with_gaps_between() -> None:
    knob = FOUND.knobs[0]
    x, y = median_lines(FOUND, knob)
    assert x[:2].tolist() == pytest.approx([-0.3, 0.3])
    assert y[0] == y[1] == np.median(FOUND.latency_s[knob.codes == 0])
    assert np.isnan(x[2]) and np.isnan(y[2])


@pytest.mark.parametrize(("trials", "best"), [(1, 1), (9, 1), (60, 6), (500, 20)])
def test_a_tenth_of_the_trials_is_called_best_and_never_more_than_twenty(
    trials: int, best: int
) -> None:
    found = study(drawn(trials))
    rows = best_rows(found)
    assert len(rows) == best
    assert found.latency_s[rows].max() <= np.delete(found.latency_s, rows).min(initial=np.inf)


def test_the_sheet_has_a_row_for_each_trial_with_all_its_knobs() -> None:
    sheet = study_sheet(FOUND)
    assert sheet.header == ("trial", "latency_s", *(knob.name for knob in FOUND.knobs))
    rows = list(sheet.rows)
    assert len(rows) == 60
    assert rows[0][2] == FOUND.knobs[0].texts[FOUND.knobs[0].codes[0]]


# The words


def test_the_sentence_says_what_matters_or_why_nothing_can_be_said() -> None:
    def said(found: KnobStudy) -> str:
        return knob_sentence(found, "conv")

    assert said(FOUND).startswith(f"conv: {UNROLL} explains 100 % of how its latencies vary (60")
    assert said(study(drawn(3))) == "conv: too few trials to tell which knob matters (3 trials)."
    assert said(study(drawn(1))) == "conv: no knob has two values (1 trial)."
    assert said(NO_STUDY) == "conv: no trial with a latency can be read."
    noise = [replace(each, samples=(1e-3 + 1e-5 * (n % 2),)) for n, each in enumerate(drawn(400))]
    assert said(study(noise)).startswith("conv: no knob by itself explains")


def test_a_trial_is_told_with_its_values() -> None:
    number, latency_s = FOUND.numbers[0], FOUND.latency_s[0]
    first, *rest = describe_trial(FOUND, 0, FOUND.knobs[:1]).splitlines()
    assert first == f"trial {number}: {latency_s * 1e3:.4f} ms"
    assert rest == [f"{UNROLL}: {FOUND.knobs[0].texts[FOUND.knobs[0].codes[0]]}"]


@pytest.mark.parametrize(("size", "shown"), [(1000.0, 6), (100.0, 3), (10.0, 1)])
def test_values_are_written_as_far_as_they_have_room(
    qapp: QApplication, size: float, shown: int
) -> None:
    axis = LevelAxis("bottom")
    axis.texts = ("1", "2", "4", "8", "16", "32")
    ((_, places),) = axis.tickValues(-0.6, 5.6, size)
    assert len(places) <= shown
    assert axis.tickStrings(places, 1.0, 1.0)[0] == "1"


# What is shown


def test_without_a_model_or_trials_the_next_step_is_offered(view: KnobView) -> None:
    view.show_project()
    assert (view.notice.text(), view.notice.action) == (NO_MODEL, "open-model")
    begin(view, squeezenet_like_snapshot())
    assert (view.notice.text(), view.notice.action) == (NO_TRIALS, "start")


def test_the_task_with_most_trials_is_shown_until_one_is_selected(
    shown: KnobView, qtbot: QtBot
) -> None:
    assert shown.sentence.text().startswith(f"conv2d: {UNROLL} explains")
    assert cells(shown, 0)[:2] == [UNROLL, "100 %"]
    shown.select_task(1)
    settle(shown, qtbot)
    assert shown.sentence.text() == "pool: no trials yet."
    assert shown.model.rowCount() == 0
    shown.select_task(0)
    settle(shown, qtbot)
    assert shown.model.rowCount() == 4


def test_a_chosen_knob_stays_chosen_when_it_is_read_anew(
    shown: KnobView, qtbot: QtBot, tmp_path: Path
) -> None:
    scatter, parallel = shown.plots
    place = next(i for i, knob in enumerate(shown.study.knobs) if knob.name == "place of dense")
    shown.table.row_picked.emit(place)
    assert scatter.knob is shown.study.knobs[place]
    assert scatter.axis.texts == ("its own", "loop 1", "loop 3")
    assert scatter.knob in parallel.knobs
    shown.project.reset(stored(tmp_path / "other.tune", 20))
    feed(shown, [SlotStarted(SlotInfo(1, 1, 0, 1.0))])
    settle(shown, qtbot)
    assert len(shown.study.numbers) == 20
    assert scatter.knob is not None and scatter.knob.name == "place of dense"


def test_it_is_read_anew_with_a_slot_and_not_with_a_trial(shown: KnobView, qtbot: QtBot) -> None:
    feed(shown, [TrialDone(make_trial(41, 0, 1e-3))])
    assert not shown.busy
    feed(shown, [SlotStarted(SlotInfo(1, 1, 0, 1.0))])
    assert shown.busy
    settle(shown, qtbot)


def test_a_hidden_view_reads_nothing_until_it_is_shown(qtbot: QtBot, tried: Snapshot) -> None:
    view = KnobView(OpenProject())
    qtbot.addWidget(view)
    begin(view, tried)
    assert not view.busy
    view.show()
    assert view.busy
    settle(view, qtbot)
    assert len(view.study.numbers) == 40
    view.close()


def test_a_project_file_that_is_gone_is_said_in_its_place(
    view: KnobView, qtbot: QtBot, tried: Snapshot
) -> None:
    begin(view, replace(tried, path="/nowhere/gone.tune"))
    settle(view, qtbot)
    assert "gone.tune" in view.sentence.text()
    assert view.model.rowCount() == 0


def test_a_replay_is_said_to_have_no_schedules(view: KnobView, tried: Snapshot) -> None:
    begin(view, replace(tried, path=""))
    assert view.sentence.text() == "A replay has no schedules."
    assert not view.busy


def test_a_strangers_name_of_a_knob_is_text(view: KnobView, qtbot: QtBot, tmp_path: Path) -> None:
    name = "<b>d</b>"
    with new_project(tmp_path / "net.tune") as project:
        for each in drawn(12):
            project.add_trial(replace(each, trace=each.trace.replace("dense", name)))
        begin(view, project.snapshot())
    settle(view, qtbot)
    scatter, _ = view.plots
    assert scatter.knob is not None and name in scatter.knob.name
    assert name in scatter.axis.label.toPlainText()


def test_trials_that_all_failed_are_said_to_have_no_latency(
    view: KnobView, qtbot: QtBot, tmp_path: Path
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        for each in drawn(3):
            project.add_trial(replace(each, samples=(), error=ErrorKind.RUN_ERROR))
        begin(view, project.snapshot())
    settle(view, qtbot)
    assert view.sentence.text() == "conv2d: no trial with a latency can be read."


# What a person does


def test_a_click_on_a_dot_picks_its_trial(shown: KnobView, picked: list[object]) -> None:
    scatter, _ = shown.plots
    number = int(shown.study.numbers[7])
    at = scatter.place_of(number).toPoint()
    QTest.mouseClick(scatter.viewport(), LEFT, NO_KEY, at)
    assert picked == [number]


def test_a_click_on_a_line_picks_its_trial(shown: KnobView, picked: list[object]) -> None:
    shown.as_lines.setChecked(True)
    QApplication.processEvents()
    _, parallel = shown.plots
    row = int(shown.study.by_latency[0])
    number = int(shown.study.numbers[row])
    at = parallel.place_of(number, len(parallel.knobs)).toPoint()
    QTest.mouseClick(parallel.viewport(), LEFT, NO_KEY, at - QPoint(1, 0))
    (found,) = np.flatnonzero(shown.study.numbers == picked[0])
    assert shown.study.latency_s[found] == pytest.approx(shown.study.latency_s[row], rel=0.02)


def test_a_trial_that_is_selected_elsewhere_is_marked_in_both(shown: KnobView) -> None:
    scatter, parallel = shown.plots
    number = int(shown.study.numbers[3])
    shown.select_trial(number)
    assert len(scatter._ring.data) == 1
    assert np.isfinite(parallel._own.yData).any()
    shown.select_trial(9999)
    assert len(scatter._ring.data) == 0
    assert not len(parallel._own.yData)


def test_p_changes_between_the_plots(shown: KnobView) -> None:
    shown.activateWindow()
    shown.table.setFocus()
    QTest.keyClick(shown.table, Qt.Key.Key_P)
    assert shown.as_lines.isChecked()
    QTest.keyClick(shown.table, Qt.Key.Key_P)
    assert shown.as_scatter.isChecked()


def test_more_room_has_more_axes_and_a_narrow_table_fewer_columns(shown: KnobView) -> None:
    shown.as_lines.setChecked(True)
    _, parallel = shown.plots
    shown.resize(560, 220)
    QApplication.processEvents()
    few = len(parallel.knobs)
    assert shown.table.isColumnHidden(VALUES)
    shown.resize(1400, 600)
    QApplication.processEvents()
    assert len(parallel.knobs) > few
    assert not shown.table.isColumnHidden(VALUES)


def test_nothing_is_clipped_in_any_theme(shown: KnobView, qapp: QApplication) -> None:
    for name in ("light", "dark", "contrast"):
        for size in ((560, 220), (900, 420)):
            apply_theme(qapp, name)
            shown.resize(*size)
            QApplication.processEvents()
            assert clipped_texts(shown) == []
    apply_theme(qapp, "light")
