"""The page of code: whose it is, what it asks for, how it is coloured and searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import RunChanged, TrialDone
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot, hardware_of
from tests.clipping import clipped_texts
from tests.engine.passes.test_knobs import drawn
from tests.engine.project.support import new_project
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.look.theme import ThemeName, apply_theme, theme
from widgets.parts.notice import NO_MODEL
from widgets.tasks.code_page import SYNTAX, CodePage, color_of, kinds, places
from widgets.tasks.code_view import KEPT, NO_TRIALS, CodeView
from widgets.tasks.trial_texts import TEXTS

SEARCHED = squeezenet_like_snapshot(100)
CODE = {
    "trace": "b0 = sch.get_sblock()\n",
    "tir": "def main():\n    # Main\n    main()",
    "source": "x",
}


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[CodeView]:
    """A page of the least width, on screen, without a project."""
    made = CodeView(OpenProject())
    qtbot.addWidget(made)
    made.resize(540, 400)
    made.show()
    yield made
    made.close()


def asked(view: CodeView, qtbot: QtBot) -> int:
    """The trial that the page asks for now."""
    with qtbot.waitSignal(view.detail_wanted) as wanted:
        pass
    number = wanted.args[0]
    assert isinstance(number, int)
    return number


def best(view: CodeView, task: int) -> int:
    found = view.project.history.best_trial(task)
    assert found is not None
    return found


def shown(view: CodeView, qtbot: QtBot, snapshot: Snapshot = SEARCHED) -> CodeView:
    """The page with the code of the first task's best trial."""
    begin(view, snapshot)
    view.select_task(0)
    view.show_detail(asked(view, qtbot), CODE)
    return view


# Whose code it is


def test_an_empty_page_says_what_comes_next(view: CodeView) -> None:
    assert view.notice.label.text() == NO_MODEL
    begin(view, squeezenet_like_snapshot(0))
    assert view.notice.label.text() == NO_TRIALS and not view.busy


def test_it_shows_the_best_trial_of_the_task_or_the_trial_that_is_selected(
    view: CodeView, qtbot: QtBot
) -> None:
    shown(view, qtbot)
    assert f"best trial #{best(view, 0)}" in view.sentence.text()
    assert view.page.toPlainText() == CODE["tir"]
    view.kinds["trace"].click()
    assert view.page.toPlainText() == CODE["trace"]
    other = next(t.number for t in SEARCHED.trials if t.number != best(view, 0))
    view.select_trial(other)
    assert view.page.toPlainText() == ""
    assert asked(view, qtbot) == other
    view.show_detail(other, {**CODE, "trace": "another"})
    assert view.page.toPlainText() == "another"
    view.select_trial(None)
    assert view.page.toPlainText() == CODE["trace"] and not view.busy  # it is kept


def test_without_a_selection_it_is_the_costliest_tasks(view: CodeView, qtbot: QtBot) -> None:
    begin(view, SEARCHED)
    shares = view.project.history.shares()
    tried = [task for task in shares if view.project.history.best_trial(task) is not None]
    assert asked(view, qtbot) == best(view, max(tried, key=lambda task: shares[task]))


def test_it_asks_for_one_trial_at_a_time_and_only_in_sight(view: CodeView, qtbot: QtBot) -> None:
    spy = QSignalSpy(view.detail_wanted)
    view.hide()
    begin(view, SEARCHED)
    for number in (1, 2, 3):
        view.select_trial(number)
    assert not view.busy and spy.count() == 0
    view.show()
    assert asked(view, qtbot) == 3
    for number in (4, 5, 6):
        view.select_trial(number)
    qtbot.wait(2 * view._soon.interval())
    assert spy.count() == 1
    view.show_detail(3, CODE)
    assert view.page.toPlainText() == ""
    assert asked(view, qtbot) == 6


def test_another_project_has_texts_of_its_own(view: CodeView, qtbot: QtBot) -> None:
    shown(view, qtbot)
    begin(view, replace(SEARCHED, path="/other.tune"))
    assert view.page.toPlainText() == ""
    assert asked(view, qtbot)


def test_the_texts_of_the_last_trials_are_kept(view: CodeView, qtbot: QtBot) -> None:
    shown(view, qtbot)
    for number in range(1, KEPT + 30):
        view.show_detail(number, CODE)
    assert len(view._texts) == KEPT


def test_a_run_is_not_disturbed_unless_a_person_wants_that(view: CodeView, qtbot: QtBot) -> None:
    running = RunInfo(1, RunState.RUNNING, RunSettings(), 0.0)
    begin(view, replace(SEARCHED, runs=(running,)))
    view.select_task(0)
    assert not view.busy and view.button.isVisible()
    with qtbot.waitSignal(view.detail_wanted):
        view.button.click()
    assert not view.button.isEnabled()
    view.show_detail(best(view, 0), CODE)
    assert not view.button.isVisible() and view.page.toPlainText() == CODE["tir"]
    better = make_trial(900, 0, 1e-9)
    feed(view, [TrialDone(better)])
    assert view.number() == 900 and view.button.isVisible() and not view.busy
    feed(view, [RunChanged(1, RunState.FINISHED)])
    assert asked(view, qtbot) == 900


def test_a_trial_that_cannot_be_compiled_has_its_trace_from_the_file(
    view: CodeView, qtbot: QtBot, tmp_path: Path
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        for each in drawn(3):
            project.add_trial(each)
        snapshot = project.snapshot()
    begin(view, snapshot)
    view.select_trial(2)
    view.show_detail_problem(asked(view, qtbot), "It cannot be compiled. Choose another.")
    qtbot.waitUntil(lambda: not view.busy)
    assert view.sentence.text() == "It cannot be compiled. Choose another."
    assert "SamplePerfectTile" in view.page.toPlainText()
    assert [view.kinds[key].isEnabled() for key in TEXTS] == [True, False, False]


# The text


def test_the_text_is_read_only_and_copied_whole_or_in_part(view: CodeView, qtbot: QtBot) -> None:
    page = shown(view, qtbot).page
    QTest.keyClick(page, Qt.Key.Key_A)
    assert page.toPlainText() == CODE["tir"]
    view.copy_button.click()
    assert QGuiApplication.clipboard().text() == CODE["tir"]
    view.field.setText("def main")
    page.copy()
    assert QGuiApplication.clipboard().text() == "def main"


@pytest.mark.parametrize(
    ("target", "title"),
    [('{"kind": "llvm"}', "Assembly"), ('{"kind": "cuda", "arch": "sm_90"}', "CUDA")],
)
def test_the_source_is_called_what_it_is(
    view: CodeView, qtbot: QtBot, target: str, title: str
) -> None:
    shown(view, qtbot, replace(SEARCHED, hardware=hardware_of(target, "x")))
    assert view.kinds["source"].text() == title


def test_nothing_is_cut_on_the_narrowest_page(view: CodeView, qtbot: QtBot) -> None:
    shown(view, qtbot).field.setText("main")
    QApplication.processEvents()
    assert clipped_texts(view) == []


@pytest.mark.parametrize(
    ("language", "line", "wanted"),
    [
        ("python", "for i in T.grid(4):  # loop", ["word", "word", "name", "number", "comment"]),
        ("python", 'x = "a # b"', ["string"]),
        ("python", "v1 = sch.split(l4, [0x1f, 2.5e-3])", ["name", "number", "number"]),
        ("asm", ".LBB4_3:", ["label"]),
        ("asm", "\tvmovaps\t-96(%rcx,8), %ymm0", ["word", "number", "name", "number", "name"]),
        ("asm", '\t.file\t"TVM # x"', ["name", "string"]),
        ("asm", "\tfmla v0.4s, v1.4s, v2.s[0] // sum", ["word", "number", "comment"]),
        ("cuda", "#include <cuda.h>", ["name"]),
        ("cuda", "float x = a[threadIdx.x] * 2.0f; //", ["word", "name", "number", "comment"]),
        ("cuda", "extern \"C\" __global__ void f()", ["word", "string", "name", "word"]),
    ],
)  # fmt: skip
def test_a_line_is_coloured_by_its_syntax(language: str, line: str, wanted: list[str]) -> None:
    assert [kind for _, _, kind in kinds(line, language)] == wanted


@pytest.mark.parametrize("language", SYNTAX)
@pytest.mark.parametrize(
    "piece", ['"', "'", "/*", "#", "0x", "1e", "%", ".", "\t", "a", "\\", "\u2028"]
)
def test_no_line_of_a_stranger_takes_long(language: str, piece: str) -> None:
    found = kinds(piece * 200_000, language)
    assert len(found) <= 2000 and all(start + length <= 2000 for start, length, _ in found)


def test_only_what_is_in_sight_is_coloured_whatever_the_length(qtbot: QtBot) -> None:
    page = CodePage("Code")
    qtbot.addWidget(page)
    page.resize(400, 300)
    page.show()
    page.show_code("for x in y:\n" * 20_000, "python")
    document = page.document()

    def coloured() -> list[int]:
        blocks = (document.findBlockByNumber(row) for row in (0, 10_000, 19_999))
        return [len(block.layout().formats()) for block in blocks]

    assert coloured() == [2, 0, 0]
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    assert coloured() == [2, 0, 2]


def test_another_theme_has_other_colours(qtbot: QtBot, qapp: QApplication) -> None:
    page = CodePage("Code")
    qtbot.addWidget(page)
    page.show()
    page.show_code("for x in y:", "python")
    seen = set()
    for name in ("dark", "light"):
        apply_theme(qapp, name)
        ranges = page.document().firstBlock().layout().formats()
        seen.add(ranges[0].format.foreground().color().name())
    assert len(seen) == 2


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of two luminances, as WCAG has it."""

    def luminance(color: QColor) -> float:
        parts = (color.redF(), color.greenF(), color.blueF())
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_colour_of_code_can_be_read_in_every_theme(qapp: QApplication) -> None:
    parts = {name for pattern in SYNTAX.values() for name in pattern.groupindex}
    names: tuple[ThemeName, ...] = ("dark", "contrast", "light")
    for name in names:
        apply_theme(qapp, name)
        read = {part: contrast(color_of(part), theme().surface) for part in parts}
        assert min(read.values()) > 4.5, (name, read)


# Searching


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("", 0), ("main", 3), ("MAIN", 3), ("main()", 2), (".*", 0), ("absent", 0)],
)
def test_words_are_found_as_they_are_whatever_the_case(wanted: str, found: int) -> None:
    assert len(places(CODE["tir"], wanted)) == found


def test_next_and_previous_go_round_and_are_counted(view: CodeView, qtbot: QtBot) -> None:
    shown(view, qtbot).start_search()
    QTest.keyClicks(view.field, "main")
    counts = [view.count.text()]
    for keys in (Qt.Key.Key_Return, Qt.Key.Key_F3, Qt.Key.Key_F3):
        QTest.keyClick(view.field, keys)
        counts.append(view.count.text())
    assert counts == ["1 of 3", "2 of 3", "3 of 3", "1 of 3"]
    QTest.keyClick(view.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert view.count.text() == "3 of 3"
    assert len(view.page.extraSelections()) == 3
    view.field.setText("absent")
    assert view.count.text() == "none" and not view.after.isEnabled()
    view.field.clear()
    assert view.count.text() == "" and view.page.extraSelections() == []
