"""The line at the bottom: what is going on now, in one sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QWidget

from app.document import Document
from engine.jobs.settings import RunState
from widgets.stage_words import search_sentence
from widgets.states import run_word
from widgets.theme import tabular

BAR_PIXELS = 160


def status_sentence(document: Document) -> str:
    """The sentence for the document's state."""
    if waiting := _waiting_text(document):
        return waiting
    if document.snapshot is None:
        return "Open a model to begin: Ctrl+O, or drop an .onnx or .tune file here."
    run = document.run
    if run is None:
        if not document.snapshot.tasks:
            return "There is nothing to tune in this model."
        return f"{len(document.snapshot.tasks)} tasks. Press Start (F5) to tune."
    parts = [_state_text(document, run.state)]
    parts.append(_trials_text(document))
    scores = document.scores
    if run.state is RunState.RUNNING and scores and scores.trials_per_s:
        parts.append(f"{scores.trials_per_s:.1f} trials/s")
    return "   ".join(part for part in parts if part)


def _waiting_text(document: Document) -> str:
    """What a person waits for, empty where that is no single step."""
    progress = document.progress
    if progress is not None:
        count = f"  {progress.done:,}/{progress.total:,}" if progress.total else ""
        return f"{progress.text}{count}"
    if document.search is not None:
        return search_sentence(document.search)
    return f"{document.pending} …" if document.pending else ""


def _state_text(document: Document, state: RunState) -> str:
    text = run_word(state)
    slot, snapshot = document.slot, document.snapshot
    if state in (RunState.RUNNING, RunState.PAUSED) and slot is not None and snapshot is not None:
        names = {task.index: task.name for task in snapshot.tasks}
        text += f": slot {slot.number} {names.get(slot.task, f'task {slot.task}')}"
        return f"{text} ({slot.reason})" if slot.reason else text
    reason = document.runs[-1].reason
    return f"{text}: {reason}" if reason else text


def _trials_text(document: Document) -> str:
    run = document.run
    if run is None:
        return ""
    budget = run.settings.budget.trials
    count = document.run_trials() if run.state.active else max(run.trials, document.run_trials())
    if budget:
        return f"{count:,}/{budget:,} trials"
    return f"{count:,} trials" if count else ""


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
    """The sentence, and a bar for steps that take a while."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(0, 0, 8, 0)
        self.sentence = QLabel()
        self.sentence.setFont(tabular(self.sentence.font()))
        self.sentence.setContentsMargins(8, 0, 8, 0)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setFixedWidth(BAR_PIXELS)
        self.bar.setTextVisible(False)
        self.addWidget(self.sentence, 1)
        self.addPermanentWidget(self.bar)
        self.bar.hide()

    def show_document(self, document: Document) -> None:
        """Say what is going on."""
        sentence = status_sentence(document)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)
        self.sentence.setAccessibleName(f"Status: {sentence}")
        share = progress_share(document)
        self.bar.setVisible(share is not None)
        if share is not None:
            done, total = share
            self.bar.setRange(0, total)
            self.bar.setValue(min(done, total))
