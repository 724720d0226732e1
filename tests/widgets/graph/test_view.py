"""The graph view: what nodes say, how a person moves and picks, what events change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.graph.shown import operators_shown
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.events import Message, TaskChanged, TrialDone
from engine.records.network import Operator
from engine.records.snapshot import Snapshot
from engine.records.task import TaskState, TensorSpec
from engine.records.trial import ErrorKind
from tests.feeding import begin, feed
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.graph.look import LEVELS, NodeLook, share_scale, short_name, tooltip
from widgets.graph.looks import Looks
from widgets.graph.painter import Node
from widgets.graph.view import GraphView
from widgets.parts.notice import NO_MODEL

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[GraphView]:
    """A view of 800 x 500, empty."""
    made = GraphView(OpenProject())
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show()
    yield made
    made.close()


@pytest.fixture
def picked(view: GraphView) -> list[object]:
    """What the view says a person picked."""
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    return heard


def middle_of(view: GraphView, node: Node) -> QPoint:
    return view.canvas.mapFromScene(node.middle)


def task_of(view: GraphView, node: Node) -> int | None:
    return view.drawing.operators[node.key].task


def click(view: GraphView, at: QPoint) -> None:
    QTest.mouseClick(view.canvas.viewport(), LEFT, NO_KEY, at)


def press(view: GraphView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view.canvas, key)


def two_tasks() -> Snapshot:
    """Two operators of task 0 (2 x 4 ms) and one of task 1 (2 ms), in a chain."""
    output = TensorSpec((1, 8), "float32")
    operators = tuple(
        Operator(i, f"fused_op{i}", "op", task, (i - 1,) if i else (), output)
        for i, task in enumerate((0, 1, 0, None))
    )
    tasks = (make_task(0, "a", 4e-3, weight=2), make_task(1, "b", 2e-3))
    return Snapshot("", "test data", "", "llvm", tasks, operators, ())


def long_chain(count: int) -> tuple[Operator, ...]:
    """Operators one after another, all different."""
    output = TensorSpec((1,), "float32")
    return tuple(
        Operator(i, f"op{i}", f"op{i}", None, (i - 1,) if i else (), output) for i in range(count)
    )


def first_look(project: Snapshot) -> NodeLook:
    """How the first operator looks, by share."""
    looks = Looks(History(project))
    looks.set_project(project.operators, None, None)
    shown = operators_shown(project.operators)
    looks.set_shown(shown, ())
    return looks.make()(shown[0])


def test_a_node_shows_its_operators_part_of_the_latency() -> None:
    look = first_look(two_tasks())
    assert look.mark == "40 %"
    assert look.level == round(0.8 * LEVELS)
    assert look.state is TaskState.WAITING


def test_the_ramp_ends_at_a_round_share_above_the_largest() -> None:
    assert share_scale([0.4, 0.2, None]) == 0.5
    assert share_scale([]) == 1.0


def test_an_unknown_latency_has_no_tint() -> None:
    look = first_look(
        replace(two_tasks(), tasks=(make_task(0, "a", None), make_task(1, "b", None)))
    )
    assert look.level is None
    assert look.mark == ""


def test_long_names_keep_their_beginning_and_their_number() -> None:
    name = "fused_conv2d_add_sigmoid_multiply_conv2d_add_relu12"
    short = short_name(name)
    assert short.startswith("conv2d_add_sigmoid")
    assert short.endswith("relu12")
    assert len(short) <= 30


def test_a_tooltip_gives_exact_values_and_the_commonest_error() -> None:
    project = two_tasks()
    history = History(project)
    failed = make_trial(2, 0, None, error=ErrorKind.RUN_TIMEOUT)
    history.apply([TrialDone(make_trial(1, 0, 1.23456e-3)), TrialDone(failed)])
    text = tooltip(history, project.operators[0])
    for part in ("fused_op0", "1.2346 ms best", "4.0000 ms", "2, 1 failed", "run timeout"):
        assert part in text
    assert "nothing to tune" in tooltip(history, project.operators[3])


def test_an_empty_view_says_the_next_step(view: GraphView) -> None:
    assert view.notice.text() == NO_MODEL
    assert view.notice.isVisible()
    assert not view.legend.isVisible()
    assert not view.minimap.isVisible()


def test_every_operator_becomes_a_node_and_nodes_do_not_overlap(view: GraphView) -> None:
    project = squeezenet_like_snapshot()
    begin(view, project)
    nodes = list(view.scene.nodes.values())
    assert [node.key for node in nodes] == [op.id for op in project.operators]
    bodies = [node.body for node in nodes]
    assert not any(a.intersects(b) for i, a in enumerate(bodies) for b in bodies[i + 1 :])
    assert not view.notice.isVisible()
    assert view.legend.isVisible()


def test_an_event_changes_only_the_nodes_it_concerns(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot(trials=300))
    before = {key: node.look for key, node in view.scene.nodes.items()}
    feed(view, [TaskChanged(1, TaskState.MEASURING), Message("info", "test data")])
    changed = {k for k, node in view.scene.nodes.items() if node.look is not before[k]}
    assert changed == {op.id for op in view.drawing.operators.values() if op.task == 1}
    assert changed
    assert view.scene.show_looks(view.looks) == 0


def test_a_faster_task_takes_a_smaller_share_at_once(view: GraphView) -> None:
    begin(view, two_tasks())
    feed(view, [TrialDone(make_trial(1, 0, 1e-3))])
    assert view.scene.nodes[0].look.mark == "25 %"
    assert view.scene.nodes[1].look.mark == "50 %"
    assert view.legend._end == 0.5


def test_a_click_picks_the_nodes_task_and_rings_all_its_operators(
    view: GraphView, picked: list[object]
) -> None:
    begin(view, two_tasks())
    click(view, middle_of(view, view.scene.nodes[0]))
    assert picked == [0]
    assert [key for key, node in view.scene.nodes.items() if node.selected] == [0, 2]


def test_a_click_beside_the_nodes_clears_the_selection(
    view: GraphView, picked: list[object]
) -> None:
    begin(view, two_tasks())
    view.select_task(0)
    click(view, QPoint(5, 5))
    assert picked == [None]
    assert view.scene.selected_nodes() == []


def test_a_drag_pans_and_picks_nothing(view: GraphView, picked: list[object]) -> None:
    begin(view, squeezenet_like_snapshot())
    port = view.canvas.viewport()
    before = view.canvas.visible().center()
    QTest.mousePress(port, LEFT, NO_KEY, QPoint(400, 400))
    QTest.mouseMove(port, QPoint(400, 300))
    QTest.mouseRelease(port, LEFT, NO_KEY, QPoint(400, 300))
    assert picked == []
    assert view.canvas.visible().center().y() > before.y()


def test_a_selection_from_elsewhere_is_shown_and_not_echoed(
    view: GraphView, picked: list[object]
) -> None:
    begin(view, squeezenet_like_snapshot())
    last = view.scene.nodes[max(view.scene.nodes)]
    view.select_task(task_of(view, last))
    assert last.selected
    assert view.canvas.visible().contains(last.area)
    view.select_task(None)
    assert not last.selected
    assert picked == []


def test_arrows_walk_along_edges_and_enter_picks(view: GraphView, picked: list[object]) -> None:
    begin(view, squeezenet_like_snapshot())
    press(view, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert view.scene.current == 2
    press(view, Qt.Key.Key_Right)
    assert view.scene.current == 3
    press(view, Qt.Key.Key_Down)
    assert view.scene.current == 4
    press(view, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert view.scene.current == 1
    assert picked == []
    press(view, Qt.Key.Key_Return)
    assert picked == [task_of(view, view.scene.nodes[1])]
    press(view, Qt.Key.Key_Escape)
    assert picked[-1] is None


def test_the_wheel_zooms_at_the_pointer(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot())
    at = QPointF(300, 200)
    before, zoom = view.canvas.mapToScene(at.toPoint()), view.canvas.zoom()
    for turn in (240, 240, -600):
        event = QWheelEvent(
            at,
            view.canvas.viewport().mapToGlobal(at),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QTest.mouseMove(view.canvas.viewport(), at.toPoint())
        QApplication.sendEvent(view.canvas.viewport(), event)
        after = view.canvas.mapToScene(at.toPoint())
        assert abs(after.x() - before.x()) * view.canvas.zoom() < 3
        assert abs(after.y() - before.y()) * view.canvas.zoom() < 3
    assert view.canvas.zoom() < zoom


def test_f_shows_the_whole_graph_and_the_minimap_leaves(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot())
    assert view.minimap.isVisible()
    press(view, Qt.Key.Key_F)
    assert view.canvas.visible().contains(view.scene.content)
    assert not view.minimap.isVisible()
    zoom = view.canvas.zoom()
    press(view, Qt.Key.Key_Plus)
    assert view.canvas.zoom() > zoom


def test_a_click_on_the_minimap_goes_there(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot())
    bottom = QPoint(view.minimap.width() // 2, view.minimap.height() - 6)
    QTest.mouseClick(view.minimap, LEFT, NO_KEY, bottom)
    last = view.scene.nodes[max(view.scene.nodes)]
    assert view.canvas.visible().contains(last.area)


def test_the_view_a_person_chose_survives_a_resize_and_events(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot())
    press(view, Qt.Key.Key_F, Qt.Key.Key_Plus)
    zoom, centre = view.canvas.zoom(), view.canvas.visible().center()
    feed(view, [TrialDone(make_trial(1, 0, 1e-6))])
    view.resize(700, 480)
    assert view.canvas.zoom() == zoom
    assert (view.canvas.visible().center() - centre).manhattanLength() * zoom < 4


def test_a_large_graph_is_laid_out_beside_the_window(view: GraphView, qtbot: QtBot) -> None:
    begin(view, replace(two_tasks(), operators=long_chain(900)))
    assert "900 nodes" in view.notice.text()
    qtbot.waitUntil(lambda: len(view.scene.nodes) == 900)
    assert not view.notice.isVisible()


def test_a_newer_project_replaces_a_layout_under_way(view: GraphView, qtbot: QtBot) -> None:
    begin(view, replace(two_tasks(), operators=long_chain(900)))
    begin(view, two_tasks())
    view._job.close()
    qtbot.wait(20)
    assert len(view.scene.nodes) == 4


def test_it_draws_at_every_zoom_without_a_complaint(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot(trials=200))
    view.select_task(2)
    for factor in (1.0, 0.5, 0.4, 0.2):
        view.canvas.zoom_by(factor)
        assert not view.grab().isNull()


def test_the_same_graph_known_better_keeps_its_place_and_its_selection(view: GraphView) -> None:
    begin(view, squeezenet_like_snapshot())
    view.select_task(3)
    node = view.scene.selected_nodes()[0]
    view.canvas.zoom_by(2.0)
    before = view.canvas.transform()
    begin(view, squeezenet_like_snapshot(trials=40))
    assert view.canvas.transform() == before
    assert view.scene.selected_nodes()[0] is node
