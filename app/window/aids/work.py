"""All that goes on and takes a while: the engine's work, the window's own, and time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.document import Document
from app.process.settings import Settings
from app.window.aids.silence import LEAST_S, Silence
from engine.records.events import (
    Event,
    MoveMade,
    Progress,
    RunChanged,
    Scores,
    StageSearch,
    StagesOutstanding,
    TrialConfirmed,
    TrialDone,
)
from engine.records.settings import RunState
from widgets.look.engine_words import progress_text
from widgets.look.language import QT_TR_NOOP, tr

KEY = "work/paces"
KINDS_KEPT = 24
_LEAST_S = 1.0  # before that nothing is said of the time left
OVERDUE = 2.0  # so many times what it took the last time


@dataclass(slots=True)
class _Step:
    """A step under way: since when, and the first count of what it has done."""

    text: str
    since: float
    first: tuple[float, int] | None = None
    done: int = 0
    total: int = 0


class Pace:
    """Follows one piece of work after another; keeps what each step took in the settings.

    A later piece of the same title is expected to take as long, scaled by how its first steps
    compare with the last time's. A step that counts its parts is read ahead from those.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._known: dict[str, dict[str, float]] = settings.get(KEY, {})
        self._title = ""
        self._began = 0.0
        self._taken: dict[str, float] = {}
        self._step: _Step | None = None

    def begin(self, title: str) -> None:
        self._title, self._began = title, self._clock()
        self._taken, self._step = {}, None

    def step(self, text: str, done: int = 0, total: int = 0) -> None:
        """The work is at this step, and has done so many of its parts."""
        now = self._clock()
        if self._step is None or self._step.text != text:
            self._end_step(now)
            self._step = _Step(text, now) if text else None
        if self._step is not None and total:
            self._step.first = self._step.first or (now, done)
            self._step.done, self._step.total = done, total

    def end(self, whole: bool) -> float:
        """The work is over; its seconds. Only what was carried out `whole` is remembered."""
        now = self._clock()
        self._end_step(now)
        self._step = None
        if whole and self._taken and self._title:
            self._known.pop(self._title, None)
            self._known[self._title] = {text: round(s, 3) for text, s in self._taken.items()}
            for title in list(self._known)[:-KINDS_KEPT]:
                del self._known[title]
            self._settings.set(KEY, self._known)
        return now - self._began

    @property
    def seconds(self) -> float:
        return self._clock() - self._began

    @property
    def step_seconds(self) -> float:
        return self._clock() - (self._step.since if self._step else self._began)

    def usual(self) -> float | None:
        """What the present step took the last time."""
        text = self._step.text if self._step else ""
        return self._times().get(text)

    def left(self) -> float | None:
        """Seconds to the end, None where nothing is known of them."""
        step = self._step
        if step is None or self.seconds < _LEAST_S:
            return None
        counted, times = self._counted(step), self._times()
        if counted is None and step.text not in times:
            return None
        scale = self._scale(times)
        if counted is None and self.step_seconds > OVERDUE * scale * times[step.text]:
            return None  # nobody knows, and a figure would stand still
        here = scale * times.get(step.text, 0.0) - self.step_seconds
        rest = [text for text in times if text not in self._taken and text != step.text]
        return max(0.0, here if counted is None else counted) + scale * sum(
            times[text] for text in rest
        )

    def _counted(self, step: _Step) -> float | None:
        """What is left of a step that counts, by its own pace."""
        if step.first is None or step.done <= step.first[1]:
            return None
        since, first = step.first
        return (self._clock() - since) / (step.done - first) * (step.total - step.done)

    def _scale(self, times: dict[str, float]) -> float:
        known = sum(times.get(text, 0.0) for text in self._taken)
        taken = sum(seconds for text, seconds in self._taken.items() if text in times)
        return taken / known if known > 0 and taken > 0 else 1.0

    def _times(self) -> dict[str, float]:
        """The steps of the last time, with whatever the settings hold that makes sense."""
        found = self._known.get(self._title)
        items = found.items() if isinstance(found, dict) else ()
        return {text: float(s) for text, s in items if isinstance(s, int | float) and s >= 0}

    def _end_step(self, now: float) -> None:
        if self._step is not None:
            before = self._taken.get(self._step.text, 0.0)
            self._taken[self._step.text] = before + now - self._step.since


TICK_MS = 1000
SILENCE_KEY = "watchdog/seconds"
_RESULTS = (TrialDone, TrialConfirmed, MoveMade)
_NEWS = (*_RESULTS, Progress, RunChanged, StageSearch)


class WorkKind(Enum):
    """What the engine does."""

    TUNING = auto()
    STAGES = auto()
    OTHER = auto()


TITLES = {
    WorkKind.TUNING: QT_TR_NOOP("Tuning"),
    WorkKind.STAGES: QT_TR_NOOP("Finding stages"),
}


@dataclass(frozen=True, slots=True)
class Work:
    """One thing that goes on: `done` of `total` of its step where that counts, seconds since it
    began and to its end where that is known. `cancel` is the action that ends it, or a call; `own`
    is the window's own work. The title is English: who shows it translates it; the text is
    a person's."""

    title: str
    text: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    seconds_left: float | None = None
    cancel: str | Callable[[], object] = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class WorkEnded:
    """Work that is over: `whole` unless it failed or was cancelled; `text` says what came of it."""

    title: str
    seconds: float
    whole: bool
    text: str = ""
    kind: WorkKind = WorkKind.OTHER


class OwnWork:
    """Work of the window's own, told by who does it."""

    def __init__(self, works: Works, title: str, cancel: Callable[[], object] | None) -> None:
        self._works, self.title, self.cancel = works, title, cancel
        self.began = works.clock()
        self.text, self.done, self.total = "", 0, 0

    def tell(self, text: str = "", done: int = 0, total: int = 0) -> None:
        self.text, self.done, self.total = text, done, total
        self._works.changed.emit()

    def end(self, text: str = "", whole: bool = True) -> None:
        self._works.end_own(self, text, whole)


class Works(QObject):
    """Follows the document and what is begun here; ticks once a second while something goes on."""

    changed = Signal()
    ended = Signal(object)  # WorkEnded

    def __init__(
        self,
        document: Document,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self.clock = document, clock
        self._pace = Pace(settings, clock)
        self.silence = Silence(clock, settings.get(SILENCE_KEY, LEAST_S))
        self._kind, self._title = WorkKind.OTHER, ""
        self._own: list[OwnWork] = []
        self._failed = False
        self._news = clock()
        self._scored: float | None = None  # when the engine last said what is left
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.changed)
        document.status_changed.connect(self._follow)
        document.changed.connect(self._follow)
        document.failed.connect(lambda *_: self._fail())

    def begin(self, title: str, cancel: Callable[[], object] | None = None) -> OwnWork:
        """Work of the window's own begins; `cancel` ends it."""
        made = OwnWork(self, title, cancel)
        self._own.append(made)
        self._changed()
        return made

    def end_own(self, work: OwnWork, text: str, whole: bool) -> None:
        if work in self._own:
            self._own.remove(work)
            self._changed()
            self.ended.emit(WorkEnded(work.title, self.clock() - work.began, whole, text))

    def apply(self, events: Sequence[Event]) -> None:
        """Hear what the engine says; the document has heard it before."""
        for event in events:
            match event:
                case StagesOutstanding(stages=stages):
                    self.silence.stages(stages)
                case Progress(text=text, done=done, total=total):
                    self._pace.step(text, done, total)
                case RunChanged(state=state):
                    self._pace_run(state)
                    self._scored = None
                case Scores():
                    self._scored = self.clock()
            if isinstance(event, _RESULTS):
                self.silence.result()
            if isinstance(event, _NEWS):
                self._news = self.clock()

    def all(self) -> list[Work]:
        """What goes on, the engine's first."""
        document, own = self._document, self._own
        found = [
            Work(
                work.title, tr(work.text), work.done, work.total, self.clock() - work.began,
                cancel=work.cancel or "",
                own=True,
            )
            for work in own
        ]  # fmt: skip
        if not self._title:
            return found
        progress = document.progress
        made = Work(
            self._title,
            progress_text(progress) if progress else "",
            progress.done if progress else 0,
            progress.total if progress else 0,
            self._pace.seconds,
            self._left(),
            "stop" if document.runs_here or document.searching else
            "cancel" if document.can_cancel else "",
        )  # fmt: skip
        return [made, *found]

    def alarm(self) -> str:
        """What is overdue, in a sentence; empty where all goes on as usual."""
        document, progress = self._document, self._document.progress
        if self._title and not self.silence.waits and (progress or document.searching):
            text = progress_text(progress) if progress else tr(self._title)
            return self.silence.step_alarm(text, self.clock() - self._news, self._pace.usual())
        tasks = document.head.tasks
        names = {task.index: task.name for task in tasks}
        return self.silence.alarm(lambda task: names.get(task) or tr("task {number}", number=task))

    def close(self) -> None:
        self._timer.stop()
        self._own.clear()

    # Following

    def _follow(self) -> None:
        kind, title = _what(self._document)
        if title != self._title:
            was, before = self._kind, self._title
            self._kind, self._title = kind, title
            if before:
                whole = not self._failed and not self._document.cancelled
                seconds = self._pace.end(whole)
                self.ended.emit(WorkEnded(before, seconds, whole, kind=was))
            if title:
                self._pace.begin(title)
                self._news = self.clock()
            self._failed = False
        self._changed()

    def _changed(self) -> None:
        if (self._title or self._own) and not self._timer.isActive():
            self._timer.start()
        elif not self._title and not self._own:
            self._timer.stop()
        self.changed.emit()

    def _pace_run(self, state: RunState) -> None:
        if state is RunState.RUNNING and not self._document.watched:
            self.silence.go_on()
        elif state in (RunState.PAUSED, RunState.STOPPING):
            self.silence.hold()
        else:
            self.silence.end()

    def _fail(self) -> None:
        self._failed = True

    def _left(self) -> float | None:
        """A search says it itself; a run by its budget, while it is at its trials."""
        document = self._document
        if document.searching and document.search is not None and document.progress is None:
            return document.search.seconds_left
        if document.state is RunState.RUNNING and document.progress is None:
            return self.run_left()
        return self._pace.left()

    def run_left(self) -> float | None:
        """Seconds that the run's budget leaves, counted down since the engine said it; None where
        they are over: what comes then has no budget."""
        scores, since = self._document.scores, self._scored
        if scores is None or scores.time_left_s is None:
            return None
        if self._document.state is not RunState.RUNNING or since is None:
            return scores.time_left_s
        left = scores.time_left_s - (self.clock() - since)
        return left if left >= 0 else None


def _what(document: Document) -> tuple[WorkKind, str]:
    """What the engine does and its title, which is empty where that is nothing."""
    if not document.searching and document.pending and not document.brief:
        return WorkKind.OTHER, document.pending
    if not document.searching and not document.runs_here:
        return WorkKind.OTHER, ""
    kind = WorkKind.STAGES if document.searching else WorkKind.TUNING
    return kind, TITLES[kind]
