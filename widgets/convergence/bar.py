"""The row of switches above the convergence plots."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from widgets.look.language import tr
from widgets.look.theme import tabular
from widgets.parts.pieces import switch, text_label
from widgets.plots.convergence_series import Across

GAP = 4


class ConvergenceBar(QWidget):
    """Time or trials, linear or logarithmic, follow or stay, with the belief or without."""

    across_changed = Signal(object)
    model_log_changed = Signal(bool)
    tasks_log_changed = Signal(bool)
    follow_changed = Signal(bool)
    belief_changed = Signal(bool)
    sampler_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seconds = switch(tr("Time"), tr("Horizontal axis: tuning time (T)"), True)
        self.trials = switch(tr("Trials"), tr("Horizontal axis: trials (T)"), False)
        self.model_log = switch(tr("Log model"), tr("Logarithmic scale above (M)"), True)
        self.tasks_log = switch(tr("Log tasks"), tr("Logarithmic scale below (L)"), True)
        self.follow = switch(tr("Follow"), tr("Keep all of the run in sight (F)"), True)
        self.belief = switch(
            tr("Belief"), tr("What the selected task is expected to do next (B)"), False
        )
        self.sampler = switch(tr("Sampler…"), tr("How the belief's sampler went (S)"), False)
        self.sampler.setCheckable(False)
        pair = QButtonGroup(self)
        pair.addButton(self.seconds)
        pair.addButton(self.trials)
        self._text = ""
        self.summary = text_label(role="muted", wraps=False)
        self.summary.setFont(tabular(self.font()))
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GAP, 2 * GAP, 0)
        row.setSpacing(GAP)
        for button in (self.seconds, self.trials):
            row.addWidget(button)
        row.addSpacing(2 * GAP)
        for button in (self.model_log, self.tasks_log, self.follow):
            row.addWidget(button)
        row.addSpacing(2 * GAP)
        for button in (self.belief, self.sampler):
            row.addWidget(button)
        row.addWidget(self.summary, 1)
        self.trials.toggled.connect(
            lambda on: self.across_changed.emit(Across.TRIALS if on else Across.SECONDS)
        )
        self.model_log.toggled.connect(self.model_log_changed)
        self.tasks_log.toggled.connect(self.tasks_log_changed)
        self.follow.toggled.connect(self.follow_changed)
        self.belief.toggled.connect(self.belief_changed)
        self.sampler.clicked.connect(self.sampler_wanted)
        self.allow_belief(False)
        self.offer_sampler(False)

    def say(self, text: str) -> None:
        """The model in one line, where there is room for all of it."""
        self._text = text
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Half a number would be a wrong number."""
        super().resizeEvent(event)
        self._make_room()

    def show_across(self, across: Across) -> None:
        """Press the switch of an axis."""
        (self.trials if across is Across.TRIALS else self.seconds).setChecked(True)

    def allow_belief(self, allowed: bool) -> None:
        """Whether a task is selected, of which something could be believed."""
        for button in (self.belief, self.sampler):
            button.setEnabled(allowed)

    def offer_sampler(self, offered: bool) -> None:
        """Whether the run's policy has one."""
        self.sampler.setVisible(offered)
        self._make_room()

    def actions_of(self, parent: QWidget) -> list[QAction]:
        """The switches as actions for a menu."""
        from widgets.plots.tools import mirrored

        switches = (self.follow, self.trials, self.model_log, self.tasks_log, self.belief)
        words = (
            tr("&Follow"),
            tr("&Trials across"),
            tr("Log &model"),
            tr("&Log tasks"),
            tr("&Belief"),
        )
        pairs = zip(switches, words, strict=True)
        actions = [mirrored(button, text, parent) for button, text in pairs]
        actions[1].triggered.disconnect()
        actions[1].triggered.connect(self.other_axis)
        return actions

    def other_axis(self) -> None:
        """From time to trials, or back."""
        (self.seconds if self.trials.isChecked() else self.trials).setChecked(True)

    def _make_room(self) -> None:
        last = self.belief if self.sampler.isHidden() else self.sampler
        room = self.width() - last.geometry().right() - 3 * GAP
        wanted = self.summary.fontMetrics().horizontalAdvance(self._text)
        self.summary.setText(self._text if wanted <= room else "")
