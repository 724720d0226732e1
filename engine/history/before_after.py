"""What one run gave: each task's latency before it and after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from engine.history.history import History
from engine.records.snapshot import Snapshot
from engine.records.task import Task
from engine.records.trial import Source


@dataclass(frozen=True, slots=True)
class Row:
    """One task. Latencies are in seconds, the better of untuned and best; None while unknown.

    `gain` is before over after, less 1. `trials` counts the run's. `trial` and `source` are of the
    record that the run left, None where it left the task as it was.
    """

    task: int
    name: str
    weight: int
    before_s: float | None
    after_s: float | None
    gain: float | None
    trials: int
    trial: int | None
    source: Source | None


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One run: a row for each task, by index, and the model's sums of weight times latency in
    seconds, None while a task's latency is unknown."""

    run: int
    rows: tuple[Row, ...]
    before_s: float | None
    after_s: float | None


def before_after(snapshot: Snapshot, run: int) -> BeforeAfter:
    """What `run` gave, as if its results were used; other runs that are left out stay so.

    Before is the state at its first trial, after the one at its last. A trial of before that was
    measured again since counts with that: it was measured beside those of the run.
    """
    own = [trial.number for trial in snapshot.trials if trial.run == run]
    earlier = [trial.number for trial in snapshot.trials if trial.run < run]
    first = min(own, default=1 + max(earlier, default=0))
    last = max(own, default=first - 1)
    used = replace(snapshot, unused=snapshot.unused - {run})
    before, after = _history(used, first - 1), _history(used, last)
    counts = Counter(trial.task for trial in snapshot.trials if trial.run == run)
    sources = {trial.number: trial.source for trial in snapshot.trials if trial.run == run}
    rows = (_row(task, before, after, counts[task.index], sources) for task in snapshot.tasks)
    return BeforeAfter(run, tuple(rows), before.now_s(), after.now_s())


def _history(snapshot: Snapshot, last: int) -> History:
    """The project as it was when trial `last` was the last."""
    trials = tuple(trial for trial in snapshot.trials if trial.number <= last)
    return History(replace(snapshot, trials=trials))


def _row(
    task: Task, before: History, after: History, trials: int, sources: dict[int, Source]
) -> Row:
    index = task.index
    record = after.record(index)
    own = record if record in sources else None
    return Row(
        task=index,
        name=task.name,
        weight=task.weight,
        before_s=before.now(index),
        after_s=after.now(index),
        gain=_gain(before.now(index), after.now(index)),
        trials=trials,
        trial=own,
        source=None if own is None else sources[own],
    )


def _gain(before_s: float | None, after_s: float | None) -> float | None:
    return before_s / after_s - 1.0 if before_s is not None and after_s else None
