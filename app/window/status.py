"""The line at the bottom: what is going on now, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QProgressBar,
    QStatusBar,
    QToolButton,
    QWidget,
)

from app.document.document import Document
from app.window.aids.work import Work
from app.window.watching import watched_text
from engine.records.settings import RunState
from engine.records.units import format_duration
from widgets.look.elided import ElidedLabel
from widgets.look.engine_words import progress_text
from widgets.look.language import told, tr
from widgets.look.plain_label import plain_tip
from widgets.look.states import run_word
from widgets.look.theme import tabular
from widgets.parts.pieces import text_label, tool_button
from widgets.stages.words import search_sentence

BAR_PIXELS = 160


def status_sentence(document: Document) -> str:
    """The sentence for the document's state."""
    if waiting := _waiting_text(document):
        return waiting
    if not document.is_open:
        return tr("Open a model to begin: Ctrl+O, or drop a model or a .tune file here.")
    run = document.run
    if run is None:
        if not document.head.tasks:
            return tr("There is nothing to tune in this model.")
        return tr("%n tasks. Press Start (F5) to tune.", "", len(document.head.tasks))
    parts = [_state_text(document, run.state)]
    parts.append(_trials_text(document))
    scores = document.scores
    if run.state is RunState.RUNNING and scores and scores.trials_per_s:
        parts.append(tr("{speed:.1f} trials/s", speed=scores.trials_per_s))
    return "   ".join(part for part in parts if part)


def _waiting_text(document: Document) -> str:
    """What a person waits for, empty where that is no single step."""
    progress = document.progress
    if progress is not None:
        count = f"  {progress.done:,}/{progress.total:,}" if progress.total else ""
        return f"{progress_text(progress)}{count}"
    if document.search is not None:
        return search_sentence(document.search)
    return f"{tr(document.pending)} …" if document.pending else ""


def _state_text(document: Document, state: RunState) -> str:
    text = run_word(state)
    slot = document.slot
    if state in (RunState.RUNNING, RunState.PAUSED) and slot is not None:
        names = {task.index: task.name for task in document.head.tasks}
        task = names.get(slot.task) or tr("task {number}", number=slot.task)
        text = tr("{state}: slot {number} {task}", state=text, number=slot.number, task=task)
        return f"{text} ({told(slot.reason)})" if slot.reason else text
    reason = document.run.reason if document.run else ""
    return f"{text}: {told(reason)}" if reason not in ("", state.value) else text


def _trials_text(document: Document) -> str:
    run = document.run
    if run is None:
        return ""
    budget = run.settings.budget.trials
    count = document.run_trials() if run.state.active else max(run.trials, document.run_trials())
    if budget:
        return tr("{count:,}/{budget:,} trials", count=count, budget=budget)
    return tr("%n trials", "", count) if count else ""


def progress_share(document: Document) -> tuple[int, int] | None:
    """Done and total for the bar; (0, 0) where a step has no total; None where there is no step."""
    if document.progress is not None:
        return document.progress.done, document.progress.total
    search = document.search
    if search is not None and search.seconds_left is not None:
        whole = search.seconds + search.seconds_left
        return round(1000 * search.seconds / whole) if whole > 0 else 0, 1000
    if document.pending or document.searching:
        return 0, 0
    run = document.run
    if run is not None and run.state.active:
        return _budget_share(document)
    return None


def _budget_share(document: Document) -> tuple[int, int] | None:
    run, scores = document.run, document.scores
    if run is None:
        return None
    budget, shares = run.settings.budget, [0.0]
    if budget.trials:
        shares.append(document.run_trials() / budget.trials)
    if budget.seconds and scores and scores.time_left_s is not None:
        shares.append(1 - scores.time_left_s / budget.seconds)
    limited = budget.trials or budget.seconds
    return (round(1000 * min(1.0, max(shares))), 1000) if limited else None


class StatusLine(QStatusBar):
    """The sentence; for what takes a while its time, a bar and a way to end it; what is overdue.

    `action_wanted` carries the id of an action. A call of the work's own is made here.
    """

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(0, 0, 8, 0)
        self.sentence = ElidedLabel()
        self.sentence.setFont(tabular(self.sentence.font()))
        self.sentence.setContentsMargins(8, 0, 8, 0)
        self.time = text_label(role="muted", wraps=False)
        self.time.setFont(tabular(self.time.font()))
        self.log_button = _button(tr("Log"), tr("Show the log"))
        self.log_button.clicked.connect(lambda: self.action_wanted.emit("go-log"))
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setFixedWidth(BAR_PIXELS)
        self.bar.setTextVisible(False)
        self.cancel_button = _button(tr("Cancel"), tr("End what goes on"))
        self.cancel_button.clicked.connect(self._cancel)
        self._cancel_by: str | Callable[[], object] = ""
        self.addWidget(self.sentence, 1)
        self.watched = text_label(role="muted", wraps=False)
        self.watched.setFont(tabular(self.watched.font()))
        parts = (self.watched, self.log_button, self.time, self.bar, self.cancel_button)
        for widget in parts:
            self.addPermanentWidget(widget)
            widget.hide()

    def show_document(self, document: Document) -> None:
        """Say what is going on."""
        self._say(status_sentence(document))
        self._show_share(progress_share(document))
        self._show_watched(document)

    def show_work(self, works: Sequence[Work], alarm: str = "") -> None:
        """Show how far the first of these is, how to end it, and what is overdue."""
        work = works[0] if works else None
        self._follow(work)
        text = time_text(work) if work else ""
        more = tr("{time}   + %n more", "", len(works) - 1, time=text) if len(works) > 1 else text
        self.time.setText(more)
        self.time.setToolTip(plain_tip("\n".join(map(work_text, works))))
        self.time.setVisible(bool(text))
        self._cancel_by = work.cancel if work else ""
        end = tr("Stop") if self._cancel_by == "stop" else tr("Cancel")
        self.cancel_button.setText(end)
        self.cancel_button.setAccessibleName(f"{end}: {tr(work.title)}" if work else end)
        self.cancel_button.setVisible(bool(self._cancel_by))
        self.log_button.setVisible(bool(alarm))
        if alarm:
            self._say(f"▲ {alarm}")
        set_role(self.sentence, "warning" if alarm else "")

    def _show_watched(self, document: Document) -> None:
        """Where the project is, and of when the picture is."""
        text = watched_text(document)
        self.watched.setText(text)
        self.watched.setVisible(bool(text))
        lost = document.watch.lost if document.watch else ""
        self.watched.setToolTip(plain_tip(f"{document.watched}\n{lost}".strip()))
        set_role(self.watched, "warning" if lost else "muted")

    def _say(self, sentence: str) -> None:
        self.sentence.setText(sentence)
        self.sentence.setToolTip(plain_tip(sentence))
        self.sentence.setAccessibleName(tr("Status: {sentence}", sentence=sentence))

    def _follow(self, work: Work | None) -> None:
        """Work of the window's own has the line to itself; what is known of the engine's fills a
        bar that would only run to and fro."""
        if work is None:
            return
        if work.own:
            self._say(work_text(work))
            self._show_share((work.done, work.total))
        elif work.seconds_left is not None and self.bar.maximum() == 0:
            whole = work.seconds + work.seconds_left
            self._show_share((round(1000 * work.seconds / whole) if whole else 0, 1000))

    def _show_share(self, share: tuple[int, int] | None) -> None:
        self.bar.setVisible(share is not None)
        if share is not None:
            done, total = share
            self.bar.setRange(0, total)
            self.bar.setValue(min(done, total))

    def _cancel(self) -> None:
        if callable(self._cancel_by):
            self._cancel_by()
        elif self._cancel_by:
            self.action_wanted.emit(self._cancel_by)


def set_role(label: QWidget, role: str) -> None:
    """Draw a label as the style has it for this role."""
    if label.property("role") != role:
        label.setProperty("role", role)
        label.style().polish(label)


def time_text(work: Work) -> str:
    """How long it has gone on and will go on."""
    if work.seconds_left is not None:
        taken, left = format_duration(work.seconds), format_duration(work.seconds_left)
        return tr("{taken}, about {left} left", taken=taken, left=left)
    return format_duration(work.seconds)


def work_text(work: Work) -> str:
    """What it is, its step, and how far that is."""
    count = f" {work.done:,}/{work.total:,}" if work.total else ""
    title = tr(work.title)
    step = f": {work.text}{count}" if work.text and work.text != title else count
    return f"{title}{step}"


def _button(text: str, tip: str) -> QToolButton:
    made = tool_button(text, tip)
    made.setAccessibleName(tip)
    return made
