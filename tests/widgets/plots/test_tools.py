"""What every plot offers: pictures, values, and a range that stays where a person put it."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from engine.history.improvements import improvements
from engine.history.open_project import OpenProject
from engine.records.trial import ErrorKind
from engine.replay.side_by_side import Contender, judge
from tests.feeding import begin
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.comparison.plot import ComparePlot
from widgets.convergence.view import ConvergenceView
from widgets.droplet.neighbours import Neighbour
from widgets.droplet.plot import DropletPlot
from widgets.droplet.series import build_path
from widgets.look.theme import ThemeName, apply_theme, theme
from widgets.parts.exporting import export_notifier
from widgets.plots.convergence_series import Across
from widgets.plots.dots import Dots, square
from widgets.plots.items import LatencyPlot
from widgets.sources.plot import ImprovementPlot

SNAPSHOT = squeezenet_like_snapshot(200)
RIGHT = Qt.MouseButton.RightButton
RED = QColor(255, 0, 0)


def fast_and_slow() -> list[Contender]:
    seconds = np.array([0.0, 2.0, 4.0])
    return [
        Contender("a", "quick", False, seconds, np.array([9e-3, 4e-3, 3e-3]), 5.0),
        Contender("b", "slow", True, seconds * 2, np.array([9e-3, 8e-3, 3e-3]), 10.0),
    ]


def show_convergence(view: ConvergenceView) -> None:
    begin(view, SNAPSHOT)
    view.show()
    view.select_task(2)


def comparison() -> ComparePlot:
    plot = ComparePlot()
    plot.show_verdict(judge(fast_and_slow(), 0.05), 0.05, [RED] * 2)
    return plot


def sources() -> ImprovementPlot:
    plot = ImprovementPlot(lambda task: f"task {task}")
    plot.show_found(improvements(SNAPSHOT), Across.SECONDS, False, 50.0)
    return plot


def droplet() -> DropletPlot:
    plot = DropletPlot()
    tried = (
        Neighbour(1, 1, 10, 11, "tile", 0.2, 1e-3, True, 1.0),
        Neighbour(2, 1, 11, 12, "unroll", -0.1, 0.9, False, 2.0),
        Neighbour(-13, 1, 11, 13, "unroll", math.nan, None, False, 3.0, "run crash"),
    )
    plot.show_path(build_path(tried, lambda _: 2e-3), anew=True)
    return plot


@pytest.fixture(params=["convergence", "comparison", "sources", "droplet"])
def plot(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[Any]:
    """Each kind of plot on screen, 500 x 300."""
    makers: dict[str, Callable[[], Any]] = {
        "comparison": comparison,
        "sources": sources,
        "droplet": droplet,
    }
    if request.param == "convergence":
        view = ConvergenceView(OpenProject())
        qtbot.addWidget(view)
        view.resize(500, 300)
        show_convergence(view)
        yield view.plots
        view.close()
        return
    made, room = makers[request.param](), QWidget()
    qtbot.addWidget(room)
    made.setParent(room)
    for widget in (made, room):
        widget.resize(500, 300)
    room.show()
    QApplication.processEvents()
    yield made


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[list[str]]:
    """What became of saved files."""
    heard: list[str] = []
    notifier = export_notifier()
    links = [
        notifier.saved.connect(lambda path: heard.append(f"saved {path}")),
        notifier.failed.connect(lambda what, todo: heard.append(f"{what} {todo}")),
    ]
    yield heard
    notifier.saved.disconnect(links[0])
    notifier.failed.disconnect(links[1])


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_plot_is_saved_as_what_the_name_says(plot: Any, tmp_path: Path, told: list[str]) -> None:
    paths = [tmp_path / f"plot{suffix}" for suffix in (".png", ".svg", ".csv")]
    for path in paths:
        plot.tools.save(path)
    assert told == [f"saved {path}" for path in paths]
    picture, size = QImage(str(paths[0])), plot.viewport().size()
    assert (picture.width(), picture.height()) == (2 * size.width(), 2 * size.height())
    drawing = paths[1].read_text()
    assert "<svg" in drawing and "<text" in drawing and "<image" not in drawing
    rows = rows_of(paths[2])
    assert rows and all(None not in row.values() for row in rows)
    assert not any(value in ("nan", "inf", "None") for row in rows for value in row.values())


def test_a_plot_is_copied_as_a_picture_and_as_values(plot: Any) -> None:
    plot.tools.copy()
    assert not QGuiApplication.clipboard().image().isNull()
    plot.tools.copy_values()
    assert QGuiApplication.clipboard().text().splitlines()[0].count(",") >= 3


def test_the_menus_button_is_seen_as_one(plot: Any, qapp: QApplication, qtbot: QtBot) -> None:
    plot.window().show()
    button = plot.tools.button
    qtbot.waitUntil(button.isVisible)
    names: tuple[ThemeName, ...] = ("dark", "contrast", "light")
    for name in names:
        apply_theme(qapp, name)
        seen = button.grab().toImage()
        edges = {seen.pixelColor(x, y).name() for x, y in ((0, 9), (19, 9), (9, 0), (9, 19))}
        grounds = {theme().surface.name(), theme().window.name()}
        assert len(edges) == 1 and not edges & grounds


def test_the_menu_opens_by_the_keyboard_and_by_the_mouse(plot: Any) -> None:
    at = plot.viewport().rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, plot.mapToGlobal(at))
    for act in (
        lambda: QApplication.sendEvent(plot, event),
        lambda: QTest.mouseClick(plot.viewport(), RIGHT, pos=QPoint(300, 60)),
        plot.tools.button.click,
    ):
        act()
        menu = QApplication.activePopupWidget()
        assert menu is not None
        texts = [action.text() for action in menu.actions()]
        assert "&Follow" in texts and "Save as SVG…" in texts
        menu.close()


def test_asking_where_to_save_blocks_nothing_and_adds_the_suffix(
    plot: Any, tmp_path: Path, told: list[str]
) -> None:
    dialog = plot.tools.ask(".csv")
    assert isinstance(dialog, QFileDialog) and not dialog.isModal()
    assert dialog.nameFilters() == ["Values (*.csv)"]
    assert dialog.defaultSuffix() == "csv"
    dialog.fileSelected.emit(str(tmp_path / "x.csv"))
    assert told == [f"saved {tmp_path / 'x.csv'}"]
    dialog.close()


def test_a_place_that_cannot_be_written_is_told_in_a_sentence(
    plot: Any, tmp_path: Path, told: list[str]
) -> None:
    plot.tools.save(tmp_path / "missing" / "x.png")
    assert len(told) == 1
    assert told[0].startswith(f"The file {tmp_path}/missing/x.png cannot be written: ")
    assert told[0].endswith("Choose another place.")


@pytest.mark.parametrize("make", [comparison, sources, droplet])
def test_a_zoom_ends_following_and_new_results_leave_it_alone(
    make: Callable[[], Any], qtbot: QtBot
) -> None:
    plot = make()
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    box = plot.plot.vb
    assert plot.follow.isChecked()
    all_of_it = box.viewRange()
    box.scaleBy((0.5, 1.0))
    box.sigRangeChangedManually.emit(box.state["mouseEnabled"])
    assert not plot.follow.isChecked()
    zoomed = box.viewRange()
    again(plot)
    assert box.viewRange() == zoomed
    plot.follow.trigger()
    assert box.viewRange() == all_of_it


def again(plot: Any) -> None:
    """Show the same as news."""
    if isinstance(plot, ComparePlot):
        plot.show_verdict(judge(fast_and_slow(), 0.05), 0.05, plot._colors)
    elif isinstance(plot, ImprovementPlot):
        plot.show_found(plot.found, Across.SECONDS, False, 50.0)
    else:
        plot.show_path(plot.path, anew=False)


@pytest.mark.parametrize("make", [comparison, droplet])
def test_latencies_are_shown_by_their_logarithms_or_as_they_are(
    make: Callable[[], Any], qtbot: QtBot
) -> None:
    plot = make()
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    assert plot.plot.log and plot.log.isChecked()
    plot.log.trigger()
    assert not plot.plot.log
    low, high = plot.plot.vb.viewRange()[1]
    assert low == 0.0 and 2e-3 < high < 0.1
    assert not plot.grab().isNull()


def test_the_values_of_convergence_are_changes_and_the_selected_tasks_trials(
    qtbot: QtBot, tmp_path: Path
) -> None:
    view = ConvergenceView(OpenProject())
    qtbot.addWidget(view)
    failed = replace(make_trial(201, 2, None, error=ErrorKind.RUN_CRASH), elapsed_s=99.5)
    begin(view, replace(SNAPSHOT, trials=(*SNAPSHOT.trials, failed)))
    view.show()
    view.select_task(2)
    view.plots.tools.save(tmp_path / "x.csv")
    rows = rows_of(tmp_path / "x.csv")
    own = [row for row in rows if row["series"] == "trial"]
    assert len(own) == sum(trial.task == 2 for trial in SNAPSHOT.trials) + 1
    assert (own[-1]["latency_s"], own[-1]["error"]) == ("", "run crash")
    known = {trial.number: trial.latency_s for trial in SNAPSHOT.trials}
    for row in own[:-1]:
        if not row["error"]:
            assert float(row["latency_s"]) == known[int(row["trial"])]
    assert {row["series"] for row in rows} == {"model", "untuned", "best so far", "trial"}
    view.close()


def test_a_failed_neighbour_is_a_cross_at_the_upper_edge_that_tells_its_error(
    qtbot: QtBot,
) -> None:
    plot = droplet()
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    plot.show()
    QApplication.processEvents()
    assert plot.failed().tolist() == [False, False, True]
    assert plot.place_of(2).y() < min(plot.place_of(0).y(), plot.place_of(1).y())
    QTest.mouseMove(plot.viewport(), plot.place_of(2).toPoint())
    qtbot.waitUntil(plot.readout.isVisible)
    assert plot.readout.text().endswith("✕ failed: run crash")


@pytest.mark.parametrize("ratio", [1.0, 2.0, 3.0])
def test_marks_are_stamped_where_they_belong_at_any_scale(qtbot: QtBot, ratio: float) -> None:
    plot = pg.GraphicsLayoutWidget()
    qtbot.addWidget(plot)
    held = LatencyPlot("", with_progress=False)
    plot.addItem(held)
    held.give_menu_to(plot)
    box = held.vb
    plot.ci.layout.setContentsMargins(0, 0, 0, 0)
    dots = Dots(square(), 4)
    dots.recolor(None, RED)
    box.addItem(dots)
    plot.resize(201, 101)
    box.setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
    dots.show_at(np.array([0.5, 0.0, 7.0]), np.array([0.5, 0.0, 0.5]))
    plot.show()
    QApplication.processEvents()
    image = QImage(plot.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    plot.render(painter, plot.rect(), plot.viewport().rect())
    painter.end()
    center = box.mapViewToScene(pg.Point(0.5, 0.5))
    red = [
        (x / ratio, y / ratio)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y) == RED
    ]
    middle = [(x, y) for x, y in red if center.x() - 9 < x < center.x() + 9]
    assert len(middle) == (4 * ratio) ** 2
    assert np.mean([x for x, _ in middle]) == pytest.approx(center.x(), abs=1.0)
    assert np.mean([y for _, y in middle]) == pytest.approx(center.y(), abs=1.0)
