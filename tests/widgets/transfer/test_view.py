"""The transfer view: donors by model and task, what each gave here, and which is used."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.passes.matrix import Attempt, TaskTransfer, transfer_matrix
from engine.records.events import TrialConfirmed, TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import ErrorKind, Source, Trial
from tests.feeding import begin, feed
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.look.theme import apply_theme, theme
from widgets.parts.column_model import ColumnModel
from widgets.parts.notice import NO_MODEL
from widgets.transfer.series import (
    FAILED,
    Outcome,
    attempt_columns,
    build_heat,
    cell_text,
    describe_cell,
    donor_text,
    outcome_label,
    outcome_of,
    place_text,
    task_share,
    transfer_sentence,
)
from widgets.transfer.view import NO_TRANSFER, TransferView

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def transferred(
    number: int, task: int, latency_s: float | None, model: str, error: ErrorKind | None = None
) -> Trial:
    origin = {
        "model": model,
        "task": f"fused_conv2d{number}",
        "latency_s": 5e-5,
        "target": "nvidia h200",
        "place": f"/home/anna/{model}.tune",
    }
    trial = make_trial(number, task, latency_s, error=error)
    return replace(trial, source=Source.TRANSFERRED, origin=origin)


TASKS = (
    make_task(0, "fused_conv2d", 10e-3),
    make_task(1, "fused_dense", 4e-3, weight=2),
    make_task(2, "fused_pool", 1e-3),
)
TRIALS = (
    make_trial(1, 0, 5e-3),
    transferred(2, 0, 2e-3, "AlexNet"),
    transferred(3, 0, 4e-3, "VGG-19"),
    transferred(4, 0, None, "VGG-19", ErrorKind.RUN_CRASH),
    transferred(5, 1, 8e-3, "AlexNet"),
    make_trial(6, 1, 2e-3),
    transferred(7, 2, None, "VGG-19", ErrorKind.BUILD_ERROR),
)


def project(trials: tuple[Trial, ...] = TRIALS) -> Snapshot:
    return Snapshot("", "SqueezeNet", "", "llvm", TASKS, (), trials)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[TransferView]:
    """A view of 1000 x 600, without a project."""
    made = TransferView(OpenProject())
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    yield made
    made.close()


@pytest.fixture
def tasks_picked(view: TransferView) -> list[object]:
    """The tasks that the view says a person picked."""
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    return heard


@pytest.fixture
def trials_picked(view: TransferView) -> list[object]:
    """The trials that the view says a person picked."""
    heard: list[object] = []
    view.trial_picked.connect(heard.append)
    return heard


def cells(model: ColumnModel, identity: int) -> list[str]:
    row = model.row_of(identity)
    assert row is not None
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def heat_cell(view: TransferView, identity: int, column: int) -> QPoint:
    QApplication.processEvents()
    row = view.heat_model.row_of(identity)
    assert row is not None
    return view.heat_table.visualRect(view.heat_model.index(row, column)).center()


# The numbers


def test_the_heat_map_has_a_row_for_the_model_and_one_for_each_task_tried() -> None:
    heat = build_heat(transfer_matrix(project()))
    assert heat.ids.tolist() == [-1, 0, 1, 2]
    assert heat.names == ("model SqueezeNet", "fused_conv2d", "fused_dense", "fused_pool")
    assert heat.donors == ("AlexNet", "VGG-19")


def test_a_cell_is_the_part_of_the_full_gain_that_the_donor_alone_would_give() -> None:
    heat = build_heat(transfer_matrix(project()))
    assert heat.shares[1].tolist() == pytest.approx([1.0, 6 / 8])
    full_s = 8e-3 + 2 * 2e-3
    assert heat.shares[0].tolist() == pytest.approx([8e-3 / full_s, 6e-3 / full_s])


def test_a_donor_that_made_it_slower_gives_nothing_and_one_not_tried_is_left_open() -> None:
    heat = build_heat(transfer_matrix(project()))
    assert heat.shares[2, 0] == 0.0
    assert math.isnan(heat.shares[2, 1]) and math.isnan(heat.shares[3, 0])
    assert heat.shares[3, 1] == FAILED


def attempt(latency_s: float | None, gain: float | None, best: bool = False) -> Attempt:
    error = None if latency_s else ErrorKind.RUN_ERROR
    return Attempt(1, "A", "t", "/x/a.tune", "cpu", 1e-3, latency_s, error, gain, best)


@pytest.mark.parametrize(
    ("untuned_s", "now_s", "here_s", "share"),
    [(4.0, 2.0, 3.0, 0.5), (4.0, 2.0, 1.9, 1.0), (4.0, 4.0, 3.9, 0.0), (4.0, 2.0, 9.0, 0.0)],
)
def test_a_share_stays_between_nothing_and_all(
    untuned_s: float, now_s: float, here_s: float, share: float
) -> None:
    task = TaskTransfer(0, "t", untuned_s, now_s, (attempt(here_s, None),))
    assert task_share(task, task.attempts) == share


def test_a_share_of_an_unknown_gain_is_unknown() -> None:
    task = TaskTransfer(0, "t", None, 2.0, (attempt(1.0, None),))
    assert math.isnan(task_share(task, task.attempts))


@pytest.mark.parametrize(
    ("tried", "outcome"),
    [
        (attempt(1.0, 0.5, best=True), Outcome.USED),
        (attempt(1.0, 0.5), Outcome.FASTER),
        (attempt(1.0, -0.1), Outcome.SLOWER),
        (attempt(1.0, None), Outcome.MEASURED),
        (attempt(None, None), Outcome.FAILED),
    ],
)
def test_what_came_of_a_donor_has_a_shape_and_a_word(tried: Attempt, outcome: Outcome) -> None:
    assert outcome_of(tried) is outcome
    assert outcome_label(outcome).endswith(outcome.value)


# The words


def test_the_donors_own_latency_always_says_where_it_was_measured() -> None:
    assert donor_text(attempt(1.0, None)) == "1.00 ms measured on cpu"
    assert donor_text(replace(attempt(1.0, None), donor_latency_s=None)) == "–"
    _, columns = attempt_columns(transfer_matrix(project()))
    assert set(columns["donor"]) == {"50.0 us measured on nvidia h200"}
    assert 5e-5 not in columns["here"].tolist()


def test_cells_say_what_they_mean() -> None:
    assert [cell_text(share) for share in (0.5, FAILED, math.nan)] == ["50 %", "✕ failed", "·"]
    heat = build_heat(transfer_matrix(project()))
    assert "alone would give 75 % of the gain of fused_conv2d" in describe_cell(heat, 1, 1)
    assert "not tried" in describe_cell(heat, 2, 1)
    assert "could be measured" in describe_cell(heat, 3, 1)


def test_the_sentence_counts_what_was_tried_and_what_is_used() -> None:
    assert transfer_sentence(transfer_matrix(project())) == (
        "5 schedules of 2 models tried on 3 tasks, used by 1, 2 failed. "
        "Alone they would give 67 % of the gain so far."
    )


def test_a_place_is_shown_without_its_folders() -> None:
    assert [place_text(text) for text in ("/home/anna/a.tune", "")] == ["a.tune", ""]


# The view


def test_empty_states_say_the_next_step(view: TransferView) -> None:
    begin(view, replace(squeezenet_like_snapshot(), tasks=(), operators=()))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_MODEL)
    begin(view, project(TRIALS[:1]))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_TRANSFER)
    feed(view, [TrialDone(TRIALS[1])])
    assert not view.notice.isVisible()


def test_all_donors_are_listed_with_what_they_gave(view: TransferView) -> None:
    begin(view, project())
    assert cells(view.model, 2) == [
        "conv2d", "AlexNet", "conv2d2", "AlexNet.tune", "2", "2.00 ms", "5.00x", "100 %",
        "● used", "50.0 us measured on nvidia h200",
    ]  # fmt: skip
    assert cells(view.model, 3)[5:9] == ["4.00 ms", "2.50x", "50 %", "◇ faster than untuned"]
    assert cells(view.model, 4)[5:9] == ["–", "–", "–", "✕ run crash"]
    assert view.count.text() == "5 of 5 schedules tried"


def test_the_heat_map_has_numbers_in_its_cells(view: TransferView) -> None:
    begin(view, project())
    assert cells(view.heat_model, -1) == ["model SqueezeNet", "67 %", "50 %"]
    assert cells(view.heat_model, 0) == ["conv2d", "100 %", "75 %"]
    assert cells(view.heat_model, 2) == ["pool", "·", "✕ failed"]


def test_a_selected_task_shows_only_its_donors_until_all_are_wanted(view: TransferView) -> None:
    begin(view, project())
    view.select_task(0)
    assert view.model.rowCount() == 3
    assert view.heat_table.currentIndex().row() == 1
    view.only_selected.click()
    assert view.model.rowCount() == 5
    view.only_selected.click()
    view.select_task(None)
    assert view.model.rowCount() == 5


def test_a_selection_made_elsewhere_is_not_answered(
    view: TransferView, tasks_picked: list[object], trials_picked: list[object]
) -> None:
    begin(view, project())
    view.select_task(1)
    view.select_trial(5)
    assert view.table.selected() == 5
    assert (tasks_picked, trials_picked) == ([], [])


def test_a_click_on_a_cell_picks_the_task_and_marks_the_donors_best(
    view: TransferView, tasks_picked: list[object]
) -> None:
    begin(view, project())
    QTest.mouseClick(view.heat_table.viewport(), LEFT, NO_KEY, heat_cell(view, 0, 2))
    assert tasks_picked == [0]
    assert view.model.rowCount() == 3
    assert view.table.selected() == 3


def test_a_click_on_the_models_row_is_for_all_tasks(
    view: TransferView, tasks_picked: list[object]
) -> None:
    begin(view, project())
    view.select_task(0)
    QTest.mouseClick(view.heat_table.viewport(), LEFT, NO_KEY, heat_cell(view, -1, 1))
    assert tasks_picked == [None]
    assert view.model.rowCount() == 5


def test_keys_go_from_cell_to_cell(view: TransferView, tasks_picked: list[object]) -> None:
    begin(view, project())
    QTest.mouseClick(view.heat_table.viewport(), LEFT, NO_KEY, heat_cell(view, 0, 1))
    QTest.keyClick(view.heat_table, Qt.Key.Key_Right)
    assert view.table.selected() == 3
    QTest.keyClick(view.heat_table, Qt.Key.Key_Down)
    assert tasks_picked == [0, 0, 1]


def test_a_click_on_a_donor_picks_its_trial(
    view: TransferView, trials_picked: list[object]
) -> None:
    begin(view, project())
    QApplication.processEvents()
    row = view.model.row_of(5)
    assert row is not None
    at = view.table.visualRect(view.model.index(row, 1)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, NO_KEY, at)
    assert trials_picked == [5]


def test_live_and_reopened_it_is_the_same(view: TransferView, qtbot: QtBot) -> None:
    begin(view, project())
    live = TransferView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    begin(live, project(()))
    for trial in TRIALS:
        feed(live, [TrialDone(trial)])
    assert live.sentence.text() == view.sentence.text()
    for identity in (-1, 0, 1, 2):
        assert cells(live.heat_model, identity) == cells(view.heat_model, identity)
    for number in (2, 3, 4, 5, 7):
        assert cells(live.model, number) == cells(view.model, number)


def test_a_better_schedule_from_elsewhere_takes_the_place_of_the_donor(
    view: TransferView,
) -> None:
    begin(view, project())
    view.select_task(0)
    view.table.select(2)
    feed(view, [TrialDone(make_trial(8, 0, 1e-3))])
    assert cells(view.model, 2)[7:9] == ["50 %", "◇ faster than untuned"]
    assert view.table.selected() == 2
    feed(view, [TrialConfirmed(make_trial(8, 0, 1e-3, confirmed=(3e-3,)))])
    assert cells(view.heat_model, 0)[1] == "100 %"


def test_trials_that_change_nothing_work_nothing_out(view: TransferView) -> None:
    begin(view, project())
    found = view.found
    feed(view, [TrialDone(make_trial(8, 0, 9e-3))])
    assert view.found is found


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: TransferView) -> None:
    view.hide()
    begin(view, project(TRIALS[:1]))
    feed(view, [TrialDone(trial) for trial in TRIALS[1:]])
    assert view.found.tasks == ()
    view.show()
    assert len(view.found.tasks) == 3


@pytest.mark.parametrize("name", ["light", "dark"])
def test_cells_are_filled_by_the_ramp_in_both_themes(
    view: TransferView, qapp: QApplication, name: str
) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        begin(view, project())
        at = heat_cell(view, 0, 2)
        image = view.heat_table.viewport().grab().toImage()
        assert image.pixelColor(at - QPoint(40, 0)).name() == theme().ramp(0.75).name()
        untried = image.pixelColor(heat_cell(view, 1, 2) - QPoint(40, 0)).name()
        assert untried in {theme().surface.name(), theme().raised.name()}
    finally:
        apply_theme(qapp, "light")


def test_parts_have_names_and_cells_have_sentences(view: TransferView) -> None:
    begin(view, project())
    assert view.accessibleName() == "Transfer"
    assert view.heat_table.accessibleName() == "Transfer matrix"
    assert view.table.accessibleName() == "Donors tried"
    index = view.heat_model.index(1, 2)
    assert "75 %" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert np.isfinite(view.heat_model.heat.shares[0]).all()


def test_the_sentence_has_the_room_of_the_legend_in_a_narrow_view(view: TransferView) -> None:
    begin(view, project())
    assert view.legend.isVisible()
    view.resize(560, 240)
    assert not view.legend.isVisible()


def test_the_task_is_no_column_where_all_rows_are_of_one(view: TransferView) -> None:
    begin(view, project())
    assert not view.table.isColumnHidden(0)
    view.select_task(0)
    assert view.table.isColumnHidden(0)
    view.only_selected.click()
    assert not view.table.isColumnHidden(0)
