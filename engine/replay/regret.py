"""What a policy's slots brought less than the best ones would have, on a recording."""

from __future__ import annotations

import math

import numpy as np

from engine.allocation.recording import Floats, RecordedTask, Recording
from engine.replay.replay import ReplayResult


def best_final(recording: Recording) -> float:
    """The model's latency in seconds once all of the recording was shown.

    Every policy that leaves no task ends there, so it is the best final latency of all.
    """
    return math.fsum(
        task.weight * float(task.latency_s.min(initial=task.untuned_s)) for task in recording.tasks
    )


def regret_share(recording: Recording, result: ReplayResult) -> float:
    """The last value of `regret_curve` over the reduction that was possible, without unit."""
    possible = result.start_s - best_final(recording)
    curve = regret_curve(recording, result)
    return float(curve[-1]) / possible if len(curve) and possible > 0 else 0.0


def regret_curve(recording: Recording, result: ReplayResult) -> Floats:
    """R after each slot, in seconds of model latency (the paper's cumulative regret).

    R(T) = sum over slots of (the largest reduction that a slot could have brought then, seen in
    hindsight - what this slot brought). Tasks in flight could not be chosen; a slot's trials are
    those that it gave.
    """
    bests = [_best_after(task) for task in recording.tasks]
    size = recording.batch if not result.slots else max(slot.trials for slot in result.slots)
    done = [0] * len(bests)
    running: list[tuple[float, int, int]] = []
    losses = []

    def reduction(task: int, trials: int) -> float:
        best, start = bests[task], done[task]
        end = min(start + trials, len(best) - 1)
        return recording.tasks[task].weight * float(best[start] - best[end])

    for slot in result.slots:
        for over in [entry for entry in running if entry[0] <= slot.start_s]:
            running.remove(over)
            done[over[1]] += over[2]
        busy = {task for _, task, _ in running}
        open_tasks = [task for task in range(len(bests)) if task not in busy]
        chosen = reduction(slot.task, slot.trials)
        losses.append(max([chosen, *(reduction(task, size) for task in open_tasks)]) - chosen)
        running.append((slot.end_s, slot.task, slot.trials))
    return np.cumsum(np.array(losses, np.float64))


def _best_after(task: RecordedTask) -> Floats:
    """The best latency after 0, 1, 2, ... trials, where none is worse than the untuned one."""
    best: Floats = np.minimum.accumulate(np.concatenate([[task.untuned_s], task.latency_s]))
    return best
