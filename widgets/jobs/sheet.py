"""What a person asks of a job: what is tuned, for what, how urgently, and a run's settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QVBoxLayout, QWidget

from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import RunSettings
from widgets.look.elided import ElidedLabel
from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel, plain_tip
from widgets.parts.number_box import WholeBox
from widgets.parts.precision_box import PrecisionBox
from widgets.parts.run_dialog import RunDialog

MOST_URGENT, LEAST_URGENT = -9, 9


class JobSheet(RunDialog):
    """The settings of a job; `start_wanted` carries those of its run once it is to be added.
    `target_chosen` carries a model's target: what precisions it has, `allow_precision` says."""

    target_chosen = Signal(str)

    def __init__(
        self,
        path: str,
        settings: RunSettings,
        targets: Sequence[str] = (),
        parent: QWidget | None = None,
        precision: str = "",
    ) -> None:
        """`targets` are offered for a model, the first one chosen; a project has its own."""
        super().__init__(settings, parent=parent)
        self.path = path
        self.setWindowTitle(tr("Add a job"))
        self.start_button.setText(tr("Add"))
        self.start_button.setToolTip(tr("Put the job at the end of the queue"))
        self.keep_button.hide()
        self.target_box = _target_box(targets) if targets else None
        self.precision_box = PrecisionBox(precision) if targets else None
        self.priority_box = WholeBox()
        self.priority_box.setRange(MOST_URGENT, LEAST_URGENT)
        self.priority_box.setToolTip(tr("A lower number is more urgent"))
        self.priority_box.setAccessibleName(tr("Priority"))
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, self._subject())

    def settings(self) -> RunSettings:
        self.priority_box.check()
        return super().settings()

    @property
    def target(self) -> str:
        """What the model is to be tuned for; "auto" for a project, which has its own."""
        return (self.target_box.currentText().strip() if self.target_box else "") or "auto"

    @property
    def precision(self) -> str:
        """What the model is to be computed in."""
        return self.precision_box.precision if self.precision_box else DEFAULT_PRECISION

    def allow_precision(self, target: str, reason: str) -> None:
        """Offer every precision, or with a reason float32 only, while this target is the chosen."""
        if self.precision_box is not None and target == self.target:
            self.precision_box.allow(reason)

    @property
    def priority(self) -> int:
        """How urgent it is: a lower number is more urgent."""
        return self.priority_box.value()

    def _subject(self) -> QWidget:
        part = QWidget()
        form = QFormLayout(part)
        form.setContentsMargins(8, 4, 8, 4)
        form.setSpacing(4)
        name = ElidedLabel(Path(self.path).name)
        name.setToolTip(plain_tip(self.path))
        if self.target_box is not None and self.precision_box is not None:
            form.addRow(tr("Model"), name)
            form.addRow(tr("Target"), self.target_box)
            form.addRow(tr("Precision"), self.precision_box)
            self.target_box.activated.connect(lambda _: self.target_chosen.emit(self.target))
            line = self.target_box.lineEdit()
            if line is not None:
                line.editingFinished.connect(lambda: self.target_chosen.emit(self.target))
        else:
            form.addRow(tr("Project"), name)
            hint = PlainLabel(
                tr(
                    "This window closes the project, so that the queue can write it. "
                    "It can be opened again when its job has ended."
                )
            )
            hint.setProperty("role", "muted")
            hint.setWordWrap(True)
            form.addRow(hint)
        form.addRow(tr("Priority"), self.priority_box)
        return part


def _target_box(targets: Sequence[str]) -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.addItems(list(dict.fromkeys(targets)))
    box.setAccessibleName(tr("Target"))
    box.setToolTip(tr("auto finds the GPU or else the CPU; any TVM target is accepted"))
    return box
