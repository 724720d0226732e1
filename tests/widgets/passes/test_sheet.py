"""The sheet of a pass: what it will do and cost, its options, progress, before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSpinBox
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.jobs.steps.estimate import PER_TASK, Estimate, estimate
from engine.jobs.steps.steps import STEPS, ShareOptions, TransferOptions, options_of, parse_plan
from engine.passes.similarity import METRICS
from engine.records.clustering import Cluster, Clustering
from engine.records.events import (
    ClustersChanged,
    Failure,
    RunChanged,
    Scores,
    StepStarted,
    TrialDone,
)
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.trial import Source, Trial
from tests.feeding import begin, feed
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.look.theme import apply_theme
from widgets.passes.options import PassOptions
from widgets.passes.places import DonorPlaces
from widgets.passes.plan import FIRST, PlanEditor
from widgets.passes.result import AS_IT_WAS, COLUMNS
from widgets.passes.sheet import PassSheet
from widgets.passes.words import plan_estimate, words_of

LEFT = Qt.MouseButton.LeftButton
PROJECT = squeezenet_like_snapshot(trials=120)
TASKS = [task.index for task in PROJECT.tasks]
PAIRS = Clustering("replay", 0.5, tuple(Cluster(i, (i, i + 1)) for i in TASKS[::2]))
Open = Callable[..., PassSheet]


@pytest.fixture
def sheet(qtbot: QtBot) -> Iterator[Open]:
    """Opens the sheet of a kind."""
    made: list[PassSheet] = []

    def opened(kind: str, snapshot: Snapshot = PROJECT) -> PassSheet:
        made.append(PassSheet(kind, OpenProject(snapshot)))
        qtbot.addWidget(made[-1])
        made[-1].show()
        return made[-1]

    yield opened
    for each in made:
        each.close()


def form(opened: PassSheet) -> PassOptions:
    assert isinstance(opened.options, PassOptions)
    return opened.options


def places(opened: PassSheet) -> DonorPlaces:
    found = form(opened).places
    assert found is not None
    return found


def plan(opened: PassSheet) -> PlanEditor:
    assert isinstance(opened.options, PlanEditor)
    return opened.options


def click(button: object) -> None:
    QTest.mouseClick(button, LEFT)  # type: ignore[call-overload]


def started(opened: PassSheet, qtbot: QtBot) -> list[object]:
    with qtbot.waitSignal(opened.started) as heard:
        click(opened.start_button)
    return list(heard.args)


def shared(number: int, task: int, factor: float, run: int = 2) -> Trial:
    """A trial of a pass, `factor` times as slow as the untuned task."""
    latency_s = factor * (PROJECT.tasks[task].untuned_latency_s or 1e-3)
    trial = make_trial(number, task, latency_s, run=run, elapsed_s=PROJECT.elapsed_s + number - 120)
    return replace(trial, source=Source.SHARED)


def cells(opened: PassSheet, key: str) -> list[str]:
    column = [column.key for column in COLUMNS].index(key)
    model = opened.outcome.table.rows
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


# What it will do


@pytest.mark.parametrize("kind", [*STEPS, "plan"])
def test_a_sheet_says_what_it_does_and_what_that_costs(sheet: Open, kind: str) -> None:
    opened = sheet(kind)
    assert opened.what.text() == words_of(kind).what
    names = [name for name, _ in opened.costs.facts()]
    about = "Merged operators" if kind == "merge" else "Tasks"
    assert names == [about, "Trials", "Time", "Gain"]
    assert not opened.isModal()
    assert opened.start_button.isEnabled()


def test_the_cost_follows_the_options(sheet: Open) -> None:
    opened = sheet("transfer")
    editor = form(opened).form.controls["per_task"].editor
    assert isinstance(editor, QSpinBox)
    before = dict(opened.costs.facts())["Trials"]
    editor.setValue(2)
    assert before == f"about {6 * len(TASKS):,}"
    assert dict(opened.costs.facts())["Trials"] == f"about {2 * len(TASKS):,}"


def test_the_cost_follows_the_clusters(sheet: Open) -> None:
    opened = sheet("share")
    whole = dict(opened.costs.facts())["Trials"]
    feed(opened, [ClustersChanged(PAIRS)])
    found = estimate("share", replace(PROJECT, clustering=PAIRS))
    assert dict(opened.costs.facts())["Trials"] == f"about {found.trials:,}" != whole


def test_clusters_to_be_made_are_counted_with_the_threshold_asked_for(
    sheet: Open, qtbot: QtBot
) -> None:
    knobs = (Knob("rows", KnobKind.TILE, extent=56, parts=4, innermost=64),)
    spaces = tuple(
        DesignSpace(task.index, task.op_class, (Sketch(task.op_class, knobs),))
        for task in PROJECT.tasks
    )
    opened = sheet("share", replace(PROJECT, spaces=spaces))
    whole = f"about {PER_TASK * len(TASKS):,}"
    qtbot.waitUntil(lambda: dict(opened.costs.facts())["Trials"] != whole)
    classes = len({task.op_class for task in PROJECT.tasks})
    wanted = PER_TASK * classes + ShareOptions().top_k * (len(TASKS) - classes)
    assert dict(opened.costs.facts())["Trials"] == f"about {wanted:,}"


def test_without_tasks_nothing_can_start(sheet: Open) -> None:
    opened = sheet("droplet", replace(PROJECT, tasks=(), trials=(), operators=()))
    assert not opened.start_button.isEnabled()


def test_nothing_starts_while_something_runs(sheet: Open) -> None:
    opened = sheet("droplet")
    opened.allow_start(False)
    assert not opened.start_button.isEnabled()
    opened.allow_start(True)
    assert opened.start_button.isEnabled()


# Its options


@pytest.mark.parametrize("kind", ["share", "transfer", "droplet", "merge"])
def test_what_starts_is_what_the_kind_declares(sheet: Open, kind: str, qtbot: QtBot) -> None:
    opened = sheet(kind)
    name, options, budget = started(opened, qtbot)
    assert name == kind
    assert isinstance(options, dict)
    wanted = STEPS[kind].Options()
    if kind == "share":
        wanted = replace(wanted, threshold=METRICS[wanted.metric].threshold)
    assert options_of(Step(kind, options)) == wanted
    assert budget == Budget(seconds=600)


def test_the_budget_is_asked_for_in_trials_or_time(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("droplet")
    trials, seconds = opened.budget.controls["trials"], opened.budget.controls["seconds"]
    assert trials.tick is not None and seconds.tick is not None
    trials.tick.click()
    trials.set_value(40)
    seconds.tick.click()
    assert started(opened, qtbot)[2] == Budget(trials=40)


def test_metric_and_threshold_ask_for_nothing_where_clusters_are_taken_as_shown(
    sheet: Open,
) -> None:
    opened = sheet("share", replace(PROJECT, clustering=PAIRS))
    controls = form(opened).form.controls
    assert controls["stored"].isVisible()
    assert not controls["threshold"].isEnabled()
    controls["stored"].editor.click()  # type: ignore[union-attr]
    assert controls["threshold"].isEnabled()
    begin(opened, PROJECT)
    assert not controls["stored"].isVisible()
    assert controls["metric"].isEnabled()


def test_donors_come_from_the_library_and_files_that_can_be_taken_off(
    sheet: Open, qtbot: QtBot
) -> None:
    opened = sheet("transfer")
    found = places(opened)
    dialog = found.ask()
    dialog.filesSelected.emit(["/a/resnet.tune", "/b/inception.tune"])
    dialog.close()
    found.add(["/a/resnet.tune"])
    assert found.paths() == ("/a/resnet.tune", "/b/inception.tune")
    found.files.setCurrentRow(0)
    click(found.remove_button)
    options = started(opened, qtbot)[1]
    assert options == {"places": ("/b/inception.tune",), "library": True, "per_task": 6}


def test_a_transfer_without_donors_does_not_start_and_says_why(sheet: Open) -> None:
    opened = sheet("transfer")
    assert not opened.problem.isVisible()
    places(opened).library.click()
    assert opened.problem.text().startswith("There are no donors")
    assert not opened.start_button.isEnabled()
    places(opened).add(["/a/resnet.tune"])
    assert not opened.problem.isVisible()
    assert opened.start_button.isEnabled()


# A plan


def test_a_plan_is_text_and_list_at_once(sheet: Open) -> None:
    editor = plan(sheet("plan"))
    assert editor.text.text() == FIRST
    editor.text.selectAll()
    QTest.keyClicks(editor.text, "search:200, share")
    assert editor.steps() == (Step("search", trials=200), Step("share"))
    assert [editor.list.item(row).text() for row in range(editor.list.count())] == [
        "1. Search, 200 trials", "2. Share",
    ]  # fmt: skip


def test_the_buttons_add_move_and_remove_steps(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("plan")
    editor = plan(opened)
    editor.kind.setCurrentIndex(editor.kind.findData("share"))
    click(editor.add_button)
    assert editor.text.text() == "search:500,transfer,droplet,share"
    for _ in range(3):
        click(editor.up_button)
    assert editor.text.text() == "share,search:500,transfer,droplet"
    assert not editor.up_button.isEnabled()
    click(editor.down_button)
    editor.trials.setValue(30)
    editor.list.setCurrentRow(2)
    click(editor.remove_button)
    editor.repeat.click()
    kind, options, _ = started(opened, qtbot)
    assert (kind, options) == ("plan", {"plan": "search:500,share:30,droplet", "repeat": False})


@pytest.mark.parametrize("text", ["", "search:", "search:0", "polish", "search,,droplet"])
def test_a_plan_that_is_none_is_refused_with_a_sentence(sheet: Open, text: str) -> None:
    opened = sheet("plan")
    editor = plan(opened)
    editor.text.selectAll()
    QTest.keyClick(editor.text, Qt.Key.Key_Delete)
    QTest.keyClicks(editor.text, text)
    if text:
        assert editor.problem.text().endswith(".")
    assert not opened.start_button.isEnabled()
    click(editor.add_button)
    assert editor.problem.text() == ""
    assert opened.start_button.isEnabled()


def test_the_last_step_stays(sheet: Open) -> None:
    editor = plan(sheet("plan"))
    for _ in range(5):
        click(editor.remove_button)
    assert len(editor.steps()) == 1


def test_a_plan_costs_what_its_steps_cost_within_their_trials() -> None:
    def tenth(kind: str, snapshot: Snapshot, options: dict[str, object]) -> Estimate:
        return Estimate(4, 100, 10.0, kind)

    found = plan_estimate(parse_plan("search:500,transfer:50,droplet"), PROJECT, tenth)
    assert found == Estimate(4, 650, 65.0, "droplet")


# A run


def test_it_follows_the_run_that_it_asked_for_and_no_other(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    feed(opened, [*run_begins(2), RunChanged(2, RunState.FINISHED)])
    assert opened.start_button.isVisible()
    started(opened, qtbot)
    feed(opened, [
        *run_begins(3, settings=RunSettings(Budget(seconds=600))),
        StepStarted(3, "share", 0),
        TrialDone(shared(121, 0, 0.01, run=3)),
        Scores(PROJECT.elapsed_s + 60, trials=121, trials_per_s=1.0, time_left_s=540.0),
    ])  # fmt: skip
    assert opened.outcome.run == 3
    assert opened.outcome.state.text() == "Tuning: Share · 1 trial · 1:00 · 9:00 left"
    assert opened.outcome.progress.value() == 100
    assert not opened.outcome.use.isVisible()
    feed(opened, [RunChanged(3, RunState.FINISHED)])
    assert opened.outcome.use.isVisible()
    assert not opened.outcome.progress.isVisible()


def test_its_table_follows_the_run_while_that_goes_on(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    started(opened, qtbot)
    feed(opened, [*run_begins(2), TrialDone(shared(121, 3, 0.001))])
    qtbot.waitUntil(lambda: cells(opened, "trials")[3:4] == ["1"], timeout=20_000)
    feed(opened, [TrialDone(shared(122, 3, 0.002)), TrialDone(shared(123, 4, 0.002))])
    qtbot.waitUntil(lambda: cells(opened, "trials")[3:5] == ["2", "1"], timeout=20_000)
    assert opened.outcome.active and not opened.outcome.use.isVisible()


def test_it_can_be_held_and_stopped_from_the_sheet(sheet: Open, qtbot: QtBot) -> None:
    opened, pressed = sheet("droplet"), list[str]()
    pause, stop = QAction("&Pause", opened), QAction("S&top", opened)
    pause.triggered.connect(lambda: pressed.append("pause"))
    stop.triggered.connect(lambda: pressed.append("stop"))
    opened.hold_by(pause, stop)
    names = ("Pause", "Stop", "Go on")
    buttons = [b for b in opened.buttons.buttons() if b.text() in names]
    buttons.sort(key=lambda button: button.text())
    assert [button.isVisible() for button in buttons] == [False, False]
    started(opened, qtbot)
    feed(opened, run_begins(2))
    for button in buttons:
        click(button)
    assert pressed == ["pause", "stop"]
    pause.setText("&Go on")
    stop.setEnabled(False)
    assert [(b.text(), b.isEnabled()) for b in buttons] == [("Go on", True), ("Stop", False)]
    feed(opened, [RunChanged(2, RunState.STOPPED)])
    assert [button.isVisible() for button in buttons] == [False, False]


def test_the_forecast_of_a_transfer_counts_the_donors_that_there_are(qtbot: QtBot) -> None:
    asked: list[TransferOptions] = []

    def count(path: str, options: TransferOptions) -> dict[int, int]:
        asked.append(options)
        return {0: 2, 1: 40} if options.places else {}

    opened = PassSheet("transfer", OpenProject(PROJECT), donors=count)
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitUntil(lambda: "no donor" in opened.note.text(), timeout=20_000)
    places(opened).add(["/models/donor.tune"])
    qtbot.waitUntil(
        lambda: dict(opened.costs.facts()).get("Trials") == f"about {2 + 6}", timeout=20_000
    )
    assert dict(opened.costs.facts())["Tasks"].startswith("2 ")
    assert [bool(options.places) for options in asked] == [False, True]
    opened.close()


def test_a_start_that_failed_leaves_the_next_run_to_others(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    started(opened, qtbot)
    feed(opened, [Failure("The disk is full.", "Make room."), *run_begins(2)])
    assert opened.start_button.isVisible()


def ended(opened: PassSheet, qtbot: QtBot, *trials: Trial) -> None:
    started(opened, qtbot)
    changes = [*run_begins(2), *map(TrialDone, trials)]
    feed(opened, [*changes, RunChanged(2, RunState.FINISHED)])


def test_before_and_after_are_shown_with_the_source(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    ended(opened, qtbot, shared(121, 3, 0.001), shared(122, 4, 9.0))
    assert len(cells(opened, "name")) == len(TASKS)
    assert cells(opened, "source")[3:5] == ["shared", AS_IT_WAS]
    assert cells(opened, "trials")[3:6] == ["1", "1", "0"]
    assert cells(opened, "gain")[4] == "1.00x"
    assert opened.outcome.sums.text().startswith("Model: ")
    assert "1 of 22 tasks improved in 2 trials." in opened.outcome.sums.text()
    opened.outcome.table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    assert cells(opened, "source")[0] == "shared"


def test_no_improvement_is_said_plainly(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("droplet")
    ended(opened, qtbot, shared(121, 3, 9.0))
    assert opened.outcome.sums.text().startswith("No improvement found in 1 trial: ")


def test_the_results_are_used_or_not(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    ended(opened, qtbot, shared(121, 3, 0.001))
    assert opened.outcome.use.isChecked()
    with qtbot.waitSignal(opened.use_changed) as heard:
        opened.outcome.use.click()
    assert heard.args == [2, False]
    trials = (*PROJECT.trials, shared(121, 3, 0.001))
    begin(opened, replace(PROJECT, trials=trials, unused=frozenset({2})))
    assert not opened.outcome.use.isChecked()
    assert cells(opened, "source")[3] == "shared"


def test_a_result_leads_to_another_pass(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    ended(opened, qtbot, shared(121, 3, 0.001))
    assert not opened.start_button.isVisible()
    click(opened.again_button)
    assert started(opened, qtbot)[0] == "share"


def test_an_earlier_run_can_be_shown(sheet: Open) -> None:
    opened = sheet("droplet")
    opened.show_run(1)
    assert sum(int(count) for count in cells(opened, "trials")) == 120
    assert opened.outcome.use.isVisible()


def test_another_project_is_asked_about_from_the_beginning(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    ended(opened, qtbot, shared(121, 3, 0.001))
    begin(opened, replace(PROJECT, path="/elsewhere.tune", trials=(), runs=()))
    assert opened.start_button.isVisible()


def test_rows_are_part_of_the_one_selection(sheet: Open, qtbot: QtBot) -> None:
    opened = sheet("share")
    ended(opened, qtbot, shared(121, 3, 0.001))
    table = opened.outcome.table
    with qtbot.waitSignal(opened.task_picked) as heard:
        QTest.mouseClick(
            table.viewport(), LEFT, pos=table.visualRect(table.rows.index(2, 0)).center()
        )
    assert heard.args == [2]
    opened.select_task(5)
    assert table.selected() == 5


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("kind", ["share", "transfer", "droplet", "plan"])
def test_it_fits_a_small_window_in_both_themes(
    sheet: Open, qapp: QApplication, name: str, kind: str
) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        opened = sheet(kind)
        QApplication.processEvents()
        assert opened.minimumSizeHint().width() <= 700
        assert opened.minimumSizeHint().height() <= 620
        assert not opened.grab().isNull()
    finally:
        apply_theme(qapp, "light")
