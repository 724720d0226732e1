"""The window over a fake engine: what it asks, what it shows, when it lets one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.process.application import choose_theme, chosen_theme
from app.window.actions.actions import MENUS, SPECS
from app.window.dialogs import offers
from engine.deploy.packing.wheel import WheelName
from engine.models.questions import InputQuestion
from engine.records.errors import ModelError, ModelMissing, NoReference, ShapeError, TuningError
from engine.records.events import (
    ExportDone,
    Failure,
    Progress,
    ProjectOpened,
    ProjectSaved,
    Scores,
    SlotStarted,
    TrialDone,
)
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.records.source import InputShapes, ModelSource
from tests.app.conftest import Console
from tests.app.window.drops import dropped
from tests.figures import figure
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.convergence.sampler_dialog import SamplerDialog
from widgets.window.export_dialog import ExportDialog

SNAPSHOT = squeezenet_like_snapshot(300)
FRESH = squeezenet_like_snapshot(0)


def open_project(console: Console, snapshot=SNAPSHOT) -> None:  # type: ignore[no-untyped-def]
    console.tell(ProjectOpened(snapshot))


def run(console: Console, state: RunState, number: int = 2) -> None:
    console.tell(*run_begins(number, state))


def selections(console: Console) -> list[int | None]:
    views = console.window.views
    inspector = views.inspector.title.text()
    names = {task.name: task.index for task in SNAPSHOT.tasks}
    return [console.document.task, views.tasks.table.selected(), names.get(inspector)]


# One selection


def test_a_row_picked_in_the_task_table_is_selected_everywhere(console: Console) -> None:
    open_project(console)
    table, model = console.window.views.tasks.table, console.window.views.tasks.model
    table.setCurrentIndex(model.index(model.row_of(3) or 0, 0))
    assert selections(console) == [3, 3, 3]
    assert console.window.views.trials.model.rowCount() == console.document.project.history.trials(
        3
    )


def test_a_task_picked_in_any_view_moves_all_the_others(console: Console) -> None:
    open_project(console)
    for task, view in enumerate((console.window.views.tasks, console.window.views.trials)):
        view.task_picked.emit(task)
        assert selections(console) == [task, task, task]


@pytest.fixture
def complete(console: Console, qtbot: QtBot) -> Console:
    """A console on screen with a project whose graph is drawn."""
    console.window.complete()
    console.window.show()
    open_project(console)
    graph = console.window.aids.late.graph
    qtbot.waitUntil(lambda: bool(graph.scene.nodes), timeout=20_000)
    console.window.console.go_to("convergence")
    return console


def told(console: Console) -> tuple[str, str]:
    """What the line over the graph and the sampler's title say."""
    sampler = console.window.aids.late.convergence.findChild(SamplerDialog)
    title = sampler.windowTitle() if sampler is not None and sampler.isVisible() else ""
    return console.window.aids.late.graph.bar.line.toolTip(), title


def test_the_line_over_the_graph_the_sampler_and_the_inspector_are_about_one_task(
    complete: Console,
) -> None:
    window, document = complete.window, complete.document
    names = {task.index: task.name for task in SNAPSHOT.tasks}
    document.select_task(0)
    window.aids.late.convergence.show_sampler()
    for task in (3, 1, 2):
        document.select_task(task)
        line, title = told(complete)
        assert names[task] in line and title.endswith(names[task])
        assert window.views.inspector.title.text() == names[task]


@pytest.mark.parametrize("leave", ["escape", "other", "close"])
def test_nothing_of_a_selection_is_left(complete: Console, leave: str) -> None:
    document, late = complete.document, complete.window.aids.late
    late.graph._pick(next(key for key in late.graph.scene.nodes if key >= 0))
    late.convergence.show_sampler()
    assert document.task is not None and told(complete)[0]
    if leave == "escape":
        complete.do("clear-selection")
    elif leave == "other":
        open_project(complete, replace(FRESH, path="/models/other.tune"))
    else:
        document.close()
    assert document.task is None and not document.operators
    assert told(complete) == ("", "")
    assert late.graph.scene.selected_nodes() == []
    assert complete.window.views.inspector.title.text() == ""


def test_an_operator_without_a_task_is_selected_and_escape_clears_it(complete: Console) -> None:
    graph, document = complete.window.aids.late.graph, complete.document
    free = [o.id for o in SNAPSHOT.operators if o.task is None and o.id in graph.scene.nodes]
    graph._pick(free[0])
    assert document.operators == {free[0]} and document.task is None
    assert told(complete)[0] and complete.enabled("clear-selection")
    complete.do("clear-selection")
    assert not document.operators and told(complete)[0] == ""


def test_a_trial_picked_selects_its_task_and_is_inspected(console: Console) -> None:
    open_project(console)
    trial = SNAPSHOT.trials[100]
    console.window.views.trials.trial_picked.emit(trial.number)
    assert (console.document.task, console.document.trial) == (trial.task, trial.number)
    assert console.window.views.inspector.title.text() == f"Trial #{trial.number}"
    assert console.window.views.tasks.table.selected() == trial.task
    assert console.window.views.trials.table.selected() == trial.number


def test_escape_clears_the_selection(console: Console, qtbot: QtBot) -> None:
    open_project(console)
    console.window.show()
    console.window.activateWindow()
    qtbot.waitUntil(console.window.isActiveWindow)
    console.document.select_task(2)
    QTest.keyClick(console.window, Qt.Key.Key_Escape)
    assert selections(console) == [None, None, None]
    assert not console.enabled("clear-selection")


def test_following_selects_each_slot_until_a_person_picks(console: Console) -> None:
    open_project(console)
    console.do("follow")
    console.tell(SlotStarted(SlotInfo(1, 2, 5, 0.0)))
    assert console.document.task == 5
    console.window.views.tasks.task_picked.emit(2)
    console.tell(SlotStarted(SlotInfo(2, 2, 6, 1.0)))
    assert console.document.task == 2
    assert not console.window.console.actions["follow"].isChecked()


# What may be done when


@pytest.mark.parametrize(
    ("state", "enabled"),
    [
        (None, {"start", "export", "open-model"}),
        (RunState.PREPARING, {"stop"}),
        (RunState.RUNNING, {"pause", "stop"}),
        (RunState.PAUSED, {"pause", "stop"}),
        (RunState.STOPPING, set()),
        (RunState.STOPPED, {"start", "resume", "export", "open-model"}),
        (RunState.FINISHED, {"start", "resume", "export", "open-model"}),
        (RunState.FAILED, {"start", "resume", "export", "open-model"}),
    ],
)
def test_the_state_of_the_run_decides_what_is_enabled(
    console: Console, state: RunState | None, enabled: set[str]
) -> None:
    open_project(console, FRESH)
    if state is not None:
        run(console, state)
    watched = ("start", "resume", "pause", "stop", "export", "open-model")
    assert {name for name in watched if console.enabled(name)} == enabled


def test_without_a_project_there_is_nothing_to_start_or_export(console: Console) -> None:
    for name in ("start", "resume", "pause", "stop", "export", "save-as", "fit-graph"):
        assert not console.enabled(name)
    assert console.enabled("open-model")


def test_a_model_without_tasks_cannot_be_started(console: Console) -> None:
    open_project(console, replace(FRESH, tasks=(), operators=()))
    assert not console.enabled("start")
    assert "nothing to tune" in console.window.status.sentence.text()


def test_while_a_model_is_imported_nothing_else_can_be_opened(console: Console) -> None:
    console.commands.open_sample("squeezenet")
    assert not console.enabled("open-model")
    assert not console.window.menus.sample_menu.isEnabled()
    assert "Importing" in console.window.status.sentence.text()
    console.engine.answer("open_model")
    console.tick()
    assert console.enabled("open-model")


# What the engine is asked


def test_start_hands_over_the_settings_of_the_run_dialog(console: Console) -> None:
    open_project(console, FRESH)
    console.do("settings")
    dialog = console.window.aids.dialogs.run_dialog
    assert dialog is not None
    wanted = RunSettings(budget=Budget(trials=77), seed=9, finalists=2)
    dialog.show_settings(wanted)
    dialog.keep_button.click()
    console.do("start")
    assert console.engine.calls[-1] == ("start_run", wanted_with_options(wanted))
    assert console.window.toolbar.budget.currentText() == "77 trials"


def wanted_with_options(settings: RunSettings) -> RunSettings:
    return replace(settings, policy_options={})


def test_the_dialog_can_start_at_once_and_not_while_a_run_goes_on(console: Console) -> None:
    open_project(console, FRESH)
    dialog = console.window.aids.dialogs.run_settings()
    assert dialog.start_button.isEnabled()
    run(console, RunState.RUNNING)
    assert not dialog.start_button.isEnabled()
    run(console, RunState.STOPPED)
    dialog.start_button.click()
    assert console.engine.names()[-1] == "start_run"


def test_the_budget_of_the_toolbar_is_that_of_the_run(console: Console) -> None:
    open_project(console, FRESH)
    box = console.window.toolbar.budget
    box.activated.emit(box.findText("200 trials"))
    console.do("start")
    assert console.engine.calls[-1][1].budget == Budget(trials=200)


def test_the_toolbar_offers_minutes_and_the_latency_of_the_reference(console: Console) -> None:
    open_project(console, FRESH)
    box = console.window.toolbar.budget
    offered = [box.itemText(row) for row in range(box.count())]
    assert offered[:6] == ["1 min", "3 min", "5 min", "10 min", "20 min", "1 h"]
    assert FRESH.reference_latency_s is not None
    box.activated.emit(box.findText("Beat ONNX Runtime"))
    assert box.currentText() == "Beat ONNX Runtime"
    console.do("start")
    asked = console.engine.calls[-1][1].budget
    assert asked == Budget(latency_s=FRESH.reference_latency_s)


def test_a_reference_that_was_not_measured_is_no_budget_and_the_window_says_so(
    console: Console,
) -> None:
    open_project(console, replace(FRESH, reference_latency_s=None))
    box = console.window.toolbar.budget
    before = console.commands.run_settings.budget
    box.activated.emit(box.findText("Beat ONNX Runtime"))
    assert console.commands.run_settings.budget == before
    assert box.currentText() == "20 min"
    assert "not known yet" in console.window.console.messages.rows()[-1].what


def test_pause_and_stop_ask_the_engine(console: Console) -> None:
    open_project(console)
    run(console, RunState.RUNNING)
    console.do("pause")
    run(console, RunState.PAUSED)
    assert console.window.console.actions["pause"].text() == "&Go on"
    console.do("pause")
    console.do("stop")
    assert console.engine.names() == ["pause", "unpause", "stop"]


def test_an_interrupted_run_is_offered_to_be_continued(console: Console) -> None:
    run_info = replace(SNAPSHOT.runs[0], state=RunState.INTERRUPTED)
    open_project(console, replace(SNAPSHOT, runs=(run_info,)))
    (row,) = console.window.console.messages.rows()
    assert "interrupted after 300 trials" in row.what
    assert row.action_button is not None
    row.action_button.click()
    assert console.engine.calls == [("resume_run", None, "", "")]


def test_a_finished_run_is_continued_with_the_budget_of_the_toolbar(console: Console) -> None:
    open_project(console)
    console.commands.set_budget(Budget(trials=12))
    console.do("resume")
    assert console.engine.calls == [("resume_run", Budget(trials=12), "", "")]


def test_the_target_typed_is_the_one_a_model_is_opened_for(console: Console) -> None:
    line = console.window.toolbar.target.lineEdit()
    assert line is not None
    line.setText("llvm -mcpu=znver4")
    line.editingFinished.emit()
    console.commands.open_path(Path("/models/net.onnx"))
    source = ModelSource("file", "/models/net.onnx")
    assert console.engine.calls == [("open_model", source, "llvm -mcpu=znver4", None)]


def test_another_target_for_an_open_model_offers_to_import_it_again(console: Console) -> None:
    console.commands.open_sample("squeezenet")
    console.engine.answer("open_model")
    open_project(console, FRESH)
    console.commands.set_target("cuda")
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None
    row.action_button.click()
    assert console.engine.calls[-1] == (
        "open_model", ModelSource("sample", "squeezenet"), "cuda", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "call"), [("net.onnx", "open_model"), ("run.tune", "open_project")]
)
def test_a_dropped_file_is_opened_by_its_kind(console: Console, name: str, call: str) -> None:
    assert dropped(console.window, Path(f"/models/{name}"))
    assert console.engine.names() == [call]


def test_other_dropped_files_are_left_alone(console: Console) -> None:
    assert not dropped(console.window, Path("/models/notes.txt"))
    assert console.engine.names() == []


def test_an_export_with_a_wheel_asks_the_engine_for_both(console: Console, tmp_path: Path) -> None:
    open_project(console)
    console.do("export")
    (dialog,) = console.window.findChildren(ExportDialog)
    dialog.tick.click()
    dialog.name.setText("My-Net")
    dialog.fileSelected.emit(str(tmp_path / "out"))
    dialog.close()
    assert console.engine.calls[-1] == (
        "export",
        tmp_path / "out",
        WheelName("My-Net", "1.0"),
        None,
    )


def test_file_dialogs_do_not_block_and_hand_over_the_choice(
    console: Console, tmp_path: Path
) -> None:
    open_project(console)
    for action, name, call in (
        ("export", "out", ("export", tmp_path / "out", None, None)),
        ("save-as", "copy.tune", ("save_as", tmp_path / "copy.tune")),
        ("open-project", "old.tune", ("open_project", tmp_path / "old.tune")),
    ):
        console.do(action)
        dialog = console.window.findChildren(QFileDialog)[-1]
        assert not dialog.isModal()
        dialog.fileSelected.emit(str(tmp_path / name))
        dialog.close()
        assert console.engine.calls[-1] == call
        if call[0] in console.engine.futures:
            console.engine.answer(call[0])
            console.tick()


# What is shown


def test_a_failure_says_what_happened_and_what_to_do_until_dismissed(console: Console) -> None:
    console.commands.open_path(Path("/models/net.onnx"))
    console.engine.refuse("open_model", ModelError("The file is cut short.", "Fetch it again."))
    console.tick()
    (row,) = console.window.console.messages.rows()
    assert (row.what, row.todo) == ("The file is cut short.", "Fetch it again.")
    assert "The file is cut short. Fetch it again." in str(console.window.views.log.lines()[-1])
    assert console.enabled("open-model")
    row.dismiss_button.click()
    assert console.window.console.messages.rows() == []


def test_a_failure_that_repeats_is_counted_not_stacked(console: Console) -> None:
    for _ in range(3):
        console.tell(Failure("The disk is full.", "Free some space."))
    (row,) = console.window.console.messages.rows()
    assert row.count == 3


def test_an_error_of_our_own_is_told_once_and_frees_the_window(console: Console) -> None:
    open_project(console, FRESH)
    console.do("start")
    console.engine.tell(Failure("Something unforeseen went wrong.", "See the log."))
    console.engine.futures["start_run"].set_exception(RuntimeError("segment 7"))
    console.tick()
    (row,) = console.window.console.messages.rows()
    assert row.count == 1
    assert console.enabled("start")


def test_a_model_that_cannot_be_opened_leaves_the_project_that_is_open(console: Console) -> None:
    open_project(console)
    console.commands.open_path(Path("/models/net.onnx"))
    console.engine.refuse("open_model", ModelError("Not an ONNX file.", "Choose another."))
    console.tick()
    assert console.document.is_open and console.enabled("start")
    assert len(console.window.console.messages.rows()) == 1


@pytest.mark.parametrize("kind", ["open_project", "open_model"])
def test_a_file_that_does_not_open_leaves_page_and_selection(console: Console, kind: str) -> None:
    open_project(console)
    console.window.console.go_to("tasks")
    console.document.select_task(2)
    path = "/models/other.tune" if kind == "open_project" else "/models/other.onnx"
    console.commands.open_path(Path(path))
    console.engine.refuse(kind, ModelError("That is none.", "Choose another."))
    console.tick()
    assert console.document.is_open and console.document.task == 2


def test_a_project_that_is_only_shown_has_nothing_that_writes(console: Console) -> None:
    open_project(console, replace(FRESH, read_only=True))
    off = [spec for spec in SPECS if spec.writes]
    assert len(off) > 12
    for spec in off:
        action = console.window.console.actions[spec.id]
        assert not action.isEnabled(), spec.id
        assert "cannot be written" in action.toolTip(), spec.id
    assert console.enabled("save-as") and console.enabled("report")
    (row,) = console.window.console.messages.rows()
    assert "only shown" in row.what
    assert console.window.views.project.labels.name.isReadOnly()
    console.tell(ProjectSaved("/models/copy.tune"))
    assert console.enabled("start") and console.enabled("export")
    assert "cannot be written" not in console.window.console.actions["start"].toolTip()
    assert not console.window.views.project.labels.name.isReadOnly()


def test_a_model_that_is_missed_can_be_located_from_the_message(console: Console) -> None:
    open_project(console)
    console.do("start")
    console.engine.refuse("start_run", ModelMissing("The model is gone.", "Locate it."))
    console.tick()
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None
    row.action_button.click()
    dialog = console.window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit("/elsewhere/net.onnx")
    assert console.engine.calls[-1] == ("locate_model", Path("/elsewhere/net.onnx"))
    dialog.close()


def test_a_dynamic_model_asks_for_shapes_and_opens_again_with_them(console: Console) -> None:
    from widgets.window.shape_sheet import ShapeSheet

    console.commands.open_path(Path("/models/net.onnx"))
    error = ShapeError("Input images has no value for its dynamic dimensions.", "Give numbers.")
    error.questions = (InputQuestion("images", (1, 3, "h", "w"), "float32", (1, 3, None, None)),)
    console.engine.refuse("open_model", error)
    console.tick()
    (sheet,) = console.window.findChildren(ShapeSheet)
    assert sheet.fields["images"].text() == "1x3x?x?"
    assert console.window.console.messages.rows() == []
    sheet.fields["images"].setText("1x3x64x64")
    sheet.buttons.accepted.emit()
    source = ModelSource("file", "/models/net.onnx", {"images": (1, 3, 64, 64)})
    assert console.engine.calls[-1] == ("open_model", source, "auto", None)


def test_a_model_opens_in_all_shapes_of_the_sheets_table(console: Console) -> None:
    from widgets.window.shape_sheet import ShapeSheet

    console.commands.open_path(Path("/models/net.onnx"))
    error = ShapeError("Input images has no value for its dynamic dimensions.", "Give numbers.")
    error.questions = (InputQuestion("images", ("n", 3), "float32", (1, 3)),)
    console.engine.refuse("open_model", error)
    console.tick()
    (sheet,) = console.window.findChildren(ShapeSheet)
    sheet.table.add_button.click()
    cell = sheet.table.table.item(1, 0)
    assert cell is not None
    cell.setText("8x3")
    sheet.buttons.accepted.emit()
    more = (InputShapes({"images": (8, 3)}),)
    source = ModelSource("file", "/models/net.onnx", {"images": (1, 3)}, more=more)
    assert console.engine.calls[-1] == ("open_model", source, "auto", None)


def test_a_model_that_nothing_runs_is_opened_without_a_reference_once_a_person_says_so(
    console: Console,
) -> None:
    console.commands.open_path(Path("/models/net.onnx"))
    console.engine.refuse("open_model", NoReference("Nothing here runs net.", "Go on."))
    console.tick()
    (box,) = console.window.findChildren(QMessageBox)
    assert box.text() == "Nothing here runs net."
    (on,) = [button for button in box.buttons() if button.text() == "Go on without a reference"]
    on.click()
    source = ModelSource("file", "/models/net.onnx", without_reference=True)
    assert console.engine.calls[-1] == ("open_model", source, "auto", None)


def test_a_value_of_the_sheet_goes_with_the_model_and_comes_back_when_it_is_refused(
    console: Console,
) -> None:
    from widgets.window.shape_sheet import ShapeSheet

    def refused() -> ShapeSheet:
        error = ShapeError("Input x is open.", "Say.")
        error.questions = (
            InputQuestion("x", ("n",), "float32", (4,)),
            InputQuestion("sr", (), "int64", (), "", True),
        )
        console.engine.refuse("open_model", error)
        console.tick()
        return console.window.findChildren(ShapeSheet)[-1]

    console.commands.open_path(Path("/models/net.onnx"))
    sheet = refused()
    sheet.value_fields["sr"].setText("0.5")
    sheet.buttons.accepted.emit()
    source = ModelSource("file", "/models/net.onnx", {"x": (4,)}, values={"sr": 0.5})
    assert console.engine.calls[-1] == ("open_model", source, "auto", None)
    assert refused().value_fields["sr"].text() == "0.5"


def test_the_status_line_says_what_is_tuned_and_how_far(console: Console) -> None:
    open_project(console, FRESH)
    console.tell(*run_begins(1, settings=RunSettings(budget=Budget(trials=1000))))
    name = FRESH.tasks[2].name
    console.tell(
        SlotStarted(SlotInfo(41, 1, 2, 1.0, "its turn")),
        *(TrialDone(make_trial(number, 2, 1e-3)) for number in (1, 2, 3)),
        Scores(5.0, figure(0.1, 0.05), 0.06, 0.4, 3, 6.14, 60.0),
    )
    text = console.window.status.sentence.text()
    assert text == f"Tuning: slot 41 {name} (its turn)   3/1,000 trials   6.1 trials/s"


def test_a_long_step_moves_the_bar_and_its_end_takes_it_away(console: Console) -> None:
    console.window.show()
    console.tell(Progress("Lowering the model", 3, 19))
    bar = console.window.status.bar
    assert (bar.isVisible(), bar.value(), bar.maximum()) == (True, 3, 19)
    console.tell(Progress(""))
    assert not bar.isVisible()


def test_the_scoreboard_follows_the_scores(console: Console) -> None:
    open_project(console, FRESH)
    run(console, RunState.RUNNING, 1)
    console.tell(Scores(80.0, figure(0.01284, 0.00431), 0.00502, 0.68, 10, 1.0, 680.0))
    cells = console.window.scoreboard.cells
    shown = {name: cell.value.text() for name, cell in cells.items()}
    assert shown == {
        "untuned": "12.8 ms", "now": "4.31 ms", "speedup": "2.98x",
        "reference": "5.02 ms", "share": "68 %", "left": "11:20",
    }  # fmt: skip


def test_runs_and_exports_of_this_session_join_those_of_the_file(console: Console) -> None:
    open_project(console)
    run(console, RunState.RUNNING)
    console.tell(TrialDone(make_trial(301, 0, 1e-3, run=2)))
    run(console, RunState.STOPPED)
    console.tell(ExportDone("/out/net", {}))
    tree = console.window.views.project
    assert [row[0] for row in tree.rows("Runs")] == ["Run 2", "Run 1"]
    assert tree.rows("Runs")[0][1] == "stopped, 1 trial"
    assert tree.rows("Exports")[0][1] == "/out/net"


def test_empty_views_say_the_next_step(console: Console) -> None:
    views = console.window.views
    assert "open a model" in views.tasks.table.empty
    assert "press Start" in views.trials.table.empty
    assert "Nothing selected" in views.inspector.subtitle.text()
    assert views.project.rows("Inputs") == [("Open a model to begin", "")]
    assert "Open a model" in console.window.status.sentence.text()


def test_closing_the_project_leaves_the_views_empty(console: Console) -> None:
    open_project(console)
    console.document.select_task(1)
    console.do("close-project")
    console.engine.answer("close_project")
    console.tick()
    assert console.window.views.tasks.model.rowCount() == 0
    assert console.window.views.trials.model.rowCount() == 0
    assert console.window.windowTitle() == "Tunewright"
    assert not console.enabled("start")


def test_the_code_of_what_is_selected_comes_on_its_page(console: Console, qtbot: QtBot) -> None:
    console.window.complete()
    console.window.show()
    open_project(console)
    console.document.select_task(0)
    console.window.views.inspector.code_button.click()
    view = console.window.aids.late.code
    number = console.document.project.history.best_trial(0)
    qtbot.waitUntil(lambda: bool(console.engine.calls))
    assert console.engine.calls == [("trial_detail", number)]
    console.engine.refuse("trial_detail", TuningError("The trace does not apply.", "Tune again."))
    console.tick()
    assert view.sentence.text() == "The trace does not apply. Tune again."
    console.document.select_trial(3)
    qtbot.waitUntil(lambda: console.engine.calls[-1] == ("trial_detail", 3))
    console.engine.answer("trial_detail", {"trace": "t", "tir": "i", "source": "s"})
    console.tick()
    assert view.page.toPlainText() == "i"
    console.do("find-node")
    assert view.field.hasFocus() or view.field is view.focusWidget()
    console.window.console.go_to("allocation")
    console.do("find-node")
    assert console.window.console.workspace.shown == "graph"


def test_code_that_comes_after_its_project_was_left_is_dropped(console: Console) -> None:
    open_project(console)
    told: list[object] = []
    console.commands.detail_ready.connect(lambda *said: told.append(said))
    console.commands.trial_detail(3)
    console.tell(ProjectOpened(replace(squeezenet_like_snapshot(9), path="/other.tune")))
    console.engine.answer("trial_detail", {"trace": "t"})
    console.tick()
    assert told == []


# Keys, closing, layout


def test_every_action_has_a_key_of_its_own_a_menu_and_a_place_in_the_palette(
    console: Console,
) -> None:
    keys = [QKeySequence(spec.shortcut).toString() for spec in SPECS]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    assert {spec.menu for spec in SPECS} <= set(MENUS)
    offered = {offer.key for offer in offers(console.window.console)}
    for spec in SPECS:
        action = console.window.console.actions[spec.id]
        assert action in console.window.menus.menus[spec.menu].actions()
        assert spec.id in offered
        assert spec.tip


def test_the_mnemonics_of_a_menu_differ(console: Console) -> None:
    for menu in console.window.menus.menus.values():
        texts = [action.text() for action in menu.actions() if "&" in action.text()]
        letters = [text[text.index("&") + 1].lower() for text in texts]
        assert len(set(letters)) == len(letters), texts


@pytest.mark.parametrize("part", ["tasks", "trials", "log", "project", "inspector"])
def test_a_key_brings_the_keyboard_to_each_part(console: Console, qtbot: QtBot, part: str) -> None:
    open_project(console)
    console.document.select_task(1)
    console.window.show()
    console.window.activateWindow()
    console.do(f"go-{part}")
    focused = console.window.focusWidget()
    assert focused is not None
    assert console.window.console.panels[part].isAncestorOf(focused)


def test_closing_asks_while_a_run_goes_on(console: Console) -> None:
    open_project(console)
    run(console, RunState.RUNNING)
    console.window.show()
    assert not console.window.close()
    question = console.window.closing.ask_of_run()
    assert not question.isModal()
    question.cancel_button.click()
    assert console.window.isVisible()
    question = console.window.closing.ask_of_run()
    question.stop_button.click()
    assert not console.window.isVisible()


def test_theme_and_layout_come_back_the_next_time(console: Console, qtbot: QtBot) -> None:
    from app.process.main import Session

    console.do("theme-dark")
    console.window.console.panels["project"].hide()
    console.window.show()
    console.window.close()
    second = Session(lambda: console.engine, console.settings)
    qtbot.addWidget(second.window)
    assert chosen_theme(console.settings) == "dark"
    assert second.window.console.panels["project"].isHidden()
    second.window.aids.layouts.reset()
    assert not second.window.console.panels["project"].isHidden()
    choose_theme(console.settings, "light")


def test_the_window_fits_a_small_screen(console: Console) -> None:
    open_project(console)
    console.document.select_task(0)
    smallest = console.window.minimumSizeHint()
    assert smallest.width() <= 1024
    assert smallest.height() <= 640


def test_every_control_of_the_window_has_an_accessible_name(console: Console) -> None:
    from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QPlainTextEdit

    window = console.window
    kinds = (QAbstractButton, QAbstractItemView, QComboBox, QPlainTextEdit)
    nameless = [
        f"{type(part).__name__} in {type(part.parent()).__name__} {part.objectName()}"
        for kind in kinds
        for part in window.findChildren(kind)
        if not part.accessibleName()
        and not (isinstance(part, QAbstractButton) and (part.text() or part.toolTip()))
        and not part.objectName().startswith("qt_")
        and part.window() is window
        and not part.inherits("QHeaderView")
        and not part.inherits("QTableCornerButton")
    ]
    assert nameless == []
