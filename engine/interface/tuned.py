"""What came of a tuning: its figures, and what can be made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from engine.deploy.packing.wheel import WheelName
from engine.history.figure import figure_of
from engine.interface import work
from engine.interface.following import Hear, following
from engine.jobs.opening.places import report_path
from engine.records.schedule import FoundSchedule
from engine.records.snapshot import Figure, RunInfo, Snapshot


@dataclass(frozen=True, slots=True)
class Tuned:
    """A project after a run; latencies are of the whole model, in seconds, None where unknown.

    `project` is the file, `snapshot` all that was in it at the end, `stopped` whether a person
    ended the run, `schedule` that of stages where one was looked for.
    """

    project: Path
    snapshot: Snapshot = field(repr=False)
    wall_s: float
    stopped: bool = False
    schedule: FoundSchedule | None = field(default=None, repr=False)

    @property
    def state(self) -> str:
        """How the last run ended: finished, stopped, failed; "new" where there was none."""
        return "new" if self._run is None else self._run.state.value

    @property
    def reason(self) -> str:
        """Why it ended."""
        return "" if self._run is None else self._run.reason

    @property
    def trials(self) -> int:
        """All trials of the project."""
        return len(self.snapshot.trials)

    @property
    def untuned_latency_s(self) -> float | None:
        """Before any tuning."""
        return self.snapshot.untuned_latency_s

    @property
    def tuned_latency_s(self) -> float | None:
        """Measured as a whole, else estimated: `figure` says which, and whether to trust it."""
        return self.figure.latency_s

    @property
    def figure(self) -> Figure:
        """How fast the model is now, and how that is known."""
        return figure_of(self.snapshot)

    @property
    def reference_latency_s(self) -> float | None:
        """That of ONNX Runtime, or of what else runs the file."""
        return self.snapshot.reference_latency_s

    def export(
        self,
        folder: str | PathLike[str],
        progress: Hear | None = None,
        wheel: tuple[str, str] | None = None,
        pads: Mapping[str, float] | None = None,
    ) -> dict[str, Any]:
        """Write the module with the best schedules: compiled, checked, measured; its manifest.
        With the name and version of a `wheel` that, too, beside the folder. Of a project of several
        shapes `pads` says what inputs may be padded with to a larger one. Blocks."""
        called = None if wheel is None else WheelName(*wheel)
        with following(progress) as follow:
            _, manifest = work.export(follow, self.project, Path(folder), called, pads)
        return manifest

    def report(self, path: str | PathLike[str] | None = None) -> Path:
        """Write the project as one HTML page, beside the project by default; where it is."""
        from engine.report.page import write_report
        from engine.report.subject import subject_of

        place = report_path(self.project) if path is None else Path(path)
        write_report(subject_of(self.project), place)
        return place

    @property
    def _run(self) -> RunInfo | None:
        return self.snapshot.runs[-1] if self.snapshot.runs else None
