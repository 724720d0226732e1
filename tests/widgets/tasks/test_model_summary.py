"""The inspector without a selection: the model, its costliest tasks, what to try next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import ModelMeasured, RunChanged, TrialDone
from engine.records.settings import RunState
from engine.records.snapshot import REFERENCE
from engine.records.trial import Measured
from tests.feeding import begin, feed
from tests.pseudo_locale import Pseudo, spoken
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.tasks.inspector import Inspector

SNAPSHOT = squeezenet_like_snapshot(400)


@pytest.fixture
def inspector(qtbot: QtBot) -> Iterator[Inspector]:
    """An inspector on screen, as wide as its panel is at least, with a project."""
    made = Inspector(OpenProject())
    qtbot.addWidget(made)
    made.resize(252, 500)
    made.show()
    begin(made, SNAPSHOT)
    yield made
    made.close()


def lines(inspector: Inspector) -> list[int | None]:
    return [line.task for line in inspector.summary.lines if not line.isHidden()]


def facts(inspector: Inspector) -> dict[str, str]:
    return dict(inspector.summary.facts.facts())


def test_the_five_tasks_that_take_most_are_listed(inspector: Inspector) -> None:
    shares = inspector.project.history.shares()
    assert lines(inspector) == sorted(shares, key=lambda task: -shares[task])[:5]
    first = inspector.summary.lines[0]
    assert first.accessibleName().startswith(f"{SNAPSHOT.tasks[first.task or 0].name}: ")
    begin(inspector, replace(SNAPSHOT, tasks=SNAPSHOT.tasks[:2], operators=(), trials=()))
    assert len(lines(inspector)) == 2


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_task_that_is_chosen_there_is_told(inspector: Inspector, by: str) -> None:
    heard: list[object] = []
    inspector.task_picked.connect(heard.append)
    line = inspector.summary.lines[2]
    if by == "mouse":
        QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    else:
        line.setFocus()
        QTest.keyClick(line, Qt.Key.Key_Space)
    assert heard == [line.task]


def test_a_selection_takes_its_place_until_nothing_is_selected(inspector: Inspector) -> None:
    assert not inspector.summary.isHidden()
    for trial in (None, 5):
        inspector.select_task(3)
        inspector.select_trial(trial)
        assert inspector.summary.isHidden()
        inspector.select_task(None)
        assert not inspector.summary.isHidden()
    inspector.project.reset(None)
    inspector.show_project()
    assert inspector.summary.isHidden()


def test_it_says_how_far_the_model_is_from_what_runs_its_file(inspector: Inspector) -> None:
    assert facts(inspector)["ONNX Runtime"] == "28.6 ms: now 1.87x as fast"
    figure = inspector.project.figure()
    assert figure.latency_s is not None
    faster = Measured(figure.latency_s / 2)
    feed(inspector, [ModelMeasured(REFERENCE, faster)])
    assert facts(inspector)["ONNX Runtime"].endswith(": now 2.00x its time")
    assert "Peak" not in facts(inspector)


def test_the_part_of_the_peak_is_told_once_a_run_found_it_out(
    inspector: Inspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("widgets.tasks.inspector.peak_of", lambda head: 1e12)
    feed(inspector, [RunChanged(1, RunState.FINISHED)])
    assert facts(inspector)["Peak"].endswith(" % of 1.00 TFLOP/s")


def test_an_advice_is_given_unless_a_run_goes_on(inspector: Inspector) -> None:
    summary = inspector.summary
    assert summary.advice.text().endswith("tune it longer.")
    feed(inspector, [RunChanged(1, RunState.RUNNING)])
    assert summary.advice.isHidden() and summary.advice_title.isHidden()
    feed(inspector, [RunChanged(1, RunState.FINISHED)])
    assert not summary.advice.isHidden()


def test_results_move_the_tasks(inspector: Inspector) -> None:
    first = lines(inspector)[0]
    assert first is not None
    feed(inspector, [TrialDone(make_trial(401, first, 1e-9))])
    assert first not in lines(inspector)


def test_it_needs_no_more_width_than_the_panel_has_in_any_language(qtbot: QtBot) -> None:
    with spoken(Pseudo()):
        narrow = Inspector(OpenProject())
    qtbot.addWidget(narrow)
    begin(narrow, SNAPSHOT)
    assert narrow.summary.minimumSizeHint().width() < 192  # at 1024, less margins and scroll bar
    narrow.close()
