"""What the trials add up to: best latencies, their curves, shares, errors. Fed by events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.history.trial_log import TrialLog
from engine.records.events import (
    Event,
    ProjectOpened,
    RunChanged,
    TaskChanged,
    TrialConfirmed,
    TrialDone,
)
from engine.records.sentences import Sentence
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from engine.records.task import Task, TaskState, own_tasks
from engine.records.trial import ErrorKind, Trial

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

_BUSY = (TaskState.SEARCHING, TaskState.BUILDING, TaskState.MEASURING)


@dataclass(frozen=True, slots=True)
class Curve:
    """A latency that holds from each point to the next.

    `trials` are project-wide trial numbers, `elapsed_s` tuning time, `latency_s` the value from
    there on; all of one length.
    """

    trials: Ints
    elapsed_s: Floats
    latency_s: Floats


class History:
    """The figures of one project, kept up to date by `apply`.

    A confirmation overrides: once finalists of a task were measured again, only they and trials
    of later runs decide its best latency. Tasks of merged operators have figures of their own, and
    are no part of the model's. Weights of a set of shapes are sums over its `inferences`, the
    model's latency is their mean. Not safe to share between threads.
    """

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.reset(snapshot)

    def reset(self, snapshot: Snapshot | None) -> None:
        """Forget everything; start from this project, or from none."""
        self.tasks: tuple[Task, ...] = snapshot.tasks if snapshot else ()
        self._own = own_tasks(self.tasks)
        self.trial_count = 0
        self.last_trial = 0
        self.last_elapsed_s = 0.0
        self._logs = {task.index: TrialLog() for task in self.tasks}
        self._tasks = {task.index: task for task in self.tasks}
        self._operators: dict[int, int] = {}
        self._curves: dict[int, Curve] = {}
        self._curve: Curve | None = None
        self._shares: dict[int, float] | None = None
        self._unused = snapshot.unused if snapshot else frozenset()
        self.inferences = snapshot.inferences if snapshot else 1
        self._reasons: dict[int, str] = {}
        if snapshot is None:
            self._states: dict[int, TaskState] = {}
            return
        for operator in snapshot.operators:
            if operator.task is not None:
                self._operators[operator.task] = self._operators.get(operator.task, 0) + 1
        for trial in snapshot.trials:
            self._add(trial)
        self.last_elapsed_s = max(self.last_elapsed_s, snapshot.elapsed_s)
        finished = bool(snapshot.runs) and snapshot.runs[-1].state is RunState.FINISHED
        self._states = {index: log.state_at_rest(finished) for index, log in self._logs.items()}
        if snapshot.runs:
            known = {
                task: why for task, why in snapshot.runs[-1].failed.items() if task in self._logs
            }
            self._states.update(dict.fromkeys(known, TaskState.FAILED))
            self._reasons.update(known)

    def apply(self, events: Iterable[Event]) -> frozenset[int]:
        """Take in events; the tasks whose figures or state changed."""
        changed: set[int] = set()
        for event in events:
            changed |= self._take(event)
        return frozenset(changed)

    def _take(self, event: Event) -> set[int]:
        match event:
            case ProjectOpened(snapshot=snapshot):
                self.reset(snapshot)
                return set(self._tasks)
            case TrialDone(trial=trial) | TrialConfirmed(trial=trial) if trial.task in self._logs:
                self._add(trial)
                return {trial.task}
            case TaskChanged(task=task, state=state, reason=reason):
                changed = self._states.get(task, state) is not state
                self._states[task] = state
                self._reasons[task] = reason
                return {task} if changed else set()
            case RunChanged(state=state) if not state.active:
                return self._rest(state is RunState.FINISHED)
        return set()

    def _rest(self, finished: bool) -> set[int]:
        """No run goes on any more; the tasks whose state is another one now."""
        before = dict(self._states)
        for task, now in before.items():
            if now in _BUSY or now is TaskState.WAITING:
                at_rest = self._logs[task].state_at_rest(finished)
                self._states[task] = (
                    at_rest if at_rest is not TaskState.FAILED else TaskState.WAITING
                )
        return {task for task, now in before.items() if now is not self._states[task]}

    def _add(self, trial: Trial) -> None:
        log = self._logs.get(trial.task)
        if log is None:
            return
        self.trial_count += log.add(trial, trial.run not in self._unused)
        self.last_trial = max(self.last_trial, trial.number)
        self.last_elapsed_s = max(self.last_elapsed_s, trial.elapsed_s)
        self._curves.pop(trial.task, None)
        self._curve = self._shares = None

    # One task

    def state(self, task: int) -> TaskState:
        """What a task is doing."""
        return self._states.get(task, TaskState.WAITING)

    def why_failed(self, task: int) -> str:
        """Why a task has failed, empty where it has not."""
        if self.state(task) is not TaskState.FAILED:
            return ""
        return self._reasons.get(task) or self.all_failed(task)

    def why(self, task: int) -> str:
        """Why a task is finished or has failed, where that is known."""
        if self.state(task) is TaskState.FINISHED:
            return self._reasons.get(task, "")
        return self.why_failed(task)

    def all_failed(self, task: int) -> Sentence:
        """That every trial of a task failed, and how."""
        count, kind = self.trials(task), self.commonest_error(task)
        if count == 1:
            return Sentence("its only candidate failed with a {kind}", kind=kind)
        return Sentence(
            "all {count} candidates failed, mostly with a {kind}", count=count, kind=kind
        )

    def name(self, task: int) -> str:
        return self._tasks[task].name

    def log(self, task: int) -> TrialLog:
        """All the trials of a task, as columns."""
        return self._logs[task]

    def trials(self, task: int) -> int:
        """How many trials a task has had, failed ones included."""
        return len(self._logs[task])

    def errors(self, task: int) -> int:
        """How many of a task's trials failed."""
        return self._logs[task].errors.total()

    def commonest_error(self, task: int) -> ErrorKind | None:
        """The kind most of a task's failed trials had."""
        kinds = self._logs[task].errors
        return max(kinds, key=kinds.__getitem__) if kinds.total() else None

    def best(self, task: int) -> float | None:
        """A task's best measured latency in seconds, None before its first valid trial."""
        return self._logs[task].best_s

    def best_trial(self, task: int) -> int | None:
        """The number of the trial that `best` comes from."""
        return self._logs[task].best_number

    def untuned(self, task: int) -> float | None:
        """A task's latency before tuning, in seconds."""
        return self._tasks[task].untuned_latency_s

    def now(self, task: int) -> float | None:
        """A task's latency in seconds as it stands: the better of the best and the untuned one."""
        known = [
            latency_s
            for latency_s in (self._logs[task].best_s, self._tasks[task].untuned_latency_s)
            if latency_s is not None
        ]
        return min(known, default=None)

    def record(self, task: int) -> int | None:
        """The number of the trial to compile with; None where untuned is as fast as any."""
        best, untuned = self._logs[task].best_s, self._tasks[task].untuned_latency_s
        slower = best is not None and untuned is not None and best >= untuned
        return None if slower else self._logs[task].best_number

    def stays_untuned(self, task: int) -> bool:
        """Whether a task was tuned, and its untuned kernel is as fast as the best schedule."""
        return self.best(task) is not None and self.record(task) is None

    def speedup(self, task: int) -> float | None:
        """Untuned latency over the latency now."""
        untuned, now = self.untuned(task), self.now(task)
        return untuned / now if untuned is not None and now else None

    def flops_per_s(self, task: int) -> float | None:
        """The speed at which a task runs now, in FLOP/s; None where it is unknown or no work."""
        now, flops = self.now(task), self._tasks[task].flops
        return flops / now if now and flops else None

    def curve(self, task: int) -> Curve:
        """A task's best latency so far, as change points; confirmations may raise it again."""
        if task not in self._curves:
            points = self._logs[task].points()
            columns = zip(*points, strict=True) if points else ((), (), ())
            self._curves[task] = _as_curve(*columns)
        return self._curves[task]

    def best_so_far(self, task: int) -> Curve:
        """The curve as it is shown, which never rises: a schedule slower than the untuned kernel is
        no better one, and where a later measurement of the best was slower, what was measured
        before was luck."""
        curve, untuned_s = self.curve(task), self.untuned(task)
        capped = curve.latency_s if untuned_s is None else np.minimum(curve.latency_s, untuned_s)
        return Curve(curve.trials, curve.elapsed_s, np.maximum.accumulate(capped[::-1])[::-1])

    # The model

    def steps(self) -> tuple[int, ...]:
        """How often each task became faster: differs once one did."""
        return tuple(len(self.curve(task.index).trials) for task in self.tasks)

    def share(self, task: int) -> float | None:
        """A task's part of the model's latency, all its occurrences together, in [0, 1]."""
        return self.shares().get(task)

    def operator_share(self, task: int) -> float | None:
        """The part of the model's latency that one operator with this task has."""
        share = self.share(task)
        return None if share is None else share / self.occurrences(task)

    def occurrences(self, task: int) -> int:
        """How many operators of the graph are this task (its weight where there is no graph)."""
        return self._operators.get(task, 0) or max(1, self._tasks[task].weight)

    def shares(self) -> dict[int, float]:
        """The share of each task whose latency is known, of the sum of those."""
        if self._shares is None:
            costs = {task.index: self._cost(task) for task in self._own}
            known = {index: cost for index, cost in costs.items() if cost is not None}
            total = sum(known.values())
            self._shares = {index: cost / total for index, cost in known.items()} if total else {}
        return self._shares

    def share_tuned(self) -> float:
        """The part of the model's latency that is in tasks with a `record`, in [0, 1]."""
        tuned = {index for index in self._logs if self.record(index) is not None}
        return sum(share for index, share in self.shares().items() if index in tuned)

    def untuned_s(self) -> float | None:
        """The sum of weight times untuned latency, of a set of shapes the mean of its inferences;
        None while one of them is unknown."""
        parts = [
            None if task.untuned_latency_s is None else task.weight * task.untuned_latency_s
            for task in self._own
        ]
        return self._mean(parts)

    def now_s(self) -> float | None:
        """The same with the latencies of now."""
        return self._mean([self._cost(task) for task in self._own])

    def sum_s(self, occurrences: Mapping[int, int]) -> float | None:
        """What that many calls of each task, by its index, take now."""
        calls = [(self.now(task), count) for task, count in occurrences.items() if count]
        known = [count * now_s for now_s, count in calls if now_s is not None]
        return sum(known) if known and len(known) == len(calls) else None

    def _mean(self, parts: Sequence[float | None]) -> float | None:
        known = [part for part in parts if part is not None]
        return sum(known) / self.inferences if known and len(known) == len(parts) else None

    def model_curve(self) -> Curve:
        """The model's latency (sum of weight times best) over time.

        It starts at trial 0 with the untuned latencies, or where the last unknown task got its
        first result, and is empty while one is unknown.
        """
        if self._curve is None:
            self._curve = self._sum_curves() if self.tasks else _as_curve((), (), ())
        return self._curve

    def _cost(self, task: Task) -> float | None:
        now = self.now(task.index)
        return None if now is None else task.weight * now

    def _sum_curves(self) -> Curve:
        """Add the tasks' curves: order all their steps by trial and sum what each changes."""
        curves = [self.curve(task.index) for task in self._own]
        starts = [task.untuned_latency_s for task in self._own]
        unknown = [curve for curve, start in zip(curves, starts, strict=True) if start is None]
        if any(not len(curve.trials) for curve in unknown):
            return _as_curve((), (), ())
        known_from = max((int(curve.trials[0]) for curve in unknown), default=0)
        weights = np.array([task.weight for task in self._own], np.float64) / self.inferences
        bases = np.array([start or 0.0 for start in starts])
        trials = np.concatenate([[0], *(curve.trials for curve in curves)])
        elapsed_s = np.concatenate([[0.0], *(curve.elapsed_s for curve in curves)])
        change = np.concatenate([[weights @ bases], self._weighted_steps(curves, weights, bases)])
        order = np.argsort(trials, kind="stable")
        trials, latency_s = trials[order], np.cumsum(change[order])
        last_of_trial = np.append(np.diff(trials) > 0, True) & (trials >= known_from)
        kept = np.flatnonzero(last_of_trial)
        return _as_curve(trials[kept], elapsed_s[order][kept], latency_s[kept])

    def _weighted_steps(self, curves: Sequence[Curve], weights: Floats, bases: Floats) -> Floats:
        """By how much each point of each curve changes the model, in one array."""
        lengths = np.array([len(curve.trials) for curve in curves])
        untuned = np.where(bases > 0, bases, np.inf)  # a task is never slower than that
        latency_s = np.concatenate([curve.latency_s for curve in curves])
        latency_s = np.minimum(latency_s, np.repeat(untuned, lengths))
        before = np.concatenate([[0.0], latency_s[:-1]])[: len(latency_s)]
        firsts = np.concatenate([[0], np.cumsum(lengths)[:-1]])[lengths > 0]
        before[firsts] = bases[lengths > 0]
        steps: Floats = np.repeat(weights, lengths) * (latency_s - before)
        return steps


def _as_curve(
    trials: Sequence[int] | Ints,
    elapsed_s: Sequence[float] | Floats,
    latency_s: Sequence[float] | Floats,
) -> Curve:
    return Curve(
        np.asarray(trials, np.int64),
        np.asarray(elapsed_s, np.float64),
        np.asarray(latency_s, np.float64),
    )
