"""What speaks against keys, in words."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from widgets.window.shortcut_rules import Shortcut, problem_of

TABLE = (
    Shortcut("open", "Open model", "&File", "Ctrl+O", "Ctrl+O"),
    Shortcut("export", "Export", "&File", "Ctrl+E", "Ctrl+E"),
    Shortcut("chord", "Two steps", "&Run", "Ctrl+M, Ctrl+S", "Ctrl+M, Ctrl+S"),
    Shortcut("none", "Without", "&Run", "", "F9"),
)


@pytest.mark.parametrize(
    ("keys", "words", "holders"),
    [
        ("Ctrl+O", "Ctrl+O is the key of “Open model”.", ("open",)),
        ("Ctrl+M", "Ctrl+M and Ctrl+M, Ctrl+S of “Two steps” begin alike.", ("chord",)),
        ("Ctrl+O, Ctrl+P", "begin alike", ("open",)),
        ("X", "X types, or moves in tables. Add Ctrl or Alt.", ()),
        ("Shift+X", "types", ()),
        ("Down", "moves in tables", ()),
        ("Ctrl+C", "Ctrl+C copies text everywhere", ()),
        ("Alt+F", "Alt+F opens the menu File", ()),
    ],
)
def test_a_conflict_is_told_in_words(
    qapp: QApplication, keys: str, words: str, holders: tuple[str, ...]
) -> None:
    problem = problem_of(keys, "none", TABLE)
    assert problem is not None and words in problem.text
    assert problem.holders == holders


@pytest.mark.parametrize("keys", ["", "F9", "Shift+F5", "Ctrl+Alt+O", "Alt+X", "Ctrl+M, Ctrl+T"])
def test_free_keys_have_nothing_against_them(qapp: QApplication, keys: str) -> None:
    assert problem_of(keys, "none", TABLE) is None


def test_a_command_does_not_conflict_with_itself(qapp: QApplication) -> None:
    assert problem_of("Ctrl+O", "open", TABLE) is None
    twice = (*TABLE, Shortcut("a", "A", "&Run", "Ctrl+E", "Ctrl+E"))
    assert [problem_of(item.keys, item.id, TABLE) for item in TABLE] == [None] * len(TABLE)
    assert problem_of("Ctrl+E", "a", twice)
