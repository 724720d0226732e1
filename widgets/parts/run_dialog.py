"""What an expert wants to set before a run: budget, policy, search effort, protocol, seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.allocation.policies.registry import POLICIES
from engine.allocation.policy import Policy
from engine.records.errors import TunewrightError
from engine.records.settings import Budget, RunSettings, SearchSettings
from engine.records.trial import Protocol
from engine.records.units import format_seconds
from widgets.look.language import refusal, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts import field_texts
from widgets.parts.field_form import FieldForm
from widgets.parts.number_box import shown_number


class RunDialog(QDialog):
    """The settings of the next run.

    `start_wanted` carries them with the wish to start; `kept` the wish to have them as defaults.
    """

    start_wanted = Signal(object)
    kept = Signal(object)

    def __init__(
        self,
        settings: RunSettings,
        policies: Mapping[str, type[Policy]] = POLICIES,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Run settings"))
        self.setMinimumWidth(420)
        self._initial = settings
        self._policies = policies
        self._pages: dict[str, FieldForm[Any]] = {}
        self.budget = FieldForm(Budget, field_texts.BUDGET)
        self.run = FieldForm(RunSettings, field_texts.RUN, skip=frozenset({"policy"}))
        self.search = FieldForm(SearchSettings, field_texts.SEARCH)
        self.protocol = FieldForm(Protocol, field_texts.PROTOCOL)
        self.policy = QComboBox()
        self.policy.setAccessibleName(tr("Policy that gives the slots"))
        self.about, self.options = PlainLabel(), QStackedWidget()
        tabs = QTabWidget()
        tabs.setAccessibleName(tr("Settings of the run"))
        tabs.addTab(self._budget_page(), tr("Budget"))
        tabs.addTab(self._policy_page(), tr("Policy"))
        tabs.addTab(self.search, tr("Search"))
        tabs.addTab(self.protocol, tr("Measurement"))
        self.problem = PlainLabel()
        self.problem.setProperty("role", "error")
        self.problem.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Cancel | standard.RestoreDefaults)
        self.start_button = self.buttons.addButton(
            tr("Start"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.keep_button = self.buttons.addButton(tr("Keep"), QDialogButtonBox.ButtonRole.ApplyRole)
        self.keep_button.setToolTip(tr("Use these settings when Start is pressed"))
        self.start_button.clicked.connect(lambda: self._finish(self.start_wanted))
        self.keep_button.clicked.connect(lambda: self._finish(self.kept))
        self.buttons.rejected.connect(self.reject)
        self.buttons.button(standard.RestoreDefaults).clicked.connect(
            lambda: self.show_settings(RunSettings())
        )
        layout = QVBoxLayout(self)
        for widget in (tabs, self.problem, self.buttons):
            layout.addWidget(widget)
        self.show_settings(settings)

    def show_settings(self, settings: RunSettings) -> None:
        self.budget.set_value(settings.budget)
        self.run.set_value(settings)
        self.search.set_value(settings.search)
        self.protocol.set_value(settings.protocol)
        self.policy.setCurrentIndex(max(0, self.policy.findData(settings.policy)))
        page = self._pages[self.policy.currentData()]
        page.set_values(self._defaults(settings.policy))
        page.set_values(settings.policy_options)

    def settings(self) -> RunSettings:
        """The settings as they stand; UsageError where one makes no sense."""
        policy: str = self.policy.currentData()
        return replace(
            self._initial,
            **self.run.values(),
            budget=self.budget.value(),
            policy=policy,
            policy_options=self._chosen(policy),
            search=self.search.value(),
            protocol=self.protocol.value(),
        )

    def _chosen(self, policy: str) -> dict[str, Any]:
        """The policy's options that are not its defaults; UsageError where they make no sense."""
        self._pages[policy].value()
        defaults = self._defaults(policy)
        values = self._pages[policy].values()
        return {name: value for name, value in values.items() if value != defaults.get(name)}

    @staticmethod
    def _defaults(policy: str) -> dict[str, Any]:
        return asdict(POLICIES[policy].Options()) if policy in POLICIES else {}

    def allow_start(self, allowed: bool) -> None:
        """Say whether a run can start now."""
        self.start_button.setEnabled(allowed)

    def _finish(self, signal: Any) -> None:
        try:
            settings = self.settings()
        except TunewrightError as error:
            self.problem.setText(refusal(error))
            return
        self.problem.setText("")
        signal.emit(settings)
        self.accept()

    def _budget_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        hint = PlainLabel(
            tr("A run ends at the first limit it reaches; without one it ends at Stop.")
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        for widget in (hint, self.budget, self.run):
            layout.addWidget(widget)
        layout.addStretch()
        return page

    def _show_policy(self, row: int) -> None:
        self.options.setCurrentIndex(row)
        about = field_texts.ABOUT.get(self.policy.itemData(row))
        self.about.setText(tr(about) if about else "")

    def _policy_page(self) -> QWidget:
        page = QWidget()
        layout = QFormLayout(page)
        self.about.setProperty("role", "muted")
        self.about.setWordWrap(True)
        layout.addRow(tr("Policy"), self.policy)
        layout.addRow(self.about)
        layout.addRow(self.options)
        for name, policy in self._policies.items():
            self.policy.addItem(policy.title, name)
            self._pages[name] = FieldForm(policy.Options, field_texts.POLICY)
            self.options.addWidget(self._pages[name])
        self.policy.currentIndexChanged.connect(self._show_policy)
        self._show_policy(self.policy.currentIndex())
        return page


def budget_text(budget: Budget) -> str:
    """A budget in a few words: "1,000 trials or 20 min"."""
    parts = []
    if budget.trials is not None:
        parts.append(tr("%n trials", "", budget.trials))
    if budget.seconds is not None:
        hours = budget.seconds / 3600
        minutes = shown_number(budget.seconds / 60, "min")
        parts.append(f"{hours:g} h" if hours >= 1 else minutes)
    if budget.latency_s is not None:
        parts.append(format_seconds(budget.latency_s))
    either = tr("or")
    return f" {either} ".join(parts) or tr("No limit")


BUDGETS = (
    *(Budget(seconds=60 * minutes) for minutes in (1, 3, 5, 10, 20, 60)),
    Budget(trials=200),
    Budget(trials=1000),
    Budget(trials=5000),
)
"""Those that the toolbar offers."""
