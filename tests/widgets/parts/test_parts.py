"""The smaller parts: scoreboard, messages, log, inspector, palette, forms, sheets, tree."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from engine.allocation.curves import FAMILIES
from engine.allocation.policies.dynatune_paper import FORMS
from engine.allocation.policies.registry import POLICIES
from engine.allocation.policy import Policy
from engine.history.open_project import OpenProject
from engine.models.questions import InputQuestion
from engine.records.errors import ShapeError
from engine.records.events import Failure, Message, RunChanged, Scores, TaskChanged, TrialDone
from engine.records.settings import Budget, RunSettings, RunState, SearchSettings, Step
from engine.records.snapshot import ExportInfo, Figure, RunInfo
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Measured, Protocol, Source
from tests.feeding import begin, feed
from tests.figures import figure
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.parts import field_texts
from widgets.parts.field_form import FieldForm
from widgets.parts.message_bar import MOST, MessageBar
from widgets.parts.run_dialog import BUDGETS, RunDialog, budget_text
from widgets.tasks.inspector import EMPTY, Inspector
from widgets.tasks.task_facts import error_facts, spread_text, trial_facts
from widgets.window.log_view import LogLine, LogView, log_lines
from widgets.window.project_tree import ProjectTree, run_line
from widgets.window.scoreboard import Scoreboard, scoreboard_texts
from widgets.window.shape_sheet import ShapeSheet
from widgets.window.welcome import Welcome

WHENCE = ("Source", "From", "There", "Moved", "Kernel")
SCORES = Scores(80.0, figure(0.0128, 0.0043, 0.0050), 0.0060, 0.5, 10, 1.0, 65.0)


# Scoreboard


@pytest.mark.parametrize("running", [True, False])
def test_whether_a_run_goes_on_does_not_change_the_figure(running: bool) -> None:
    texts = scoreboard_texts(SCORES, running)
    assert (texts["now"].value, texts["now"].note) == ("5.00 ms", "measured")
    assert texts["speedup"].value == "2.56x"
    assert texts["left"].value == ("1:05" if running else "–")


def test_an_estimate_is_told_from_a_measurement() -> None:
    texts = scoreboard_texts(replace(SCORES, figure=figure(0.0128, 0.0043)), False)
    assert (texts["now"].value, texts["now"].note) == ("4.30 ms", "estimate")


def test_a_disturbed_figure_says_so_beside_it_with_a_shape(qtbot: QtBot) -> None:
    crowded = Measured(25.3e-3, 9e-3, 0.68, 7.3e-3)
    found = replace(figure(0.177, 7.3e-3, 25.3e-3), basis=crowded)
    board = Scoreboard()
    qtbot.addWidget(board)
    board.show_scores(replace(SCORES, figure=found), running=False)
    for name in ("now", "speedup"):
        assert board.cells[name].note.text() == "▲ disturbed"
        assert board.cells[name].note.property("role") == "warning"
    assert "other programs had 68 % of the cores" in board.cells["now"].toolTip()
    board.show_scores(SCORES, running=False)
    assert board.cells["now"].note.property("role") == "muted"


def test_an_estimate_beside_a_disturbed_measurement_stays_one() -> None:
    crowded = Measured(25.3e-3, 9e-3, 0.68, 7.3e-3)
    found = replace(figure(0.177, 4.1e-3), basis=Measured(4.11e-3), aside=crowded)
    texts = scoreboard_texts(replace(SCORES, figure=found), False)
    assert (texts["now"].value, texts["now"].note) == ("4.10 ms", "▲ estimate")
    assert (texts["speedup"].value, texts["speedup"].note) == ("43.2x", "than untuned")
    assert "25.3 ms, is not taken" in texts["now"].tip


def test_a_model_without_a_schedule_is_called_untuned_and_no_faster() -> None:
    untuned = Measured(0.1)
    found = Figure(latency_s=0.1, measured=True, basis=untuned, untuned=untuned)
    texts = scoreboard_texts(replace(SCORES, figure=found), False)
    assert (texts["now"].note, texts["speedup"].value) == ("untuned", "–")


def test_a_disturbed_baseline_is_marked_in_its_own_cell_and_in_the_speedup() -> None:
    base = Measured(0.0128, 1e-4, 0.5)
    found = replace(figure(0.0128, 5e-3, 5e-3), untuned=base, reference=base)
    texts = scoreboard_texts(replace(SCORES, figure=found), False)
    marked = {name for name, text in texts.items() if text.doubtful}
    assert marked == {"untuned", "speedup", "reference"}


@pytest.mark.parametrize(
    ("now", "reference", "note"),
    [
        (0.002, 0.004, "now 2.00x as fast"),
        (0.004, 0.002, "now 2.00x its time"),
        (0.004, None, "same threads"),
    ],
)
def test_the_reference_is_compared_in_words_both_ways(
    now: float, reference: float | None, note: str
) -> None:
    scores = replace(SCORES, figure=figure(0.0128, now), reference_s=reference)
    assert scoreboard_texts(scores, True)["reference"].note == note


def test_unknown_figures_are_dashes() -> None:
    unknown = Scores(0.0)
    figures = scoreboard_texts(unknown, True)
    assert [figures[name].value for name in ("untuned", "now", "speedup", "reference")] == ["–"] * 4


def test_the_scoreboard_keeps_its_width_when_numbers_change(qtbot: QtBot) -> None:
    board = Scoreboard()
    qtbot.addWidget(board)
    width = board.sizeHint().width()
    for scores in (SCORES, replace(SCORES, figure=figure(0.8888, 0.1111), time_left_s=86000.0)):
        board.show_scores(scores, running=True)
        assert board.sizeHint().width() == width


def test_each_cell_reads_as_a_sentence_to_a_screen_reader(qtbot: QtBot) -> None:
    board = Scoreboard()
    qtbot.addWidget(board)
    board.show_scores(SCORES, running=True)
    assert board.cells["now"].accessibleName() == "Now: 5.00 ms measured"


# Messages


def test_a_message_is_copied_with_what_to_do(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_message("error", "The disk is full.", "Free some space.")
    bar.rows()[0].copy_button.click()
    assert QGuiApplication.clipboard().text() == "The disk is full. Free some space."
    assert bar.rows()[0].accessibleName().startswith("✕ Error")


def test_the_oldest_message_makes_room(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    for number in range(MOST + 2):
        bar.show_message("info", f"message {number}")
    assert [row.what for row in bar.rows()] == ["message 4", "message 3", "message 2"]


def test_the_thing_to_press_runs_once_and_takes_the_message_away(qtbot: QtBot) -> None:
    bar, pressed = MessageBar(), []
    qtbot.addWidget(bar)
    bar.show_message("info", "Interrupted.", action=("Continue", lambda: pressed.append(1)))
    button = bar.rows()[0].action_button
    assert button is not None
    button.click()
    assert pressed == [1]
    assert bar.rows() == []


# Log


def test_the_log_tells_messages_failures_runs_and_failed_tasks() -> None:
    lines = log_lines(
        [
            Message("warning", "slow"), Failure("No disk.", "Buy one."),
            RunChanged(1, RunState.PAUSED), TaskChanged(3, TaskState.FAILED, "all crashed"),
            TaskChanged(3, TaskState.BUILDING), TrialDone(make_trial(1, 0, 1.0)),
        ]
    )  # fmt: skip
    assert [(line.level, line.text) for line in lines] == [
        ("warning", "slow"), ("error", "No disk. Buy one."), ("info", "Run 1 is paused"),
        ("warning", "Task 3 failed: all crashed"),
    ]  # fmt: skip


def test_the_level_filter_holds_for_old_and_new_lines(qtbot: QtBot) -> None:
    log = LogView()
    qtbot.addWidget(log)
    log.append([LogLine(0, "info", "a"), LogLine(0, "error", "b")])
    log.level.setCurrentIndex(2)
    log.append([LogLine(0, "warning", "c"), LogLine(0, "error", "d")])
    assert [line.text for line in log.lines()] == ["b", "d"]
    assert len(log.text.toPlainText().splitlines()) == 2
    log.copy_button.click()
    assert QGuiApplication.clipboard().text().endswith("d")
    log.level.setCurrentIndex(0)
    assert len(log.text.toPlainText().splitlines()) == 4


# Inspector


def test_the_inspector_says_the_next_step_where_nothing_is_selected(qtbot: QtBot) -> None:
    inspector = Inspector(OpenProject())
    qtbot.addWidget(inspector)
    assert inspector.subtitle.text() == EMPTY


def test_the_inspector_follows_the_selected_task(qtbot: QtBot) -> None:
    inspector = Inspector(OpenProject())
    qtbot.addWidget(inspector)
    begin(inspector, squeezenet_like_snapshot(0))
    inspector.select_task(1)
    assert dict(inspector.facts.facts())["Best"] == "not measured yet"
    feed(inspector, [TrialDone(make_trial(1, 1, 2e-6))])
    assert dict(inspector.facts.facts())["Best"] == "2.000 us"
    feed(inspector, [TrialDone(make_trial(2, 1, None, error=ErrorKind.RUN_CRASH))])
    assert inspector.errors.facts() == [("✕ 1 run crash", "test data: run crash")]


def test_errors_are_told_by_kind_the_commonest_first_with_its_commonest_text() -> None:
    def failed(number: int, kind: ErrorKind, text: str):  # type: ignore[no-untyped-def]
        return replace(make_trial(number, 0, None, error=kind), error_text=text)

    facts = error_facts(
        [
            failed(1, ErrorKind.RUN_CRASH, "signal 11"),
            failed(2, ErrorKind.BUILD_ERROR, "no\nmore"),
            failed(3, ErrorKind.BUILD_ERROR, "other"), failed(4, ErrorKind.BUILD_ERROR, "\nno"),
            make_trial(5, 0, 1.0),
        ]
    )  # fmt: skip
    assert facts == [("✕ 3 build error", "no"), ("✕ 1 run crash", "signal 11")]


def test_the_spread_is_that_of_the_confirmation_where_there_was_one() -> None:
    trial = replace(make_trial(1, 0, 1.0), samples=(1.0, 3.0), confirmed=(0.99, 1.01))
    assert spread_text(trial) == "1.000 s ± 1.4 %"


# Command palette


@pytest.mark.parametrize(
    ("source", "origin", "facts"),
    [
        (Source.SEARCH, {}, {"Source": "search"}),
        (
            Source.SHARED,
            {"task": 1, "trial": 1234, "rank": 0},
            {"Source": "shared", "From": "#1,234 of second"},
        ),
        (
            Source.TRANSFERRED,
            {"model": "resnet50", "task": "conv", "latency_s": 2e-3, "target": "cpu", "place": "x"},
            {"Source": "transferred", "From": "conv of resnet50", "There": "2.00 ms"},
        ),
        (
            Source.DROPLET,
            {"from": 7, "axis": "unroll: 16 to 64"},
            {"Source": "polished", "From": "#7", "Moved": "unroll: 16 to 64"},
        ),
        (
            Source.LIBRARY,
            {"kernel": "cublaslt 3"},
            {"Source": "library", "Kernel": "cublaslt 3"},
        ),
        (Source.SHARED, {"task": "1", "trial": None}, {"Source": "shared"}),
        (
            Source.TRANSFERRED,
            {"model": "m", "task": "t", "latency_s": math.inf},
            {"Source": "transferred", "From": "t of m"},
        ),
    ],
)
def test_a_trial_says_where_a_pass_took_it_from(
    source: Source, origin: dict[str, object], facts: dict[str, str]
) -> None:
    tasks = {index: make_task(index, name, 1e-3) for index, name in enumerate(("first", "second"))}
    trial = replace(make_trial(1, 0, 1e-3), source=source, origin=origin)
    told = {name: text for name, text in trial_facts(trial, tasks) if name in WHENCE}
    assert told == facts


def test_a_number_is_shown_without_needless_zeros(qtbot: QtBot) -> None:
    form = FieldForm(Budget, field_texts.BUDGET)
    qtbot.addWidget(form)
    editor = form.controls["seconds"].editor
    assert isinstance(editor, QDoubleSpinBox)
    for seconds, text in ((600.0, "10 min"), (90.0, "1.5 min"), (6000.0, "100 min")):
        form.controls["seconds"].set_value(seconds)
        assert editor.text() == text


def test_a_pass_is_told_from_a_search_by_its_steps() -> None:
    settings = RunSettings(steps=(Step("search", trials=50), Step("droplet")))
    run = RunInfo(3, RunState.FINISHED, settings, 0.0, trials=70)
    assert run_line(run) == ("Run 3", "search, droplet: finished, 70 trials")
    assert run_line(replace(run, settings=RunSettings())) == ("Run 3", "finished, 70 trials")


# Run dialog


def test_the_run_dialog_gives_back_what_it_was_given(qtbot: QtBot) -> None:
    settings = RunSettings(
        budget=Budget(trials=7, seconds=90.0, latency_s=0.0035),
        seed=4,
        search=SearchSettings(population=64),
        protocol=Protocol(precision=0.02, sample_s=0.01),
        finalists=5,
        policy_options={"c": 0.25},
    )
    dialog = RunDialog(settings)
    qtbot.addWidget(dialog)
    assert dialog.settings() == settings
    dialog.show_settings(RunSettings())
    assert dialog.settings() == RunSettings()


def test_a_number_out_of_its_bounds_cannot_be_entered(qtbot: QtBot) -> None:
    dialog = RunDialog(RunSettings())
    qtbot.addWidget(dialog)
    dialog.show_settings(RunSettings(budget=Budget(trials=5)))
    dialog.budget.controls["trials"].set_value(0)
    dialog.search.controls["batch"].set_value(0)
    dialog.protocol.controls["cut_ratio"].set_value(0.5)
    settings = dialog.settings()
    assert (settings.budget.trials, settings.search.batch) == (1, 1)
    assert settings.protocol.cut_ratio == 1.0


def test_a_policy_brings_its_options_into_the_form(qtbot: QtBot) -> None:
    class Eager(Policy):
        name, title = "eager", "Eager"

        @dataclass(frozen=True)
        class Options:
            """Made up."""

            greed: float = 0.5
            rounds: int = 3
            bold: bool = True

        def choose(self, tasks):  # type: ignore[no-untyped-def]
            return None

    dialog = RunDialog(RunSettings(policy="eager"), {"eager": Eager})
    qtbot.addWidget(dialog)
    assert dialog.settings().policy_options == {"greed": 0.5, "rounds": 3, "bold": True}
    dialog.show_settings(RunSettings(policy="eager", policy_options={"rounds": 8}))
    assert dialog.settings().policy_options["rounds"] == 8


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (Budget(seconds=180), "3 min"),
        (Budget(seconds=40), "40 s"),
        (Budget(seconds=3600), "1 h"),
        (Budget(trials=1000, latency_s=0.004), "1,000 trials or 4.00 ms"),
        (Budget(), "No limit"),
    ],
)
def test_a_budget_is_told_in_a_few_words(budget: Budget, text: str) -> None:
    assert budget_text(budget) == text
    assert len({budget_text(preset) for preset in BUDGETS}) == len(BUDGETS)


# Shapes


def test_open_stays_shut_until_all_shapes_can_be_read(qtbot: QtBot) -> None:
    error = ShapeError("Input a is open.", "Say.")
    error.questions = (
        InputQuestion("a", (None, 4), "float32", (None, 4)),
        InputQuestion("b", ("n",), "float32", (3,)),
    )
    sheet = ShapeSheet(error, "net.onnx")
    qtbot.addWidget(sheet)
    button = sheet.buttons.button(sheet.buttons.StandardButton.Open)
    assert not button.isEnabled()
    assert "a=?x4" in sheet.problem.text()
    sheet.fields["a"].setText("2x4")
    assert button.isEnabled()
    with qtbot.waitSignal(sheet.shapes_given) as given:
        button.click()
    assert given.args == [{"a": (2, 4), "b": (3,)}, {}]


def test_every_input_is_listed_and_the_open_ones_have_a_proposal(qtbot: QtBot) -> None:
    error = ShapeError("Which?", "Say.")
    error.questions = (
        InputQuestion("images", ("batch", 3, None, "w"), "float32", (1, 3, 640, 640), "why"),
        InputQuestion("sizes", (2,), "int64", (2,)),
        *(InputQuestion(f"more{n}", ("n",), "int64", (None,)) for n in range(8)),
    )
    sheet = ShapeSheet(error, "net.onnx")
    qtbot.addWidget(sheet)
    shown = {label.text() for label in sheet.findChildren(QLabel)}
    assert {"images", "batch x 3 x ? x w float32", "why", "sizes", "2 int64"} <= shown
    assert sheet.fields["images"].text() == "1x3x640x640"
    assert "sizes" not in sheet.fields
    assert sheet.fields["more7"].text() == "?"


def silero_sheet(qtbot: QtBot, **sheet_values: float) -> ShapeSheet:
    error = ShapeError("Which?", "Say.")
    error.questions = (
        InputQuestion("input", ("batch", None), "float32", (1, 512)),
        InputQuestion("sr", (), "int64", (), "as last time", True, 8000.0),
        InputQuestion("gain", (1,), "float32", (1,), "", True),
    )
    sheet = ShapeSheet(error, "vad.onnx", values=sheet_values)
    qtbot.addWidget(sheet)
    return sheet


def test_an_input_of_one_number_becomes_a_constant_where_a_value_is_given(qtbot: QtBot) -> None:
    sheet = silero_sheet(qtbot)
    assert {name: field.text() for name, field in sheet.value_fields.items()} == {
        "sr": "8000", "gain": "",
    }  # fmt: skip
    button = sheet.buttons.button(sheet.buttons.StandardButton.Open)
    sheet.value_fields["sr"].setText("fast")
    assert not button.isEnabled()
    assert "sr=fast" in sheet.problem.text()
    sheet.value_fields["sr"].setText(" 16000 ")
    with qtbot.waitSignal(sheet.shapes_given) as given:
        button.click()
    assert given.args == [{"input": (1, 512)}, {"sr": 16000.0}]


def test_a_value_given_now_goes_before_that_of_the_last_time(qtbot: QtBot) -> None:
    sheet = silero_sheet(qtbot, sr=0.5, elsewhere=2.0)
    assert sheet.value_fields["sr"].text() == "0.5"
    sheet.value_fields["sr"].clear()
    assert sheet.values() == {"elsewhere": 2.0}


def test_a_model_without_a_word_on_its_inputs_cannot_be_opened_here(qtbot: QtBot) -> None:
    sheet = ShapeSheet(ShapeError("It does not say."), "net.onnx")
    qtbot.addWidget(sheet)
    assert not sheet.buttons.button(sheet.buttons.StandardButton.Open).isEnabled()
    with pytest.raises(ShapeError):
        sheet.shapes()


# Project tree and welcome


def test_the_project_tree_lists_newest_first_and_opens_an_export(qtbot: QtBot) -> None:
    tree = ProjectTree()
    qtbot.addWidget(tree)
    exports = (ExportInfo(1, "/a", 0.0, {}), ExportInfo(2, "/b", 1.0, {}))
    tree.show_project(replace(squeezenet_like_snapshot(10), exports=exports))
    assert [row[1] for row in tree.rows("Exports")] == ["/b", "/a"]
    assert tree.rows("Runs") == [("Run 1", "finished, 10 trials")]
    section = tree.tree.topLevelItem(2)
    assert section is not None
    item = section.child(0)
    with qtbot.waitSignal(tree.export_opened) as opened:
        tree.tree.itemActivated.emit(item, 0)
    assert opened.args == ["/b"]


def test_the_welcome_page_offers_what_its_actions_do(qtbot: QtBot) -> None:
    host, ran = QWidget(), []
    qtbot.addWidget(host)
    action = QAction("Open sample: &SqueezeNet", host)
    action.setIconText("SqueezeNet")
    action.triggered.connect(lambda: ran.append(1))
    page = Welcome([], [action], host)
    page.samples[0].click()
    action.setEnabled(False)
    assert ran == [1]
    assert page.samples[0].title.text() == "SqueezeNet"
    assert not page.samples[0].isEnabled()


def test_every_option_of_every_policy_has_words_of_its_own_and_the_policy_a_sentence() -> None:
    for name, policy in POLICIES.items():
        assert field_texts.ABOUT[name].endswith(".")
        for option in fields(policy.Options):
            assert option.name in field_texts.POLICY, f"{name}: {option.name}"
            assert field_texts.POLICY[option.name].tip


def test_what_is_one_of_a_few_is_chosen_from_a_list(qtbot: QtBot) -> None:
    settings = RunSettings(
        policy="dynatune-paper", policy_options={"form": "share", "family": "pow4", "pooled": 8.0}
    )
    dialog = RunDialog(settings)
    qtbot.addWidget(dialog)
    assert dialog.settings() == settings
    form = dialog.options.currentWidget()
    assert isinstance(form, FieldForm)
    for name, known in (("form", FORMS), ("family", tuple(FAMILIES))):
        editor = form.controls[name].editor
        assert isinstance(editor, QComboBox)
        assert tuple(editor.itemData(row) for row in range(editor.count())) == known
    assert list(form.controls)[:2] == ["form", "c"]
    assert dialog.about.text().startswith("As in the paper")


def test_options_that_make_no_sense_together_are_told_in_the_dialog(qtbot: QtBot) -> None:
    dialog = RunDialog(RunSettings(policy="dynatune-paper", policy_options={"walkers": 2}))
    qtbot.addWidget(dialog)
    with qtbot.assertNotEmitted(dialog.start_wanted):
        dialog.start_button.click()
    assert "2 walkers" in dialog.problem.text()
