"""How the queue is run: which stage starts next, and how many jobs run at once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from engine.records.job import DEFAULT_LIMIT
from engine.scheduling.registry import DEFAULT_SCHEDULING
from widgets.look.language import QT_TR_NOOP, tr

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
