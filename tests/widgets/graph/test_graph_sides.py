"""The graph's two sides, search, places, folding, colours and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.clustering import Cluster, Clustering
from engine.records.events import ClustersChanged, TaskChanged
from engine.records.network import Fate, FileNode, Operator
from engine.records.snapshot import Snapshot
from engine.records.task import TaskState, TensorSpec
from tests.engine.graph.test_wrapping import deep_network
from tests.feeding import begin, feed
from tests.samples import make_task
from widgets.graph.bar import NO_FILE
from widgets.graph.canvas import Place, Places
from widgets.graph.drawing import Drawing, Side
from widgets.graph.items import StubsItem
from widgets.graph.look import ColorBy
from widgets.graph.painter import Node, title_of
from widgets.graph.view import GraphView
from widgets.look.theme import theme
from widgets.parts.exporting import export_notifier

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SPEC = TensorSpec((1, 64, 7, 7), "float32")


def project() -> Snapshot:
    """conv -> relu -> pool in the file, as two fused operators and a transpose of the layout."""
    operators = (
        Operator(0, "transpose", "transpose", 1, (), SPEC),
        Operator(1, "conv2d_relu", "conv2d_relu", 0, (0,), SPEC, 1e8),
        Operator(2, "max_pool2d", "max_pool2d", 2, (1,), TensorSpec((1, 64, 3, 3), "float32")),
    )
    files = (
        FileNode(0, "stem/conv", "Conv", (), SPEC, (1,), Fate.OPERATORS),
        FileNode(1, "stem/relu", "Relu", (0,), SPEC, (1,), Fate.MERGED),
        FileNode(2, "shape", "Shape", (1,), None, (), Fate.CONSTANT),
        FileNode(3, "pool", "MaxPool", (1,), None, (2,), Fate.OPERATORS),
    )
    tasks = tuple(make_task(n, name, 2e-3) for n, name in enumerate(("conv", "move", "pool")))
    return Snapshot("", "test data", "", "llvm", tasks, operators, (), file_nodes=files)


def repeating(count: int = 100) -> Snapshot:
    """A row of equal blocks of four operators."""
    operators = tuple(
        Operator(i, f"op{i % 4}", f"op{i % 4}", i % 3, (i - 1,) if i else (), SPEC)
        for i in range(4 * count)
    )
    return replace(project(), operators=operators, file_nodes=())


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[GraphView]:
    """A view of 900 x 500 with the small project."""
    made = GraphView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    begin(made, project())
    yield made
    made.close()


def at(view: GraphView, node: Node) -> QPoint:
    return view.canvas.mapFromScene(node.middle)


def click(view: GraphView, key: int, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    QTest.mouseClick(view.canvas.viewport(), LEFT, keys, at(view, view.scene.nodes[key]))


def ringed(view: GraphView) -> list[int]:
    return sorted(node.key for node in view.scene.selected_nodes())


def test_the_files_side_shows_its_nodes_and_says_what_became_of_them(view: GraphView) -> None:
    view.bar.file.click()
    assert list(view.scene.nodes) == [0, 1, 2, 3]
    assert view.scene.nodes[2].look.mark == "constant"
    click(view, 2)
    assert view.bar.line.toolTip() == "Shape shape → folded into a constant"
    click(view, 1)
    assert view.bar.line.toolTip() == "Relu stem/relu → merged by simplification into conv2d_relu"


def test_an_operator_finds_its_nodes_in_the_file(view: GraphView) -> None:
    click(view, 1)
    assert view.bar.line.toolTip() == "conv2d_relu ← Conv stem/conv, Relu stem/relu"
    view.bar.file.click()
    assert ringed(view) == [0, 1]
    assert view.scene.current == 0


def test_a_node_of_the_file_finds_its_operators(view: GraphView) -> None:
    heard: list[object] = []
    view.operators_picked.connect(heard.append)
    view.bar.file.click()
    click(view, 3)
    assert heard == [frozenset({2})]
    view.select_task(2)
    view.select_operators(frozenset({2}))
    view.bar.operators.click()
    assert ringed(view) == [2]


def test_an_operator_of_no_node_says_why(view: GraphView) -> None:
    click(view, 0)
    assert "added for the layout" in view.bar.line.toolTip()
    view.bar.file.click()
    assert ringed(view) == []


@pytest.mark.parametrize("node", [0, 1, 2, 3])
@pytest.mark.parametrize("side", list(Side))
def test_a_node_of_the_file_can_be_shown_from_either_side(
    view: GraphView, side: Side, node: int
) -> None:
    view.show_side(side)
    view.show_file_node(node)
    assert view.drawing.side is Side.FILE
    assert view.scene.current == node
    assert view.scene.nodes[node].area.intersects(view.canvas.visible())
    assert ringed(view) == ([0, 1] if node < 2 else [3] if node == 3 else [])


def test_a_node_of_the_file_that_is_folded_away_is_shown(view: GraphView, qtbot: QtBot) -> None:
    files = tuple(
        FileNode(i, f"n{i}", f"Op{i % 4}", (i - 1,) if i else (), SPEC, (i,)) for i in range(400)
    )
    begin(view, replace(repeating(), file_nodes=files))
    view.show_file_node(333)
    qtbot.waitUntil(lambda: view.scene.current == 333)
    assert view.canvas.visible().contains(view.scene.nodes[333].middle)


def test_a_node_that_the_file_has_not_is_not_shown(view: GraphView) -> None:
    view.show_file_node(99)
    assert view.drawing.side is Side.OPERATORS


def test_a_project_without_nodes_of_its_file_says_so(view: GraphView) -> None:
    begin(view, replace(project(), file_nodes=()))
    assert not view.bar.file.isEnabled()
    assert view.bar.file.toolTip() == NO_FILE
    view.show_side(Side.FILE)
    assert view.drawing.side is Side.OPERATORS


@pytest.mark.parametrize(
    ("text", "found"), [("POOL", [2]), ("1x64x7x7", [0, 1]), ("conv 64", [1]), ("gelu", [])]
)
def test_search_finds_names_operators_and_shapes(
    view: GraphView, text: str, found: list[int]
) -> None:
    view.start_search()
    QTest.keyClicks(view.bar.search, text)
    assert view.search.found == found
    QTest.keyClick(view.bar.search, Qt.Key.Key_Return)
    assert view.scene.current == (found[0] if found else None)
    assert view.bar.count.text() == (f"1 of {len(found)}" if found else "none")


def test_search_walks_round_in_both_directions(view: GraphView) -> None:
    QTest.keyClicks(view.bar.search, "1x64")
    assert view.bar.count.text() == "3 found"
    seen = []
    for by in (1, 1, 1, 1, -1, -1):
        view.search.step(by)
        seen.append(view.scene.current)
    assert seen == [0, 1, 2, 0, 2, 1]
    QTest.keyClick(view.bar.search, Qt.Key.Key_Escape)
    assert view.bar.search.text() == view.bar.count.text() == ""


def test_a_jump_can_be_taken_back_and_forward_again(view: GraphView, qtbot: QtBot) -> None:
    begin(view, repeating())
    view.bar.fold.click()
    qtbot.waitUntil(lambda: len(view.scene.nodes) == 400)
    start = view.canvas.visible().center()
    view.go_to_node(399)
    there = view.canvas.visible().center()
    assert view.bar.back.isEnabled() and not view.bar.forward.isEnabled()
    QTest.keyClick(view.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert (view.canvas.visible().center() - start).manhattanLength() < 3
    view.bar.forward.click()
    assert (view.canvas.visible().center() - there).manhattanLength() < 3


def test_places_are_forgotten_forward_by_a_new_jump() -> None:
    a, b, c = (Place(float(n), 0.0, 1.0) for n in range(3))
    places = Places()
    places.leave(a)
    assert places.back(b) == a
    places.leave(c)
    assert places.forward(a) is None
    assert places.back(a) == c


def test_a_double_click_opens_a_row_and_a_block_and_folds_it_again(
    view: GraphView, qtbot: QtBot
) -> None:
    begin(view, repeating())
    once = list(view.scene.nodes)
    row = [key for key in once if key < 0]
    assert len(once) - len(row) == 4 and len(row) == 4
    assert {len(view.scene.nodes[key].shown.folded) for key in row} == {99}
    (frame,) = view.scene.frames
    assert frame.label == "×99  99 %"
    port = view.canvas.viewport()
    QTest.mouseDClick(port, LEFT, NO_KEY, at(view, view.scene.nodes[row[1]]))
    counts = [len(view.scene.nodes)]
    assert view.scene.current is not None
    part = view.scene.nodes[view.scene.current].shown
    assert part.part == (1, 99) and title_of(part) == "block 1 of 99"
    for _ in range(3):
        QTest.keyClick(view.canvas, Qt.Key.Key_Space)
        counts.append(len(view.scene.nodes))
    assert counts == [103, 106, 103, 106]
    view.bar.fold.setChecked(False)
    qtbot.waitUntil(lambda: len(view.scene.nodes) == 400)
    view.bar.fold.setChecked(True)
    assert list(view.scene.nodes) == once


@pytest.mark.parametrize("depth", [60, 100, 140])
@pytest.mark.parametrize("size", [(900, 600), (1400, 500), (1100, 700)])
def test_all_of_a_deep_network_fills_the_view(
    view: GraphView, depth: int, size: tuple[int, int]
) -> None:
    view.resize(*size)
    view.show()
    begin(view, replace(repeating(), operators=deep_network(depth, 3), file_nodes=()))
    view.bar.fold.setChecked(False)
    view.fit()
    content, room, zoom = view.scene.content, view.canvas.viewport().size(), view.canvas.zoom()
    across = zoom * content.width() / room.width()
    down = zoom * content.height() / room.height()
    assert max(across, down) > 0.8 and min(across, down) > 0.45


def test_a_double_click_into_a_frame_opens_and_folds_the_row(view: GraphView) -> None:
    begin(view, repeating(30))
    counts = []
    for _ in range(3):
        (frame,) = view.scene.frames
        beside = frame.boundingRect().topLeft() + QPointF(4, 12)
        assert view.scene.node_at(beside) is None
        view.canvas.centerOn(beside)
        place = view.canvas.mapFromScene(beside)
        QTest.mouseDClick(view.canvas.viewport(), LEFT, NO_KEY, place)
        counts.append(len(view.scene.nodes))
    assert counts == [33, 8, 33]
    assert view.scene.frames[0].label.startswith("29 blocks")
    part = next(key for key in view.scene.nodes if key < 0)
    view.canvas.opened.emit(part)
    (frame,) = view.scene.frames
    view.canvas.opened.emit(frame.row)
    assert len(view.scene.nodes) == 8  # with what was open in it


def test_a_node_that_is_shown_once_selects_its_task(view: GraphView) -> None:
    operators = repeating().operators
    alike = tuple(replace(operator, task=operator.id % 4) for operator in operators)
    tasks = tuple(make_task(n, f"op{n}", 2e-3) for n in range(4))
    begin(view, replace(repeating(), operators=alike, tasks=tasks))
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    node = next(key for key in view.scene.nodes if key < 0)
    click(view, node)
    assert heard == [view.drawing.operators[view.drawing.node(node).folded[0]].task]
    assert node in ringed(view)
    assert "99 alike" in view.bar.line.toolTip()


def test_search_opens_what_its_node_is_folded_into(view: GraphView) -> None:
    begin(view, repeating())
    QTest.keyClicks(view.bar.search, "op3")
    view.search.step(1)
    assert view.scene.current == 3
    assert len(view.scene.nodes) == 106


def test_a_folded_block_is_ringed_for_a_task_inside_it(view: GraphView) -> None:
    begin(view, repeating())
    view.select_task(2)
    stands = view.drawing.standing_for({op for op in range(400) if op % 3 == 2})
    assert ringed(view) == sorted(stands)
    assert min(stands) < 0


def test_control_click_on_an_edge_goes_to_its_other_end(view: GraphView) -> None:
    view.fit()
    upper, lower = (view.scene.nodes[key].body for key in (1, 2))
    beside = (upper.bottom() + 4 * (lower.top() - upper.bottom()) / 5, lower.center().x())
    place = view.canvas.mapFromScene(beside[1], beside[0])
    QTest.mouseClick(view.canvas.viewport(), LEFT, CONTROL, place)
    assert view.scene.current == 1


def test_colours_tell_what_is_asked_and_the_legend_names_them(view: GraphView) -> None:
    words = {}
    for by in ColorBy:
        view.color_by(by)
        words[by] = view.legend.text()
    assert words[ColorBy.SHARE].startswith("share of latency: 0 % to")
    assert "measuring" in words[ColorBy.STATE]
    assert words[ColorBy.KIND] == "operator type: transpose, conv2d_relu, max_pool2d"
    assert "Share groups tasks" in words[ColorBy.CLUSTER]
    assert "Find stages" in words[ColorBy.STAGE]
    assert view.scene.nodes[1].look.mark == ""


def test_new_clusters_and_states_colour_their_nodes_at_once(view: GraphView) -> None:
    view.color_by(ColorBy.CLUSTER)
    clusters = (Cluster(0, (0, 2)), Cluster(1, (1,)))
    feed(view, [ClustersChanged(Clustering("classes", 0.5, clusters))])
    assert [node.look.mark for node in view.scene.nodes.values()] == ["", "cluster 1", "cluster 1"]
    view.color_by(ColorBy.STATE)
    feed(view, [TaskChanged(0, TaskState.MEASURING)])
    assert view.scene.nodes[1].look.mark == "measuring"


def test_the_whole_graph_is_saved_as_svg_and_png(view: GraphView, tmp_path: Path) -> None:
    heard: list[str] = []
    export_notifier().saved.connect(heard.append)
    for name in ("g.svg", "g.png"):
        view.tools.save(tmp_path / name)
    export_notifier().saved.disconnect(heard.append)
    assert len(heard) == 2
    text = (tmp_path / "g.svg").read_text()
    assert "conv2d_relu" in text and "1x64x3x3" in text
    image = QImage(str(tmp_path / "g.png"))
    assert image.width() > 2 * view.scene.content.width()


def test_every_zoom_paints_the_tints(view: GraphView) -> None:
    view.color_by(ColorBy.KIND)
    node = view.scene.nodes[1]
    for zoom in (0.4, 0.15, 0.05, 0.012):
        view.canvas.look_at(node, zoom)
        picture = view.canvas.viewport().grab().toImage()
        color = picture.pixel(view.canvas.mapFromScene(node.middle))
        if zoom >= 0.05:
            assert color == node.look.tint().rgb(), zoom
        else:  # less than a pixel high: mixed with what is round it
            assert color != theme().surface.rgb()


def test_a_click_on_a_picture_that_is_about_to_change_does_nothing(
    view: GraphView, qtbot: QtBot
) -> None:
    begin(view, repeating())
    row = min(view.scene.nodes)
    view.bar.fold.setChecked(False)
    heard: list[object] = []
    view.operators_picked.connect(heard.append)
    click(view, row)
    view.canvas.opened.emit(row)
    assert view.canvas.explain(row) == ""
    qtbot.waitUntil(lambda: len(view.scene.nodes) == 400)
    assert heard == []


@pytest.mark.parametrize("folded", [True, False])
def test_what_is_folded_is_kept_on_each_side(folded: bool) -> None:
    drawing = Drawing()
    chain = deep_network(1200, 0)
    files = tuple(
        FileNode(n, f"node{n}", "Conv", (n - 1,) * (n > 0), None, (n,), Fate.OPERATORS)
        for n in range(1200)
    )
    drawing.set_project(chain, files)
    drawing.fold_all(folded)
    shown = drawing.shown
    drawing.show_side(Side.FILE)
    drawing.fold_all(not folded)
    on_file = drawing.shown
    drawing.show_side(Side.OPERATORS)
    assert drawing.shown == shown and drawing.is_folded is folded
    drawing.show_side(Side.FILE)
    assert drawing.shown == on_file and drawing.is_folded is not folded
    drawing.set_project(chain, files)
    drawing.show_side(Side.FILE)
    assert drawing.is_folded


@pytest.mark.parametrize("branch", [0, 2, 3, 7])
def test_names_at_the_ends_of_long_edges_stand_beside_each_other(
    view: GraphView, branch: int
) -> None:
    begin(view, replace(project(), operators=deep_network(90, branch), file_nodes=()))
    view.bar.fold.setChecked(False)
    names = [item.label for item in view.scene.items() if isinstance(item, StubsItem)]
    assert names
    for first, second in combinations(names, 2):
        assert not first.intersects(second)
