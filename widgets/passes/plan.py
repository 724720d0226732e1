"""A plan of steps: as text, and as a list with buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.jobs.steps.steps import STEPS, parse_plan, plan_text
from engine.records.errors import TunewrightError
from engine.records.settings import Step
from widgets.look.engine_words import step_title
from widgets.look.language import refusal, tr
from widgets.parts.number_box import WholeBox
from widgets.parts.pieces import beside, text_label

FIRST = "search:500,transfer,droplet"
MOST = 10**6


class PlanEditor(QWidget):
    """Steps in order. `changed` tells of each change; text and list follow each other."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._steps: tuple[Step, ...] = parse_plan(FIRST)
        self._busy = False
        self.text = QLineEdit(FIRST)
        self.text.setAccessibleName(tr("Plan as text"))
        self.text.setToolTip(tr("Steps by name, separated by commas; a number is a step's trials"))
        self.problem = text_label(role="error")
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Steps in their order"))
        self.list.setFixedHeight(104)
        self.kind, self.trials = QComboBox(), WholeBox("trials")
        self.kind.setAccessibleName(tr("Kind of step to add"))
        for name in STEPS:
            self.kind.addItem(step_title(name), name)
        self.trials.setRange(0, MOST)
        self.trials.setAccessibleName(tr("Trials of the marked step"))
        self.trials.setToolTip(
            tr("The step ends after so many trials; 0: when it has no more to do")
        )
        self.trials.setSpecialValueText(tr("until done"))
        self.trials.setSingleStep(100)
        self.add_button = self._button(tr("&Add"), tr("Append a step of this kind"), self._add)
        self.remove_button = self._button(
            tr("&Remove"), tr("Take the marked step out"), self._remove
        )
        self.up_button = self._button(
            tr("&Up"), tr("The marked step comes earlier"), lambda: self._move(-1)
        )
        self.down_button = self._button(
            tr("Do&wn"), tr("The marked step comes later"), lambda: self._move(1)
        )
        self.repeat = QCheckBox(tr("Re&peat until the budget ends"))
        self.repeat.setChecked(True)
        self._arrange()
        self.text.textEdited.connect(self._read)
        self.list.currentRowChanged.connect(lambda _: self._refresh())
        self.trials.valueChanged.connect(self._give_trials)
        self.trials.checked.connect(lambda _: self.changed.emit())
        self.repeat.toggled.connect(lambda _: self.changed.emit())
        self._show_list(0)

    def steps(self) -> tuple[Step, ...]:
        """The steps; UsageError where the text is no plan, or a step's trials no number."""
        self.trials.check()
        return parse_plan(self.text.text())

    def values(self) -> dict[str, Any]:
        """The plan as text and whether it is repeated; UsageError where the text is no plan."""
        return {"plan": plan_text(self.steps()), "repeat": self.repeat.isChecked()}

    def _read(self) -> None:
        try:
            self._steps = self.steps()
        except TunewrightError as error:
            self.problem.setText(refusal(error))
            self.changed.emit()
            return
        self.problem.setText("")
        self._show_list(self.list.currentRow())
        self.changed.emit()

    def _change(self, steps: list[Step], row: int) -> None:
        self._steps = tuple(steps)
        self.text.setText(plan_text(self._steps))
        self.problem.setText("")
        self._show_list(row)
        self.changed.emit()

    def _add(self) -> None:
        step = Step(str(self.kind.currentData()))
        self._change([*self._steps, step], len(self._steps))

    def _remove(self) -> None:
        row, steps = self.list.currentRow(), list(self._steps)
        del steps[row]
        self._change(steps, min(row, len(steps) - 1))

    def _move(self, by: int) -> None:
        row, steps = self.list.currentRow(), list(self._steps)
        steps.insert(row + by, steps.pop(row))
        self._change(steps, row + by)

    def _give_trials(self, trials: int) -> None:
        row = self.list.currentRow()
        if not self._busy and row >= 0:
            steps = list(self._steps)
            steps[row] = replace(steps[row], trials=trials or None)
            self._change(steps, row)

    def _show_list(self, row: int) -> None:
        self._busy = True
        self.list.clear()
        self.list.addItems([_line(place, step) for place, step in enumerate(self._steps, 1)])
        self.list.setCurrentRow(max(0, min(row, len(self._steps) - 1)))
        self._busy = False
        self._refresh()

    def _refresh(self) -> None:
        row, count = self.list.currentRow(), len(self._steps)
        self.remove_button.setEnabled(row >= 0 and count > 1)
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < count - 1)
        self.trials.setEnabled(row >= 0)
        if not self._busy and 0 <= row < count:
            self._busy = True
            self.trials.setValue(self._steps[row].trials or 0)
            self._busy = False

    def _button(self, name: str, tip: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(name)
        button.setToolTip(tip)
        button.setAutoDefault(False)
        button.clicked.connect(act)
        return button

    def _arrange(self) -> None:
        add, side = QHBoxLayout(), QVBoxLayout()
        for widget in (self.kind, self.add_button):
            add.addWidget(widget)
        side.addLayout(add)
        side.addWidget(self.trials)
        moves = beside(self.up_button, self.down_button, self.remove_button)
        side.addLayout(moves)
        side.addStretch()
        row = beside((self.list, 1), side)
        form = QFormLayout(self)
        form.setContentsMargins(8, 8, 8, 8)
        form.setSpacing(4)
        form.addRow(tr("Plan"), self.text)
        form.addRow("", self.problem)
        form.addRow(tr("Steps"), row)
        form.addRow("", self.repeat)


def _line(place: int, step: Step) -> str:
    title = step_title(step.kind)
    if not step.trials:
        return f"{place}. {title}"
    trials = tr("%n trials", "", step.trials)
    return tr("{place}. {title}, {trials}", place=place, title=title, trials=trials)
