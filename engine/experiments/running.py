"""Carries an experiment out through a queue of its own, and goes on where it ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

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
) -> Ran:
    """Run the cells that are not done; a cell that fails leaves the others alone.

    `drive` begins a queue on a file. UsageError where the experiment is being run already.
    """
    place.make()
    cells = tuple(experiment.cells())
    todo = [each for each in (outcome_of(cell, place) for cell in cells) if not each.done]
    stopped = False
    if todo:
        _fill(place, todo)
        with drive(place.queue) as follow:
            follow.result(follow.engine.queue.set_limit(experiment.jobs))
            follow.result(follow.engine.queue.run())
            follow.finish_run()
            stopped = follow.stop_asked
    return Ran(outcomes(cells, place), stopped)


def outcomes(cells: tuple[Cell, ...], place: Place) -> tuple[Outcome, ...]:
    """How all cells are, with what their jobs failed with."""
    jobs: dict[str, QueuedJob] = {}
    if place.queue.exists():
        with QueueStore.open(place.queue) as store:
            jobs = {job.title: job for job in store.jobs()}
    return tuple(_with_job(outcome_of(cell, place), jobs.get(cell.name)) for cell in cells)


def _fill(place: Place, todo: list[Outcome]) -> None:
    """Make the queue's file anew: what is done is known by its project alone."""
    with QueueStore.open(place.queue) as store:
        if store.is_run:
            raise UsageError(
                "This experiment is being run already.", "Wait for it, or stop it there."
            )
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
