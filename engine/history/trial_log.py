"""The trials of one task as growing columns, with the best of them at hand."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Trial, typical_latency

Point: TypeAlias = tuple[int, float, float]


@dataclass(frozen=True, slots=True)
class _Confirmed:
    """A confirmation: of which run its trial is, the median and the quartiles in seconds."""

    run: int
    latency_s: float
    low_s: float
    high_s: float

    @staticmethod
    def of(trial: Trial) -> _Confirmed:
        samples = sorted(trial.confirmed)
        quarter = len(samples) // 4
        return _Confirmed(trial.run, trial.latency_s, samples[quarter], samples[-1 - quarter])

    def surely_beats(self, other: _Confirmed) -> bool:
        """Whether the middle halves of the samples, taken in turns, do not overlap."""
        return self.high_s < other.low_s


class TrialLog:
    """One task's trials in the order they came; `latency_s` is infinity after an error.

    `spread_s` is the standard deviation of a trial's samples, 0 where there is only one.
    `latency_s` holds first measurements. A confirmation is kept beside them and overrides: from
    the task's last trial of that run on, the best is the best confirmed one, and only trials of
    later runs compete with it; the record of an earlier run stays unless one is surely faster.
    (A lucky first measurement would otherwise stay the best.)
    Trials that are added as not `used` are kept as columns and never are the best.
    A column cannot grow while a NumPy array shares its memory: copy what shall last.
    """

    def __init__(self) -> None:
        self.numbers = array("q")
        self.elapsed_s = array("d")
        self.latency_s = array("d")
        self.spread_s = array("d")
        self.errors: Counter[ErrorKind] = Counter()
        self._runs: list[int] = []
        self._kinds: list[ErrorKind | None] = []
        self._rows: dict[int, int] = {}
        self._unused: set[int] = set()
        self._confirmed: dict[int, _Confirmed] = {}
        self._points: list[Point] = []
        self._best_number: int | None = None
        self._stale = False

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, trial: Trial, used: bool = True) -> bool:
        """Take in a trial, or its newer version; whether it was unknown so far."""
        latency_s = math.inf if trial.error else typical_latency(trial.samples)
        row = self._rows.get(trial.number)
        follows = row is None and (not self.numbers or trial.number > self.numbers[-1])
        self._store(trial, latency_s, row)
        if not used:
            self._unused.add(trial.number)
            return row is None
        self._confirmed.pop(trial.number, None)
        if trial.confirmed and trial.error is None:
            self._confirmed[trial.number] = _Confirmed.of(trial)
        if not follows or self._is_settled(trial.run):
            self._stale = True
        elif not self._stale and latency_s < (self._points[-1][2] if self._points else math.inf):
            self._points.append((trial.number, trial.elapsed_s, latency_s))
            self._best_number = trial.number
        return row is None

    def points(self) -> list[Point]:
        """The best so far where it changes: (trial number, elapsed seconds, latency)."""
        if self._stale:
            self._trace()
        return self._points

    @property
    def best_s(self) -> float | None:
        """The best latency in seconds."""
        points = self.points()
        return points[-1][2] if points else None

    @property
    def best_number(self) -> int | None:
        """The number of the trial with the best latency."""
        self.points()
        return self._best_number

    def row(self, number: int) -> int:
        """Where a trial is in the columns."""
        return self._rows[number]

    def error(self, number: int) -> ErrorKind | None:
        return self._kinds[self._rows[number]]

    def confirmed(self, number: int) -> float | None:
        """A trial's confirmed latency in seconds."""
        return self._confirmed[number].latency_s if number in self._confirmed else None

    def state_at_rest(self, run_finished: bool) -> TaskState:
        """What a task is where nothing runs: failed where every trial failed."""
        if self.best_s is None:
            return TaskState.FAILED if self.errors.total() else TaskState.WAITING
        return TaskState.FINISHED if run_finished else TaskState.TUNED

    def _store(self, trial: Trial, latency_s: float, row: int | None) -> None:
        if row is None:
            self._rows[trial.number] = len(self.numbers)
            self.numbers.append(trial.number)
            self.elapsed_s.append(trial.elapsed_s)
            self.latency_s.append(latency_s)
            self.spread_s.append(_deviation(trial.samples, latency_s))
            self._runs.append(trial.run)
            self._kinds.append(trial.error)
        else:
            before = self._kinds[row]
            if before is not None:
                self.errors[before] -= 1
            self.latency_s[row], self._kinds[row] = latency_s, trial.error
            self.spread_s[row] = _deviation(trial.samples, latency_s)
        if trial.error is not None:
            self.errors[trial.error] += 1

    def _is_settled(self, run: int) -> bool:
        """Whether a confirmation of this run, or a later one, has decided."""
        return any(confirmed.run >= run for confirmed in self._confirmed.values())

    def _trace(self) -> None:
        """Find the change points anew, from all the trials in order."""
        self._points, self._best_number, self._stale = [], None, False
        best_s = math.inf
        used = [row for row, number in enumerate(self.numbers) if number not in self._unused]
        order = sorted(used, key=self.numbers.__getitem__)
        for place, row in enumerate(order):
            if self.latency_s[row] < best_s:
                best_s, self._best_number = self.latency_s[row], self.numbers[row]
                self._points.append((self.numbers[row], self.elapsed_s[row], best_s))
            run = self._runs[row]
            ends = place + 1 == len(order) or self._runs[order[place + 1]] != run
            if ends and any(run == confirmed.run for confirmed in self._confirmed.values()):
                best_s, self._best_number = self._best_confirmed(run)
                while self._points and self._points[-1][0] == self.numbers[row]:
                    self._points.pop()
                self._points.append((self.numbers[row], self.elapsed_s[row], best_s))

    def _best_confirmed(self, run: int) -> tuple[float, int]:
        """Latency and number of the record after a run: the one of before stays, unless the best
        of a later run is surely faster. A lucky measurement would leave the task slower."""
        record: tuple[int, _Confirmed] | None = None
        for later in sorted({item.run for item in self._confirmed.values() if item.run <= run}):
            number, best = min(
                ((number, item) for number, item in self._confirmed.items() if item.run == later),
                key=lambda pair: (pair[1].latency_s, pair[0]),
            )
            if record is None or best.surely_beats(record[1]):
                record = number, best
        assert record is not None
        return record[1].latency_s, record[0]


def _deviation(samples: tuple[float, ...], mean: float) -> float:
    if len(samples) < 2 or not math.isfinite(mean):
        return 0.0
    return math.sqrt(sum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1))
