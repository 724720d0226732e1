"""Everything about the selected task or trial; of the model where nothing is selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from engine.history.open_project import OpenProject
from engine.records.events import Event, ModelMeasured, RunChanged, RunStarted, Scores
from engine.records.labels import NO_LABEL, task_subject
from engine.records.task import Task
from engine.records.trial import Trial
from engine.targets.known_peak import peak_of
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.facts import FactList
from widgets.parts.label_box import LabelBox
from widgets.parts.pieces import STRETCH, scrolled, stacked, surface, text_label
from widgets.parts.view import View
from widgets.tasks.model_summary import ModelSummary
from widgets.tasks.task_facts import error_facts, task_facts, trial_facts
from widgets.tasks.trial_texts import error_text, protocol_facts, text_title

EMPTY = QT_TR_NOOP("Nothing selected: click a node, a row or a curve to see it here.")
_OF_MODEL = (RunStarted, RunChanged, Scores, ModelMeasured)


class Inspector(View):
    """Shows a task, or a trial over it; the model where nothing is selected. `code_wanted` asks
    for the page with the code of what is selected."""

    code_wanted = Signal()
    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._tasks: dict[int, Task] = {}
        self._task: int | None = None
        self._trial: int | None = None
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
        self.code_button = QPushButton(tr("Show the code"))
        self.code_button.setToolTip(tr("Schedule, TensorIR and assembly, on a page of their own"))
        self.code_button.clicked.connect(self.code_wanted)
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

    def _pick_best(self) -> None:
        if self._task is not None:
            self.trial_picked.emit(self._history.best_trial(self._task))

    # Painting

    def _changed(self) -> None:
        self._error_count = -1
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
        self._show_details(best if trial is None else self._trial)

    def _show_details(self, number: int | None) -> None:
        trial = self.project.trial(number)
        self.code_button.setVisible(trial is not None)
        self.details.setVisible(trial is not None)
        if trial is not None:
            self.details.show_trial(trial)

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
            self.code_button,
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
        of_trial = self.code_button, (self.details, 1)
        parts = *of_task, self.errors_title, self.errors, *of_trial, STRETCH
        body = surface(stacked(*parts, margins=(12, 8, 12, 8), spacing=8))
        scroll = scrolled(body, focus=True)
        scroll.setAccessibleName(tr("What is selected"))
        stacked(scroll, on=self, margins=0)


class TrialDetails(QWidget):
    """How a trial failed, and how it was measured."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.error = text_label(name=tr("Error of the trial"))
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.protocol = FactList()
        self._heads = {key: text_label(text_title(key), "title") for key in ("error", "protocol")}
        parts = self._heads["error"], self.error, self._heads["protocol"], self.protocol, STRETCH
        stacked(*parts, on=self, margins=0, spacing=4)

    def show_trial(self, trial: Trial) -> None:
        """Another trial, or the same one as it is known now."""
        error = error_text(trial)
        self.error.setText(error)
        self.protocol.show_facts(protocol_facts(trial.protocol))
        shown = {"error": bool(error), "protocol": bool(trial.protocol)}
        for key, part in (("error", self.error), ("protocol", self.protocol)):
            for widget in (part, self._heads[key]):
                widget.setVisible(shown[key])
