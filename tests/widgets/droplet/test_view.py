"""The Droplet view: the path through the decisions, and what came of each neighbour."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.events import Event, MoveMade, RunChanged, TrialConfirmed, TrialDone
from engine.records.settings import RunSettings, RunState, Step
from engine.records.snapshot import RunInfo, Snapshot
from engine.records.space import Move
from engine.records.trial import ErrorKind, Source, Trial
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.droplet.neighbours import (
    OUTCOMES,
    Neighbour,
    Outcome,
    level_of,
    neighbours_of,
    outcomes,
)
from widgets.droplet.plot import PValueAxis
from widgets.droplet.series import (
    Path,
    build_path,
    describe_tried,
    gain_text,
    latency_in,
    p_text,
    path_sentence,
)
from widgets.droplet.view import LEAST_PLOT, LOW, NO_PASS, UNTUNED, DropletView
from widgets.look.theme import apply_theme, theme
from widgets.parts.column_model import ColumnModel
from widgets.parts.notice import NO_MODEL

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BEGUN_S = 2e-3


def axis_of(number: int) -> str:
    return f"tile of loop {number}: 2, 8 to 4, 4"


def move(
    number: int,
    start: int,
    end: int,
    gain: float,
    p_value: float,
    accepted: bool = False,
    task: int = 0,
) -> Move:
    return Move(number, 1, task, start, end, axis_of(end), gain, p_value, accepted, end + 0.5)


def tried(
    number: int, start: int, latency_s: float | None, task: int = 0, error: ErrorKind | None = None
) -> Trial:
    trial = make_trial(number, task, latency_s, error=error, elapsed_s=float(number))
    return replace(trial, source=Source.DROPLET, origin={"from": start, "axis": axis_of(number)})


# From trial 3 to 13 and to 15, where nothing is better. Of task 2 the one neighbour is slower.
MOVES = (
    move(1, 3, 12, 0.02, 0.3),
    move(2, 3, 13, 0.1, 0.001, accepted=True),
    move(3, 3, 14, 0.05, 0.04),
    move(4, 13, 15, 0.25, 1e-7, accepted=True),
)
TRIALS = (
    tried(11, 3, 2.5e-3),
    tried(12, 3, 1.9e-3),
    tried(13, 3, 1.8e-3),
    tried(14, 3, 1.85e-3),
    tried(15, 13, 1.5e-3),
    tried(16, 15, 15e-3),
    tried(17, 15, None, error=ErrorKind.BUILD_ERROR),
    tried(18, 5, 2e-3, task=2),
)
POINTS = (make_trial(3, 0, BEGUN_S, elapsed_s=3.0), make_trial(5, 2, 1e-3, elapsed_s=5.0))
LATENCIES = {trial.number: trial.latency_s for trial in (*POINTS, *TRIALS)}


def project(
    moves: tuple[Move, ...] = MOVES, trials: tuple[Trial, ...] = TRIALS, level: float = 0.05
) -> Snapshot:
    plan = RunSettings(steps=(Step("search"), Step("droplet", {"p_value": level})))
    runs = (RunInfo(1, RunState.FINISHED, plan, 1e9),)
    snapshot = squeezenet_like_snapshot()
    return replace(snapshot, trials=POINTS + trials, moves=moves, runs=runs)


def known(number: int) -> float:
    return LATENCIES.get(number, math.nan)


def path(task: int = 0) -> Path:
    found = neighbours_of(
        [each for each in MOVES if each.task == task],
        [each for each in TRIALS if each.task == task],
        known,
    )
    return build_path(found, known)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[DropletView]:
    """A view of 1000 x 640, without a project."""
    made = DropletView(OpenProject())
    qtbot.addWidget(made)
    made.resize(1000, 640)
    made.show()
    yield made
    made.close()


@pytest.fixture
def tasks_picked(view: DropletView) -> list[object]:
    """The tasks that the view says a person picked."""
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    return heard


@pytest.fixture
def trials_picked(view: DropletView) -> list[object]:
    """The trials that the view says a person picked."""
    heard: list[object] = []
    view.trial_picked.connect(heard.append)
    return heard


def cells(model: ColumnModel, identity: int) -> dict[str, str]:
    row = model.row_of(identity)
    assert row is not None
    return {c.key: str(model.index(row, i).data()) for i, c in enumerate(model.columns)}


# The numbers


def test_neighbours_that_were_never_compared_are_among_those_tried() -> None:
    assert [each.id for each in path().tried] == [-11, 1, 2, 3, 4, -16, -17]
    assert [each.end for each in path().tried] == [11, 12, 13, 14, 15, 16, 17]
    assert path().tried[0].gain == pytest.approx(-0.2)
    assert math.isnan(path().tried[-1].gain)


def test_neighbours_of_one_point_are_one_step() -> None:
    assert path().steps.tolist() == [1, 1, 1, 1, 2, 3, 3]


def test_the_accepted_are_at_the_end_of_their_step_and_the_others_before_it() -> None:
    expected = [0.25, 0.5, 1.0, 0.75, 2.0, 2 + 1 / 3, 2 + 2 / 3]
    assert path().places.tolist() == pytest.approx(expected)


def test_latencies_follow_from_the_first_point_and_the_gains() -> None:
    after, last = BEGUN_S / 1.1, BEGUN_S / 1.1 / 1.25
    expected = [2.5e-3, BEGUN_S / 1.02, after, BEGUN_S / 1.05, last, 10 * last]
    assert path().latency_s[:6].tolist() == pytest.approx(expected)
    assert math.isnan(path().latency_s[6])
    assert path().line_x.tolist() == [0, 1, 1, 1, 2, 2, 2, 3]
    assert path().line_s.tolist() == pytest.approx([BEGUN_S] * 2 + [after] * 3 + [last] * 3)
    assert path().ratio == pytest.approx(1.1 * 1.25)


def test_a_path_that_begins_anew_elsewhere_has_a_gap() -> None:
    moves = [move(1, 3, 11, 0.1, 0.01, True), move(2, 40, 41, 0.2, 0.01, True)]
    starts = {3: 2e-3, 40: 1e-3}
    found = build_path(neighbours_of(moves, (), starts.__getitem__), starts.__getitem__)
    assert np.flatnonzero(np.isnan(found.line_s)).tolist() == [3]
    assert found.begin_x.tolist() == [0.0, 1.0]
    assert found.begin_s.tolist() == [2e-3, 1e-3]
    assert "→" not in path_sentence(found, "t", False)


def test_a_neighbour_of_an_earlier_point_that_is_compared_with_a_later_one_is_its() -> None:
    moves = [move(1, 3, 12, 0.1, 0.001, True), replace(move(2, 12, 11, 0.01, 0.4), elapsed_s=13.0)]
    found = build_path(neighbours_of(moves, TRIALS[:2], known), known)
    assert [(each.start, each.end) for each in found.tried] == [(3, 12), (12, 11)]
    assert found.steps.tolist() == [1, 2]


def test_an_unknown_starting_point_leaves_the_latencies_unknown() -> None:
    unknown = neighbours_of(MOVES, TRIALS[:7], lambda _: math.nan)
    found = build_path(unknown, lambda _: math.nan)
    assert np.isnan(found.latency_s).all()
    assert found.accepted == 2
    assert OUTCOMES[found.codes[0]] is Outcome.OPEN


def test_nothing_tried_is_an_empty_path() -> None:
    found = build_path((), known)
    assert (len(found.steps), len(found.line_x), found.ratio) == (0, 0, 1.0)


def test_what_came_of_each_neighbour_has_a_word() -> None:
    assert [OUTCOMES[code] for code in path().codes] == [
        Outcome.SLOWER, Outcome.UNSURE, Outcome.ACCEPTED, Outcome.PASSED_OVER, Outcome.ACCEPTED,
        Outcome.SLOWER, Outcome.FAILED,
    ]  # fmt: skip


def neighbour(gain: float, p_value: float | None, accepted: bool = False) -> Neighbour:
    return Neighbour(1, 1, 3, 4, "", gain, p_value, accepted, 0.0)


@pytest.mark.parametrize(
    ("each", "outcome"),
    [
        (neighbour(0.5, 0.01), Outcome.UNSURE),  # nothing was accepted
        (neighbour(0.005, None), Outcome.OPEN),  # too little to be compared, or not yet
        (neighbour(0.0, 1.0), Outcome.OPEN),  # samples were too few
        (neighbour(0.0, 0.5), Outcome.SLOWER),
        (neighbour(-0.1, 0.9), Outcome.SLOWER),
    ],
)
def test_one_neighbour_alone_has_its_word(each: Neighbour, outcome: Outcome) -> None:
    assert outcomes([each]) == [outcome]


def test_what_is_significant_is_up_to_the_run() -> None:
    step = [neighbour(0.2, 0.001, accepted=True), neighbour(0.1, 0.03)]
    assert outcomes(step, 0.05)[1] is Outcome.PASSED_OVER
    assert outcomes(step, 0.01)[1] is Outcome.UNSURE
    assert level_of(RunSettings(steps=(Step("droplet", {"p_value": 0.01}),))) == 0.01
    assert level_of(RunSettings(steps=(Step("droplet", {"nonsense": 1}),))) == 0.05
    assert level_of(RunSettings()) == level_of(None) == 0.05


def test_an_origin_of_a_strangers_file_is_not_trusted() -> None:
    trial = replace(TRIALS[0], origin={"from": "x", "axis": 7})
    (found,) = neighbours_of((), [trial], known)
    assert (found.start, found.axis) == (0, "unknown")


@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.floats(-0.9, 3.0), st.booleans()), min_size=1, max_size=30
    )
)
def test_whatever_was_tried_the_places_are_in_their_steps_and_the_line_never_runs_back(
    made: list[tuple[int, float, bool]],
) -> None:
    moves = [
        move(number, start, 100 + number, gain, 0.01, taken)
        for number, (start, gain, taken) in enumerate(made, 1)
    ]
    found = build_path(neighbours_of(moves, (), known), lambda _: 1e-3)
    assert ((found.places > found.steps - 1) & (found.places <= found.steps)).all()
    assert all(a <= b for a, b in pairwise(found.line_x))
    assert np.isfinite(found.latency_s).all()


def test_the_latency_of_a_point_is_the_confirmed_one_where_there_is_one() -> None:
    trials = (make_trial(1, 0, 2e-3, confirmed=(3e-3,)), make_trial(2, 0, 4e-3))
    history = History(replace(squeezenet_like_snapshot(), trials=trials))
    assert latency_in(history, 0, 1) == 3e-3
    assert latency_in(history, 0, 2) == 4e-3
    assert math.isnan(latency_in(history, 0, 9))
    assert math.isnan(latency_in(history, 999, 1))


# The words


def test_the_sentence_says_how_much_and_by_how_many_steps() -> None:
    assert path_sentence(path(), "conv", False) == (
        "conv: 1.38x faster in 2 steps, 2.000 ms → 1.455 ms. 7 neighbours tried, 1 failed."
    )


def test_no_improvement_is_said_when_that_is_the_truth() -> None:
    end = "1 neighbour tried, it was not significantly faster."
    assert path_sentence(path(2), "pool", False) == f"pool: no improvement found. {end}"
    assert path_sentence(path(2), "pool", True) == f"pool: no improvement found so far. {end}"


def test_a_neighbour_that_was_compared_twice_counts_once() -> None:
    found = neighbours_of([move(1, 3, 12, 0.02, 0.3), move(2, 3, 12, 0.01, 0.4)], TRIALS[:2], known)
    assert "2 neighbours tried" in path_sentence(build_path(found, known), "t", False)


def test_gains_and_p_values_are_read_at_a_glance() -> None:
    assert [gain_text(g) for g in (0.079, -0.2, math.nan)] == ["+7.9 %", "−20.0 %", "–"]
    assert [p_text(p) for p in (0.00312, 1e-9, 1.0, math.nan)] == ["0.0031", "<0.0001", "1", "–"]


def test_the_pointer_is_told_all_of_a_neighbour() -> None:
    assert describe_tried(path(), 2).splitlines() == [
        "step 1  tile of loop 13: 2, 8 to 4, 4", "trial 3 → trial 13",
        "+10.0 % measured in turns, p-value 0.001", "2.000 ms → 1.818 ms", "● accepted",
    ]  # fmt: skip
    assert describe_tried(path(), 0).splitlines()[2:] == [
        "−20.0 % measured once", "2.000 ms → 2.500 ms", "○ no faster",
    ]  # fmt: skip
    assert describe_tried(path(), 6).splitlines()[2:] == ["✕ failed: build error"]


# The view


def test_empty_states_say_the_next_step(view: DropletView) -> None:
    begin(view, replace(squeezenet_like_snapshot(), tasks=(), operators=()))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_MODEL)
    begin(view, squeezenet_like_snapshot())
    assert view.notice.text() == UNTUNED
    begin(view, project((), ()))
    assert view.notice.text() == NO_PASS
    feed(view, [TrialDone(TRIALS[0])])
    assert not view.notice.isVisible()


def test_without_a_selection_the_task_of_which_most_was_tried_is_shown(view: DropletView) -> None:
    begin(view, project())
    assert view.tasks_table.selected() == 0
    assert view.sentence.text().startswith(f"{project().tasks[0].name}: 1.38x faster in 2 steps")
    assert view.tried_model.rowCount() == 7
    assert cells(view.tried_model, 2) == {
        "step": "1", "axis": "tile of loop 13: 2, 8 to 4, 4", "start": "3", "end": "13",
        "gain": "+10.0 %", "p_value": "0.001", "outcome": "● accepted",
    }  # fmt: skip
    assert cells(view.tried_model, -11)["p_value"] == "–"
    assert cells(view.tried_model, -17)["outcome"] == "✕ failed"


def test_the_polished_tasks_stand_beside_and_say_where_nothing_was_found(
    view: DropletView,
) -> None:
    begin(view, project())
    name = project().tasks[0].name.removeprefix("fused_")
    assert cells(view.tasks_model, 0) == {
        "name": name, "tried": "7", "accepted": "2", "ratio": "1.38x",
    }  # fmt: skip
    assert cells(view.tasks_model, 2)["ratio"] == "none found"


def test_a_task_of_which_every_neighbour_was_slower_at_once_says_so(view: DropletView) -> None:
    begin(view, project((), TRIALS[-1:]))
    assert "no improvement found. 1 neighbour tried" in view.sentence.text()


def test_a_selection_made_elsewhere_is_followed_and_not_answered(
    view: DropletView, tasks_picked: list[object], trials_picked: list[object]
) -> None:
    begin(view, project())
    view.select_task(2)
    assert "no improvement found" in view.sentence.text()
    assert view.tried_model.rowCount() == 1
    view.select_task(1)
    assert "not polished" in view.sentence.text()
    assert not view.tried_table.isVisible()
    view.select_task(None)
    view.select_trial(13)
    assert view.tried_table.selected() == 2
    assert (tasks_picked, trials_picked) == ([], [])


def test_a_click_on_a_task_shows_its_path(view: DropletView, tasks_picked: list[object]) -> None:
    begin(view, project())
    row = view.tasks_model.row_of(2)
    assert row is not None
    at = view.tasks_table.visualRect(view.tasks_model.index(row, 0)).center()
    QTest.mouseClick(view.tasks_table.viewport(), LEFT, NO_KEY, at)
    assert tasks_picked == [2]
    assert view.tried_model.rowCount() == 1


def test_a_click_on_a_row_or_a_key_picks_the_trial(
    view: DropletView, trials_picked: list[object]
) -> None:
    begin(view, project())
    at = view.tried_table.visualRect(view.tried_model.index(2, 1)).center()
    QTest.mouseClick(view.tried_table.viewport(), LEFT, NO_KEY, at)
    QTest.keyClick(view.tried_table, Qt.Key.Key_Down)
    assert trials_picked == [13, 14]


@pytest.mark.parametrize(("row", "identity"), [(4, 4), (0, -11)])
def test_a_click_on_a_point_picks_its_trial_and_marks_its_row(
    view: DropletView, trials_picked: list[object], row: int, identity: int
) -> None:
    begin(view, project())
    QApplication.processEvents()
    at = view.plot.place_of(row).toPoint()
    QTest.mouseMove(view.plot.viewport(), at)
    QTest.mouseClick(view.plot.viewport(), LEFT, NO_KEY, at)
    QTest.qWait(1)
    assert trials_picked == [path().tried[row].end]
    assert view.tried_table.selected() == identity


def test_the_pointer_over_a_point_is_told_its_p_value(view: DropletView) -> None:
    begin(view, project())
    QApplication.processEvents()
    view.plot._hover(view.plot.mapToScene(view.plot.place_of(1).toPoint()))
    assert "p-value 0.3" in view.plot.readout.text()
    assert "◇ not significant" in view.plot.readout.text()


def test_neighbours_far_slower_leave_room_for_the_path(view: DropletView) -> None:
    begin(view, project())
    assert view.plot.beyond().tolist() == [False] * 5 + [True, False]
    assert "↑ far slower" in view.legend.text()
    highest = 10 ** view.plot.plot.vb.viewRange()[1][1]
    assert highest < 4 * BEGUN_S


def test_the_axis_of_p_values_shows_the_level_of_the_run(view: DropletView) -> None:
    begin(view, project(level=0.01))
    axis = view.plot.certainty.upwards
    ((_, values),) = axis.tickValues(-4.4, 0.4, 100.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["0.01", "1", "0.0001"]
    assert cells(view.tried_model, 3)["outcome"] == "◇ not significant"


def test_live_and_reopened_it_is_the_same(view: DropletView, qtbot: QtBot) -> None:
    begin(view, project())
    live = DropletView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    begin(live, project((), ()))
    events: list[Event] = [*map(TrialDone, TRIALS[:4]), *map(MoveMade, MOVES[:3])]
    events += [TrialDone(TRIALS[4]), MoveMade(MOVES[3]), *map(TrialDone, TRIALS[5:])]
    for event in events:
        feed(live, [event])
    assert live.sentence.text() == view.sentence.text()
    for each in path().tried:
        assert cells(live.tried_model, each.id) == cells(view.tried_model, each.id)


def test_a_faster_neighbour_is_not_compared_until_it_is(view: DropletView) -> None:
    begin(view, project((), TRIALS[:2]))
    assert cells(view.tried_model, -12)["outcome"] == "□ not compared"
    view.tried_table.select(-11)
    feed(view, [MoveMade(MOVES[0])])
    assert cells(view.tried_model, 1)["outcome"] == "◇ not significant"
    assert view.tried_model.row_of(-12) is None
    assert view.tried_table.selected() == -11


def test_so_far_goes_with_the_end_of_the_run(view: DropletView) -> None:
    begin(view, project((), ()))
    feed(view, [RunChanged(1, RunState.RUNNING), TrialDone(TRIALS[0])])
    assert "no improvement found so far" in view.sentence.text()
    feed(view, [RunChanged(1, RunState.FINISHED)])
    assert "no improvement found." in view.sentence.text()


def test_a_confirmed_starting_point_moves_the_whole_path(view: DropletView) -> None:
    begin(view, project())
    feed(view, [TrialConfirmed(replace(POINTS[0], confirmed=(4e-3,)))])
    assert view.path is not None
    assert view.path.begin_s.tolist() == [4e-3]


def test_a_path_of_which_no_latency_is_known_is_still_listed(view: DropletView) -> None:
    snapshot = project()
    begin(view, replace(snapshot, trials=()))
    assert view.tried_model.rowCount() == 4
    view.select_trial(13)
    QApplication.processEvents()
    assert not view.grab().isNull()


def test_trials_of_a_search_work_nothing_out(view: DropletView) -> None:
    begin(view, project())
    before = view.path
    feed(view, [TrialDone(make_trial(30, 0, 1e-3))])
    assert view.path is before


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: DropletView) -> None:
    view.hide()
    begin(view, project((), ()))
    feed(view, [TrialDone(made) for made in TRIALS])
    assert view.path is None
    view.show()
    assert view.path is not None and len(view.path.tried) == 7


def test_a_zoom_stays_while_trials_come_and_goes_when_all_is_shown(view: DropletView) -> None:
    begin(view, project(MOVES[:3], TRIALS[:4]))
    plot = view.plot
    plot.plot.vb.setXRange(0.2, 0.8, padding=0)
    plot.follow.setChecked(False)
    feed(view, [TrialDone(TRIALS[4]), MoveMade(MOVES[3])])
    assert plot.plot.vb.viewRange()[0] == pytest.approx([0.2, 0.8])
    plot.fit()
    assert plot.plot.vb.viewRange()[0][1] > 2.0


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_accepted_points_are_drawn_in_both_themes(
    view: DropletView, qapp: QApplication, name: str
) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        begin(view, project())
        QApplication.processEvents()
        image = view.plot.grab().toImage()
        at = view.plot.place_of(2).toPoint()
        near = {image.pixelColor(at + QPoint(dx, dy)).name() for dx in (-2, 0, 2) for dy in (-2, 0)}
        assert theme().good.name() in near
    finally:
        apply_theme(qapp, "light")


def test_parts_have_names_for_those_who_cannot_see_them(view: DropletView) -> None:
    begin(view, project())
    assert view.accessibleName() == "Droplet"
    assert view.tried_table.accessibleName() == "Neighbours tried"
    assert view.tasks_table.accessibleName() == "Polished tasks"
    assert view.plot.accessibleName() == "Droplet's path"


@pytest.mark.parametrize("size", [(560, 230), (900, 390), (1600, 900)])
def test_the_path_has_room_at_any_size(view: DropletView, size: tuple[int, int]) -> None:
    begin(view, project())
    view.resize(*size)
    QApplication.processEvents()
    assert view.plot.height() >= LEAST_PLOT
    assert view.plot.width() > 0.5 * size[0]
    assert view.tried_table.height() >= 50
    assert view.legend.isVisible() == (size[1] >= LOW)


def test_parts_that_a_person_has_moved_stay(view: DropletView) -> None:
    begin(view, project())
    view._across.moveSplitter(180, 1)
    view.resize(view.width() + 200, view.height())
    QApplication.processEvents()
    assert abs(view.tasks_table.width() - 180) < 60


def test_ticks_of_p_values_keep_apart_on_a_low_axis() -> None:
    axis = PValueAxis("left")
    low, high = math.log10(1e-4) - 0.4, 0.4
    assert len(axis.tickValues(low, high, 200.0)[0][1]) == 4
    (found,) = axis.tickValues(low, high, 30.0)
    assert math.log10(axis.level) in found[1]
    gaps = np.diff(sorted(found[1])) * 30.0 / (high - low)
    assert (gaps >= 14).all()
