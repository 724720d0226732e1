"""What the palette finds, in which order, and what it does not do."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from widgets.parts.fuzzy import (
    ALL_WORDS,
    BEGINS,
    HAS,
    INITIALS,
    LETTERS,
    WORD_BEGINS,
    match_rank,
)
from widgets.window.palette import CommandPalette, Offer


@pytest.mark.parametrize(
    ("query", "text", "kind"),
    [
        ("op", "Open model", BEGINS),
        ("model", "Open model", WORD_BEGINS),
        ("conv", "Go to task fused_conv2d3", WORD_BEGINS),
        ("ode", "Open model", HAS),
        ("model open", "Open model", ALL_WORDS),
        ("gtt", "Go to trial by number", INITIALS),
        ("omd", "Open model", LETTERS),
        ("", "Open model", BEGINS),
    ],
)
def test_the_kind_of_match_decides(query: str, text: str, kind: int) -> None:
    found = match_rank(query, text)
    assert found is not None and found[0] == kind
    assert match_rank("xyz", text) is None


def test_kinds_of_matches_are_ordered_and_letters_close_together_come_first() -> None:
    kinds = (BEGINS, WORD_BEGINS, HAS, ALL_WORDS, INITIALS, LETTERS)
    assert all(first < second for first, second in pairwise(kinds))
    near, far = match_rank("pnm", "open model"), match_rank("pel", "open model")
    assert near is not None and far is not None and near < far


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=12), st.text(max_size=30))
def test_whatever_is_typed_has_an_answer_and_a_text_answers_itself(query: str, text: str) -> None:
    match_rank(query, text)
    assert match_rank(text.casefold(), text) is not None or text != " ".join(text.split())


def made(qtbot: QtBot, ran: list[str], used: tuple[str, ...] = ()) -> CommandPalette:
    def offer(key: str, text: str, enabled: bool = True, quiet: bool = False) -> Offer:
        return Offer(key, text, lambda: ran.append(key), enabled=enabled, quiet=quiet)

    offers = (
        offer("start", "Start", enabled=False),
        offer("stop", "Stop"),
        offer("save", "Save as"),
        offer("task", "Go to task stem", quiet=True),
    )
    palette = CommandPalette(offers, used)
    qtbot.addWidget(palette)
    return palette


def test_enter_runs_what_is_marked_and_not_what_is_off(qtbot: QtBot) -> None:
    ran, taken = list[str](), list[str]()
    palette = made(qtbot, ran)
    palette.taken.connect(taken.append)
    assert palette.offered() == ["Stop", "Save as", "Start"]
    palette.query.setText("st")
    assert palette.offered()[:2] == ["Stop", "Start"]
    QTest.keyClick(palette.query, Qt.Key.Key_Down)
    QTest.keyClick(palette.query, Qt.Key.Key_Down)
    palette.query.setText("star")
    QTest.keyClick(palette.query, Qt.Key.Key_Return)
    assert ran == []
    palette.query.setText("stop")
    QTest.keyClick(palette.query, Qt.Key.Key_Return)
    assert ran == taken == ["stop"]


def test_what_was_used_last_comes_first_among_equals(qtbot: QtBot) -> None:
    palette = made(qtbot, [], used=("save", "task"))
    assert palette.offered() == ["Save as", "Go to task stem", "Stop", "Start"]
    palette.query.setText("s")
    assert palette.offered()[:2] == ["Save as", "Stop"]


def test_tasks_show_where_something_is_typed(qtbot: QtBot) -> None:
    palette = made(qtbot, [])
    assert "Go to task stem" not in palette.offered()
    palette.query.setText("stem")
    assert palette.offered() == ["Go to task stem"]


def test_a_command_is_found_by_its_other_name_too(qtbot: QtBot) -> None:
    offer = Offer("open-model", "Modell öffnen", lambda: None, also="Open model")
    palette = CommandPalette([offer])
    qtbot.addWidget(palette)
    for query in ("modell", "open"):
        palette.query.setText(query)
        assert palette.offered() == ["Modell öffnen"]
    palette.query.setText("xyz")
    assert palette.offered() == []
