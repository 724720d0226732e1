"""Everything about the selected task or trial; of the model where nothing is selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from engine.history.open_project import OpenProject
from engine.records.events import Event, ModelMeasured, RunChanged, RunStarted, Scores
from engine.records.labels import NO_LABEL, task_subject
from engine.records.task import Task
from engine.records.trial import Trial
from engine.targets.known_peak import peak_of
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.facts import FactList
from widgets.parts.label_box import LabelBox
from widgets.parts.pieces import STRETCH, MonoPage, scrolled, stacked, surface, text_label
from widgets.parts.view import View
from widgets.tasks.model_summary import ModelSummary
from widgets.tasks.task_facts import error_facts, task_facts, trial_facts
from widgets.tasks.trial_texts import (
    TEXTS,
    error_text,
    protocol_facts,
    recorded_trace,
    text_title,
)

EMPTY = QT_TR_NOOP("Nothing selected: click a node, a row or a curve to see it here.")
_OF_MODEL = (RunStarted, RunChanged, Scores, ModelMeasured)


class Inspector(View):
    """Shows a task, or a trial over it; the model where nothing is selected.

    `detail_wanted` carries the number of a trial whose slow details are asked for.
    """

    detail_wanted = Signal(int)
    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._tasks: dict[int, Task] = {}
        self._task: int | None = None
        self._trial: int | None = None
        self._detailed: int | None = None
        self._error_count = -1
        self._peak: float | None = None
        self.title = text_label(role="title")
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.subtitle = text_label(role="muted")
        self.facts, self.errors = FactList(), FactList()
        self.errors_title = text_label(tr("Errors"), "title", wraps=False)
        self.best_button = QPushButton()
        self.best_button.setAccessibleName(tr("Select the best trial of this task"))
        self.best_button.clicked.connect(self._pick_best)
        self.detail_button = QPushButton(tr("Show schedule and source"))
        self.detail_button.setToolTip(tr("Applies the trace and compiles again; takes a moment"))
        self.detail_button.clicked.connect(self._ask)
        self.detail_note = text_label(role="muted")
        self.details = TrialDetails()
        self.labels = LabelBox()
        self.summary = ModelSummary()
        self.summary.task_picked.connect(self.task_picked)
        self._lay_out()
        self._refresh()

    # The view protocol

    def show_project(self) -> None:
        """Read another project; nothing is selected in it."""
        self._tasks = {task.index: task for task in self.project.head.tasks}
        self._peak = peak_of(self.project.head)
        self.select_task(None)

    def apply(self, events: Sequence[Event]) -> None:
        """Keep what is shown up to date; a run may have found out the device's peak."""
        if any(isinstance(event, RunChanged) for event in events):
            self._peak = peak_of(self.project.head)
        told = any(isinstance(event, _OF_MODEL) for event in events)
        if self._task is not None or ((told or self.project.changed) and not self._is_hidden()):
            self._refresh()

    def select_task(self, task: int | None) -> None:
        self._task = task if task in self._tasks else None
        self._trial = None
        self._changed()

    def select_trial(self, number: int | None) -> None:
        """Show a trial; None goes back to the task."""
        trial = self.project.trial(number)
        self._trial = None if trial is None else number
        if trial is not None:
            self._task = trial.task
        self._changed()

    def name_task(self) -> None:
        """Put the keyboard on the name of the task, leaving a trial of it."""
        self.select_trial(None)
        self.labels.begin()

    # Details

    def detail_number(self) -> int | None:
        """The trial whose details are offered: the selected one, or the task's best."""
        if self._trial is not None or self._task is None:
            return self._trial
        return self._history.best_trial(self._task)

    def show_detail(self, number: int, texts: Mapping[str, str]) -> None:
        """Show trace, TensorIR and source, if the trial is still the one on show."""
        if number != self.detail_number():
            return
        self._detailed = number
        self._refresh()
        self.details.show_texts(texts)

    def show_detail_problem(self, number: int, text: str) -> None:
        """Say why there are no details."""
        if number == self.detail_number():
            self.detail_note.setText(text)
            self.detail_note.show()
            self.detail_button.setEnabled(True)

    def _ask(self) -> None:
        number = self.detail_number()
        if number is not None:
            self.detail_button.setEnabled(False)
            self.detail_note.setText(tr("Applying the trace and compiling …"))
            self.detail_note.show()
            self.detail_wanted.emit(number)

    def _pick_best(self) -> None:
        if self._task is not None:
            self.trial_picked.emit(self._history.best_trial(self._task))

    # Painting

    def _changed(self) -> None:
        self._detailed, self._error_count = None, -1
        self.detail_note.hide()
        self.detail_button.setEnabled(True)
        self._refresh()

    def _refresh(self) -> None:
        task = None if self._task is None else self._tasks.get(self._task)
        trial = self.project.trial(self._trial)
        if task is None:
            self._show_nothing()
            return
        self.summary.hide()
        self.title.show()
        best = self._history.best_trial(task.index)
        subject = task_subject(task.index)
        label = self.project.head.labels.get(subject, NO_LABEL)
        self.labels.show_label(None if trial else subject, label)
        if trial is not None:
            self.title.setText(tr("Trial #{number}", number=f"{trial.number:,}"))
            self.subtitle.setText(tr("candidate of {task}", task=task.name))
            self.facts.show_facts(trial_facts(trial, self._tasks))
        else:
            self.title.setText(label.name or task.name)
            named = f"{task.name}: " if label.name else ""
            self.subtitle.setText(f"{named}{task.op_class}")
            self.facts.show_facts(task_facts(self._history, task, self.project.trial(best)))
        self._show_errors(task.index, trial is None)
        self.best_button.setText(tr("Best trial #{number}", number=f"{best:,}") if best else "")
        self.best_button.setVisible(best is not None and best != self._trial)
        self._show_details()

    def _show_details(self) -> None:
        number = self.detail_number()
        trial = self.project.trial(number)
        ready = number is not None and self._detailed == number
        self.details.setVisible(trial is not None)
        if trial is not None:
            self.details.show_trial(trial)
        self.detail_button.setVisible(number is not None and not ready)
        if ready:
            self.detail_note.hide()

    def _show_nothing(self) -> None:
        self.title.setText("")
        self.title.hide()
        self.subtitle.setText(tr(EMPTY))
        self.facts.show_facts([])
        self.labels.show_label(None, NO_LABEL)
        hidden: tuple[QWidget, ...] = (
            self.errors,
            self.errors_title,
            self.best_button,
            self.detail_button,
            self.detail_note,
            self.details,
        )
        for widget in hidden:
            widget.hide()
        self.summary.setVisible(bool(self._tasks))
        if self._tasks:
            self.summary.show_project(self.project, self._peak)

    def _show_errors(self, task: int, wanted: bool) -> None:
        count = self._history.errors(task) if wanted else 0
        if count and count != self._error_count:
            self.errors.show_facts(error_facts(self.project.of_task(task)))
            self._error_count = count
        self.errors.setVisible(bool(count))
        self.errors_title.setVisible(bool(count))

    def _lay_out(self) -> None:
        of_task = self.title, self.subtitle, self.summary, self.facts, self.labels, self.best_button
        of_trial = self.detail_button, self.detail_note, (self.details, 1)
        parts = *of_task, self.errors_title, self.errors, *of_trial, STRETCH
        body = surface(stacked(*parts, margins=(12, 8, 12, 8), spacing=8))
        scroll = scrolled(body, focus=True)
        scroll.setAccessibleName(tr("What is selected"))
        stacked(scroll, on=self, margins=0)


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
        stacked(self.choice, (self._stack, 1), on=self, margins=0, spacing=4)
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
        body = surface(stacked(self.protocol, STRETCH, margins=(0, 4, 0, 4)))
        return scrolled(body, across=True, focus=True)
