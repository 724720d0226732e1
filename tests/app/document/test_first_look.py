"""A model's file in the graph while the model is opened: when it comes, and when it goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from engine.records.errors import ModelError, TunewrightError
from engine.records.events import ModelSeen, ProjectOpened
from engine.records.network import Fate, FileNode
from engine.records.task import TensorSpec
from tests.app.conftest import Console
from tests.samples import squeezenet_like_snapshot
from widgets.graph.drawing import Side
from widgets.graph.look import ColorBy

SPEC = TensorSpec((1, 64), "float32")
NODES = tuple(
    FileNode(
        n, f"layer{n // 4}/op{n % 4}", f"Op{n % 4}", (n - 1,) * (n > 0), SPEC, (), Fate.UNKNOWN
    )
    for n in range(160)
)
SEEN = ModelSeen("bert", NODES, 1234)


def opening(console: Console) -> None:
    """A model is being opened, and its file was looked at."""
    console.window.complete()
    console.commands.open_path(Path("/models/bert.onnx"))
    console.tell(SEEN)


@pytest.mark.parametrize("is_open", [False, True])
def test_the_file_is_in_the_graph_before_the_model_is_lowered(
    console: Console, is_open: bool
) -> None:
    if is_open:
        console.tell(ProjectOpened(squeezenet_like_snapshot(10)))
    console.window.console.workspace.bring("layers")
    opening(console)
    graph, workspace = console.window.aids.late.graph, console.window.console.workspace
    assert workspace.shown == "graph"
    assert console.window._stack.currentWidget() is workspace
    assert graph.drawing.side is Side.FILE and graph.drawing.is_look
    assert graph.bar.line.toolTip() == "bert: 160 nodes, 1,234 weights, being lowered"
    (frame,) = graph.scene.frames
    assert frame.label == "×39"
    assert not graph.bar.operators.isEnabled() and not graph.bar.colors.isEnabled()
    node = next(key for key in graph.scene.nodes if key > 0)
    assert graph.scene.nodes[node].look.category is not None
    assert "became" not in graph.canvas.explain(node)
    QTest.keyClicks(graph.bar.search, "layer7")
    assert len(graph.search.found) == 4


def test_a_click_in_the_file_selects_nothing_yet(console: Console) -> None:
    console.tell(ProjectOpened(squeezenet_like_snapshot(10)))
    opening(console)
    console.document.select_task(2)
    graph = console.window.aids.late.graph
    graph.canvas.picked.emit(1)
    assert graph.bar.line.toolTip() == "Op1 layer0/op1"
    assert console.document.task == 2


def test_the_operators_take_its_place(console: Console) -> None:
    opening(console)
    snapshot = squeezenet_like_snapshot(10)
    console.tell(ProjectOpened(snapshot))
    console.engine.answer("open_model", snapshot)
    console.tick()
    graph = console.window.aids.late.graph
    assert graph.drawing.side is Side.OPERATORS and not graph.drawing.is_look
    assert len(graph.drawing.shown) == len(snapshot.operators)
    assert graph.bar.colors.isEnabled() and graph.looks.by is ColorBy.SHARE
    assert console.document.seen is None


@pytest.mark.parametrize("is_open", [False, True])
def test_what_was_there_comes_back_where_the_model_is_refused(
    console: Console, is_open: bool
) -> None:
    snapshot = squeezenet_like_snapshot(10)
    if is_open:
        console.tell(ProjectOpened(snapshot))
    opening(console)
    error: TunewrightError = ModelError("It has no operators.", "Choose another.")
    console.engine.refuse("open_model", error)
    console.tick()
    graph = console.window.aids.late.graph
    assert not graph.drawing.is_look
    assert len(graph.drawing.shown) == (len(snapshot.operators) if is_open else 0)
    shown = console.window._stack.currentWidget()
    assert (shown is console.window.console.workspace) is is_open


def test_a_look_that_comes_too_late_is_not_shown(console: Console) -> None:
    console.window.complete()
    console.tell(SEEN)
    assert console.document.seen is None
    assert not console.window.aids.late.graph.scene.nodes


def test_a_look_that_comes_before_the_graph_is_shown_once_that_is_there(console: Console) -> None:
    console.commands.open_path(Path("/models/bert.onnx"))
    console.tell(SEEN)
    console.window.complete()
    assert console.window.aids.late.graph.drawing.is_look


def test_the_colours_that_were_chosen_come_back(console: Console) -> None:
    console.window.complete()
    console.window.aids.late.graph.color_by(ColorBy.STATE)
    opening(console)
    graph = console.window.aids.late.graph
    seen = [graph.looks.by]
    console.engine.refuse("open_model", ModelError("No.", "Choose another."))
    console.tick()
    assert [*seen, graph.looks.by] == [ColorBy.KIND, ColorBy.STATE]
