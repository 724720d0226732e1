"""Edits, and the way back: asked first, noted when done, refused without a trace."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from app.document.undo import MOST, Done, Edit, Failed, Undo
from engine.records.errors import UsageError


class Keeper:
    """Keeps a value; answers when it is told to, and refuses what it is told to."""

    def __init__(self) -> None:
        self.value = 0
        self.asked: list[tuple[int, Future[Any], Done, Failed]] = []
        self._last: tuple[int, Future[Any]] | None = None
        self.undo = Undo(self.watch)

    def ask(self, value: int) -> Future[Any]:
        self._last = value, Future()
        return self._last[1]

    def watch(self, future: Future[Any], done: Done | None, failed: Failed | None) -> None:
        assert self._last is not None and done is not None and failed is not None
        self.asked.append((self._last[0], future, done, failed))

    def answer(self) -> None:
        self.value, _, done, _ = self.asked.pop(0)
        done(None)

    def refuse(self) -> None:
        _, _, _, failed = self.asked.pop(0)
        failed(UsageError("No.", "Do not."))

    def wish(self, value: int, text: str = "change", merges: str = "") -> None:
        """An edit that starts from what is kept at its turn."""
        self.undo.do(lambda: Edit(text, self.value, value, self.ask, merges))

    def edit(self, value: int, text: str = "change", merges: str = "") -> None:
        self.wish(value, text, merges)
        self.answer()


@pytest.fixture
def keeper(qapp: QApplication) -> Keeper:
    return Keeper()


def test_an_edit_is_noted_once_it_was_done(keeper: Keeper) -> None:
    keeper.wish(1, "pin a")
    assert not keeper.undo.can_undo
    keeper.answer()
    assert (keeper.undo.can_undo, keeper.undo.undo_text) == (True, "pin a")
    keeper.undo.undo()
    keeper.answer()
    assert (keeper.value, keeper.undo.can_undo, keeper.undo.redo_text) == (0, False, "pin a")
    keeper.undo.redo()
    keeper.answer()
    assert (keeper.value, keeper.undo.can_redo) == (1, False)


def test_a_refused_edit_leaves_nothing_to_undo(keeper: Keeper) -> None:
    keeper.edit(1)
    keeper.wish(2)
    keeper.refuse()
    assert keeper.undo.undo_text == "change"
    keeper.undo.undo()
    keeper.answer()
    assert keeper.value == 0


def test_a_refused_undo_can_be_tried_again(keeper: Keeper) -> None:
    keeper.edit(1)
    for _ in range(2):
        keeper.undo.undo()
        keeper.refuse()
        assert (keeper.undo.can_undo, keeper.undo.can_redo, keeper.value) == (True, False, 1)
    keeper.undo.undo()
    keeper.answer()
    keeper.undo.redo()
    keeper.refuse()
    assert (keeper.undo.can_redo, keeper.value) == (True, 0)


def test_edits_wait_for_each_other_and_start_from_what_is_kept_then(keeper: Keeper) -> None:
    keeper.wish(1)
    keeper.wish(2)
    assert len(keeper.asked) == 1 and not keeper.undo.can_undo
    keeper.answer()
    keeper.answer()
    keeper.undo.undo()
    keeper.answer()
    assert keeper.value == 1


def test_edits_of_one_series_are_one_until_it_is_sealed(keeper: Keeper) -> None:
    for value in (1, 2, 3):
        keeper.edit(value, "note", "note")
    keeper.undo.seal()
    keeper.edit(4, "note", "note")
    keeper.undo.undo()
    keeper.answer()
    assert keeper.value == 3
    keeper.undo.undo()
    keeper.answer()
    assert (keeper.value, keeper.undo.can_undo) == (0, False)


def test_a_series_that_ends_where_it_began_is_no_edit(keeper: Keeper) -> None:
    keeper.edit(1, "note", "note")
    keeper.edit(0, "note", "note")
    assert not keeper.undo.can_undo


def test_what_belongs_to_another_project_is_forgotten_and_its_answer_ignored(
    keeper: Keeper,
) -> None:
    keeper.edit(1)
    keeper.wish(2)
    keeper.wish(3)
    keeper.undo.clear()
    keeper.answer()
    assert not keeper.undo.can_undo and not keeper.asked
    keeper.edit(4)
    assert keeper.undo.can_undo


def test_an_edit_that_comes_while_another_is_taken_back_loses_nothing(keeper: Keeper) -> None:
    kept = [0]
    keeper.edit(1)
    keeper.undo.undo()
    keeper.undo.do_now(Edit("budget", 0, 5, kept.append))
    keeper.answer()
    assert (keeper.value, kept[-1], keeper.undo.undo_text) == (0, 5, "budget")
    keeper.undo.undo()
    assert kept[-1] == 0


def test_an_edit_that_comes_while_another_is_done_again_loses_nothing(keeper: Keeper) -> None:
    keeper.edit(1)
    keeper.undo.undo()
    keeper.answer()
    keeper.undo.redo()
    keeper.undo.do_now(Edit("budget", 0, 5, lambda value: None))
    keeper.answer()
    assert (keeper.value, keeper.undo.undo_text) == (1, "change")
    keeper.undo.undo()
    keeper.answer()
    assert (keeper.value, keeper.undo.undo_text) == (0, "budget")


def test_only_the_last_edits_are_kept(keeper: Keeper) -> None:
    for value in range(1, MOST + 5):
        keeper.edit(value)
    while keeper.undo.can_undo:
        keeper.undo.undo()
        keeper.answer()
    assert keeper.value == 4


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("euru"), st.integers(0, 3), st.booleans()), max_size=25))
def test_the_value_follows_a_model_of_undo_whatever_is_refused(
    steps: list[tuple[str, int, bool]],
) -> None:
    keeper, past, future = Keeper(), list[tuple[int, int]](), list[tuple[int, int]]()
    for kind, value, refused in steps:
        before = keeper.value
        if kind == "e":
            keeper.wish(value)
        elif kind == "u":
            keeper.undo.undo()
        else:
            keeper.undo.redo()
        if not keeper.asked:
            continue
        if refused:
            keeper.refuse()
            continue
        keeper.answer()
        if kind == "e":
            past, future = [*past, (before, value)], []
        elif kind == "u":
            future.append(past.pop())
            assert keeper.value == future[-1][0]
        else:
            past.append(future.pop())
            assert keeper.value == past[-1][1]
        assert (keeper.undo.can_undo, keeper.undo.can_redo) == (bool(past), bool(future))
