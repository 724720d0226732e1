"""Which source gave each improvement of the model, over the trials in their order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.history.history import Floats, History, Ints
from engine.records.snapshot import Snapshot
from engine.records.task import Task
from engine.records.trial import Source, Trial, typical_latency

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Improvement:
    """What `source` took off the model's latency (sum of weight times best) at a trial.

    `gained_s` is in seconds. Where finalists were `confirmed`, it corrects what the sources were
    credited with until then, and may be below zero.
    """

    trial: int
    elapsed_s: float
    source: Source
    task: int
    gained_s: float
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Improvements:
    """The improvements of a project.

    `trials`, `elapsed_s` and each array of `by_source` (seconds gained so far) have one length: a
    start, at which the model's latency was `start_s`, and a point for each improvement.
    `by_source` has the sources that gave something, in the order of `Source`.
    """

    items: tuple[Improvement, ...]
    start_s: float | None
    trials: Ints
    elapsed_s: Floats
    by_source: dict[Source, Floats]

    @property
    def totals(self) -> dict[Source, float]:
        """Seconds gained by each source."""
        return {source: float(series[-1]) for source, series in self.by_source.items()}


def improvements(snapshot: Snapshot) -> Improvements:
    """Every improvement, by source; the gains add up to what `History.model_curve` shows.

    While a task's latency is unknown so is the model's: it starts where the last became known.
    """
    history = History(snapshot)
    curve = history.model_curve()
    if not len(curve.trials):
        return _series((), None, 0, 0.0)
    start = int(curve.trials[0])
    by_task: dict[int, list[Trial]] = {task.index: [] for task in snapshot.own_tasks}
    for trial in sorted(snapshot.trials, key=lambda trial: trial.number):
        if trial.task in by_task and trial.run not in snapshot.unused:
            by_task[trial.task].append(trial)
    items = [
        item
        for task in snapshot.own_tasks
        for item in _Account(history, task, by_task[task.index], start).items()
    ]
    items.sort(key=lambda item: item.trial)
    return _series(items, float(curve.latency_s[0]), start, float(curve.elapsed_s[0]))


class _Account:
    """What each source has taken off one task's latency, in seconds of one call."""

    def __init__(self, history: History, task: Task, trials: list[Trial], start: int) -> None:
        self._history = history
        self._task = task
        self._trials = trials
        self._start = start
        self._by_number = {trial.number: trial for trial in trials}
        self._confirmed_runs = {
            trial.run for trial in trials if trial.confirmed and trial.error is None
        }
        self._last_of_run = {trial.run: trial.number for trial in trials}
        self._credit: dict[Source, float] = {}
        self._base_s = self._level_s = task.untuned_latency_s or math.inf

    def items(self) -> Iterator[Improvement]:
        """The task's improvements after the start, in order."""
        curve = self._history.curve(self._task.index)
        untuned_s = self._task.untuned_latency_s or math.inf
        points = zip(curve.trials.tolist(), curve.elapsed_s.tolist(), curve.latency_s, strict=True)
        for number, elapsed_s, latency_s in points:
            level_s = min(untuned_s, float(latency_s))
            if number <= self._start:
                self._base_s = self._level_s = level_s
                continue
            trial = self._by_number[number]
            settles = trial.run in self._confirmed_runs and self._last_of_run[trial.run] == number
            credit = (
                self._settled(trial.run, level_s) if settles else self._advanced(trial, level_s)
            )
            for source in Source:
                gained_s = credit.get(source, 0.0) - self._credit.get(source, 0.0)
                if abs(gained_s) > _ROUNDING * level_s:
                    yield Improvement(
                        number,
                        elapsed_s,
                        source,
                        self._task.index,
                        self._task.weight * gained_s / self._history.inferences,
                        settles,
                    )
            self._credit, self._level_s = credit, level_s

    def _advanced(self, trial: Trial, level_s: float) -> dict[Source, float]:
        """The credit after a trial that is the best so far."""
        credit = dict(self._credit)
        credit[trial.source] = credit.get(trial.source, 0.0) + self._level_s - level_s
        return credit

    def _settled(self, run: int, level_s: float) -> dict[Source, float]:
        """The credit anew, from what is known once the finalists of `run` were confirmed.

        Trials come in their order, with their confirmed latency where they have one, and none
        counts for more than the level that was confirmed.
        """
        found = [
            (max(level_s, typical_latency(trial.confirmed or trial.samples)), trial.source)
            for trial in self._trials
            if trial.run <= run and trial.error is None
        ]
        credit: dict[Source, float] = {}
        reached_s, holder = self._base_s, min(found, key=lambda pair: pair[0])[1]
        for found_s, source in found:
            if found_s < reached_s:
                credit[source] = credit.get(source, 0.0) + reached_s - found_s
                reached_s = found_s
        credit[holder] = credit.get(holder, 0.0) + reached_s - level_s  # a start too lucky
        return credit


def _series(
    items: Sequence[Improvement], start_s: float | None, start: int, elapsed_s: float
) -> Improvements:
    given = {item.source for item in items}
    by_source = {
        source: np.cumsum([0.0, *(i.gained_s if i.source is source else 0.0 for i in items)])
        for source in Source
        if source in given
    }
    return Improvements(
        items=tuple(items),
        start_s=start_s,
        trials=np.array([start, *(item.trial for item in items)], np.int64),
        elapsed_s=np.array([elapsed_s, *(item.elapsed_s for item in items)], np.float64),
        by_source=by_source,
    )
