"""The buttons above the queue: what they do to the marked job now, and how the queue is run."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from engine.records.job import DEFAULT_LIMIT, QueuedJob
from engine.scheduling.registry import DEFAULT_SCHEDULING
from widgets.look.elided import ElidedLabel
from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import plain_tip
from widgets.look.theme import tabular, theme_notifier
from widgets.parts.pieces import tool_button

POLICIES: dict[str, tuple[str, str]] = {
    "interleaved": (
        QT_TR_NOOP("Interleaved"),
        QT_TR_NOOP("Measurements on a device go first, then the jobs in their order"),
    ),
    "predictive": (
        QT_TR_NOOP("Shortest first"),
        QT_TR_NOOP("Jobs with little left go first, then short stages, by learned seconds"),
    ),
    "sequential": (
        QT_TR_NOOP("One job after another"),
        QT_TR_NOOP("A job has the machine until it has ended"),
    ),
    "in-order": (
        QT_TR_NOOP("In order of arrival"),
        QT_TR_NOOP("What is blocked holds back all behind it"),
    ),
    "parallel": (
        QT_TR_NOOP("Side by side (for comparison only)"),
        QT_TR_NOOP("Every job as if it were alone: its measurements are disturbed"),
    ),
}
LIMITS = (1, 2, 3, 4, 6, 8)


class JobChoices(QObject):
    """Fills a menu with both choices, and says what a person chose."""

    policy_chosen = Signal(str)
    limit_chosen = Signal(int)

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self.policies: dict[str, QAction] = {}
        self.limits: dict[int, QAction] = {}
        self.policy_menu = menu.addMenu(tr("&Which stage starts"))
        self.policy_menu.setToolTipsVisible(True)
        self.reason = self.policy_menu.addAction("")
        self.reason.setEnabled(False)
        group = QActionGroup(self)
        for name, (title, tip) in POLICIES.items():
            self.policies[name] = action = self.policy_menu.addAction(tr(title))
            action.setToolTip(tr(tip))
            action.setStatusTip(tr(tip))
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, name=name: self.policy_chosen.emit(name))
        self.limit_menu = menu.addMenu(tr("Jobs at &once"))
        self._limit_group = QActionGroup(self)
        for limit in LIMITS:
            self._add_limit(limit)
        self.show_choices(DEFAULT_SCHEDULING, DEFAULT_LIMIT, "")

    def show_choices(self, policy: str, limit: int, reason: str) -> None:
        """What is chosen; `reason` says why the policy cannot be changed now."""
        for name, action in self.policies.items():
            action.setChecked(name == policy)
            action.setEnabled(not reason)
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        if limit not in self.limits:
            self._add_limit(limit)
        for number, action in self.limits.items():
            action.setChecked(number == limit)

    def _add_limit(self, limit: int) -> None:
        self.limits[limit] = action = self.limit_menu.addAction(tr("%n jobs", "", limit))
        action.setCheckable(True)
        self._limit_group.addAction(action)
        action.triggered.connect(lambda _=False: self.limit_chosen.emit(limit))


def choice_text(policy: str, limit: int) -> str:
    """What is chosen, in a line."""
    title = tr(POLICIES[policy][0]) if policy in POLICIES else policy
    return tr("{policy}, {jobs} at once", policy=title, jobs=tr("%n jobs", "", limit))


GAP = 4
NARROWEST, SUMMARY = 330, 80


class JobBar(QWidget):
    """Add, run or hold the queue; hold, cancel, remove, move and open the marked job.

    Its signals say that a button was pressed; `run_pressed` whether the queue is to run.
    """

    project_wanted = Signal()
    model_wanted = Signal()
    run_pressed = Signal(bool)
    stop_pressed = Signal()
    pause_pressed = Signal()
    cancel_pressed = Signal()
    remove_pressed = Signal()
    up_pressed = Signal()
    down_pressed = Signal()
    open_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._runs = False
        self.add = _button(tr("Add"), tr("Add a job to the queue"))
        self.add_menu = QMenu(self.add)
        self.add_project = QAction(tr("The open &project…"), self)
        self.add_model = QAction(tr("A &model file…"), self)
        self.add_menu.addActions([self.add_project, self.add_model])
        self.add.setMenu(self.add_menu)
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.run = _button(tr("Run queue"), tr("Take the jobs in turn"))
        self.run_menu = QMenu(self.run)
        self.stop = QAction(tr("&Stop now: jobs under way go on next time"), self)
        self.run_menu.addAction(self.stop)
        self.run_menu.addSeparator()
        self.choices = JobChoices(self.run_menu)
        self._choice = ""
        self.run.setMenu(self.run_menu)
        self.run.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.pause = _button(tr("Pause"), tr("Hold the marked job, or let it go on (Space)"))
        self.cancel = _button(tr("Cancel"), tr("End the marked job; every result is kept"))
        self.remove = _button(tr("Remove"), tr("Take the marked job off the list (Delete)"))
        self.up = _button("", tr("Move the marked job up (Alt+Up)"))
        self.down = _button("", tr("Move the marked job down (Alt+Down)"))
        self.open = _button(tr("Open project"), tr("Show the project of the marked job (Enter)"))
        self.summary = ElidedLabel()
        self.summary.setProperty("role", "muted")
        self.summary.setFont(tabular(self.summary.font()))
        self._arrange()
        self.add_project.triggered.connect(self.project_wanted)
        self.add_model.triggered.connect(self.model_wanted)
        self.stop.triggered.connect(self.stop_pressed)
        self.run.clicked.connect(lambda: self.run_pressed.emit(not self._runs))
        pairs = (
            (self.pause, self.pause_pressed),
            (self.cancel, self.cancel_pressed),
            (self.remove, self.remove_pressed),
            (self.up, self.up_pressed),
            (self.down, self.down_pressed),
            (self.open, self.open_pressed),
        )
        for button, signal in pairs:
            button.clicked.connect(signal)
        theme_notifier().changed.connect(self._retint)
        self.show_queue(False, False, False, "")
        self.show_job(None, 0, 0)

    def show_queue(self, running: bool, holding: bool, can_run: bool, text: str) -> None:
        """Whether the queue runs, and begins other jobs; whether that can be changed; the queue in
        a line."""
        self._runs = running and not holding
        self.run.setText(tr("Hold queue") if self._runs else tr("Run queue"))
        self.run.setToolTip(
            tr("Begin no other job; those under way go on to their end")
            if self._runs
            else tr("Take the jobs in turn: {choice}", choice=self._choice)
        )
        self.run.setEnabled(can_run)
        self.stop.setEnabled(running)
        self.summary.setText(text)
        self.summary.setToolTip(plain_tip(text))
        self._retint()

    def show_choices(self, policy: str, limit: int, reason: str) -> None:
        """How the queue is run, and why that cannot be changed now; call before `show_queue`."""
        self.choices.show_choices(policy, limit, reason)
        self._choice = choice_text(policy, limit)

    def show_job(self, job: QueuedJob | None, place: int, count: int) -> None:
        """The marked job, its place among so many of its priority."""
        state = job.state if job is not None else None
        held = job is not None and job.paused and not job.state.over
        self.pause.setText(tr("Go on") if held else tr("Pause"))
        self.pause.setEnabled(state is not None and not state.over)
        self.cancel.setEnabled(state is not None and not state.over)
        self.remove.setEnabled(state is not None and not state.active)
        self.up.setEnabled(state is not None and not state.over and place > 0)
        self.down.setEnabled(state is not None and not state.over and place < count - 1)
        self.open.setEnabled(job is not None and bool(job.project) and not job.state.active)
        self.pause.setIcon(icon("resume" if held else "pause"))

    def allow_project(self, allowed: bool) -> None:
        """Whether there is an open project that can be added."""
        self.add_project.setEnabled(allowed)

    def allow(self, allowed: bool) -> None:
        """Whether there is a queue at all."""
        self.add.setEnabled(allowed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room icons alone have to do."""
        super().resizeEvent(event)
        style, layout = Qt.ToolButtonStyle, self.layout()
        buttons = (self.pause, self.cancel, self.remove, self.open)
        for button in buttons:
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        if layout is not None and layout.minimumSize().width() + SUMMARY > self.width():
            for button in buttons:
                button.setToolButtonStyle(style.ToolButtonIconOnly)

    def buttons(self) -> tuple[QToolButton, ...]:
        """All of them, from left to right."""
        return (
            self.add, self.run, self.pause, self.cancel, self.remove, self.up, self.down, self.open
        )  # fmt: skip

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GAP, 2 * GAP, 0)
        row.setSpacing(GAP)
        self.setMinimumWidth(NARROWEST)
        for button in self.buttons():
            row.addWidget(button)
            if button in (self.run, self.remove, self.down):
                row.addSpacing(2 * GAP)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addSpacing(GAP)
        row.addWidget(self.summary, 1)
        for button in self.buttons():
            button.setAccessibleName(button.text() or button.toolTip())

    def _retint(self) -> None:
        self.run.setIcon(icon("pause" if self._runs else "start"))
        for button, name in (
            (self.cancel, "stop"),
            (self.remove, "close"),
            (self.up, "chevron-up"),
            (self.down, "chevron-down"),
            (self.open, "open"),
        ):
            button.setIcon(icon(name))


def _button(text: str, tip: str) -> QToolButton:
    made = tool_button(text, tip)
    style = Qt.ToolButtonStyle
    made.setToolButtonStyle(style.ToolButtonTextBesideIcon if text else style.ToolButtonIconOnly)
    return made
