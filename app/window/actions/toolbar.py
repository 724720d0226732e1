"""The toolbar: open, for which target, how long, start, pause, stop; passes and export."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox

from app.document.commands import TARGETS, Commands
from app.document.document import Document
from app.window.actions.fitting_bar import ENDS, ICON_ONLY, TEXTS, FittingBar
from engine.records.formats import reference_of
from engine.records.settings import Budget
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.precision_box import PrecisionBox
from widgets.parts.run_dialog import BUDGETS, budget_text

CUSTOM = QT_TR_NOOP("Custom…")
FASTER = "faster"
OTHER = "other-machine"  # the action, too
PASSES = ("share", "transfer", "droplet", "stages")


class ToolBar(FittingBar):
    """Buttons of the action table, and three choices; `told` is why one cannot be made yet."""

    told = Signal(str, str)

    def __init__(
        self, actions: Mapping[str, QAction], commands: Commands, document: Document
    ) -> None:
        super().__init__(tr("Toolbar"), actions)
        self.setObjectName("toolbar")
        self._commands, self._document = commands, document
        self.target, self.budget = self._target_box(), self._budget_box()
        self.precision = PrecisionBox(commands.precisions.wanted)
        self.precision.activated.connect(self._precision_chosen)
        self.add_buttons("open-model", brief=TEXTS)
        self.addSeparator()
        self.add_choice(tr("&Target"), self.target)
        self.add_choice(tr("&Precision"), self.precision)
        self.add_choice(tr("&Budget"), self.budget)
        self.add_buttons("settings")
        self.button("settings").setToolButtonStyle(ICON_ONLY)
        self.addSeparator()
        self.add_buttons("start")
        self.add_buttons("pause", "stop", brief=TEXTS)
        self.button("start").setObjectName("primary")
        self.addSeparator()
        self.add_folding(tr("Passes"), PASSES)
        self.add_space()
        self.add_buttons("export", "palette", brief=ENDS)
        self.refresh()
        commands.settings_changed.connect(self.refresh)
        commands.precisions.changed.connect(self.refresh)
        document.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the target and the budget that hold."""
        self.target.setEnabled(self._document.idle)
        if self.target.currentText() != self._commands.target and not self.target.hasFocus():
            self.target.setEditText(self._commands.target)
        self._show_precision()
        self._show_budget(self._commands.run_settings.budget)
        self.budget.setEnabled(not self._document.runs_here)
        self.fit()

    def _target_box(self) -> QComboBox:
        box = QComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.addItems(TARGETS)
        box.addItem(tr("Another machine…"), OTHER)
        box.setAccessibleName(tr("Target"))
        box.setToolTip(
            tr(
                "auto finds the GPU or else the CPU; any TVM target is accepted. "
                "A remote device: rpc://HOST:PORT/KEY and its target, or dask://HOST:PORT"
            )
        )
        box.setMinimumContentsLength(5)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setEditText(self._commands.target)
        box.activated.connect(self._target_chosen)
        line = box.lineEdit()
        if line is not None:
            line.editingFinished.connect(self._target_chosen)
        return box

    def _budget_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(tr("Budget"))
        box.setToolTip(tr("When the run ends by itself"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for budget in BUDGETS:
            box.addItem(budget_text(budget), budget)
        box.addItem("", FASTER)
        box.addItem(tr(CUSTOM))
        box.activated.connect(self._budget_chosen)
        return box

    def _show_budget(self, budget: Budget) -> None:
        box, faster = self.budget, self.budget.findData(FASTER)
        box.setItemText(faster, tr("Beat {reference}", reference=self._reference))
        tip = tr("Until the model is as fast as {reference} was", reference=self._reference)
        box.setItemData(faster, tip, Qt.ItemDataRole.ToolTipRole)
        place = faster if budget == self._faster else box.findText(budget_text(budget))
        if place < 0:
            place = faster
            box.insertItem(place, budget_text(budget), budget)
        box.setCurrentIndex(place)

    @property
    def _reference(self) -> str:
        return reference_of(self._document.head.model_source)

    @property
    def _faster(self) -> Budget | None:
        """Until the reference's latency; None where that was not measured."""
        reference_s = self._document.head.reference_latency_s
        return None if reference_s is None else Budget(latency_s=reference_s)

    def _target_chosen(self, _row: int = 0) -> None:
        text = self.target.currentText().strip() or "auto"
        if self.target.itemData(self.target.findText(text)) == OTHER:
            self.target.setEditText(self._commands.target)
            self._actions[OTHER].trigger()
            return
        if text != self._commands.target:
            self._commands.set_target(text)

    def _show_precision(self) -> None:
        choice = self._commands.precisions
        self.precision.want(choice.wanted)
        self.precision.allow(choice.reason)
        if not self._document.idle:
            self.precision.setEnabled(False)

    def _precision_chosen(self, _row: int) -> None:
        self._commands.precisions.choose(self.precision.precision)

    def _budget_chosen(self, row: int) -> None:
        budget = self.budget.itemData(row)
        if budget == FASTER:
            budget = self._faster
            if budget is None:
                self._tell_unknown()
                self.refresh()
                return
        if budget is not None:
            self._commands.set_budget(budget)
        else:
            self.refresh()
            self._actions["settings"].trigger()

    def _tell_unknown(self) -> None:
        self.told.emit(
            tr("How fast {reference} runs this model is not known yet.", reference=self._reference),
            tr("It is measured when the first run begins: choose this budget after that."),
        )
