"""The timeline of one inference: where kernels stand, what is told, what a click selects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.inference import inference_of
from engine.history.open_project import OpenProject
from engine.records.events import ModelMeasured
from engine.records.snapshot import UNTUNED, Snapshot
from engine.records.trial import Measured
from tests.clipping import clipped_texts
from tests.feeding import begin, feed
from tests.samples import squeezenet_like_snapshot
from widgets.look.theme import apply_theme
from widgets.parts.notice import NO_MODEL
from widgets.timeline.chart import InferenceChart
from widgets.timeline.view import LOW, NOT_TIMED, InferenceView
from widgets.timeline.words import describe_run, gap_text, inference_sentence

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PEAKS = (4e11, 4e10)


def project(whole: float = 1.1) -> Snapshot:
    """A network whose kernels were timed; the whole takes so many times their sum."""
    snapshot = squeezenet_like_snapshot()
    kernels = tuple(
        (each.id, 2e-6 + each.flops / 1e11) for each in snapshot.operators if each.task is not None
    )
    total = sum(seconds for _, seconds in kernels)
    return replace(snapshot, measured={UNTUNED: Measured(total * whole, kernels=kernels)})


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[InferenceView]:
    """A view of 900 x 320, without a project, on a machine whose peaks are known."""
    monkeypatch.setattr("widgets.timeline.view.known_peak", lambda text: PEAKS[0])
    monkeypatch.setattr("widgets.timeline.view.known_bytes", lambda text: PEAKS[1])
    made = InferenceView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 320)
    made.show()
    yield made
    made.close()


@pytest.fixture
def chart(view: InferenceView) -> InferenceChart:
    begin(view, project())
    QApplication.processEvents()
    return view.chart


@pytest.fixture
def picked(view: InferenceView) -> list[object]:
    """The operators that the view says a person picked."""
    heard: list[object] = []
    view.operators_picked.connect(heard.append)
    return heard


def middle(chart: InferenceChart, operator: int) -> QPoint:
    return chart.rect_of(operator).center().toPoint()


# Where things are


def test_kernels_stand_one_after_the_other_and_the_rest_behind_them(chart: InferenceChart) -> None:
    places, runs = chart.places, chart.found.kernels
    for before, after in pairwise(runs):
        assert places.x(before.end_s) == pytest.approx(places.x(after.start_s))
        assert places.rect(before).left() < places.rect(after).left()
    assert places.gap_rect().left() == pytest.approx(places.x(chart.found.sum_s))
    assert places.gap_rect().right() < places.right
    assert places.whole_rect().right() == pytest.approx(places.gap_rect().right(), abs=1)


def test_a_whole_that_is_faster_than_its_kernels_has_nothing_behind_them(
    view: InferenceView,
) -> None:
    begin(view, project(0.8))
    assert view.chart.places.gap_rect().isEmpty()
    assert "Within the model they are faster by" in view.sentence.text()


def test_a_bar_is_as_high_as_the_part_of_the_peak_and_never_higher_than_its_row(
    chart: InferenceChart,
) -> None:
    places = chart.places
    for run in chart.found.kernels:
        assert run.share is not None
        rect = places.share_rect(run)
        assert rect.bottom() == pytest.approx(places.bottom)
        assert rect.height() == pytest.approx(min(run.share, 1.0) * places.peaks_height)
        above = places.share_rect(replace(run, share=7.0))
        assert above.top() == pytest.approx(places.peaks_top)
        assert places.share_rect(replace(run, share=None)).isEmpty()


@pytest.mark.parametrize("height", [150, 230, 600])
def test_all_rows_have_room_at_any_height(view: InferenceView, height: int) -> None:
    begin(view, project())
    view.resize(560, height)
    QApplication.processEvents()
    places = view.chart.places
    assert view.chart.height() >= view.chart.minimumHeight()
    assert places.bottom < view.chart.height()
    assert view.legend.isVisible() == (height >= LOW)
    assert clipped_texts(view) == []


# The words


def test_the_sentence_compares_the_kernels_with_the_whole() -> None:
    found = inference_of(project())
    assert found is not None
    text = inference_sentence(found)
    assert text.startswith(f"Untuned: {len(found.kernels)} kernels together take")
    assert text.endswith(gap_text(found))
    assert "9.1 %" in gap_text(found)
    assert "Disturbed" not in text
    crowded = replace(found, measured=replace(found.measured, load=0.5))
    assert inference_sentence(crowded).endswith("does nothing else.")
    tuned = replace(found, tuned=True)
    assert inference_sentence(tuned).startswith("Tuned:")
    assert inference_sentence(replace(tuned, current=False)).startswith("Tuned, with earlier")


def test_a_kernel_is_told_with_what_it_moves_and_does() -> None:
    found = inference_of(project(), None, *PEAKS)
    assert found is not None
    name, time, moved, work, share = describe_run(found, found.kernels[0]).splitlines()
    assert name == found.kernels[0].name
    assert "of the kernels" in time
    assert moved.startswith("reads 0 B, writes 803 kB (")
    assert work.startswith("120 MFLOP (")
    assert share.endswith("of the arithmetic's peak")
    bare = replace(found.kernels[0], flops=0.0, share=None, bound=None, seconds=0.0)
    assert len(describe_run(found, bare).splitlines()) == 3


# What is shown


def test_without_a_model_or_a_measurement_the_next_step_is_offered(view: InferenceView) -> None:
    view.show_project()
    assert (view.notice.text(), view.notice.action) == (NO_MODEL, "open-model")
    begin(view, squeezenet_like_snapshot())
    assert (view.notice.text(), view.notice.action) == (NOT_TIMED, "measure-again")


def test_a_new_measurement_is_shown_and_a_zoom_stays(view: InferenceView) -> None:
    begin(view, squeezenet_like_snapshot())
    measured = project().measured[UNTUNED]
    feed(view, [ModelMeasured(UNTUNED, measured)])
    assert view.first_part() is view.chart
    QTest.keyClick(view.chart, Qt.Key.Key_Plus)
    before = view.chart.range
    feed(view, [ModelMeasured(UNTUNED, replace(measured, latency_s=1.05 * measured.latency_s))])
    assert view.chart.range == before
    QTest.keyClick(view.chart, Qt.Key.Key_0)
    assert view.chart.range != before


def test_peaks_that_are_not_known_are_said_not_to_be(
    view: InferenceView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("widgets.timeline.view.known_peak", lambda text: None)
    monkeypatch.setattr("widgets.timeline.view.known_bytes", lambda text: None)
    begin(view, project())
    assert all(run.share is None for run in view.chart.found.kernels)
    assert not view.grab().isNull()


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
@pytest.mark.parametrize("whole", [0.8, 1.0, 1.3])
def test_it_is_drawn_in_every_theme(
    view: InferenceView, qapp: QApplication, name: str, whole: float
) -> None:
    apply_theme(qapp, name)  # type: ignore[arg-type]
    begin(view, project(whole))
    view.select_task(1)
    assert not view.grab().isNull()
    apply_theme(qapp, "light")


# What a person does


def test_a_click_picks_the_kernels_operator_and_one_beside_it_none(
    chart: InferenceChart, picked: list[object]
) -> None:
    QTest.mouseClick(chart, LEFT, NO_KEY, middle(chart, 0))
    QTest.mouseClick(chart, LEFT, NO_KEY, chart.places.gap_rect().center().toPoint())
    assert picked == [frozenset({0}), frozenset()]


def test_the_bar_below_a_kernel_is_its_own(chart: InferenceChart, picked: list[object]) -> None:
    at = QPoint(middle(chart, 0).x(), int(chart.places.bottom) - 3)
    QTest.mouseClick(chart, LEFT, NO_KEY, at)
    assert picked == [frozenset({0})]


def test_the_arrows_go_from_kernel_to_kernel(chart: InferenceChart, picked: list[object]) -> None:
    runs = chart.found.kernels
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End):
        QTest.keyClick(chart, key)
    expected = [runs[place].operator for place in (0, 1, 0, -1)]
    assert picked == [frozenset({operator}) for operator in expected]
    assert chart.accessibleDescription().startswith(runs[-1].name)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert picked[-1] == frozenset()


def test_the_pointer_is_told_what_is_under_it(chart: InferenceChart) -> None:
    places = chart.places
    assert chart.text_at(QPointF(middle(chart, 0))).startswith(chart.found.kernels[0].name)
    assert "what runs between kernels" in chart.text_at(places.gap_rect().center())
    assert chart.text_at(places.whole_rect().center()).startswith("The whole: ")
    assert chart.text_at(QPointF(2.0, 2.0)) == ""


def test_a_task_that_is_selected_elsewhere_has_all_its_kernels_accented(
    view: InferenceView, chart: InferenceChart
) -> None:
    head = view.project.head
    view.select_task(1)
    assert chart.selected == {each.id for each in head.operators if each.task == 1}
    view.select_operators(frozenset({3}))
    assert chart.selected == {3}
    view.select_task(None)
    assert not chart.selected
