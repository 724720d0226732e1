"""Edits that can be taken back: asked of whoever keeps the value, kept once it was changed.

A list and a place in it. A QUndoStack owns the Python objects on it, and collecting a stack that
refers to itself through its edits ended in a segmentation fault with PySide6 6.11.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

MOST = 200

Done = Callable[[Any], None]
Failed = Callable[[BaseException], None]


class Watch(Protocol):
    """Calls back when a future has ended, in the main thread."""

    def __call__(self, future: Future[Any], done: Done | None, failed: Failed | None) -> None:
        """Exactly one of both is called, later."""
        ...


@dataclass(frozen=True, slots=True)
class Edit:
    """A value before and after, and who keeps it: `ask` returns a future that ends when it is
    kept, or None where it is already. Consecutive edits with one `merges` are one edit."""

    text: str
    before: Any
    after: Any
    ask: Callable[[Any], Future[Any] | None]
    merges: str = ""


class Undo(QObject):
    """The edits of a window, one at a time; those that come meanwhile wait.

    An edit, its undo and its redo are asked for first and noted when they were done: one that is
    refused leaves everything as it was.
    """

    changed = Signal()
    refused = Signal()

    def __init__(self, watch: Watch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watch = watch
        self._edits: list[Edit] = []
        self._place = 0  # edits before it can be taken back, those from it on done again
        self._queue: deque[Callable[[], Edit | None]] = deque()
        self._busy = self._sealed = False
        self._era = 0

    @property
    def can_undo(self) -> bool:
        """Whether an edit can be taken back now."""
        return not self._busy and self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether an edit that was taken back can be done again now."""
        return not self._busy and self._place < len(self._edits)

    @property
    def undo_text(self) -> str:
        """The edit that would be taken back, empty for none."""
        return self._edits[self._place - 1].text if self._place else ""

    @property
    def redo_text(self) -> str:
        """The edit that would be done again, empty for none."""
        return self._edits[self._place].text if self._place < len(self._edits) else ""

    def do(self, make: Callable[[], Edit | None]) -> None:
        """Do an edit once those before it have ended; `make` is called then, None for nothing."""
        self._queue.append(make)
        self._next()

    def do_now(self, edit: Edit) -> None:
        """Do an edit whose value is kept here, at once."""
        if edit.before != edit.after and edit.ask(edit.after) is None:
            self._push(edit)

    def undo(self) -> None:
        """Take the last edit back."""
        if self.can_undo:
            edit = self._edits[self._place - 1]
            self._carry(edit, edit.before, partial(self._step, edit, -1))

    def redo(self) -> None:
        """Do the edit again that was taken back last."""
        if self.can_redo:
            edit = self._edits[self._place]
            self._carry(edit, edit.after, partial(self._step, edit, 1))

    def seal(self) -> None:
        """Merge nothing into the last edit any more."""
        self._sealed = True

    def clear(self) -> None:
        """Forget all edits, also those that wait: another project is open."""
        self._era += 1
        self._queue.clear()
        self._edits.clear()
        self._place, self._busy = 0, False
        self.changed.emit()

    def _next(self) -> None:
        while self._queue and not self._busy:
            edit = self._queue.popleft()()
            if edit is not None and edit.before != edit.after:
                self._carry(edit, edit.after, partial(self._push, edit))

    def _carry(self, edit: Edit, value: Any, done: Callable[[], None]) -> None:
        era, future = self._era, edit.ask(value)
        if future is None:
            done()
            return
        self._busy = True

        def ended(_: Any, then: Callable[[], None]) -> None:
            if era == self._era:
                self._busy = False
                then()
                self.changed.emit()
                self._next()

        self._watch(
            future,
            lambda value: ended(value, done),
            lambda error: ended(error, self.refused.emit),
        )
        self.changed.emit()

    def _push(self, edit: Edit) -> None:
        """Note an edit that was done; those that were taken back cannot be done again then."""
        del self._edits[self._place :]
        last = self._edits[-1] if self._edits else None
        if last is not None and edit.merges and edit.merges == last.merges and not self._sealed:
            self._edits.pop()
            edit = replace(edit, before=last.before)
        if edit.before != edit.after:
            self._edits.append(edit)
        del self._edits[: max(0, len(self._edits) - MOST)]
        self._place, self._sealed = len(self._edits), False
        self.changed.emit()

    def _step(self, edit: Edit, way: int) -> None:
        """Step over an edit that was taken back (-1) or done again (1)."""
        self._sealed = True
        place = self._place + min(way, 0)
        if place < len(self._edits) and self._edits[place] is edit:
            self._place += way
        else:  # another edit came between
            self._edits = [other for other in self._edits if other is not edit]
            self._place = len(self._edits)
            if way > 0:
                self._push(edit)
        self.changed.emit()
