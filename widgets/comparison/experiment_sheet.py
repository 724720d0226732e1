"""What came of an experiment: a row for each cell, each opens its project."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from engine.experiments.reading import CellRow, Results
from engine.records.units import format_ratio
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel, latency_column, whole
from widgets.parts.pieces import stacked, text_label
from widgets.parts.table import Table

_EMPTY = QT_TR_NOOP("This experiment has no cell.")
_WIDTHS = (100, 76, 104, 76, 76, 44, 68, 72, 72, 56, 52, 176)
_SIZE = (1000, 420)


def columns() -> tuple[Column, ...]:
    """The columns, in the language in use."""
    return (
        Column("model", tr("Model"), tr("The model's name in the experiment"), str, numeric=False),
        Column("target", tr("Target"), tr("What the model is tuned for"), str, numeric=False),
        Column("policy", tr("Policy"), tr("What decides which task gets the next slot"), str,
               numeric=False),
        Column("plan", tr("Plan"), tr("The steps that are taken in turn"), str, numeric=False),
        Column("budget", tr("Budget"), tr("What ends the run"), str, numeric=False),
        Column("seed", tr("Seed"), tr("Makes the proposals repeatable"), lambda n: f"{int(n)}"),
        Column("state", tr("State"), tr("How the run ended"), str, numeric=False),
        latency_column("untuned", tr("Untuned"), tr("The model's latency before tuning"), "s"),
        latency_column("tuned", tr("Tuned"), tr("The model's latency after tuning"), "s"),
        Column("gain", tr("Gain"), tr("How many times faster than untuned"), known(format_ratio)),
        Column("trials", tr("Trials"), tr("Candidates that were tried"), whole),
        Column("further", tr("Further"), tr("Search, devices, and how cells shared the machine"),
               str, numeric=False),
    )  # fmt: skip


class ExperimentSheet(QDialog):
    """Shows results; `open_wanted` carries the path of a cell's project. Not modal."""

    open_wanted = Signal(object)

    def __init__(self, results: Results, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Experiment {name}", name=results.name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE)
        self._cells = results.cells
        model = ColumnModel(columns(), self)
        self.table = Table(model, tr("Cells of the experiment"), tr(_EMPTY), _WIDTHS)
        model.reset_columns(np.arange(len(self._cells)), _values(self._cells))
        self.message = text_label()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.open_button = self.buttons.addButton(
            tr("Open project"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.open_button.clicked.connect(self._open)
        self.buttons.rejected.connect(self.close)
        self.table.row_picked.connect(self._show)
        self.table.activated.connect(self._activated)
        stacked(self.table, self.message, self.buttons, on=self)
        self._show()

    def _show(self) -> None:
        """Say what the marked cell is about."""
        cell = self._cell()
        self.open_button.setEnabled(cell is not None and cell.project.is_file())
        if cell is None:
            done = sum(each.state == "finished" for each in self._cells)
            text = tr("{done} of {all} cells are done.", done=done, all=len(self._cells))
        else:
            text = told(cell.message) or tr(cell.state)
        self.message.setText(text)

    def _activated(self, index: QModelIndex | QPersistentModelIndex) -> None:
        self._open()

    def _open(self) -> None:
        cell = self._cell()
        if cell is not None and cell.project.is_file():
            self.open_wanted.emit(cell.project)

    def _cell(self) -> CellRow | None:
        marked = self.table.selected()
        return None if marked is None else self._cells[marked]


def _values(cells: tuple[CellRow, ...]) -> dict[str, Array]:
    def texts(name: str) -> Array:
        return np.array([getattr(cell, name) for cell in cells], dtype=object)

    def numbers(values: list[float | None]) -> Array:
        return np.array([math.nan if value is None else value for value in values], np.float64)

    return {
        **{
            name: texts(name)
            for name in ("model", "target", "policy", "plan", "budget", "further", "state")
        },
        "seed": np.array([cell.seed for cell in cells], np.int64),
        "trials": np.array([cell.trials for cell in cells], np.int64),
        "untuned": numbers([cell.untuned_s for cell in cells]),
        "tuned": numbers([cell.tuned_s for cell in cells]),
        "gain": numbers([_gain(cell) for cell in cells]),
    }


def _gain(cell: CellRow) -> float | None:
    return cell.untuned_s / cell.tuned_s if cell.untuned_s and cell.tuned_s else None
