"""Allocation, belief, comparison and wishes in the window: one selection, actions, questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from engine.allocation.wishes import Wishes
from engine.records.events import ProjectOpened, SlotStarted
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import SlotInfo
from engine.replay.recording_file import save_recording
from tests.app.conftest import Console
from tests.engine.allocation.curves_data import recording
from tests.replayed import folded, replayed_events
from tests.samples import run_begins
from widgets.comparison.view import run_name

PROJECT = replace(folded(replayed_events(budgets=(Budget(trials=90),))), path="/nowhere/a.tune")


@pytest.fixture
def opened(console: Console) -> Console:
    """A complete console with a replayed project."""
    console.window.complete()
    console.tell(ProjectOpened(PROJECT))
    return console


def tabs(console: Console) -> list[str]:
    workspace = console.window.console.workspace
    return [workspace.tabText(place) for place in range(workspace.count())]


# Allocation


def test_allocation_stands_beside_the_graph(opened: Console) -> None:
    assert tabs(opened)[:2] == ["Graph", "Allocation"]
    opened.do("go-allocation")
    assert (
        opened.window.console.workspace.currentWidget()
        is opened.window.console.workspace.pages["allocation"]
    )


def test_a_slot_that_is_picked_selects_its_task_everywhere(opened: Console) -> None:
    allocation = opened.window.aids.late.allocation
    opened.window.show()
    opened.do("go-allocation")
    slot = PROJECT.slots[5]
    allocation.timeline.picked.emit(slot.number)
    assert opened.document.task == slot.task
    assert opened.window.views.tasks.table.selected() == slot.task
    opened.document.select_task(None)
    assert allocation.table.selected() is None


def test_a_live_run_is_told_with_the_settings_that_the_engine_says(opened: Console) -> None:
    begins = run_begins(2, settings=RunSettings(policy="round-robin"))
    opened.tell(*begins, SlotStarted(SlotInfo(99, 2, 0, 99.0, "its turn")))
    opened.window.show()
    opened.do("go-allocation")
    late = opened.window.aids.late
    assert late.allocation.why.text() == f"Slot 99 goes to {PROJECT.tasks[0].name}: its turn."
    assert opened.document.run is not None
    assert run_name(opened.document.run) == "Run 2: Round robin"


# Belief


def test_belief_and_sampler_need_a_task(opened: Console, qtbot: QtBot) -> None:
    assert not opened.enabled("belief")
    assert not opened.enabled("sampler")
    opened.document.select_task(1)
    assert opened.enabled("belief")
    opened.do("belief")
    action = opened.window.console.actions["belief"]
    assert action.isChecked()
    convergence = opened.window.aids.late.convergence
    qtbot.waitUntil(lambda: convergence.belief.answered)
    convergence.bar.belief.click()
    assert not action.isChecked()


# Comparison


def test_the_comparison_opens_as_one_tab(opened: Console) -> None:
    for _ in range(2):
        opened.do("compare")
    assert tabs(opened)[-1] == "Compare"
    assert tabs(opened).count("Compare") == 1
    assert (
        opened.window.console.workspace.currentWidget()
        is opened.window.console.workspace.pages["compare"]
    )


def test_without_a_project_there_is_nothing_to_compare(console: Console) -> None:
    assert not console.enabled("compare")


def test_a_recording_is_asked_for_and_replayed_in_the_background(
    opened: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    save_recording(recording(trials=24), tmp_path / "small.npz")
    opened.window.show()
    opened.do("compare")
    view = opened.window.aids.late.comparison
    view.choice.load.click()
    dialog = opened.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "small.npz"))
    dialog.close()
    view.choice.policies.tick(["round-robin", "sequential"])
    view.choice.replay.click()
    qtbot.waitUntil(lambda: not view.choice.busy, timeout=20_000)
    names = [row.contender.name for row in view.verdict.rows]
    assert names == [
        "Run 1: DynaTune", "Round robin (replay)", "One task after another (replay)",
    ]  # fmt: skip
    assert "trials of synthetic" in view.choice.state.text()


def test_a_file_that_cannot_be_replayed_says_why(
    opened: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    opened.window.show()
    opened.do("compare")
    view = opened.window.aids.late.comparison
    view.load_recording(tmp_path / "broken.npz")
    view.choice.replay.click()
    qtbot.waitUntil(lambda: not view.choice.busy, timeout=20_000)
    assert "is not a recording" in view.choice.state.text()


def test_a_window_that_closes_ends_its_replays(opened: Console, tmp_path: Path) -> None:
    save_recording(recording(trials=96), tmp_path / "large.npz")
    opened.window.show()
    opened.do("compare")
    view = opened.window.aids.late.comparison
    view.load_recording(tmp_path / "large.npz")
    view.choice.replay.click()
    opened.window.views.close()
    assert len(view.verdict.rows) == 1


# Wishes


def test_a_wish_goes_into_the_next_run_alone(opened: Console) -> None:
    opened.window.views.tasks.wished.emit(Wishes(pinned=frozenset({2})))
    assert opened.window.views.tasks.menu.wishes.pinned == {2}
    opened.commands.start()
    asked = opened.engine.calls[-1][1]
    assert Wishes.from_dict(asked.wishes) == Wishes(pinned=frozenset({2}))
    assert opened.commands.run_settings.wishes == {}


def test_wishes_belong_to_their_project(opened: Console) -> None:
    opened.document.set_wishes(Wishes(skipped=frozenset({1})))
    opened.tell(ProjectOpened(PROJECT))
    assert opened.document.wishes.skipped == {1}
    opened.tell(ProjectOpened(replace(PROJECT, path="/nowhere/b.tune")))
    assert opened.document.wishes == Wishes()


@pytest.mark.parametrize(
    "stored", [{"pinned": [1]}, {"pinned": [1], "skipped": [1]}, {"pinned": 3}, {"floors": [2]}]
)
def test_a_reopened_project_has_the_wishes_of_its_last_run_where_they_make_sense(
    console: Console, stored: dict[str, object]
) -> None:
    run = replace(PROJECT.runs[-1], settings=RunSettings(wishes=stored))
    console.tell(ProjectOpened(replace(PROJECT, runs=(run,))))
    sound = stored == {"pinned": [1]}
    assert console.document.wishes == (Wishes(pinned=frozenset({1})) if sound else Wishes())


# The layout


def test_a_small_window_stays_small_when_its_layout_is_reset(opened: Console) -> None:
    window = opened.window
    window.resize(1024, 640)
    window.show()
    opened.do("compare")
    opened.do("reset-layout")
    assert (window.width(), window.height()) == (1024, 640)
    assert window.minimumSizeHint().width() <= 1024
    assert window.minimumSizeHint().height() <= 640
