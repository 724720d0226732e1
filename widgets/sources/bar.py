"""The row of switches above the picture of sources, and what it comes to in words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSizePolicy, QWidget

from widgets.look.language import tr
from widgets.look.theme import tabular
from widgets.parts.tool_buttons import switch
from widgets.plots.convergence_series import Across

GAP = 4


class ImprovementBar(QWidget):
    """Time or trials across, seconds or factors upwards."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seconds = switch(tr("Time"), tr("Horizontal axis: tuning time (T)"))
        self.trials = switch(tr("Trials"), tr("Horizontal axis: trials (T)"))
        self.gained = switch(tr("Gained"), tr("Vertical axis: seconds taken off the latency (R)"))
        self.factor = switch(
            tr("Factor"), tr("Vertical axis: factors, so that late gains show too (R)")
        )
        self.sentence = QLabel()
        self.sentence.setFont(tabular(self.font()))
        self.sentence.setAccessibleName(tr("Gains by source, in words"))
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GAP, 2 * GAP, 0)
        row.setSpacing(GAP)
        for pair in ((self.seconds, self.trials), (self.gained, self.factor)):
            group = QButtonGroup(self)
            for button in pair:
                group.addButton(button)
                row.addWidget(button)
            pair[0].setChecked(True)
            pair[1].toggled.connect(lambda _: self.changed.emit())
            row.addSpacing(2 * GAP)
        row.addWidget(self.sentence, 1)

    @property
    def across(self) -> Across:
        """What the horizontal axis counts."""
        return Across.TRIALS if self.trials.isChecked() else Across.SECONDS

    @property
    def ratio(self) -> bool:
        """Whether factors are shown."""
        return self.factor.isChecked()

    def say(self, text: str) -> None:
        """All sources in one line; on hover where it has no room."""
        self.sentence.setToolTip(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, room = self.sentence.fontMetrics(), self.sentence.width()
        text = self.sentence.toolTip()
        self.sentence.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))

    def other_axis(self) -> None:
        """From time to trials, or back."""
        (self.seconds if self.trials.isChecked() else self.trials).setChecked(True)

    def other_measure(self) -> None:
        """From seconds to factors, or back."""
        (self.gained if self.factor.isChecked() else self.factor).setChecked(True)
