"""Two trials beside each other, and the pages of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.records.trial import ErrorKind, Protocol, Trial
from tests.samples import make_task, make_trial
from widgets.look.language import translation, use
from widgets.look.theme import apply_theme
from widgets.tasks.inspector import TrialDetails
from widgets.tasks.trial_compare import NO_ERROR, WAITING, TrialCompare, figures
from widgets.tasks.trial_texts import error_text, protocol_facts, recorded_trace

TASKS = {0: make_task(0, "fused_conv2d", 1e-3)}
TEXTS = {"trace": "a\nb", "tir": "\n".join("abcdefghijklmnop"), "source": "x"}
SHIFT = Qt.KeyboardModifier.ShiftModifier


def trial(number: int, tile: int = 4, error: ErrorKind | None = None) -> Trial:
    steps = [
        ["GetSBlock", [], ["conv2d", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], ["l1", "l2"]],
        ["SamplePerfectTile", ["l1"], [2, 64], ["v3", "v4"]],
    ]
    made = make_trial(number, 0, None if error else 1e-3 / number, error=error)
    return replace(made, trace=json.dumps([steps, [[2, [tile, 8]]]]), protocol=Protocol().as_dict())


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[TrialCompare]:
    """Trials 1 and 2, which have other tiles."""
    made = TrialCompare(trial(1), trial(2, 16), TASKS)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def settled(dialog: TrialCompare, key: str, qtbot: QtBot) -> None:
    view = dialog.views[key]
    dialog.tabs.setCurrentWidget(view)
    qtbot.waitUntil(lambda: bool(view.summary))


def test_the_recorded_traces_differ_before_anything_is_compiled(
    dialog: TrialCompare, qtbot: QtBot
) -> None:
    settled(dialog, "trace", qtbot)
    left = dialog.views["trace"].left.toPlainText().splitlines()
    right = dialog.views["trace"].right.toPlainText().splitlines()
    assert left[2] == "- 3  v3, v4 = SamplePerfectTile(l1, 2, 64)  # [4, 8]"
    assert right[2] == "+ 3  v3, v4 = SamplePerfectTile(l1, 2, 64)  # [16, 8]"
    assert dialog.summary.text() == "−1 +1 lines of 3"
    assert dialog.views["tir"].notice.text() == WAITING
    assert dialog.views["error"].notice.text() == NO_ERROR


def test_what_had_to_be_compiled_is_asked_for_and_shown_once_both_are_there(
    dialog: TrialCompare, qtbot: QtBot
) -> None:
    asked: list[int] = []
    dialog.detail_wanted.connect(asked.append)
    dialog.ask()
    assert asked == [1, 2]
    dialog.show_detail(1, TEXTS)
    dialog.show_detail(7, TEXTS)
    assert dialog.views["tir"].notice.text() == WAITING
    dialog.show_detail(2, {**TEXTS, "tir": TEXTS["tir"].replace("d", "D").replace("n", "N")})
    settled(dialog, "tir", qtbot)
    view = dialog.views["tir"]
    assert "…     3 equal lines" in view.left.toPlainText()
    dialog.folds.click()
    assert view.left.toPlainText().splitlines()[3] == "-  4  d"
    assert len(view.left.toPlainText().splitlines()) == 16


def test_keys_go_from_one_place_that_differs_to_the_next(
    dialog: TrialCompare, qtbot: QtBot
) -> None:
    for number, text in ((1, TEXTS["tir"]), (2, TEXTS["tir"].replace("d", "D").replace("n", "N"))):
        dialog.show_detail(number, {"tir": text})
    settled(dialog, "tir", qtbot)
    dialog.folds.click()
    view = dialog.views["tir"]
    rows = []
    for modifier in (Qt.KeyboardModifier.NoModifier,) * 3 + (SHIFT,):
        QTest.keyClick(dialog, Qt.Key.Key_F7, modifier)
        rows.append(view.left.textCursor().blockNumber())
    assert rows == [3, 13, 13, 3]
    dialog.columns.click()
    assert [line for line in view.both.toPlainText().splitlines() if line[0] in "+-"] == [
        "-  4  d",
        "+  4  D",
        "- 14  n",
        "+ 14  N",
    ]


def test_a_trial_that_cannot_be_shown_says_why(dialog: TrialCompare) -> None:
    dialog.show_problem(2, "The trace does not apply. Tune again.")
    assert dialog.views["source"].notice.text() == "#2: The trace does not apply. Tune again."


def test_figures_that_differ_are_marked_by_a_sign(dialog: TrialCompare) -> None:
    rows = figures(trial(1), trial(3, error=ErrorKind.RUN_CRASH), TASKS)
    assert ("Task", "fused_conv2d", "fused_conv2d") in rows
    assert ("Error", "", "✕ run crash") in rows
    model = dialog.facts.model()
    signs = {model.index(row, 1).data(): model.index(row, 0).data() for row in range(5)}
    assert (signs["Task"], signs["Latency"]) == ("", "≠")


def test_it_is_drawn_in_other_colours_when_the_theme_changes(
    dialog: TrialCompare, qtbot: QtBot, qapp: QApplication
) -> None:
    settled(dialog, "trace", qtbot)
    grounds = []
    for name in ("dark", "light"):
        apply_theme(qapp, name)
        block = dialog.views["trace"].left.document().findBlockByNumber(2)
        grounds.append(block.blockFormat().background().color().lightness())
    assert grounds[0] < 128 < grounds[1]


def test_a_failed_trial_has_its_whole_error_and_its_protocol(qtbot: QtBot) -> None:
    details = TrialDetails()
    qtbot.addWidget(details)
    failed = replace(trial(5, error=ErrorKind.BUILD_ERROR), error_text="first\n  second\n")
    details.show_trial(failed)
    assert details.error.text() == "build error\n\nfirst\n  second"
    assert not details.error.isHidden()
    assert ("Sample length", "4 ms") in details.protocol.facts()
    details.show_trial(trial(6))
    assert details.error.isHidden() and not details.protocol.isHidden()


@pytest.mark.parametrize(
    "trace", ["", "[]", "nonsense", "[[[1,2,3,4]],[]]", '[[["Foreign",[],[],[]]],[]]']
)
def test_a_damaged_trace_is_left_out(trace: str) -> None:
    assert recorded_trace(replace(trial(1), trace=trace)) == ""


def test_a_strangers_protocol_is_shown_as_far_as_it_makes_sense() -> None:
    odd = {"warmup": "many", "sample_s": float("nan"), "max_s": 0.3, "own_field": 3, "more": [1]}
    assert protocol_facts(odd) == [("Longest sampling", "300 ms"), ("Own field", "3")]


def test_the_device_of_a_trial_is_named_in_the_language_of_the_window() -> None:
    spread = {"max_s": 0.3, "device": "cuda:1"}
    assert protocol_facts(spread)[-1] == ("Device", "cuda:1")
    use([translation("de")])
    assert protocol_facts(spread)[-1] == ("Gerät", "cuda:1")
    use([])
    assert error_text(trial(1)) == ""
    silent = replace(trial(1, error=ErrorKind.RUN_CRASH), error_text="")
    assert error_text(silent) == "run crash\n\nIt said nothing."


def test_what_a_board_said_is_shown_and_what_it_cannot_have_said_is_not() -> None:
    said = {"answer_ms": 2.0, "celsius": 81, "mhz": 1500, "throttled": True}
    assert protocol_facts({"warmup": 2, **said})[1:] == [
        ("Board answered within", "2 ms"),
        ("Board's temperature", "81 °C"),
        ("Board's frequency", "1500 MHz"),
        ("Board held its cores back", "yes"),
    ]
    assert protocol_facts({"celsius": 1e300, "mhz": "fast", "throttled": False}) == [
        ("Board held its cores back", "no")
    ]
