"""What a run is doing, gathered from the engine's events, in words for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.history.figure_words import word_of
from engine.records.events import (
    Event,
    Message,
    Progress,
    ProjectOpened,
    RunChanged,
    Scores,
    SlotStarted,
    StageSearch,
    TrialConfirmed,
    TrialDone,
)
from engine.records.schedule import SearchState
from engine.records.settings import RunState
from engine.records.units import UNKNOWN, format_duration, format_ratio, format_seconds

Row = tuple[str, str]


@dataclass(slots=True)
class Status:
    """The latest of everything; `take` returns the lines that a log should get."""

    state: RunState | None = None
    step: str = ""
    slot: str = ""
    errors: int = 0
    scores: Scores | None = None
    search: SearchState | None = None
    _names: dict[int, str] = field(default_factory=dict)

    def take(self, events: Iterable[Event]) -> list[str]:
        """Take in events; the lines they are worth."""
        return [line for event in events for line in self._take(event)]

    def _take(self, event: Event) -> list[str]:
        match event:
            case ProjectOpened(snapshot=snapshot):
                self._names = {task.index: task.name for task in snapshot.tasks}
                self.errors = sum(trial.error is not None for trial in snapshot.trials)
            case Progress(done=done, total=total):
                return self._step(event.sentence, done, total)
            case RunChanged(state=state, reason=reason) if state is not self.state:
                self.state = state
                return [f"{state}: {reason}" if reason not in ("", state.value) else str(state)]
            case SlotStarted(slot=slot):
                self.slot = f"slot {slot.number}, {self._names.get(slot.task, '')}"
            case TrialDone(trial=trial):
                self.errors += trial.error is not None
            case TrialConfirmed(trial=trial):
                self.errors += trial.error is not None  # what it computes is wrong
            case Scores():
                self.scores = event
            case StageSearch(state=search, running=running):
                self.search = search if running else None
            case Message(level=level, text=text):
                return [text if level == "info" else f"{level}: {text}"]
        return []

    def _step(self, text: str, done: int, total: int) -> list[str]:
        new = bool(text) and not self.step.startswith(text)
        self.step = f"{text} ({done} of {total})" if text and total else text
        return [text] if new else []

    @property
    def doing(self) -> str:
        """The long step that goes on, or else the last slot."""
        return self.step or self.slot

    def line(self) -> str:
        """All of it in one line."""
        found = self.scores
        if self.search is not None and not self.step:
            return "; ".join(f"{name} {value}" for name, value in _search_rows(self.search))
        if found is None:
            return self.doing
        parts = [
            format_duration(found.elapsed_s),
            f"{found.trials} trials ({self.errors} failed)",
            f"{found.trials_per_s:.1f} trials/s" if found.trials_per_s else "",
            f"now {_latency(found)}",
            f"untuned {format_seconds(found.figure.untuned_s)}",
            f"{found.reference} {format_seconds(found.reference_s)}",
            f"{format_duration(found.time_left_s)} left" if found.time_left_s else "",
            self.doing,
        ]
        return "; ".join(part for part in parts if part)

    def rows(self) -> list[Row]:
        """The same as a table of names and values."""
        found = self.scores
        if self.search is not None and not self.step:
            return _search_rows(self.search)
        if found is None:
            return [("", self.doing)]
        return [
            ("state", f"{self.state or UNKNOWN}"),
            ("doing", self.doing or UNKNOWN),
            ("trials", f"{found.trials} ({self.errors} failed){_rate(found)}"),
            ("now", _latency(found)),
            ("untuned", _compared(found.figure.untuned_s, found.figure.speedup)),
            (found.reference, _compared(found.reference_s, _over(found.reference_s, found))),
            ("time", f"{format_duration(found.elapsed_s)}, {_left(found)}"),
        ]


def _search_rows(state: SearchState) -> list[Row]:
    """How far a search for a schedule is."""
    before, best = state.sequential_s, state.best_s
    gain = f" ({format_ratio(before / best)})" if before and best else ""
    return [
        ("stages", f"{state.measured:,} measured, at most {state.open_stages:,} to come"),
        ("searched", f"{state.states:,} sets, {state.pairs:,} pairs"),
        ("best", f"{format_seconds(best)}{gain}"),
        ("sequential", format_seconds(before)),
        ("time", f"{format_duration(state.seconds)}, {format_duration(state.seconds_left)} left"),
    ]


def _latency(found: Scores) -> str:
    word = word_of(found.figure)
    told = f" ({word})" if word else ""
    return f"{format_seconds(found.figure.latency_s)}{told}"


def _compared(latency_s: float | None, ratio: float | None) -> str:
    told = "" if ratio is None else f" ({format_ratio(ratio)} the latency now)"
    return format_seconds(latency_s) + told


def _over(latency_s: float | None, found: Scores) -> float | None:
    now = found.figure.latency_s
    return latency_s / now if latency_s and now else None


def _rate(found: Scores) -> str:
    return f", {found.trials_per_s:.1f} a second" if found.trials_per_s else ""


def _left(found: Scores) -> str:
    if found.time_left_s is None:
        return "no estimate of the time left"
    if not found.time_left_s:
        return "the budget is spent"
    return f"{format_duration(found.time_left_s)} left"
