"""Which belief is wanted, and when it is asked for again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from engine.allocation.belief_series import BeliefQuestion, BeliefSeries, belief_question
from engine.history.history import History
from engine.history.slot_log import SlotLog, SlotSpan
from engine.records.events import Event, RunChanged, SlotStarted
from engine.records.settings import RunSettings
from engine.records.snapshot import Snapshot
from engine.targets.known_peak import known_peak
from widgets.convergence.belief_job import BeliefJob

SettingsOf = Callable[[int], RunSettings | None]


class BeliefKeeper(QObject):
    """The belief of the selected task, while it is wanted.

    It is asked for when a task is selected and again at each slot, not at each trial: fitting
    beside a measurement would disturb it.
    """

    changed = Signal()

    def __init__(self, history: History, settings_of: SettingsOf | None, parent: QObject) -> None:
        super().__init__(parent)
        self._history = history
        self._stored: dict[int, RunSettings] = {}
        self._settings_of = settings_of or self._stored.get
        self._log = SlotLog()
        self._peak: float | None = None
        self._task: int | None = None
        self.wanted = False
        self.answered = False
        self.series: BeliefSeries | None = None
        self._job = BeliefJob(self)
        self._job.ready.connect(self._take)

    @property
    def spans(self) -> tuple[SlotSpan, ...]:
        """The slots so far."""
        return self._log.spans()

    def reset(self, snapshot: Snapshot) -> None:
        """Another project, nothing selected in it."""
        self._log.reset(snapshot)
        self._stored.clear()
        self._stored.update({run.id: run.settings for run in snapshot.runs})
        self._peak = known_peak(snapshot.target)
        self._task = None
        self._job.forget()
        self._clear()

    def apply(self, events: Sequence[Event]) -> None:
        """Follow the slots."""
        self._log.apply(events)
        if any(isinstance(event, SlotStarted | RunChanged) for event in events):
            self._ask()

    def select(self, task: int | None) -> None:
        """Another task is selected."""
        if task != self._task:
            self._task = task
            self._clear()
            self._ask()

    def want(self, wanted: bool) -> None:
        """Whether the belief is to be shown."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._clear()
            self._ask()

    def question(self) -> BeliefQuestion | None:
        """What would be asked now; None where no task is selected."""
        if self._task is None or self._task >= len(self._history.tasks):
            return None
        spans = self.spans
        settings = self._settings_of(spans[-1].info.run) if spans else None
        return belief_question(
            self._history, self._task, spans, settings or RunSettings(), self._peak
        )

    def close(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _ask(self) -> None:
        question = self.question() if self.wanted else None
        if question is not None:
            self._job.ask(question)

    def _take(self, question: BeliefQuestion, series: BeliefSeries | None) -> None:
        if self.wanted and question.view.index == self._task:
            self.series, self.answered = series, True
            self.changed.emit()

    def _clear(self) -> None:
        if self.answered:
            self.series, self.answered = None, False
            self.changed.emit()
