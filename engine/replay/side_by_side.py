"""Runs and replays side by side: the model's latency over time, and who was there first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.recording import Recording
from engine.records.snapshot import SlotInfo
from engine.records.task import Task
from engine.records.trial import Trial, typical_latency
from engine.replay.regret import regret_share
from engine.replay.replay import ReplayResult

Floats: TypeAlias = NDArray[np.float64]

WITHIN = (0.05, 0.01)


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """One run or replay.

    `latency_s` (n,) is the model's latency from `seconds` (n,) on, which begin with 0 and the
    latency before tuning. `end_s` is when it ended. `regret` is that of a replay: what its slots
    brought less than the best slots would have, over what was possible.
    """

    key: str
    name: str
    replayed: bool
    seconds: Floats
    latency_s: Floats
    end_s: float
    regret: float | None = None
    informed: bool = False

    @property
    def final_s(self) -> float:
        """The latency at the end, in seconds."""
        return float(self.latency_s[-1])

    def seconds_to(self, latency_s: float) -> float:
        """Seconds until the model was that fast; infinite where it never was."""
        reached = np.flatnonzero(self.latency_s <= latency_s)
        return float(self.seconds[reached[0]]) if len(reached) else math.inf


@dataclass(frozen=True, slots=True)
class Judgement:
    """One contender at the threshold: seconds to reach it, and saved against the slowest there.

    `saved_s` is None for one that never reached it, and where no other did.
    """

    contender: Contender
    reached_s: float
    saved_s: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """All of them at `threshold_s`, a latency; None where there is nobody."""

    threshold_s: float | None
    rows: tuple[Judgement, ...]

    @property
    def fastest(self) -> Judgement | None:
        return min(self._there(), key=lambda row: row.reached_s, default=None)

    @property
    def slowest(self) -> Judgement | None:
        return max(self._there(), key=lambda row: row.reached_s, default=None)

    def _there(self) -> list[Judgement]:
        return [row for row in self.rows if math.isfinite(row.reached_s)]


def judge(contenders: Sequence[Contender], within: float) -> Verdict:
    """Who was when within this part (0.05: 5 %) of the best latency that any of them has."""
    if not contenders:
        return Verdict(None, ())
    threshold_s = (1.0 + within) * min(float(c.latency_s.min()) for c in contenders)
    times = [contender.seconds_to(threshold_s) for contender in contenders]
    finite = [time for time in times if math.isfinite(time)]
    rows = tuple(
        Judgement(
            contender,
            time,
            max(finite) - time if math.isfinite(time) and len(finite) > 1 else None,
        )
        for contender, time in zip(contenders, times, strict=True)
    )
    return Verdict(threshold_s, rows)


def run_contender(
    tasks: Sequence[Task], run: int, trials: Sequence[Trial], slots: Sequence[SlotInfo], name: str
) -> Contender | None:
    """A run by its own search and first measurements alone; None where they tell nothing.

    Its clock starts with its first slot, its latency with the untuned model: what other runs of
    the project found does not count.
    """
    own = [trial for trial in trials if trial.run == run and trial.source.is_search]
    if not own:
        return None
    start_s = min([*(slot.elapsed_s for slot in slots if slot.run == run), own[0].elapsed_s])
    rows = list(_falls(tasks, own, start_s))
    if not rows:
        return None
    seconds, latency_s = np.array(rows, np.float64).T
    end_s = max(trial.elapsed_s for trial in own) - start_s
    informed = any(trial.run < run for trial in trials)
    return Contender(f"run {run}", name, False, seconds, latency_s, end_s, informed=informed)


def _falls(
    tasks: Sequence[Task], trials: Sequence[Trial], start_s: float
) -> Iterator[tuple[float, float]]:
    """Seconds and the model's latency wherever it falls, from when all tasks have one."""
    weights = {task.index: task.weight for task in tasks}
    best = {task.index: task.untuned_latency_s or math.inf for task in tasks}
    unknown = sum(math.isinf(latency_s) for latency_s in best.values())
    if not unknown:
        yield 0.0, math.fsum(weights[task] * best[task] for task in best)
    for trial in trials:
        latency_s = math.inf if trial.error else typical_latency(trial.samples)
        if not latency_s < best.get(trial.task, 0.0):
            continue
        unknown -= math.isinf(best[trial.task])
        best[trial.task] = latency_s
        if not unknown:
            total_s = math.fsum(weights[task] * best[task] for task in best)
            yield max(0.0, trial.elapsed_s - start_s), total_s


def replay_contender(recording: Recording, result: ReplayResult, name: str) -> Contender:
    """A replay of a recording."""
    latency_s = np.concatenate([[result.start_s], result.latency_s])
    seconds = np.concatenate([[0.0], result.seconds])
    kept = np.append(True, np.diff(latency_s) != 0)
    return Contender(
        key=f"replay {result.policy}",
        name=name,
        replayed=True,
        seconds=seconds[kept],
        latency_s=latency_s[kept],
        end_s=result.duration_s,
        regret=regret_share(recording, result),
    )
