"""Sharing, transfer, Droplet and plans, clicked through in the real window over a fake engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from engine.jobs.steps.steps import STEPS, parse_plan
from engine.passes.library import Library
from engine.passes.similarity import DEFAULT_METRIC
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import UsageError
from engine.records.events import (
    ClustersChanged,
    Event,
    Failure,
    ProjectOpened,
    RunChanged,
    Scores,
    SpacesFound,
    StepStarted,
    TrialDone,
)
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.trial import Source, Trial
from tests.app.conftest import Console
from tests.engine.project.support import new_project, new_trial
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.passes.options import PassOptions
from widgets.passes.plan import PlanEditor
from widgets.passes.sheet import ASKING, SHOWING, PassSheet

LEFT = Qt.MouseButton.LeftButton
PROJECT = squeezenet_like_snapshot(trials=120)
FRESH = squeezenet_like_snapshot()
TASKS = [task.index for task in PROJECT.tasks]
KINDS = [*STEPS, "plan"][1:]


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def opened(console: Console) -> Console:
    """A complete console on screen with a project that was searched."""
    console.window.complete()
    console.window.show()
    console.tell(ProjectOpened(PROJECT))
    return console


def sheet_of(console: Console, kind: str, snapshot: Snapshot = PROJECT) -> PassSheet:
    """Use the action of a pass in this project."""
    if snapshot is not PROJECT:
        console.tell(ProjectOpened(snapshot))
    console.do(kind)
    return console.window.aids.passes.sheets[kind]


def click(button: object) -> None:
    QTest.mouseClick(button, LEFT)  # type: ignore[call-overload]


def begun(console: Console, kind: str) -> PassSheet:
    """A sheet whose Start was pressed and whose run goes on."""
    sheet = sheet_of(console, kind)
    click(sheet.start_button)
    settings = console.engine.calls[-1][1]
    console.engine.answer("start_run", 2)
    console.tell(*run_begins(2, settings=settings))
    return sheet


def given(number: int, task: int, factor: float, source: Source = Source.SHARED) -> Trial:
    """A trial of a pass, `factor` times as slow as the untuned task."""
    latency_s = factor * (PROJECT.tasks[task].untuned_latency_s or 1e-3)
    trial = make_trial(number, task, latency_s, run=2, elapsed_s=PROJECT.elapsed_s + number - 120)
    return replace(trial, source=source)


def scores(elapsed_s: float, left_s: float) -> Scores:
    return Scores(elapsed_s, trials=121, trials_per_s=1.0, time_left_s=left_s)


def space(task: int, op_class: str) -> DesignSpace:
    knob = Knob("rows", KnobKind.TILE, extent=56, parts=4, innermost=64)
    return DesignSpace(task, op_class, (Sketch(op_class, (knob,)),))


SPACES = tuple(space(task.index, task.op_class) for task in PROJECT.tasks)


# Each pass from its action to its results


@pytest.mark.parametrize("kind", KINDS)
def test_an_action_opens_the_sheet_of_its_pass_once(opened: Console, kind: str) -> None:
    sheet = sheet_of(opened, kind)
    assert sheet.isVisible()
    assert not sheet.isModal()
    opened.do(kind)
    assert opened.engine.names() == []
    assert opened.window.aids.passes.sheets == {kind: sheet}


@pytest.mark.parametrize("kind", ["share", "transfer", "droplet"])
def test_start_asks_for_a_run_of_that_step_with_the_options_and_budget_shown(
    opened: Console, kind: str
) -> None:
    sheet = sheet_of(opened, kind)
    trials, seconds = sheet.budget.controls["trials"], sheet.budget.controls["seconds"]
    assert trials.tick is not None and seconds.tick is not None
    trials.tick.click()
    trials.set_value(40)
    seconds.tick.click()
    wanted = sheet.values()
    click(sheet.start_button)
    asked = opened.engine.calls[-1][1]
    assert opened.engine.names()[-1] == "start_run"
    assert asked.steps == (Step(kind, wanted),)
    assert asked.budget == Budget(trials=40)
    assert not asked.repeat
    assert asked.seed == PROJECT.runs[-1].settings.seed
    assert opened.commands.run_settings.steps == (Step(),)


def test_a_plan_asks_for_a_run_of_its_steps(opened: Console) -> None:
    sheet = sheet_of(opened, "plan")
    assert isinstance(sheet.options, PlanEditor)
    sheet.options.text.selectAll()
    QTest.keyClicks(sheet.options.text, "search:50,share,droplet:20")
    click(sheet.start_button)
    asked = opened.engine.calls[-1][1]
    assert asked.steps == parse_plan("search:50,share,droplet:20")
    assert asked.repeat
    assert asked.budget == Budget(seconds=600)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_follows_its_run_and_shows_what_it_gave(opened: Console, kind: str) -> None:
    sheet = begun(opened, kind)
    step = "droplet" if kind == "plan" else kind
    opened.tell(
        StepStarted(2, step, 0),
        TrialDone(given(121, 3, 0.001)),
        scores(PROJECT.elapsed_s + 60, 540.0),
    )
    assert sheet.pages.currentIndex() == SHOWING
    assert sheet.outcome.state.text() == (
        f"Tuning: {STEPS[step].title} · 1 trial · 1:00 · 9:00 left"
    )
    opened.tell(RunChanged(2, RunState.FINISHED, "the plan is carried out"))
    assert sheet.outcome.sums.text().endswith("1 of 22 tasks improved in 1 trial.")
    assert sheet.outcome.use.isVisible()
    assert sheet.again_button.isVisible()


def test_a_run_that_another_started_is_not_the_sheets(opened: Console) -> None:
    sheet = sheet_of(opened, "droplet")
    opened.do("start")
    assert not sheet.start_button.isEnabled()
    opened.engine.answer("start_run", 2)
    opened.tell(*run_begins(2))
    assert sheet.pages.currentIndex() == ASKING
    assert not sheet.start_button.isEnabled()
    opened.tell(RunChanged(2, RunState.FINISHED))
    assert sheet.start_button.isEnabled()


def test_a_run_whose_first_word_came_with_a_new_snapshot_is_followed(opened: Console) -> None:
    sheet = sheet_of(opened, "droplet")
    click(sheet.start_button)
    opened.engine.answer("start_run", 2)
    running = with_run(PROJECT)
    active = replace(running.runs[1], state=RunState.RUNNING)
    opened.tell(
        RunChanged(2, RunState.PREPARING),
        ProjectOpened(replace(running, runs=(running.runs[0], active))),
    )
    assert sheet.outcome.run == 2
    opened.tell(RunChanged(2, RunState.FINISHED))
    assert sheet.outcome.use.isVisible()


def test_only_the_sheet_that_asked_follows_the_run(opened: Console) -> None:
    share, droplet = sheet_of(opened, "share"), sheet_of(opened, "droplet")
    click(share.start_button)
    opened.engine.answer("start_run", 2)
    opened.tell(*run_begins(2))
    assert share.outcome.run == 2
    assert droplet.pages.currentIndex() == ASKING
    assert not droplet.start_button.isEnabled()


def test_a_stopped_pass_shows_what_came_before_the_stop(opened: Console) -> None:
    sheet = begun(opened, "share")
    opened.tell(TrialDone(given(121, 3, 0.001)))
    opened.do("stop")
    assert opened.engine.names()[-1] == "stop"
    opened.tell(RunChanged(2, RunState.STOPPING), RunChanged(2, RunState.STOPPED))
    assert "1 of 22 tasks improved" in sheet.outcome.sums.text()
    assert opened.window.console.messages.rows() == []


def test_a_task_picked_in_the_results_is_selected_everywhere(opened: Console) -> None:
    sheet = begun(opened, "share")
    opened.tell(TrialDone(given(121, 3, 0.001)), RunChanged(2, RunState.FINISHED))
    table = sheet.outcome.table
    click_at = table.visualRect(table.rows.index(3, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=click_at)
    assert opened.document.task == 3
    opened.document.select_task(5)
    assert table.selected() == 5


# Refusals


def test_a_refused_start_says_why_and_frees_the_sheet(opened: Console) -> None:
    sheet = sheet_of(opened, "droplet")
    click(sheet.start_button)
    assert not sheet.start_button.isEnabled()
    opened.engine.refuse("start_run", UsageError("The model has changed.", "Open the old one."))
    opened.tick()
    assert sheet.problem.text() == "The model has changed. Open the old one."
    assert sheet.problem.isVisible()
    assert sheet.start_button.isEnabled()
    click(sheet.start_button)
    opened.engine.answer("start_run", 2)
    opened.tell(*run_begins(2))
    assert sheet.outcome.run == 2


def test_what_was_refused_is_forgotten_with_other_options(opened: Console) -> None:
    sheet = sheet_of(opened, "droplet")
    click(sheet.start_button)
    opened.engine.refuse("start_run", UsageError("That is too much.", "Take less."))
    opened.tick()
    assert isinstance(sheet.options, PassOptions)
    sheet.options.form.controls["per_task"].set_value(5)
    assert not sheet.problem.isVisible()


def test_a_run_that_fails_leaves_the_sheet_able_to_start_again(opened: Console) -> None:
    sheet = begun(opened, "transfer")
    opened.tell(RunChanged(2, RunState.FAILED, "no device"), Failure("No device.", "Plug it in."))
    assert sheet.outcome.state.text().startswith("Failed")
    click(sheet.again_button)
    assert sheet.start_button.isVisible()
    assert sheet.start_button.isEnabled()


# Whether the results are used


def finished(console: Console, kind: str = "share") -> PassSheet:
    sheet = begun(console, kind)
    console.tell(TrialDone(given(121, 3, 0.001)), RunChanged(2, RunState.FINISHED))
    return sheet


def test_results_are_left_out_and_used_again(opened: Console) -> None:
    sheet = finished(opened)
    before = PROJECT.tasks[3].untuned_latency_s or 0.0
    assert (opened.document.project.history.now(3) or 0.0) < before / 900
    sheet.outcome.use.click()
    assert opened.engine.calls[-1] == ("set_used", 2, False)
    unused = with_run(replace(PROJECT, trials=(*PROJECT.trials, given(121, 3, 0.001))))
    opened.engine.answer("set_used")
    opened.tell(ProjectOpened(replace(unused, unused=frozenset({2}))))
    assert (opened.document.project.history.now(3) or 0.0) > before / 900
    assert not sheet.outcome.use.isChecked()
    assert "1 of 22 tasks improved" in sheet.outcome.sums.text()
    sheet.outcome.use.click()
    assert opened.engine.calls[-1] == ("set_used", 2, True)


def with_run(snapshot: Snapshot) -> Snapshot:
    second = replace(snapshot.runs[0], id=2, settings=RunSettings(steps=(Step("share"),)))
    return replace(snapshot, runs=(*snapshot.runs, second))


def test_a_refused_choice_is_taken_back_on_screen(opened: Console) -> None:
    sheet = finished(opened)
    sheet.outcome.use.click()
    opened.engine.refuse("set_used", UsageError("The file cannot be written.", "Make room."))
    opened.tick()
    assert sheet.outcome.use.isChecked()


def test_nothing_is_chosen_while_another_run_goes_on(opened: Console) -> None:
    sheet = finished(opened)
    opened.tell(*run_begins(3))
    assert not sheet.outcome.use.isEnabled()
    opened.tell(RunChanged(3, RunState.STOPPED))
    assert sheet.outcome.use.isEnabled()


# Sheets and projects


@pytest.mark.parametrize("way", ["close", "escape", "button"])
def test_a_closed_sheet_opens_anew(opened: Console, way: str) -> None:
    sheet = sheet_of(opened, "share")
    close(sheet, way)
    assert opened.window.aids.passes.sheets == {}
    assert sheet_of(opened, "share").isVisible()


def close(sheet: PassSheet, way: str) -> None:
    if way == "close":
        sheet.close()
    elif way == "escape":
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
    else:
        click(sheet.buttons.button(sheet.buttons.StandardButton.Close))


def test_sheets_close_with_the_project(opened: Console) -> None:
    sheets = [sheet_of(opened, kind) for kind in KINDS]
    opened.do("close-project")
    opened.engine.answer("close_project")
    opened.tick()
    assert opened.window.aids.passes.sheets == {}
    assert not any(sheet.isVisible() for sheet in sheets)
    assert not any(opened.enabled(kind) for kind in (*KINDS, "library"))


def test_another_project_is_asked_about_from_the_beginning(opened: Console) -> None:
    sheet = finished(opened)
    opened.tell(ProjectOpened(replace(FRESH, path="/elsewhere/b.tune")))
    assert sheet.pages.currentIndex() == ASKING
    assert sheet.start_button.isEnabled()


def test_a_window_that_closes_takes_its_sheets_along(opened: Console) -> None:
    sheet = sheet_of(opened, "share", replace(PROJECT, spaces=SPACES))
    opened.window.close_now()
    assert not sheet.isVisible()
    assert opened.window.aids.passes.sheets == {}


def test_without_tasks_there_is_no_pass(console: Console) -> None:
    assert not any(console.enabled(kind) for kind in KINDS)
    console.tell(ProjectOpened(replace(FRESH, tasks=(), operators=())))
    assert not any(console.enabled(kind) for kind in KINDS)


def test_a_replay_has_no_passes_and_offers_no_records(console: Console) -> None:
    console.tell(ProjectOpened(replace(PROJECT, path="")))
    for action in (*KINDS, "library"):
        console.window.console.actions[action].triggered.emit()
    assert console.engine.names() == []
    (row,) = console.window.console.messages.rows()
    assert row.what == "A replay has no schedules."
    row.dismiss()
    console.tell(*run_begins(2), TrialDone(given(121, 3, 0.5)))
    console.tell(RunChanged(2, RunState.FINISHED))
    assert console.window.console.messages.rows() == []


# Clusters


def test_find_clusters_asks_for_the_spaces_and_shows_them(opened: Console, qtbot: QtBot) -> None:
    opened.do("go-clusters")
    clusters = opened.window.aids.late.clusters
    assert opened.window.focusWidget() is clusters.notice.button
    click(clusters.notice.button)
    assert opened.engine.names() == ["find_spaces"]
    assert not clusters.notice.button.isVisible()
    opened.tell(SpacesFound(SPACES))
    opened.engine.answer("find_spaces", SPACES)
    qtbot.waitUntil(lambda: bool(clusters.scene.nodes))
    assert clusters.clustering is not None
    assert opened.window.focusWidget() is clusters.canvas
    opened.tick()
    assert "set_clustering" not in opened.engine.names()


def test_spaces_that_cannot_be_found_may_be_asked_for_again(opened: Console) -> None:
    opened.do("go-clusters")
    clusters = opened.window.aids.late.clusters
    click(clusters.notice.button)
    opened.engine.refuse("find_spaces", UsageError("A run goes on.", "Stop it."))
    opened.tick()
    assert clusters.notice.button.isVisible()


@pytest.fixture
def clustered(opened: Console, qtbot: QtBot) -> Console:
    """The console at the clusters, which are stored."""
    classes = {task.op_class for task in PROJECT.tasks}
    members = [[t.index for t in PROJECT.tasks if t.op_class == name] for name in sorted(classes)]
    stored = Clustering(DEFAULT_METRIC, 0.6, tuple(Cluster(own[0], tuple(own)) for own in members))
    opened.tell(ProjectOpened(replace(PROJECT, spaces=SPACES, clustering=stored)))
    opened.do("go-clusters")
    qtbot.waitUntil(lambda: bool(opened.window.aids.late.clusters.scene.nodes))
    return opened


def test_clusters_that_a_person_edits_are_stored(clustered: Console) -> None:
    view = clustered.window.aids.late.clusters
    before = view.clustering
    view.bar.slider.setValue(100)
    name, asked = clustered.engine.calls[-1]
    assert (name, asked) == ("set_clustering", view.clustering)
    assert asked.threshold == 1.0
    sheet = sheet_of(clustered, "share", replace(PROJECT, spaces=SPACES, clustering=before))
    clustered.tell(ClustersChanged(asked))
    clustered.engine.answer("set_clustering")
    assert dict(sheet.costs.facts())["Trials"] == f"about {view_trials(clustered)}"


def view_trials(console: Console) -> str:
    """The number of trials that the view predicts."""
    text = str(console.window.aids.late.clusters.bar.summary.text())
    return text.partition(" for ")[2].partition(" trials")[0]


def test_the_sheet_and_the_view_expect_the_same(clustered: Console) -> None:
    view = clustered.window.aids.late.clusters
    click(view.bar.share_button)
    facts = dict(clustered.window.aids.passes.sheets["share"].costs.facts())
    assert facts["Trials"] == f"about {view_trials(clustered)}"
    assert facts["Time"].split(",")[0].removeprefix("about ") in view.bar.summary.text()


def test_edits_that_are_refused_are_taken_back(clustered: Console) -> None:
    view = clustered.window.aids.late.clusters
    before = view.clustering
    view.bar.slider.setValue(100)
    assert view.clustering != before
    clustered.engine.refuse("set_clustering", UsageError("A run goes on.", "Stop it first."))
    clustered.tick()
    assert view.clustering == before
    assert view.bar.slider.value() == 60


# The library


def test_a_finished_run_offers_the_library_and_adds_to_it(
    opened: Console, qtbot: QtBot, tmp_path: Path, data_home: Path
) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as made:
        for seed in range(4):
            made.add_trial(new_trial(seed, task=seed % 2))
    opened.tell(ProjectOpened(replace(PROJECT, path=str(path))))
    finish_run(opened, 2)
    (row,) = opened.window.console.messages.rows()
    assert "donors" in row.what
    assert not library(data_home).exists()
    click(row.action_button)
    qtbot.waitUntil(lambda: bool(opened.window.console.messages.rows()), timeout=20_000)
    (row,) = opened.window.console.messages.rows()
    assert row.what.startswith("The library has 2 new and 0 better records of net")
    with Library.open(read_only=True) as stored:
        assert [(entry.model, entry.records) for entry in stored.entries()] == [("net", 2)]


def finish_run(console: Console, run: int, trials: Sequence[Trial] | None = None) -> None:
    own = [given(120 + run, 3, 0.5)] if trials is None else trials
    events: list[Event] = [*run_begins(run)]
    events += [TrialDone(replace(trial, run=run)) for trial in own]
    console.tell(*events, RunChanged(run, RunState.FINISHED))


def library(home: Path) -> Path:
    return home / "tunewright" / "library.db"


def test_what_cannot_be_added_says_why(opened: Console, qtbot: QtBot) -> None:
    opened.do("library")
    qtbot.waitUntil(lambda: bool(opened.window.console.messages.rows()), timeout=20_000)
    (row,) = opened.window.console.messages.rows()
    assert row.level == "error"
    assert PROJECT.path.rpartition("/")[2] in row.what or PROJECT.path in row.what


def test_the_offer_stands_once_and_for_the_run_that_finished(opened: Console) -> None:
    finish_run(opened, 2)
    finish_run(opened, 3)
    (row,) = opened.window.console.messages.rows()
    assert row.count == 1


@pytest.mark.parametrize("state", [RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED])
def test_a_run_that_did_not_finish_offers_nothing(opened: Console, state: RunState) -> None:
    opened.tell(*run_begins(2), TrialDone(given(121, 3, 0.5)))
    opened.tell(RunChanged(2, state))
    assert opened.window.console.messages.rows() == []


def test_a_run_without_trials_offers_nothing(opened: Console) -> None:
    finish_run(opened, 2, ())
    assert opened.window.console.messages.rows() == []


def test_opening_a_finished_project_offers_nothing(console: Console) -> None:
    console.tell(ProjectOpened(PROJECT))
    assert console.window.console.messages.rows() == []


# The views of passes


@pytest.mark.parametrize("source", [Source.SHARED, Source.TRANSFERRED, Source.DROPLET])
def test_one_word_for_a_source_everywhere(opened: Console, source: Source) -> None:
    word = {"droplet": "polished"}.get(source.value, source.value)
    sheet = begun(opened, "plan")
    trial = given(121, 3, 0.001, source)
    opened.tell(TrialDone(trial), RunChanged(2, RunState.FINISHED))
    opened.document.select_trial(121)
    views = opened.window.views
    assert dict(views.inspector.facts.facts())["Source"] == word
    assert word in texts(views.trials.model, "source")
    assert texts(sheet.outcome.table.rows, "source")[3] == word
    opened.do("go-sources")
    assert word in texts(opened.window.aids.late.sources.model, "source")


def texts(model: object, key: str) -> list[str]:
    columns = [column.key for column in model.columns]  # type: ignore[attr-defined]
    place = columns.index(key)
    rows = range(model.rowCount())  # type: ignore[attr-defined]
    return [str(model.index(row, place).data()) for row in rows]  # type: ignore[attr-defined]


def test_passes_are_told_from_searches_among_the_runs(opened: Console) -> None:
    begun(opened, "droplet")
    rows = opened.window.views.project.rows("Runs")
    assert rows[0] == ("Run 2", "droplet: running, 0 trials")
    assert rows[1][1].startswith("finished")


@pytest.mark.parametrize("part", ["clusters", "transfer", "droplet", "sources"])
def test_a_key_brings_the_keyboard_to_each_view_of_passes(
    opened: Console, qtbot: QtBot, part: str
) -> None:
    opened.window.activateWindow()
    qtbot.waitUntil(opened.window.isActiveWindow)
    opened.do(f"go-{part}")
    focused = opened.window.focusWidget()
    place = opened.window.console.workspace.pages.get(part) or opened.window.console.panels[part]
    assert focused is not None
    assert place.isAncestorOf(focused)


@pytest.mark.parametrize("name", ["F7", "F8"])
def test_the_keys_that_hold_a_run_work_in_every_sheet(opened: Console, name: str) -> None:
    opened.tell(*run_begins(2, RunState.RUNNING))
    aids = opened.window.aids
    for open_it in (
        lambda: aids.passes.open("transfer"),
        lambda: aids.passes.open("plan"),
        aids.dialogs.run_settings,
    ):
        open_it()
        sheet = next(each for each in opened.window.findChildren(QDialog) if each.isVisible())
        keys = [action.shortcut().toString() for action in sheet.actions() if action.isEnabled()]
        assert name in keys
        sheet.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
