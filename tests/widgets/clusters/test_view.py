"""The clusters: places that stay, colours with numbers and shapes, edits, the time they save."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.passes.similarity import DEFAULT_METRIC, DEFAULT_THRESHOLD, METRICS
from engine.records.clustering import Cluster, Clustering
from engine.records.events import ClustersChanged, Failure, RunChanged, SpacesFound, TrialDone
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.clusters.items import FULL_SHARE, LARGEST, SMALLEST, DotLook, Role, label_of
from widgets.clusters.scene import NEAREST, nearest
from widgets.clusters.series import cluster_of, role_text
from widgets.clusters.view import NO_SPACES, ClusterView
from widgets.look.theme import apply_theme, theme
from widgets.parts.notice import NO_MODEL

LEFT = Qt.MouseButton.LeftButton
TILES = (8, 16, 32, 64)


def space(task: int, op_class: str, structure: str, extent: int) -> DesignSpace:
    """A space of two tiles: alike for extents that have factors in common."""
    knobs = tuple(
        Knob(f"{name} tile", KnobKind.TILE, extent=size, parts=4, innermost=64)
        for name, size in (("channels", extent), ("rows", 56))
    )
    return DesignSpace(task, op_class, (Sketch(structure, knobs),))


def with_spaces(snapshot: Snapshot) -> Snapshot:
    """The project with a space for each task; the op class decides the structure."""
    spaces = tuple(
        space(task.index, task.op_class, task.op_class, TILES[task.index % len(TILES)])
        for task in snapshot.tasks
    )
    return replace(snapshot, spaces=spaces)


BARE = squeezenet_like_snapshot()
PROJECT = with_spaces(squeezenet_like_snapshot(trials=200))
TASKS = PROJECT.tasks
CONVOLUTIONS = tuple(task.index for task in TASKS if task.op_class == "conv2d_add_relu")
OTHERS = tuple(task.index for task in TASKS if task.op_class != "conv2d_add_relu")
STORED = Clustering(
    DEFAULT_METRIC, 0.4,
    (Cluster(CONVOLUTIONS[1], CONVOLUTIONS), *(Cluster(task, (task,)) for task in OTHERS)),
)  # fmt: skip


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ClusterView]:
    """A view of 1000 x 600, without a project."""
    made = ClusterView(OpenProject())
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    yield made
    made.close()


@pytest.fixture
def shown(view: ClusterView, qtbot: QtBot) -> ClusterView:
    """The view with the clusters that are stored."""
    return show(view, qtbot, replace(PROJECT, clustering=STORED))


def show(view: ClusterView, qtbot: QtBot, snapshot: Snapshot) -> ClusterView:
    begin(view, snapshot)
    qtbot.waitUntil(lambda: bool(view.scene.nodes))
    QApplication.processEvents()
    return view


def places(view: ClusterView) -> dict[int, tuple[float, float]]:
    return {task: node.pos().toTuple() for task, node in view.scene.nodes.items()}


def at(view: ClusterView, task: int) -> QPoint:
    dot = view.scene.dot(task)
    return view.canvas.mapFromScene(dot.pos() + dot.centre)


def looks(view: ClusterView) -> dict[int, DotLook]:
    return {task: view.scene.dot(task).dot for task in view.scene.nodes}


def act(menu: QMenu, text: str) -> None:
    found = [action for action in menu.actions() if action.text().replace("&", "") == text]
    assert found[0].isEnabled()
    found[0].trigger()
    menu.close()


def menu_of(view: ClusterView, task: int, by_key: bool = False) -> QMenu:
    """What a right click on a task opens, or the Menu key where the keyboard's ring is."""
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    here = QPoint(1, 1) if by_key else at(view, task)
    event = QContextMenuEvent(reason, here, view.canvas.viewport().mapToGlobal(here))
    QApplication.sendEvent(view.canvas if by_key else view.canvas.viewport(), event)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    return popup


# Places


def test_nothing_moves_when_the_threshold_does(shown: ClusterView) -> None:
    before = places(shown)
    for value in (90, 10, 55):
        shown.bar.slider.setValue(value)
        assert places(shown) == before


# Empty states


def test_empty_states_say_the_next_step(view: ClusterView, qtbot: QtBot) -> None:
    begin(view, replace(BARE, tasks=(), operators=()))
    assert (view.notice.label.text(), view.notice.button.isVisible()) == (NO_MODEL, False)
    begin(view, BARE)
    assert (view.notice.label.text(), view.notice.button.isVisible()) == (NO_SPACES, True)
    with qtbot.waitSignal(view.spaces_wanted):
        QTest.mouseClick(view.notice.button, LEFT)
    assert not view.notice.button.isVisible()
    feed(view, [Failure("No device.", "Plug one in.")])
    assert view.notice.button.isVisible()


def test_found_spaces_become_clusters_by_the_default(view: ClusterView, qtbot: QtBot) -> None:
    heard: list[object] = []
    view.clustering_changed.connect(heard.append)
    begin(view, BARE)
    feed(view, [SpacesFound(PROJECT.spaces)])
    qtbot.waitUntil(lambda: bool(view.scene.nodes))
    assert view.clustering is not None
    assert view.clustering.metric == DEFAULT_METRIC
    assert view.clustering.threshold == DEFAULT_THRESHOLD
    assert sorted(t for c in view.clustering.clusters for t in c.members) == [
        task.index for task in TASKS
    ]
    assert heard == []


def test_a_task_without_a_space_is_on_its_own(view: ClusterView, qtbot: QtBot) -> None:
    show(view, qtbot, replace(PROJECT, spaces=PROJECT.spaces[1:]))
    assert looks(view)[0].role is Role.ALONE
    assert len(view.scene.nodes) == len(TASKS)


# Looks


def test_stored_clusters_are_shown_as_stored(shown: ClusterView) -> None:
    assert shown.clustering == STORED
    assert shown.bar.value.text() == "0.40"
    found = looks(shown)
    assert found[CONVOLUTIONS[1]].role is Role.REPRESENTATIVE
    assert {found[task].role for task in OTHERS} == {Role.ALONE}
    assert {found[task].number for task in CONVOLUTIONS} == {1}
    assert {found[task].number for task in OTHERS} == {0}


def test_the_summary_counts_what_is_tuned_and_the_time_that_takes(shown: ClusterView) -> None:
    text = shown.bar.summary.text()
    assert text.startswith(f"1 cluster of several tasks · {len(OTHERS)} tasks on their own · ")
    assert f"tasks to tune: {len(OTHERS) + 1} of {len(TASKS)}" in text
    assert "predicted tuning time: " in text


def test_a_disc_grows_with_its_share(shown: ClusterView) -> None:
    assert DotLook(share=0.0).radius == SMALLEST / 2
    assert DotLook(share=2 * FULL_SHARE).radius == LARGEST / 2
    task = TASKS[3]
    before = shown.scene.dot(3).dot.share
    feed(shown, [TrialDone(make_trial(900, 3, (task.untuned_latency_s or 1.0) / 1e4, run=2))])
    assert shown.scene.dot(3).dot.share < before


def test_lines_lead_to_the_representative_and_to_what_is_most_alike(shown: ClusterView) -> None:
    joined = [link for link in shown.scene.links() if link.joined]
    dot = shown.scene.dot(CONVOLUTIONS[1])
    middle = dot.pos() + dot.centre
    to_first = [link for link in joined if middle in (link.start, link.end)]
    assert len(to_first) == len(CONVOLUTIONS) - 1
    assert all(link.number == 1 and 0 <= link.similarity <= 1 for link in joined)


def test_a_large_cluster_is_not_drowned_in_lines() -> None:
    places = np.random.default_rng(1).random((60, 2))
    found = nearest(np.ones((60, 60)), places)
    assert found.sum(1).min() >= NEAREST
    assert found.sum() <= 2 * NEAREST * 60
    assert np.array_equal(found, found.T)
    assert not found.diagonal().any()


def test_long_names_keep_their_number() -> None:
    task = replace(TASKS[0], name="fused_conv2d_add_relu_max_pool2d_add17")
    assert label_of(task) == "conv2d_ad…ol2d_add17"


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_disc_has_its_clusters_colour_in_both_themes(
    shown: ClusterView, qapp: QApplication, name: str
) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        shown.canvas.zoom_by(8.0)
        task = CONVOLUTIONS[2]
        shown.canvas.go_to(shown.scene.dot(task).pos())
        QApplication.processEvents()
        image = shown.canvas.grab().toImage()
        inside = at(shown, task) + QPoint(0, round(0.7 * shown.canvas.zoom() * SMALLEST / 2))
        assert image.pixelColor(inside) == theme().category(0)
    finally:
        apply_theme(qapp, "light")


# What a person does


def test_the_slider_clusters_at_once_and_tells_when_the_hand_rests(
    shown: ClusterView, qtbot: QtBot
) -> None:
    heard: list[Clustering] = []
    shown.clustering_changed.connect(heard.append)
    shown.bar.slider.setSliderDown(True)
    shown.bar.slider.setValue(100)
    assert shown.clustering is not None
    assert shown.clustering.threshold == 1.0
    assert shown.bar.value.text() == "1.00"
    assert heard == []
    shown.bar.slider.setSliderDown(False)
    assert heard == [shown.clustering]
    QTest.keyClick(shown.bar.slider, Qt.Key.Key_Left)
    assert [found.threshold for found in heard] == [1.0, 0.99]


def test_another_metric_places_and_clusters_anew(shown: ClusterView, qtbot: QtBot) -> None:
    other = next(name for name in METRICS if name != DEFAULT_METRIC)
    with qtbot.waitSignal(shown.clustering_changed) as heard:
        shown.bar.metrics.setCurrentIndex(shown.bar.metrics.findData(other))
    assert heard.args[0].metric == other
    assert heard.args[0].threshold == METRICS[other].threshold
    assert heard.args[0] == shown.clustering


def test_a_click_selects_and_a_click_beside_clears(shown: ClusterView) -> None:
    heard: list[object] = []
    shown.task_picked.connect(heard.append)
    QTest.mouseClick(shown.canvas.viewport(), LEFT, pos=at(shown, 4))
    assert shown.scene.dot(4).selected
    QTest.mouseClick(shown.canvas.viewport(), LEFT, pos=QPoint(2, 2))
    assert heard == [4, None]
    shown.select_task(7)
    assert shown.scene.dot(7).selected
    assert heard == [4, None]


def test_keys_walk_to_what_lies_that_way_and_say_where_they_are(shown: ClusterView) -> None:
    heard: list[object] = []
    shown.task_picked.connect(heard.append)
    shown.select_task(CONVOLUTIONS[0])
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(shown.canvas, key)
    here = shown.scene.current
    assert here is not None
    assert shown.canvas.accessibleDescription().startswith(TASKS[here].name)
    QTest.keyClick(shown.canvas, Qt.Key.Key_Return)
    QTest.keyClick(shown.canvas, Qt.Key.Key_Escape)
    assert heard == [here, None]


def test_every_task_is_reached_by_keys(shown: ClusterView) -> None:
    seen, new = set[int](), {CONVOLUTIONS[0]}
    while new:
        seen |= new
        ways = ((1, 0), (-1, 0), (0, 1), (0, -1))
        found = {shown.scene.neighbour(task, *way) for task in new for way in ways}
        new = {task for task in found if task is not None} - seen
    assert seen == set(shown.scene.nodes)


def test_a_person_chooses_another_representative(shown: ClusterView, qtbot: QtBot) -> None:
    task = CONVOLUTIONS[3]
    menu = menu_of(shown, task)
    with qtbot.waitSignal(shown.clustering_changed) as heard:
        act(menu, "Make representative")
    assert cluster_of(heard.args[0], task) == Cluster(task, CONVOLUTIONS)
    assert heard.args[0].edited
    assert looks(shown)[task].role is Role.REPRESENTATIVE
    assert shown.bar.undo_button.isVisible()


def test_a_person_takes_a_task_out_and_puts_it_back(shown: ClusterView, qtbot: QtBot) -> None:
    task = CONVOLUTIONS[3]
    with qtbot.waitSignal(shown.clustering_changed):
        act(menu_of(shown, task), "Own cluster")
    assert looks(shown)[task].role is Role.ALONE
    menu = menu_of(shown, task)
    moves = menu.findChild(QMenu)
    assert moves is not None
    with qtbot.waitSignal(shown.clustering_changed) as heard:
        moves.actions()[0].trigger()
    menu.close()
    assert cluster_of(heard.args[0], task).members == CONVOLUTIONS


def test_the_menu_key_opens_the_menu_where_the_keys_are(shown: ClusterView) -> None:
    shown.scene.move_to(CONVOLUTIONS[1])
    menu = menu_of(shown, CONVOLUTIONS[1], by_key=True)
    enabled = [action.isEnabled() for action in menu.actions()]
    assert enabled == [False, False, True]
    menu.close()


def test_edits_can_be_undone(shown: ClusterView, qtbot: QtBot) -> None:
    act(menu_of(shown, CONVOLUTIONS[3]), "Own cluster")
    with qtbot.waitSignal(shown.clustering_changed) as heard:
        QTest.mouseClick(shown.bar.undo_button, LEFT)
    assert not heard.args[0].edited
    assert heard.args[0].threshold == STORED.threshold
    assert not shown.bar.undo_button.isVisible()


def test_share_is_one_click_away(shown: ClusterView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(shown.share_wanted):
        QTest.mouseClick(shown.bar.share_button, LEFT)


# Following the engine


def test_clusters_that_the_engine_made_are_taken_over(shown: ClusterView) -> None:
    alone = Clustering(DEFAULT_METRIC, 1.0, tuple(Cluster(t.index, (t.index,)) for t in TASKS))
    heard: list[object] = []
    shown.clustering_changed.connect(heard.append)
    feed(shown, [ClustersChanged(alone)])
    assert {look.role for look in looks(shown).values()} == {Role.ALONE}
    assert heard == []


def test_weak_dependants_are_listed_once_there_are_results(view: ClusterView, qtbot: QtBot) -> None:
    shown = show(view, qtbot, replace(with_spaces(BARE), clustering=STORED))
    assert not shown.weak.isVisible()
    first, slow = (TASKS[task] for task in (CONVOLUTIONS[1], CONVOLUTIONS[2]))
    fast = make_trial(1, first.index, first.flops / 1e12)
    weak = make_trial(2, slow.index, slow.flops / 1e11)
    feed(shown, [TrialDone(fast), TrialDone(weak)])
    assert not shown.weak.isVisible()
    feed(shown, [RunChanged(1, RunState.FINISHED)])
    assert shown.weak.isVisible()
    row = [str(shown.weak.rows.index(0, column).data()) for column in range(4)]
    assert row == [slow.name, "100 GFLOP/s", "10 %", first.name]
    heard: list[object] = []
    shown.task_picked.connect(heard.append)
    area = shown.weak.visualRect(shown.weak.rows.index(0, 0))
    QTest.mouseClick(shown.weak.viewport(), LEFT, pos=area.center())
    assert heard == [slow.index]
    assert shown.scene.dot(slow.index).selected


def test_a_task_that_the_search_left_untried_is_not_called_weak(shown: ClusterView) -> None:
    tried = {trial.task for trial in PROJECT.trials}
    rows = shown.weak.rows
    assert {rows.id_at(row) for row in range(rows.rowCount())} <= tried


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(
    view: ClusterView, qtbot: QtBot
) -> None:
    view.hide()
    begin(view, replace(PROJECT, clustering=STORED))
    assert not view.scene.nodes
    view.show()
    qtbot.waitUntil(lambda: bool(view.scene.nodes))
    assert view.clustering == STORED


def test_another_project_leaves_nothing_behind(shown: ClusterView) -> None:
    begin(shown, replace(BARE, path="/elsewhere.tune"))
    assert not shown.scene.nodes
    assert shown.clustering is None
    assert shown.notice.button.isVisible()


def test_a_task_says_what_it_is_to_its_cluster() -> None:
    matrix = np.full((len(TASKS), len(TASKS)), 0.5)
    first, other = CONVOLUTIONS[1], CONVOLUTIONS[2]
    count = len(CONVOLUTIONS) - 1
    assert role_text(STORED, TASKS, matrix, first) == f"representative of {count} tasks"
    assert role_text(STORED, TASKS, matrix, other) == (
        f"takes the schedules of {label_of(TASKS[first])}, similarity 0.50"
    )
    assert role_text(STORED, TASKS, matrix, OTHERS[0]).startswith("on its own")


def test_a_low_view_is_mostly_for_the_tasks(shown: ClusterView) -> None:
    fast, slow = (next(t for t in TASKS if t.index == i) for i in CONVOLUTIONS[1:3])
    shown.resize(560, 240)
    feed(shown, [TrialDone(make_trial(1, fast.index, fast.flops / 1e12))])
    feed(shown, [TrialDone(make_trial(2, slow.index, slow.flops / 1e11))])
    feed(shown, [RunChanged(1, RunState.FINISHED)])
    QApplication.processEvents()
    assert shown.weak.isVisible()
    assert shown.canvas.height() > shown.weak.height()
    assert not shown.canvas.legend.isVisible()
    shown.resize(1000, 600)
    QApplication.processEvents()
    assert shown.canvas.legend.isVisible()
