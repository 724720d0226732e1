"""Who has had how many slots, and what a policy sees: shared by live runs and replays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from engine.allocation.policy import TaskView
from engine.records.snapshot import SlotInfo
from engine.records.task import Task
from engine.records.trial import Trial

_MOST_LANES = 8
_AT_FLOOR = 1.3  # times the shortest kernel: what a search could still win is noise, 0.2 us a call


def lanes_on(is_gpu: bool, cores: int) -> int:
    """How many slots go on at once, in a live run as in a replay.

    On a GPU a slot spends two thirds of its time in its search, on one core; half of the cores
    keep the others in builds. A measurement on a CPU takes all cores, so two slots fill its gaps.
    """
    return max(2, min(_MOST_LANES, cores // 2)) if is_gpu else 2


class Board:
    """The tasks of a run with their slots.

    `latencies_of` and `untuned_of` look a task's history up when a policy asks: latencies of its
    trials in order in seconds, and its untuned latency or None. `batch` is the trials of a slot,
    `peak_flops` the target's peak in FLOP/s. `earlier` holds the slots of a project's past: each
    its task and its seconds, None where it gave no result. `weights` stand for the tasks' own.
    `floor_s` is what the shortest kernel takes on the device, None where nobody knows.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        latencies_of: Callable[[int], Sequence[float]],
        untuned_of: Callable[[int], float | None],
        *,
        batch: int,
        peak_flops: float | None = None,
        earlier: Iterable[tuple[int, float | None]] = (),
        weights: Mapping[int, float] = MappingProxyType({}),
        floor_s: float | None = None,
    ) -> None:
        self._tasks = tasks
        self._latencies_of = latencies_of
        self._untuned_of = untuned_of
        self._batch = batch
        self._weights = weights
        self._floor_s = floor_s
        self.peak_flops = peak_flops
        self._given: Counter[int] = Counter()
        self._seconds: dict[int, list[float]] = {task.index: [] for task in tasks}
        self._in_flight: set[int] = set()
        self._finished: set[int] = set()
        for task, seconds in earlier:
            self.give(task)
            self.take_back(task, seconds)

    @property
    def busy(self) -> bool:
        """Whether a slot is in flight."""
        return bool(self._in_flight)

    def give(self, task: int) -> None:
        """A task gets a slot, which is in flight from now on."""
        self._given[task] += 1
        self._in_flight.add(task)

    def take_back(self, task: int, seconds: float | None = None, *, finished: bool = False) -> None:
        """Its slot is over after `seconds` (None: without a result); is the task finished?"""
        self._in_flight.discard(task)
        if seconds is not None and task in self._seconds:
            self._seconds[task].append(seconds)
        if finished:
            self._finished.add(task)

    def views(self) -> list[TaskView]:
        """All tasks as a policy sees them now."""
        return [self._view(task) for task in self._tasks]

    def _view(self, task: Task) -> TaskView:
        index, seconds = task.index, self._seconds[task.index]
        latencies, untuned_s = self._latencies_of(index), self._untuned_of(index)
        return TaskView(
            index=index,
            weight=self._weights.get(index, task.weight),
            flops=task.flops,
            op_class=task.op_class,
            latencies=latencies,
            untuned_s=untuned_s,
            slots=self._given[index],
            in_flight=index in self._in_flight,
            finished=index in self._finished,
            peak_flops=self.peak_flops,
            slot_s=sum(seconds) / len(seconds) if seconds else None,
            slot_trials=self._batch,
            at_floor=self._is_at_floor(latencies, untuned_s),
        )

    def _is_at_floor(self, latencies: Sequence[float], untuned_s: float | None) -> bool:
        """Whether a search, or no search at all, has come to what a launch takes."""
        if self._floor_s is None:
            return False
        known = [*latencies, *([] if untuned_s is None else [untuned_s])]
        return min(known, default=math.inf) <= _AT_FLOOR * self._floor_s


def slots_so_far(
    slots: Iterable[SlotInfo], trials: Iterable[Trial]
) -> list[tuple[int, float | None]]:
    """Stored slots as `Board` wants them: each lasted from its start to its last result.

    Slots of passes are left out: what they gave says nothing of what a search gives.
    """
    ends: dict[int, float] = {}
    passes: set[int] = set()
    for trial in trials:
        ends[trial.slot] = max(trial.elapsed_s, ends.get(trial.slot, 0.0))
        if not trial.source.is_search:
            passes.add(trial.slot)
    return [
        (slot.task, max(0.0, ends[slot.number] - slot.elapsed_s) if slot.number in ends else None)
        for slot in slots
        if slot.number not in passes
    ]
