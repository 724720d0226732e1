"""Layers: where the model's time goes, by the names that its designers gave."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from engine.history.layers import Layer, LayerTimes, layer_times, layers, slowest_first
from engine.history.open_project import OpenProject
from engine.records.events import Event, RunChanged
from engine.records.units import format_share
from engine.targets.known_peak import peak_of
from widgets.layers.columns import COLUMNS, WIDTHS, fixed_columns, place_of, time_columns
from widgets.look.language import tr
from widgets.parts.column_model import Array, ColumnModel
from widgets.parts.exporting import copy_tsv
from widgets.parts.notice import Notice
from widgets.parts.pieces import beside, pages, stacked, surface, text_label, tool_button
from widgets.parts.table import Table
from widgets.parts.view import View

SLOWEST = 5


class LayersView(View):
    """One row a layer, at first those first that take most of the latency.

    `operators_picked` carries the slowest operator of the layer that a person chose, as a
    frozenset: of several tasks no details could be shown.
    """

    operators_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self.layers: tuple[Layer, ...] | None = None
        self._fixed: dict[str, Array] = {}
        self._peak: float | None = None
        self._task: int | None = None
        self._operators: frozenset[int] = frozenset()
        self.model = ColumnModel(COLUMNS, self)
        self.table = Table(self.model, tr("Layers"), "", WIDTHS)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.sortByColumn(place_of("share"), Qt.SortOrder.DescendingOrder)
        self.sentence = text_label(name=tr("Where the time goes"))
        self.copy_button = tool_button(
            tr("Copy as TSV"), tr("Copy the whole table, for a spreadsheet or a text")
        )
        self.notice = Notice()
        self._pages = QStackedWidget()
        self._arrange()

    def first_part(self) -> QWidget:
        return self.table if self._pages.currentIndex() else self

    # The view protocol

    def show_project(self) -> None:
        """Show another project, once that is in sight."""
        self.layers, self._peak = None, peak_of(self.project.head)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch; a run may have found out the device's peak."""
        began = any(isinstance(event, RunChanged) for event in events)
        if began:
            self._peak = peak_of(self.project.head)
        if began or self.project.changed:
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Mark all the layers that have a task."""
        self._task, self._operators = task, frozenset()
        self._mark()

    def select_operators(self, operators: frozenset[int]) -> None:
        """Mark the layers that these are in."""
        self._operators = operators
        self._mark()

    # How it is kept up

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        fresh = self.layers is None
        found = self.layers = layers(self.project.head) if self.layers is None else self.layers
        times = layer_times(found, self._history, self._peak)
        if fresh:
            self._fixed = fixed_columns(found)
            self.model.reset_columns(self._fixed["place"], self._fixed | time_columns(times))
            self._pages.setCurrentIndex(1 if found else 0)
            self._mark()
        else:
            self.model.update_columns(self._fixed | time_columns(times))
        self.sentence.setText(_sentence(found, times))

    def _mark(self) -> None:
        wanted = [layer.place for layer in self.layers or () if self._is_selected(layer)]
        rows = [row for place in wanted if (row := self.model.row_of(place)) is not None]
        if not rows:
            self.table.select(None)
            return
        self.table.mark(wanted)
        column = max(0, self.table.columnAt(0))
        self.table.scrollTo(self.model.index(min(rows), column))

    def _is_selected(self, layer: Layer) -> bool:
        if self._operators:
            return not self._operators.isdisjoint(layer.operators)
        return self._task in layer.tasks

    # What a person does

    def _pick(self, place: int) -> None:
        if self.layers:
            task_of = {each.id: each.task for each in self.project.head.operators}

            def share(operator: int) -> float:
                task = task_of[operator]
                return 0.0 if task is None else self._history.operator_share(task) or 0.0

            self.operators_picked.emit(frozenset({max(self.layers[place].operators, key=share)}))

    def _copy(self) -> None:
        copy_tsv(self.model.sheet())

    def _add_copy(self, menu: QMenu) -> None:
        menu.addAction(tr("Copy all as &TSV"), self._copy).setEnabled(self.model.rowCount() > 0)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Layers"))
        head = beside((self.sentence, 1), self.copy_button, margins=(12, 4, 4, 0), spacing=12)
        body = surface(stacked(head, (self.table, 1), margins=0, spacing=4))
        pages(self._pages, self.notice, body, on=self)
        self.table.row_picked.connect(self._pick)
        self.table.menu_made.connect(self._add_copy)
        self.copy_button.clicked.connect(self._copy)


def _sentence(found: Sequence[Layer], times: Sequence[LayerTimes]) -> str:
    """How many layers there are, and what the slowest take together."""
    count = tr("%n layers", "", len(found))
    slowest = [each.share or 0.0 for _, each in slowest_first(found, times)[:SLOWEST]]
    if len(found) <= SLOWEST or not sum(slowest):
        return count
    share = format_share(sum(slowest))
    return tr("{layers}, of which the five slowest take {share}", layers=count, share=share)
