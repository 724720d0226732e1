"""The picture of sources: who gave each improvement, in seconds and as factors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.history import History
from engine.history.improvements import improvements
from engine.history.open_project import OpenProject
from engine.records.events import TrialConfirmed, TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import Source, Trial
from tests.feeding import begin, feed
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.look.states import source_word
from widgets.look.theme import apply_theme
from widgets.parts.notice import NO_MODEL
from widgets.plots.convergence_series import Across
from widgets.sources.look import LOOKS, source_brushes, source_color, swatch
from widgets.sources.series import (
    NOTHING,
    build_stack,
    describe_place,
    factors,
    joined,
    place_at,
    source_columns,
    sources_sentence,
)
from widgets.sources.view import NO_GAINS, ImprovementView

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
TASKS = (make_task(0, "fused_conv2d", 10e-3), make_task(1, "fused_dense", 5e-3, weight=2))


def trial(number: int, task: int, latency_s: float, source: Source, run: int = 1) -> Trial:
    return replace(make_trial(number, task, latency_s, run=run), source=source)


TRIED = (Source.SEARCH, Source.SHARED, Source.TRANSFERRED, Source.DROPLET)
TRIALS = (
    trial(1, 0, 6e-3, Source.SEARCH),
    trial(2, 1, 4e-3, Source.SHARED),
    trial(3, 0, 7e-3, Source.SEARCH),
    trial(4, 1, 3e-3, Source.TRANSFERRED),
    trial(5, 0, 4e-3, Source.DROPLET),
)


def project(trials: tuple[Trial, ...] = TRIALS) -> Snapshot:
    return Snapshot("", "Net", "", "llvm", TASKS, (), trials)


FOUND = improvements(project())


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ImprovementView]:
    """A view of 1000 x 300, without a project."""
    made = ImprovementView(OpenProject())
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    yield made
    made.close()


@pytest.fixture
def picked(view: ImprovementView) -> list[object]:
    """The trials that the view says a person picked."""
    heard: list[object] = []
    view.trial_picked.connect(heard.append)
    return heard


def cells(view: ImprovementView, source: Source) -> list[str]:
    row = view.model.row_of(tuple(Source).index(source))
    assert row is not None
    return [str(view.model.index(row, c).data()) for c in range(view.model.columnCount())]


def point(view: ImprovementView, number: int) -> QPoint:
    QApplication.processEvents()
    return view.plot.place_of(number).toPoint()


# The numbers


def test_the_areas_stand_on_each_other_in_the_order_of_the_sources() -> None:
    stack = build_stack(FOUND, Across.TRIALS, False, 9.0)
    assert stack.sources == TRIED
    assert stack.x.tolist() == [0, 1, 2, 4, 5]
    assert stack.end == 9.0
    expected: list[list[float]] = [
        [0.0] * 5,
        [0, 4, 4, 4, 4],
        [0, 4, 6, 6, 6],
        [0, 4, 6, 8, 8],
        [0, 4, 6, 8, 10],
    ]
    assert (stack.edges * 1e3).ravel().tolist() == pytest.approx(np.ravel(expected).tolist())


def test_the_top_is_all_that_the_model_gained() -> None:
    history = History(project())
    untuned_s, now_s = history.untuned_s(), history.now_s()
    assert untuned_s is not None and now_s is not None
    stack = build_stack(FOUND, Across.SECONDS, False, 0.0)
    assert stack.top[-1] == pytest.approx(untuned_s - now_s)
    ratio = build_stack(FOUND, Across.SECONDS, True, 0.0)
    assert 10 ** ratio.top[-1] == pytest.approx(untuned_s / now_s)


def test_factors_go_to_the_source_of_each_improvement() -> None:
    logs = {source: 10 ** series[-1] for source, series in factors(FOUND).items()}
    assert logs == pytest.approx(
        {
            Source.SEARCH: 20 / 16,
            Source.SHARED: 16 / 14,
            Source.TRANSFERRED: 14 / 12,
            Source.DROPLET: 12 / 10,
        }
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.floats(1e-4, 1e-2), st.sampled_from(Source)),
        min_size=1,
        max_size=25,
    )
)
def test_whatever_the_trials_no_area_overlaps_and_the_factors_multiply(
    made: list[tuple[int, float, Source]],
) -> None:
    trials = tuple(trial(number, *parts) for number, parts in enumerate(made, 1))
    found = improvements(project(trials))
    for ratio in (False, True):
        stack = build_stack(found, Across.TRIALS, ratio, 0.0)
        assert (np.diff(stack.edges, axis=0) >= 0).all()
    history = History(project(trials))
    untuned_s, now_s = history.untuned_s(), history.now_s()
    assert untuned_s is not None and now_s is not None
    logs = sum(float(series[-1]) for series in factors(found).values())
    assert 10**logs == pytest.approx(untuned_s / now_s)


def test_gains_that_a_confirmation_took_back_are_nothing_and_not_less() -> None:
    confirmed = replace(TRIALS[0], confirmed=(12e-3,))
    found = improvements(project((confirmed, trial(2, 0, 9e-3, Source.DROPLET))))
    stack = build_stack(found, Across.TRIALS, False, 0.0)
    assert (np.diff(stack.edges, axis=0) >= 0).all()


def test_without_improvements_there_is_no_area() -> None:
    stack = build_stack(NOTHING, Across.SECONDS, True, 5.0)
    assert (stack.sources, len(stack.x), stack.end) == ((), 0, 5.0)
    assert sources_sentence(NOTHING) == ""


def test_sources_that_were_tried_in_vain_have_a_row_with_nothing() -> None:
    found = improvements(project(TRIALS[:1]))
    ids, columns = source_columns(found, Counter({Source.SEARCH: 1, Source.DROPLET: 7}))
    assert ids.tolist() == [0, 3]
    assert columns["gained"].tolist() == pytest.approx([4e-3, 0.0])
    assert columns["factor"].tolist() == pytest.approx([1.25, 1.0])
    assert columns["trials"].tolist() == [1, 7]
    _, empty = source_columns(NOTHING, Counter({Source.SEARCH: 1}))
    assert math.isnan(empty["share"][0])


# The words


def test_the_sentence_has_the_whole_and_the_part_of_each() -> None:
    assert sources_sentence(FOUND) == (
        "20.00 ms → 10.00 ms (2.00x): search 4.00 ms, shared 2.00 ms, transferred 2.00 ms "
        "and polished 2.00 ms."
    )
    assert [joined(parts) for parts in ([], ["a"], ["a", "b"])] == ["", "a", "a and b"]


def test_the_pointer_is_told_the_exact_values() -> None:
    text = describe_place(FOUND, 3, lambda task: TASKS[task].name)
    assert text.splitlines() == [
        "fused_dense", "transferred gained 2.0000 ms", "trial 4 at 0:02",
        "search  4.0000 ms so far", "shared  2.0000 ms so far", "transferred  2.0000 ms so far",
        "model  12.000 ms",
    ]  # fmt: skip
    assert describe_place(FOUND, 0, str).splitlines() == ["trial 0 at 0:00", "model  20.000 ms"]


def test_the_place_on_the_axis_is_the_last_improvement_before_it() -> None:
    assert [place_at(FOUND, Across.TRIALS, x) for x in (-1.0, 0.0, 3.9, 4.0, 99.0)] == [
        -1, 0, 2, 3, 4,
    ]  # fmt: skip
    assert place_at(FOUND, Across.SECONDS, 2.0) == 3


def test_sources_differ_in_word_colour_and_pattern(qapp: QApplication) -> None:
    assert len({source_word(source) for source in Source}) == len(Source)
    assert len({look.pattern for look in LOOKS.values()}) == len(Source)
    assert len({source_color(source).name() for source in Source}) == len(Source)
    assert len({swatch(source).toImage().pixelColor(6, 6).name() for source in Source}) > 2


# The view


def test_empty_states_say_the_next_step(view: ImprovementView) -> None:
    begin(view, replace(squeezenet_like_snapshot(), tasks=(), operators=()))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_MODEL)
    begin(view, project(()))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_GAINS)
    feed(view, [TrialDone(TRIALS[0])])
    assert not view.notice.isVisible()


def test_each_source_has_its_total_beside_the_picture(view: ImprovementView) -> None:
    begin(view, project())
    assert cells(view, Source.SEARCH) == ["search", "4.00 ms", "40 %", "1.25x", "1", "2"]
    assert cells(view, Source.DROPLET) == ["polished", "2.00 ms", "20 %", "1.20x", "1", "1"]
    assert view.bar.sentence.text().startswith("20.00 ms → 10.00 ms (2.00x)")


def test_buttons_and_keys_switch_both_axes(view: ImprovementView) -> None:
    begin(view, project())
    assert (view.bar.across, view.bar.ratio) == (Across.SECONDS, False)
    view.bar.trials.click()
    view.bar.factor.click()
    assert view.plot.stack.x.tolist() == [0, 1, 2, 4, 5]
    assert 10 ** view.plot.stack.top[-1] == pytest.approx(2.0)
    assert view.plot.axis.tickStrings([math.log10(2.0)], 1.0, 1.0) == ["2x"]
    for key in (Qt.Key.Key_T, Qt.Key.Key_R):
        QTest.keyClick(view, key)
    assert (view.bar.across, view.bar.ratio) == (Across.SECONDS, False)
    assert view.plot.stack.top[-1] == pytest.approx(10e-3)
    assert view.plot.axis.tickStrings([0.0, 1e-2], 1.0, 1.0) == ["0", "10 ms"]


def test_live_and_reopened_it_is_the_same(view: ImprovementView, qtbot: QtBot) -> None:
    begin(view, project())
    live = ImprovementView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    begin(live, project(()))
    for made in TRIALS:
        feed(live, [TrialDone(made)])
    for source in TRIED:
        assert cells(live, source) == cells(view, source)
    np.testing.assert_allclose(live.plot.stack.edges, view.plot.stack.edges)


def test_a_trial_that_is_no_better_only_moves_the_end(view: ImprovementView) -> None:
    begin(view, project())
    found, end = view.found, view.plot.stack.end
    feed(view, [TrialDone(trial(6, 0, 9e-3, Source.SEARCH))])
    assert view.found is found
    assert view.plot.stack.end > end
    assert cells(view, Source.SEARCH)[-1] == "3"


def test_a_confirmation_corrects_what_was_credited(view: ImprovementView) -> None:
    begin(view, project())
    feed(view, [TrialConfirmed(replace(TRIALS[4], confirmed=(5e-3,)))])
    assert cells(view, Source.DROPLET)[1] == "1.00 ms"


def test_a_click_picks_the_trial_of_the_improvement(
    view: ImprovementView, picked: list[object]
) -> None:
    begin(view, project())
    at = point(view, 3) + QPoint(4, 30)
    QTest.mouseMove(view.plot.viewport(), at)
    QTest.mouseClick(view.plot.viewport(), LEFT, NO_KEY, at)
    QTest.qWait(1)
    assert picked == [4]


def test_the_pointer_shows_exact_values_and_leaves_none_behind(view: ImprovementView) -> None:
    begin(view, project())
    view.plot._hover(view.plot.mapToScene(point(view, 2) + QPoint(2, 10)))
    assert "shared gained 2.0000 ms" in view.plot.readout.text()
    view.plot._hover(QPointF(-1.0, -1.0))
    assert view.plot.readout.isHidden()


def test_the_selected_tasks_improvements_are_marked_and_not_answered(
    view: ImprovementView,
) -> None:
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    begin(view, project())
    view.select_task(1)
    assert view.plot.marked() == [2, 4]
    view.select_task(None)
    assert view.plot.marked() == []
    assert heard == []


def test_a_zoom_stays_until_the_axis_changes_or_zero_is_pressed(view: ImprovementView) -> None:
    begin(view, project(TRIALS[:4]))
    box = view.plot.plot.vb
    box.setXRange(0.5, 1.0, padding=0)
    view.plot.follow.setChecked(False)
    feed(view, [TrialDone(TRIALS[4])])
    assert box.viewRange()[0] == pytest.approx([0.5, 1.0])
    QTest.keyClick(view, Qt.Key.Key_0)
    assert box.viewRange()[0][1] > 2.4
    box.setXRange(0.5, 1.0, padding=0)
    view.plot.follow.setChecked(False)
    view.bar.trials.click()
    assert box.viewRange()[0][1] > 5.0


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: ImprovementView) -> None:
    view.hide()
    begin(view, project(()))
    feed(view, [TrialDone(made) for made in TRIALS])
    assert view.found is NOTHING
    view.show()
    assert len(view.found.items) == 4


@pytest.mark.parametrize("name", ["light", "dark"])
def test_areas_are_drawn_in_the_colours_of_their_sources(
    view: ImprovementView, qapp: QApplication, name: str
) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        begin(view, project())
        at = point(view, 1) + QPoint(20, 40)
        image = view.plot.viewport().grab().toImage()
        assert image.pixelColor(at).name() == source_brushes(Source.SEARCH)[0].color().name()
    finally:
        apply_theme(qapp, "light")


def test_parts_have_names_for_those_who_cannot_see_them(view: ImprovementView) -> None:
    begin(view, project())
    assert view.accessibleName() == "Sources of improvements"
    assert view.plot.accessibleName() == "Gains by source"
    assert view.table.accessibleName() == "Gains by source"
    assert view.bar.sentence.accessibleName() == "Gains by source, in words"


def test_a_sentence_without_room_is_cut_at_its_end_and_whole_on_hover(
    view: ImprovementView,
) -> None:
    begin(view, project())
    whole = view.bar.sentence.text()
    view.resize(460, 200)
    QApplication.processEvents()
    text = view.bar.sentence.text()
    assert text.endswith("…")
    assert whole.startswith(text.removesuffix("…"))
    assert view.bar.sentence.toolTip() == whole
