"""Carries an experiment out through a queue of its own, and goes on where it ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, TypeVar

from engine.experiments.matrix import Cell, Experiment
from engine.experiments.outcome import Outcome, outcome_of
from engine.experiments.place import Place
from engine.interface.following import Driven, Following
from engine.queueing.adding import make_job
from engine.queueing.store import QueueStore
from engine.records.errors import UsageError
from engine.records.job import JobState, QueuedJob
from engine.records.settings import RunState


class Runs(Protocol):
    """The queue that an experiment needs: one that can be followed, and begun."""

    def set_limit(self, jobs: int) -> Future[None]:
        """How many jobs run at once."""

    def set_policy(self, name: str, options: dict[str, Any] | None = None) -> Future[None]:
        """Which of their stages starts."""

    def run(self) -> Future[None]:
        """Run all that waits."""


class Queue(Driven, Protocol):
    """A `JobQueue`, as `Following` drives it."""

    @property
    def queue(self) -> Runs:
        """The queue itself."""


Q = TypeVar("Q", bound=Queue)


@dataclass(frozen=True, slots=True)
class Ran:
    """All outcomes, in the order of the cells; whether a person ended it before its end."""

    outcomes: tuple[Outcome, ...]
    stopped: bool = False


def carry_out(
    experiment: Experiment,
    place: Place,
    drive: Callable[[Path], AbstractContextManager[Following[Q]]],
    cores: int | None = None,
) -> Ran:
    """Run the cells that are not done, a round after another; a cell that fails leaves the others
    alone. Of an experiment that varies the cores, only the cells that want as many as `cores`.

    `drive` begins a queue on a file. UsageError where the experiment is being run already.
    """
    place.make()
    cells = tuple(experiment.cells())
    ours = [cell for cell in cells if cell.conditions.cores == cores]
    for queue in sorted({place.queue_of(cell) for cell in cells}):
        _require_idle(queue)
    for _, members in groupby(ours, key=place.queue_of):
        todo = [each for each in (outcome_of(cell, place) for cell in members) if not each.done]
        if todo and _run(experiment, place.queue_of(todo[0].cell), todo, drive):
            return Ran(outcomes(cells, place), True)
    return Ran(outcomes(cells, place))


def _run(
    experiment: Experiment,
    queue: Path,
    todo: list[Outcome],
    drive: Callable[[Path], AbstractContextManager[Following[Q]]],
) -> bool:
    """Run the cells of a round; whether a person ended it before its end."""
    conditions = todo[0].cell.conditions
    _fill(queue, todo)
    with drive(queue) as follow:
        runs, chosen = follow.engine.queue, conditions.scheduling
        if chosen is not None:
            follow.result(runs.set_policy(chosen.policy, chosen.options))
        follow.result(runs.set_limit(conditions.concurrency or experiment.jobs))
        follow.result(runs.run())
        follow.finish_run()
        return follow.stop_asked


def outcomes(cells: tuple[Cell, ...], place: Place) -> tuple[Outcome, ...]:
    """How all cells are, with what their jobs failed with."""
    jobs: dict[str, QueuedJob] = {}
    for queue in sorted({place.queue_of(cell) for cell in cells}):
        if queue.exists():
            with QueueStore.open(queue) as store:
                jobs |= {job.title: job for job in store.jobs()}
    return tuple(_with_job(outcome_of(cell, place), jobs.get(cell.name)) for cell in cells)


def _require_idle(queue: Path) -> None:
    if not queue.exists():
        return
    with QueueStore.open(queue) as store:
        if store.is_run:
            raise UsageError(
                "This experiment is being run already.", "Wait for it, or stop it there."
            )


def _fill(queue: Path, todo: list[Outcome]) -> None:
    """Make the queue's file anew: what is done is known by its project alone."""
    with QueueStore.open(queue) as store:
        for job in store.jobs():
            store.remove(job.id)
        for outcome in todo:
            store.add(_job(outcome))


def _job(outcome: Outcome) -> QueuedJob:
    """The job that begins a cell, or goes on with its run."""
    cell, path = outcome.cell, Path(outcome.project)
    source = None if path.exists() and path.stat().st_size else cell.model.source
    made = make_job(source, path, cell.target, cell.settings, cell.name)
    return replace(made, run=outcome.run)


def _with_job(outcome: Outcome, job: QueuedJob | None) -> Outcome:
    """The outcome with what only the queue knows: why a cell has no run, or that it failed."""
    if outcome.done or job is None or job.state is not JobState.FAILED:
        return outcome
    return replace(outcome, state=str(RunState.FAILED), message=job.message or outcome.message)
