"""The chooser of shapes: the whole window is about one shape of a set, or about all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.history.open_project import OpenProject
from engine.records.events import ModelMeasured, ProjectOpened, Scores, TrialDone
from engine.records.snapshot import REFERENCE, UNTUNED, ShapeInfo, Snapshot, kind_of_shape
from engine.records.trial import Measured
from tests.app.conftest import Console
from tests.figures import figure
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.window.export_dialog import ExportDialog

ONE = squeezenet_like_snapshot(40)


def a_set() -> Snapshot:
    """The project in two shapes, of which the second has the first operator alone, three times as
    often."""
    shapes = (
        ShapeInfo("x=1x8", 1, ONE.operators),
        ShapeInfo("x=1x16", 3, ONE.operators[:1]),
    )
    counts = [one.occurrences() for one in shapes]
    tasks = tuple(
        replace(task, weight=counts[0][task.index] + 3 * counts[1][task.index])
        for task in ONE.tasks
    )
    measured = {
        UNTUNED: Measured(2.5e-3),
        kind_of_shape(UNTUNED, 0): Measured(4e-3),
        kind_of_shape(UNTUNED, 1): Measured(2e-3),
        REFERENCE: Measured(3e-3),
        kind_of_shape(REFERENCE, 1): Measured(1e-3),
    }
    return replace(
        ONE,
        tasks=tasks,
        shapes=shapes,
        measured=measured,
        untuned_latency_s=2.5e-3,
        reference_latency_s=3e-3,
    )


SET = a_set()


def choose(console: Console, place: int | None) -> None:
    box = console.window.shape_box
    box.setCurrentIndex(0 if place is None else place + 1)
    box.activated.emit(box.currentIndex())
    console.engine.answer("snapshot", SET)
    console.tick()


def test_the_chooser_is_there_for_a_set_alone(console: Console) -> None:
    box = console.window.shape_box
    console.window.show()
    console.tell(ProjectOpened(ONE))
    assert not box.isVisibleTo(console.window)
    console.tell(ProjectOpened(replace(SET, path="/elsewhere/set.tune")))
    assert box.isVisibleTo(console.window)
    assert [box.itemText(row) for row in range(box.count())] == [
        "All shapes",
        "x=1x8",
        "x=1x16 (x3)",
    ]


def test_one_shape_is_all_that_the_window_is_about_until_another_is_chosen(
    console: Console,
) -> None:
    console.tell(ProjectOpened(SET))
    document = console.document
    assert document.scores is not None and document.scores.figure.untuned_s == 2.5e-3
    choose(console, 1)
    assert document.head.operators == ONE.operators[:1]
    assert document.scores.figure.untuned_s == 2e-3
    assert document.scores.reference_s == 1e-3
    assert sum(task.weight for task in document.head.tasks) == 1
    console.tell(ProjectOpened(SET))  # as a run tells it
    assert document.project.shape == 1 and console.window.shape_box.currentIndex() == 2
    choose(console, None)
    assert document.head.operators == ONE.operators
    assert document.scores.figure.untuned_s == 2.5e-3
    assert document.head.shapes == SET.shapes


def test_another_project_begins_with_all_of_its_shapes(console: Console) -> None:
    console.tell(ProjectOpened(SET))
    choose(console, 1)
    console.tell(ProjectOpened(replace(SET, path="/elsewhere/set.tune")))
    assert console.document.project.shape is None
    assert console.window.shape_box.currentIndex() == 0


def test_what_a_run_tells_of_the_whole_does_not_pass_for_the_shape_on_show(
    console: Console,
) -> None:
    console.tell(ProjectOpened(SET))
    choose(console, 1)
    console.tell(*run_begins(2))
    console.tell(Scores(1.0, figure=figure(9.0), reference_s=9.0, trials=7))
    scores = console.document.scores
    assert scores is not None and scores.trials == 7
    assert scores.figure.untuned_s == 2e-3 and scores.reference_s == 1e-3


@pytest.mark.parametrize(("shape", "expected"), [(None, 5e-3), (0, 6e-3), (1, 7e-3)])
def test_latencies_of_each_shape_reach_the_one_that_they_are_of(
    shape: int | None, expected: float
) -> None:
    project = OpenProject()
    project.reset(SET, shape)
    project.apply(
        [
            ModelMeasured(kind_of_shape(UNTUNED, 0), Measured(6e-3)),
            ModelMeasured(kind_of_shape(UNTUNED, 1), Measured(7e-3)),
            ModelMeasured(UNTUNED, Measured(5e-3)),
        ]
    )
    assert project.head.untuned_latency_s == expected
    assert project.figure().untuned_s == expected
    project.apply([TrialDone(make_trial(41, 0, 1e-9, run=1))])
    assert project.figure().latency_s is not None


def test_an_export_of_a_set_asks_for_its_padding(console: Console, tmp_path: Path) -> None:
    console.tell(ProjectOpened(SET))
    console.do("export")
    (dialog,) = console.window.findChildren(ExportDialog)
    dialog.padding.setText("x=0")
    dialog.fileSelected.emit(str(tmp_path / "out"))
    dialog.close()
    assert console.engine.calls[-1] == ("export", tmp_path / "out", None, {"x": 0.0})
