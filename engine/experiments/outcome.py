"""What came of a cell, as its project has it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.matrix import Cell
from engine.experiments.place import Place
from engine.history.figure import figure_of
from engine.history.history import History
from engine.project.repository import Project
from engine.records.errors import TunewrightError
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot

WAITS = "waiting"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A cell's figures; latencies are of the whole model, in seconds, None where unknown.

    `state` is its run's, "waiting" where there is none. `measured` tells a tuned latency that was
    measured as a whole from the sum of the tasks. `elapsed_s` is tuning time, `run` the project's
    run, 0 for none. `began_at` and `ended_at` are when that began and ended, in seconds since the
    epoch.
    """

    cell: Cell
    project: str
    state: str = WAITS
    message: str = ""
    untuned_s: float | None = None
    tuned_s: float | None = None
    reference_s: float | None = None
    measured: bool = False
    trials: int = 0
    failed_trials: int = 0
    elapsed_s: float = 0.0
    run: int = 0
    began_at: float | None = None
    ended_at: float | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more is to be done for it."""
        return self.state == RunState.FINISHED

    @property
    def gain(self) -> float | None:
        """How many times faster than untuned."""
        return self.untuned_s / self.tuned_s if self.untuned_s and self.tuned_s else None


def outcome_of(cell: Cell, place: Place) -> Outcome:
    """How a cell is. A project that cannot be read has failed."""
    path = place.project(cell)
    if not path.exists() or not path.stat().st_size:
        return Outcome(cell, str(path))
    try:
        with Project.open(path, read_only=True) as project:
            return _read(cell, project.snapshot())
    except TunewrightError as error:
        return Outcome(cell, str(path), str(RunState.FAILED), str(error))


def _read(cell: Cell, snapshot: Snapshot) -> Outcome:
    history = History(snapshot)
    run = snapshot.runs[-1] if snapshot.runs else None
    figure = figure_of(snapshot, history)
    return Outcome(
        cell,
        snapshot.path,
        WAITS if run is None else str(run.state),
        "" if run is None else run.reason,
        snapshot.untuned_latency_s,
        figure.latency_s,
        snapshot.reference_latency_s,
        figure.measured,
        len(snapshot.trials),
        sum(history.errors(task.index) for task in history.tasks),
        snapshot.elapsed_s,
        0 if run is None else run.id,
        None if run is None else run.started_at,
        None if run is None else run.ended_at,
    )
