"""A recording as far as it was played."""

from __future__ import annotations

import math

from engine.allocation.board import Board
from engine.allocation.recording import RecordedTask, Recording
from engine.records.task import Task

USED_UP = "its recording is used up"


class Tape:
    """Shows each task's recorded trials in their order. `model_s` is the model's latency so far.

    As on the scoreboard, a task counts with its best latency, and its untuned one counts as one
    of its trials.
    """

    def __init__(self, recording: Recording, batch: int | None = None) -> None:
        """`batch`: trials of a slot, as many as were recorded where it is None."""
        self.batch = batch or recording.batch
        self.recording = recording
        self.tasks = tuple(_task(index, item) for index, item in enumerate(recording.tasks))
        self._columns = [[float(value) for value in item.latency_s] for item in recording.tasks]
        self._shown: list[list[float]] = [[] for _ in recording.tasks]
        self._best = [item.untuned_s for item in recording.tasks]
        self._costs = [item.weight * item.untuned_s for item in recording.tasks]
        self.board = Board(
            self.tasks,
            self._shown.__getitem__,
            lambda task: recording.tasks[task].untuned_s,
            batch=self.batch,
            peak_flops=recording.peak_flops or None,
        )
        for task in self.tasks:
            if not self._columns[task.index]:
                self.board.take_back(task.index, finished=True)

    @property
    def model_s(self) -> float:
        """The sum of weight times latency over the tasks, in seconds."""
        return math.fsum(self._costs)

    def row(self, task: int) -> int:
        """The row that `show` shows next."""
        return len(self._shown[task])

    def left(self, task: int) -> int:
        """Trials of a task that were not shown yet."""
        return len(self._columns[task]) - len(self._shown[task])

    def show(self, task: int) -> float:
        """Show a task's next trial: its latency in seconds, infinite after an error."""
        shown = self._shown[task]
        latency_s = self._columns[task][len(shown)]
        shown.append(latency_s)
        if latency_s < self._best[task]:
            self._best[task] = latency_s
            self._costs[task] = self.tasks[task].weight * latency_s
        return latency_s


def _task(index: int, item: RecordedTask) -> Task:
    return Task(
        index=index,
        name=item.name,
        weight=item.weight,
        flops=item.flops,
        op_class=item.op_class,
        args=(),
        fingerprint="",
        untuned_latency_s=item.untuned_s,
    )
