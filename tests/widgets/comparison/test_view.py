"""The comparison: runs and replays on one plot, and the time saved read off it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import RunChanged, SlotStarted, TrialDone
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import RunInfo, SlotInfo
from engine.replay.replay_series import ReplayWish
from engine.replay.side_by_side import Contender, judge
from tests.engine.allocation.curves_data import recording
from tests.feeding import begin, feed
from tests.replayed import folded, replayed_events
from tests.samples import make_trial, run_begins
from widgets.comparison.choice import MEASURING, NO_SOURCE
from widgets.comparison.series import describe_contender, threshold_name, verdict_text
from widgets.comparison.view import COLUMNS, ComparisonView, run_name
from widgets.look.units import clock

TWO_RUNS = replace(
    folded(replayed_events(budgets=(Budget(trials=60), Budget(trials=60)))), path="/nowhere/a.tune"
)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ComparisonView]:
    """A view of 900 x 500 over a project with two runs."""
    made = ComparisonView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    begin(made, TWO_RUNS)
    yield made
    made.close()


def contender(key: str, *steps: tuple[float, float], regret: float | None = None) -> Contender:
    seconds, latency_s = np.array(steps).T
    return Contender(key, key, key.startswith("replay"), seconds, latency_s,
                     float(seconds[-1]) + 1.0, regret)  # fmt: skip


QUICK = contender("replay dynatune", (0, 9.0), (30, 1.0), regret=0.4)
SLOW = contender("replay sequential", (0, 9.0), (75, 1.02), regret=2.5)
ORACLE = contender("replay oracle", (0, 9.0), (20, 1.0), regret=0.0)


def cells(view: ComparisonView, key: str) -> list[str]:
    column = [column.key for column in COLUMNS].index(key)
    return [str(view.model.index(row, column).data()) for row in range(view.model.rowCount())]


# The words


def test_the_sentence_says_who_was_first_and_what_that_saved() -> None:
    text = verdict_text(judge([QUICK, SLOW], 0.05), 0.05)
    assert text == (
        "replay dynatune is within 5 % of the best after 30.0 s, 45.0 s before replay sequential: "
        "2.50x as fast."
    )
    assert verdict_text(judge([QUICK, SLOW], 0.01), 0.01).endswith("after 30.0 s; no other is.")
    assert verdict_text(judge([QUICK], 0.05), 0.05).endswith("after 30.0 s.")
    assert verdict_text(judge([], 0.05), 0.05) == ""


def test_a_run_that_knew_more_is_not_praised_without_a_word_on_that() -> None:
    informed = replace(QUICK, informed=True)
    assert verdict_text(judge([informed, SLOW], 0.05), 0.05).endswith(
        "It knew what earlier runs had measured."
    )
    assert "knew" not in verdict_text(judge([QUICK, replace(SLOW, informed=True)], 0.05), 0.05)


def test_the_pointer_is_told_the_latency_that_holds() -> None:
    assert describe_contender(QUICK, 10.0) == "replay dynatune\n9.000 s after 10.0 s"
    assert describe_contender(QUICK, 90.0) == "replay dynatune\n1.000 s after 1:30"
    assert clock(math.inf) == "–"


# Runs


def test_all_runs_of_the_project_are_compared_at_first(view: ComparisonView) -> None:
    assert cells(view, "name") == ["Run 1: DynaTune", "Run 2: DynaTune"]
    assert view.sentence.text().startswith("Run ")
    assert view.choice.runs.keys() == ("run 1", "run 2")


def test_a_run_without_its_tick_is_left_out(view: ComparisonView) -> None:
    view.choice.runs.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert cells(view, "name") == ["Run 2: DynaTune"]
    feed(view, [SlotStarted(SlotInfo(99, 2, 0, TWO_RUNS.elapsed_s))])
    assert cells(view, "name") == ["Run 2: DynaTune"]


def test_a_run_that_goes_on_joins_with_its_slots(view: ComparisonView) -> None:
    end_s = TWO_RUNS.elapsed_s
    feed(view, [*run_begins(3), SlotStarted(SlotInfo(98, 3, 0, end_s))])
    assert len(cells(view, "name")) == 2
    trial = make_trial(500, 0, 1e-9, run=3, elapsed_s=end_s + 2)
    feed(view, [TrialDone(trial), SlotStarted(SlotInfo(99, 3, 1, end_s + 2))])
    assert cells(view, "name")[2].startswith("Run 3")
    assert cells(view, "lasted")[2] == "2.0 s"


def test_the_threshold_is_chosen(view: ComparisonView) -> None:
    loose_s = view.verdict.threshold_s
    view.choice.within.setCurrentIndex(1)
    assert loose_s is not None and view.verdict.threshold_s is not None
    assert view.verdict.threshold_s / loose_s == pytest.approx(1.01 / 1.05)
    assert threshold_name(judge([QUICK], 0.01), 0.01) == "within 1 %:"
    assert threshold_name(judge([QUICK, SLOW], 0.05), 0.05) == "45.0 s saved at"


# Replays


def test_replays_are_asked_for_with_the_ticked_policies(view: ComparisonView, qtbot: QtBot) -> None:
    view.choice.policies.tick(["gradient", "oracle"])
    view.choice.seed.setValue(4)
    with qtbot.waitSignal(view.replay_wanted) as asked:
        view.choice.replay.click()
    path = Path("/nowhere/a.tune")
    assert asked.args == [ReplayWish(path, ("gradient", "oracle"), 4)]
    assert not view.choice.replay.isEnabled()
    view.show_progress(0.5, "Gradient (replay)")
    assert view.choice.progress.isVisible()
    assert view.choice.progress.value() == 500
    view.end_replays(recording())
    assert not view.choice.progress.isVisible()
    assert "147 trials of synthetic" in view.choice.state.text()
    assert view.choice.replay.isEnabled()


def test_replays_join_the_runs_and_are_called_replays(view: ComparisonView) -> None:
    view.add_replay(SLOW)
    view.add_replay(QUICK)
    assert cells(view, "name")[2:] == ["replay dynatune", "replay sequential"]
    view.add_replay(replace(SLOW, name="again"))
    assert cells(view, "name")[3] == "again"


def test_regret_is_shown_where_the_oracle_is(view: ComparisonView) -> None:
    place = len(COLUMNS) - 1
    view.add_replay(QUICK)
    assert view.table.isColumnHidden(place)
    view.add_replay(ORACLE)
    assert not view.table.isColumnHidden(place)
    assert cells(view, "regret")[2:] == ["0.40", "0.00"]


def test_saved_time_is_against_the_slowest_that_got_there(view: ComparisonView) -> None:
    for item in range(2):
        view.choice.runs.item(item).setCheckState(Qt.CheckState.Unchecked)
    for replay in (QUICK, SLOW, contender("replay random", (0, 9.0), (50, 3.0))):
        view.add_replay(replay)
    assert cells(view, "reached") == ["30.0 s", "not reached", "1:15"]
    assert cells(view, "saved") == ["45.0 s", "–", "0.0 s"]
    assert cells(view, "ratio") == ["1.00x", "–", "2.50x"]


def test_nothing_is_replayed_while_a_run_measures(view: ComparisonView) -> None:
    view.add_replay(QUICK)
    feed(view, run_begins(3))
    assert not view.choice.replay.isEnabled()
    assert view.choice.state.text() == MEASURING
    assert "replay dynatune" not in cells(view, "name")
    feed(view, [RunChanged(3, RunState.FINISHED)])
    assert view.choice.replay.isEnabled()


def test_cancel_tells_and_leaves_what_has_come(view: ComparisonView, qtbot: QtBot) -> None:
    view.choice.replay.click()
    view.add_replay(QUICK)
    with qtbot.waitSignal(view.cancel_wanted):
        view.choice.cancel.click()
    assert "replay dynatune" in cells(view, "name")
    assert view.choice.replay.isEnabled()


def test_a_loaded_recording_is_replayed_instead_of_the_project(
    view: ComparisonView, qtbot: QtBot
) -> None:
    view.add_replay(QUICK)
    view.load_recording(Path("/nowhere/r.npz"))
    assert "replay dynatune" not in cells(view, "name")
    assert "r.npz" in view.choice.source.text()
    with qtbot.waitSignal(view.replay_wanted) as asked:
        view.choice.replay.click()
    assert asked.args[0].path == Path("/nowhere/r.npz")


def test_without_a_source_it_says_the_next_step(view: ComparisonView) -> None:
    begin(view, replace(TWO_RUNS, path="", trials=(), slots=(), runs=()))
    assert view.choice.source.text() == NO_SOURCE
    assert not view.choice.replay.isEnabled()
    assert view.model.rowCount() == 0
    assert view.choice.no_runs.isVisible()
    begin(view, TWO_RUNS)
    view.choice.policies.tick([])
    assert not view.choice.replay.isEnabled()


def test_another_project_drops_the_replays_of_the_last(view: ComparisonView) -> None:
    view.add_replay(QUICK)
    begin(view, replace(TWO_RUNS, path="/nowhere/b.tune"))
    assert cells(view, "name") == ["Run 1: DynaTune", "Run 2: DynaTune"]


# The plot


def test_a_click_on_a_curve_marks_its_row(view: ComparisonView) -> None:
    view.add_replay(QUICK)
    QApplication.processEvents()
    plot = view.plot
    x, y = plot.plot.on_screen(np.array([15.0]), np.array([9.0]))
    at = plot.mapFromScene(QPointF(float(x[0]), float(y[0])))
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.table.selected() == 2


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: ComparisonView) -> None:
    view.hide()
    view.add_replay(QUICK)
    assert view.model.rowCount() == 2
    view.show()
    assert view.model.rowCount() == 3


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ((Step("search"),), "Run 7: DynaTune"),
        ((Step("share"),), "Run 7: Share"),
        ((Step("transfer"),), "Run 7: Transfer"),
        ((Step("droplet"),), "Run 7: Droplet"),
        ((Step("search"), Step("droplet"), Step("search")), "Run 7: Search, Droplet"),
    ],
)
def test_a_pass_is_called_by_its_steps_and_a_search_by_its_policy(
    steps: tuple[Step, ...], name: str
) -> None:
    settings = RunSettings(policy="dynatune", steps=steps)
    assert run_name(RunInfo(7, RunState.FINISHED, settings, 1.0)) == name
