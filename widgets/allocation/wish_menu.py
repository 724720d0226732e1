"""The menu over a task's row: pin it, skip it, give it a floor of slots, for the next run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from engine.allocation.wishes import Wishes
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.table import Table

FLOORS = (1, 2, 4, 8, 16, 32)
HINT = QT_TR_NOOP("Holds for the next run of this project, over the head of any policy")


def pin(wishes: Wishes, task: int, on: bool) -> Wishes:
    """The wishes with a task pinned, or not; a pinned task is not skipped."""
    pinned = wishes.pinned | {task} if on else wishes.pinned - {task}
    return replace(wishes, pinned=pinned, skipped=wishes.skipped - {task})


def skip(wishes: Wishes, task: int, on: bool) -> Wishes:
    """The wishes with a task skipped, or not; a skipped task has no other wish."""
    if not on:
        return replace(wishes, skipped=wishes.skipped - {task})
    kept = {other: count for other, count in wishes.floors.items() if other != task}
    return Wishes(wishes.pinned - {task}, wishes.skipped | {task}, kept)


def give_floor(wishes: Wishes, task: int, count: int) -> Wishes:
    """The wishes with a least number of slots for a task, 0 for none; it is not skipped then."""
    floors = {other: least for other, least in wishes.floors.items() if other != task}
    if count > 0:
        floors[task] = count
    return replace(wishes, skipped=wishes.skipped - {task}, floors=floors)


def wish_text(wishes: Wishes, task: int) -> str:
    """What is wished for a task, in a few words; empty for nothing."""
    if task in wishes.skipped:
        return tr("skipped")
    least = wishes.floors.get(task, 0)
    parts = [tr("pinned")] if task in wishes.pinned else []
    parts += [tr("at least %n slots", "", least)] if least else []
    return ", ".join(parts)


class WishMenu(QObject):
    """Offers wishes over the rows of a table of tasks; `wished` carries the new ones."""

    wished = Signal(object)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._table = table
        self.wishes = Wishes()
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open)

    def menu(self, task: int) -> QMenu:
        """The menu for one task; it deletes itself when it is closed."""
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        self._add(menu, tr("&Pin: slots go here first"), task in self.wishes.pinned,
                  lambda on: pin(self.wishes, task, on))  # fmt: skip
        self._add(menu, tr("&Skip: no slots"), task in self.wishes.skipped,
                  lambda on: skip(self.wishes, task, on))  # fmt: skip
        floors = menu.addMenu(tr("&At least"))
        least = self.wishes.floors.get(task, 0)
        for count in sorted({0, *FLOORS, least}):
            name = tr("%n slots", "", count) if count else tr("No least number")
            self._add(floors, name, least == count, partial(self._floor, task, count))
        return menu

    def _floor(self, task: int, count: int, _: bool) -> Wishes:
        return give_floor(self.wishes, task, count)

    def _add(self, menu: QMenu, text: str, on: bool, change: Callable[[bool], Wishes]) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(on)
        action.setToolTip(tr(HINT))
        action.triggered.connect(lambda checked: self.wished.emit(change(checked)))

    def _open(self, at: QPoint) -> None:
        index = self._table.indexAt(at)
        task = self._table.selected() if not index.isValid() else self._table.id_at(index)
        if task is not None:
            menu = self.menu(task)
            menu.addSeparator()
            self._table.add_exports(menu)
            menu.popup(self._table.viewport().mapToGlobal(at))
