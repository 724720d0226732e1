"""What a list of projects says of each, read from the file alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.records.options import Real, Seconds
from engine.storage.fields import Malformed, read


@dataclass(frozen=True, slots=True)
class Glance:
    """A project in a line: latencies end to end in seconds, `now_s` as its `Figure` has it; `at` is
    when it was last tuned or made, in seconds since the epoch. `disturbed` is either latency.
    `speedup` is the figure's: None where nothing is tuned, or no faster than the spread tells."""

    model: str
    target: str
    untuned_s: Seconds | None
    now_s: Seconds | None
    trials: int
    at: Seconds
    tuned: bool
    measured: bool
    disturbed: bool
    speedup: Real | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(data: Any) -> Glance | None:
        """What `as_dict` gave; None where it is something else."""
        try:
            return read(data, Glance)
        except Malformed:
            return None


def glance(path: Path) -> Glance:
    """Look at a project, also at one that another process writes. ProjectError, StorageError."""
    from engine.history.figure import figure_of
    from engine.project.repository import Project

    with Project.open(path, read_only=True) as project:
        snapshot, target = project.snapshot(), project.target_title
    figure = figure_of(snapshot)
    ends = [run.ended_at or run.started_at for run in snapshot.runs]
    return Glance(
        model=snapshot.model_name,
        target=target,
        untuned_s=snapshot.untuned_latency_s,
        now_s=figure.latency_s,
        trials=len(snapshot.trials),
        at=float(max(ends, default=path.stat().st_mtime)),
        tuned=figure.tuned,
        measured=figure.measured,
        disturbed=figure.disturbed or bool(figure.untuned and figure.untuned.disturbed),
        speedup=figure.speedup,
    )
