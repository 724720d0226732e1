"""How long the search of each slot took, estimated from when results came."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from engine.records.snapshot import Snapshot
from engine.records.trial import Trial


def estimated_searches(snapshot: Snapshot, *, on_cpu: bool) -> dict[int, float]:
    """Seconds of each slot's search, by slot number; slots without trials are left out.

    A slot begins with its search, and its first candidate is built as soon as that ends. So the
    search lasted at most from the slot's start to the earliest (result - measuring - building) of
    its trials. On a CPU a search cannot run beside a measurement, so the measurements of other
    slots that fell into that time are taken off. What is left may still hold waits for a core:
    the estimate errs on the long side. Learning, at a slot's end, is not in it.
    """
    by_slot: dict[int, list[Trial]] = defaultdict(list)
    for trial in snapshot.trials:
        by_slot[trial.slot].append(trial)
    busy = _Busy(snapshot.trials) if on_cpu else None
    found = {}
    for slot in snapshot.slots:
        trials = by_slot.get(slot.number)
        if not trials:
            continue
        ends = min(trial.elapsed_s - trial.run_s - trial.build_s for trial in trials)
        span = max(0.0, ends - slot.elapsed_s)
        if busy is not None:
            span = max(0.0, span - busy.between(slot.elapsed_s, ends))
        found[slot.number] = span
    return found


class _Busy:
    """The time that measurements took; one at a time, so their intervals do not overlap."""

    def __init__(self, trials: tuple[Trial, ...]) -> None:
        ends = np.array([trial.elapsed_s for trial in trials], np.float64)
        order = np.argsort(ends, kind="stable")
        runs = np.array([trial.run_s for trial in trials], np.float64)[order]
        self._ends = ends[order]
        self._done = np.concatenate([[0.0], np.cumsum(runs)])
        self._runs: NDArray[np.float64] = runs

    def between(self, start_s: float, end_s: float) -> float:
        """Seconds of measuring between two moments."""
        return max(0.0, self._until(end_s) - self._until(start_s))

    def _until(self, moment_s: float) -> float:
        place = int(np.searchsorted(self._ends, moment_s, side="right"))
        total = float(self._done[place])
        if place < len(self._ends):  # the one under way
            began = float(self._ends[place] - self._runs[place])
            total += max(0.0, moment_s - began)
        return total
