"""What the slots of a run spent their time on. Fed by events."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from engine.records.events import Event, SlotStarted, TrialDone
from engine.records.snapshot import Hardware, Snapshot
from engine.records.trial import Trial

Span: TypeAlias = tuple[float, float]


class Timing(NamedTuple):
    """When a trial's result came, and how long it was measured and built."""

    elapsed_s: float
    run_s: float
    build_s: float


@dataclass(frozen=True, slots=True)
class SlotParts:
    """Seconds of slots, which add up to the time from their starts to their last results."""

    search_s: float = 0.0
    build_s: float = 0.0
    wait_s: float = 0.0
    measure_s: float = 0.0

    @property
    def total_s(self) -> float:
        """All of it; more than the clock says where slots overlap."""
        return self.search_s + self.build_s + self.wait_s + self.measure_s


@dataclass(frozen=True, slots=True)
class RunProfile:
    """The parts of a run's slots, and for which share of the clock anything was measured."""

    parts: SlotParts
    measured_share: float


def slot_parts(start_s: float, trials: Sequence[Timing], others: Iterable[Span] = ()) -> SlotParts:
    """The parts of one slot, from its start and its trials (one at least).

    Known are when each result came, and how long it was built and measured: measuring ends with the
    result. Not stored is when a build ended: it is taken to end where its measuring begins. The
    search lasts until the first build, without what of `others` falls into it: measurements of
    other slots that no search runs beside. Waiting is what is left.
    """
    end_s = max(start_s, *(trial.elapsed_s for trial in trials))
    runs = [(trial.elapsed_s - trial.run_s, trial.elapsed_s) for trial in trials]
    builds = [
        (began_s - trial.build_s, began_s) for trial, (began_s, _) in zip(trials, runs, strict=True)
    ]
    searched_s = min(max(start_s, min(began_s for began_s, _ in builds)), end_s)
    measure_s = covered(runs, start_s, end_s)
    build_s = covered([*runs, *builds], start_s, end_s) - measure_s
    held_s = covered(others, start_s, searched_s)
    search_s = searched_s - start_s - held_s
    wait_s = max(0.0, end_s - start_s - search_s - build_s - measure_s)
    return SlotParts(search_s, build_s, wait_s, measure_s)


def covered(spans: Iterable[Span], low_s: float, high_s: float) -> float:
    """The seconds between two moments in which at least one of the spans goes on."""
    total, until_s = 0.0, low_s
    for begin_s, end_s in sorted(spans):
        more_s = min(end_s, high_s) - max(begin_s, until_s)
        if more_s > 0:
            total += more_s
            until_s = min(end_s, high_s)
    return total


class ProfileLog:
    """The profiles of one project's runs, kept up to date by `apply`. For one thread."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.reset(snapshot)

    def reset(self, snapshot: Snapshot | None) -> None:
        """Start from this project, or from none."""
        self._runs: dict[int, _Run] = defaultdict(_Run)
        self._on_cpu = snapshot is not None and _is_this_cpu(snapshot.hardware)
        for slot in snapshot.slots if snapshot else ():
            self._runs[slot.run].starts[slot.number] = slot.elapsed_s
        for trial in snapshot.trials if snapshot else ():
            self._runs[trial.run].add(trial)

    def apply(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case SlotStarted(slot=slot):
                    self._runs[slot.run].starts[slot.number] = slot.elapsed_s
                case TrialDone(trial=trial):
                    self._runs[trial.run].add(trial)

    def profile(self, run: int) -> RunProfile | None:
        """That of a run, by its slots that have results; None where none has."""
        return self._runs[run].profile(self._on_cpu) if run in self._runs else None


def _is_this_cpu(hardware: Hardware) -> bool:
    """Whether searches stand still while it measures."""
    return hardware.is_cpu and not hardware.is_remote


class _Run:
    """The slots of one run. What of a slot cannot change any more is added up once."""

    def __init__(self) -> None:
        self.starts: dict[int, float] = {}
        self._trials: dict[int, list[Timing]] = defaultdict(list)
        self._measured: list[Span] = []  # end and beginning, by the end
        self._longest_s = 0.0
        self._done: dict[int, tuple[int, SlotParts]] = {}

    def add(self, trial: Trial) -> None:
        timing = Timing(trial.elapsed_s, trial.run_s, trial.build_s)
        self._trials[trial.slot].append(timing)
        insort(self._measured, (trial.elapsed_s, trial.elapsed_s - trial.run_s))
        self._longest_s = max(self._longest_s, trial.run_s)

    def profile(self, on_cpu: bool) -> RunProfile | None:
        slots = [slot for slot in self._trials if slot in self.starts]
        if not slots:
            return None
        parts = [self._parts(slot, on_cpu) for slot in slots]
        begin_s, end_s = min(self.starts[slot] for slot in slots), self._measured[-1][0]
        busy_s = covered(self._between(begin_s, end_s), begin_s, end_s)
        whole = SlotParts(
            math.fsum(part.search_s for part in parts),
            math.fsum(part.build_s for part in parts),
            math.fsum(part.wait_s for part in parts),
            math.fsum(part.measure_s for part in parts),
        )
        return RunProfile(whole, busy_s / (end_s - begin_s) if end_s > begin_s else 0.0)

    def _parts(self, slot: int, on_cpu: bool) -> SlotParts:
        trials, start_s = self._trials[slot], self.starts[slot]
        count, parts = self._done.get(slot, (0, SlotParts()))
        if count == len(trials):
            return parts
        first_s = min(trial.elapsed_s - trial.run_s - trial.build_s for trial in trials)
        parts = slot_parts(start_s, trials, self._between(start_s, first_s) if on_cpu else ())
        if not on_cpu or self._measured[-1][0] - self._longest_s >= first_s:
            self._done[slot] = len(trials), parts
        return parts

    def _between(self, low_s: float, high_s: float) -> list[Span]:
        """The measurements that may fall between two moments."""
        first = bisect_left(self._measured, (low_s, -math.inf))
        last = bisect_left(self._measured, (high_s + self._longest_s, math.inf))
        return [(begin_s, end_s) for end_s, begin_s in self._measured[first:last]]
