"""The page of layers: a row each, sorted by share, which follows the selection and is copied."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.cli.profile import profile_reply
from engine.history.layers import layers
from engine.history.open_project import OpenProject
from engine.records.events import RunChanged, TrialDone
from engine.records.settings import RunState
from engine.records.snapshot import Hardware
from tests.engine.history.test_layers import NET
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.layers.columns import COLUMNS, place_of
from widgets.layers.view import LayersView

SNAPSHOT = squeezenet_like_snapshot(200)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[LayersView]:
    """A view on screen, without a project."""
    made = LayersView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    yield made
    made.close()


def cells(view: LayersView, key: str) -> list[str]:
    model = view.model
    return [model.index(row, place_of(key)).data() for row in range(model.rowCount())]


def test_the_slowest_layer_is_the_first_row_and_every_column_sorts(view: LayersView) -> None:
    begin(view, SNAPSHOT)
    shares = view.model._values["share"][view.model._order]
    known = shares[~np.isnan(shares)]
    assert len(known) == len(shares) - 1 and (known[:-1] >= known[1:]).all()
    for place in range(len(COLUMNS)):
        view.table.sortByColumn(place, Qt.SortOrder.AscendingOrder)
        assert view.model.rowCount() == len(SNAPSHOT.operators)
    view.table.sortByColumn(place_of("place"), Qt.SortOrder.AscendingOrder)
    assert cells(view, "layer") == [operator.name for operator in SNAPSHOT.operators]


def test_a_sentence_says_what_the_slowest_take(view: LayersView) -> None:
    begin(view, SNAPSHOT)
    shares = sorted(view.model._values["share"][view.model._values["share"] > 0])
    five = f"{100 * sum(shares[-5:]):.0f} %"
    assert view.sentence.text() == f"39 layers, of which the five slowest take {five}"
    begin(view, NET)
    assert view.sentence.text() == "4 layers"


def test_what_a_run_measures_moves_the_rows(view: LayersView) -> None:
    begin(view, SNAPSHOT)
    task = SNAPSHOT.operators[view.model.id_at(0)].task
    assert task is not None
    feed(view, [TrialDone(make_trial(201, task, 1e-9))])
    assert cells(view, "latency")[-2] == "1.00 ns"
    begin(view, NET)
    assert sorted(cells(view, "layer")) == ["first", "join", "second", "third"]


def test_a_view_out_of_sight_works_nothing_out_until_it_is_shown(view: LayersView) -> None:
    view.hide()
    begin(view, NET)
    view.select_task(0)
    assert view.layers is None and view.model.rowCount() == 0
    view.show()
    assert view.model.rowCount() == 4
    assert {cells(view, "layer")[row] for row in marked(view)} == {"first", "second"}


def marked(view: LayersView) -> list[int]:
    return sorted(index.row() for index in view.table.selectionModel().selectedRows())


def test_a_row_that_is_picked_tells_its_slowest_operator(view: LayersView) -> None:
    begin(view, replace(NET, trials=tuple(make_trial(n, n, 1e-6) for n in (1, 3))))
    heard: list[object] = []
    view.operators_picked.connect(heard.append)
    row = cells(view, "layer").index("third")
    view.table.setCurrentIndex(view.model.index(row, 0))
    assert heard == [frozenset({3})]
    view.select_task(0)
    view.select_operators(frozenset({3, 4}))
    assert [cells(view, "layer")[row] for row in marked(view)] == ["third"]
    view.select_task(None)
    assert marked(view) == []
    assert len(heard) == 1


def test_the_peak_that_a_run_found_out_is_shown(
    view: LayersView, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(view, replace(NET, hardware=Hardware("{}")))
    assert set(cells(view, "peak_share")) == {"–"}
    monkeypatch.setattr("widgets.layers.view.peak_of", lambda head: 1e10)
    feed(view, [RunChanged(1, RunState.RUNNING)])
    assert cells(view, "peak_share")[cells(view, "layer").index("first")] == "10 %"


@pytest.mark.parametrize("way", ["button", "menu"])
def test_the_whole_table_is_copied_with_tabs(view: LayersView, way: str) -> None:
    begin(view, NET)
    view.select_task(0)
    if way == "button":
        view.copy_button.click()
    else:
        menu = QMenu(view)
        view.table.menu_made.emit(menu)
        next(each for each in menu.actions() if "TSV" in each.text()).trigger()
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0][:4] == ["place", "layer", "share", "latency_s"]
    assert [row[1] for row in rows[1:]] == cells(view, "layer")
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_the_window_and_the_command_line_give_the_same_figures(view: LayersView) -> None:
    begin(view, SNAPSHOT)
    sheet = view.model.sheet()
    shown = [dict(zip(sheet.header, row, strict=True)) for row in sheet.rows]
    told = {each["place"]: each for each in profile_reply(SNAPSHOT, None).data["layers"]}
    assert len(shown) == len(told) == len(layers(SNAPSHOT))
    for row in shown:
        for key, value in row.items():
            unknown = isinstance(value, float) and math.isnan(value)
            assert told[row["place"]][key] == (None if unknown else value)


def test_without_a_project_the_next_step_is_offered(view: LayersView) -> None:
    view.show_project()
    assert view.first_part() is view and view.notice.action == "open-model"
    begin(view, NET)
    assert view.first_part() is view.table
