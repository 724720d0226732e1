"""What each slot took and what it gave, from the trials it led to. Fed by events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.records.events import (
    Event,
    RunChanged,
    Scores,
    SlotStarted,
    TaskChanged,
    TrialDone,
)
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.task import Task, TaskState
from engine.records.trial import Trial, typical_latency

_OVER = (TaskState.WAITING, TaskState.FINISHED, TaskState.FAILED)


@dataclass(frozen=True, slots=True)
class SlotSpan:
    """A slot and its results.

    `end_s` is when its last result came, or now while it is `running` (seconds of the project's
    tuning time). `gain_s` is what it took off the model's latency, by first measurements; None
    where its task had no latency before.
    """

    info: SlotInfo
    end_s: float
    trials: int
    errors: int
    gain_s: float | None
    running: bool

    @property
    def seconds(self) -> float:
        return self.end_s - self.info.elapsed_s


class _Open:
    """A slot that is being added up."""

    def __init__(self, info: SlotInfo, best_s: float) -> None:
        self.info = info
        self.end_s = info.elapsed_s
        self.before_s = self.best_s = best_s
        self.trials = self.errors = 0


class SlotLog:
    """The slots of one project, kept up to date by `apply`. Not safe to share between threads."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.reset(snapshot)

    def reset(self, snapshot: Snapshot | None) -> None:
        """Start from this project, or from none."""
        self._tasks: dict[int, Task] = {
            task.index: task for task in (snapshot.tasks if snapshot else ())
        }
        self._best = {
            task.index: task.untuned_latency_s or math.inf for task in self._tasks.values()
        }
        self._slots: dict[int, _Open] = {}
        self._running: dict[int, int] = {}
        self._inferences = snapshot.inferences if snapshot else 1
        self.now_s = snapshot.elapsed_s if snapshot else 0.0
        if snapshot is None:
            return
        starts = {slot.number: slot for slot in snapshot.slots}
        for trial in snapshot.trials:
            if trial.slot not in self._slots and trial.slot in starts:
                self._begin(starts[trial.slot])
            self._add(trial)
        for slot in snapshot.slots:
            if slot.number not in self._slots:
                self._begin(slot)

    def apply(self, events: Iterable[Event]) -> bool:
        """Take in events; whether anything is different now."""
        changed = False
        for event in events:
            changed |= self._take(event)
        return changed

    def spans(self) -> tuple[SlotSpan, ...]:
        """All slots in the order of their numbers."""
        return tuple(self._span(self._slots[number]) for number in sorted(self._slots))

    def _take(self, event: Event) -> bool:
        match event:
            case SlotStarted(slot=slot):
                self._begin(slot)
                self._running[slot.task] = slot.number
                self.now_s = max(self.now_s, slot.elapsed_s)
            case TrialDone(trial=trial):
                self._add(trial)
            case TaskChanged(task=task, state=state) if state in _OVER:
                return self._running.pop(task, None) is not None
            case RunChanged(state=state) if not state.active:
                self._running.clear()
            case Scores(elapsed_s=elapsed_s):
                self.now_s = max(self.now_s, elapsed_s)
                return bool(self._running)
            case _:
                return False
        return True

    def _begin(self, info: SlotInfo) -> None:
        self._slots[info.number] = _Open(info, self._best.get(info.task, math.inf))

    def _add(self, trial: Trial) -> None:
        best_s = self._best.get(trial.task, math.inf)
        latency_s = math.inf if trial.error else typical_latency(trial.samples)
        self._best[trial.task] = min(best_s, latency_s)
        self.now_s = max(self.now_s, trial.elapsed_s)
        slot = self._slots.get(trial.slot)
        if slot is not None:
            slot.trials += 1
            slot.errors += trial.error is not None
            slot.end_s = max(slot.end_s, trial.elapsed_s)
            slot.best_s = min(slot.best_s, latency_s)

    def _span(self, slot: _Open) -> SlotSpan:
        task = self._tasks.get(slot.info.task)
        running = self._running.get(slot.info.task) == slot.info.number
        gain_s = None
        if task is not None and math.isfinite(slot.before_s):
            gain_s = task.weight * (slot.before_s - slot.best_s) / self._inferences
        return SlotSpan(
            slot.info,
            max(slot.end_s, self.now_s) if running else slot.end_s,
            slot.trials,
            slot.errors,
            gain_s,
            running,
        )


def lanes(spans: Sequence[SlotSpan]) -> list[int]:
    """A row for each of the spans, in their order: the lowest that is free when it starts."""
    ends: list[float] = []
    rows = [0] * len(spans)
    for place in sorted(range(len(spans)), key=lambda i: spans[i].info.elapsed_s):
        span = spans[place]
        start_s = span.info.elapsed_s
        row = next((row for row, end_s in enumerate(ends) if end_s <= start_s), len(ends))
        if row == len(ends):
            ends.append(0.0)
        ends[row] = span.end_s
        rows[place] = row
    return rows
