"""A trial's trace, TensorIR, source, error and protocol, a page each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from engine.records.trial import Trial
from widgets.look.language import tr
from widgets.parts.facts import FactList
from widgets.parts.mono_page import MonoPage
from widgets.tasks.trial_texts import (
    TEXTS,
    error_text,
    protocol_facts,
    recorded_trace,
    text_title,
)

LEAST_HEIGHT = 220
PAGES = (*TEXTS, "error", "protocol")


class TrialDetails(QWidget):
    """Shows what the project file has at once; `show_texts` adds what had to be compiled.

    A list above chooses the page: five tabs would not fit beside a graph.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trial: Trial | None = None
        self.pages = {
            key: MonoPage(tr("{text} of the trial", text=text_title(key))) for key in PAGES[:-1]
        }
        self.protocol = FactList()
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Details of the trial"))
        self._stack = QStackedWidget()
        for key in PAGES:
            self.choice.addItem(text_title(key), key)
            self._stack.addWidget(self.pages[key] if key in self.pages else self._scrolled())
        self.choice.currentIndexChanged.connect(self._stack.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.choice)
        layout.addWidget(self._stack, 1)
        self.setMinimumHeight(LEAST_HEIGHT)

    def show_trial(self, trial: Trial) -> None:
        """Another trial, or the same one as it is known now."""
        if trial == self._trial:
            return
        known = self._trial is not None and self._trial.number == trial.number
        self._trial = trial
        if not known:
            self.show_texts({"trace": recorded_trace(trial)})
        self._write("error", error_text(trial))
        self.protocol.show_facts(protocol_facts(trial.protocol))
        self._allow("protocol", bool(trial.protocol))
        if not self.allowed(self.choice.currentData()):
            self.choice.setCurrentIndex(0)

    def show_texts(self, texts: Mapping[str, str]) -> None:
        """Texts by the keys of TEXTS; pages without one cannot be chosen."""
        for key in TEXTS:
            self._write(key, texts.get(key, ""))

    def choose(self, key: str) -> None:
        """Show a page, where there is something on it."""
        if self.allowed(key):
            self.choice.setCurrentIndex(self.choice.findData(key))

    def allowed(self, key: str) -> bool:
        """Whether there is something on a page."""
        model = self.choice.model()
        assert isinstance(model, QStandardItemModel)
        return model.item(self.choice.findData(key)).isEnabled()

    def _write(self, key: str, text: str) -> None:
        self.pages[key].setPlainText(text)
        self._allow(key, bool(text))

    def _allow(self, key: str, allowed: bool) -> None:
        model = self.choice.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.choice.findData(key)).setEnabled(allowed)

    def _scrolled(self) -> QWidget:
        body = QWidget()
        body.setProperty("role", "surface")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.addWidget(self.protocol)
        layout.addStretch()
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        return scroll
