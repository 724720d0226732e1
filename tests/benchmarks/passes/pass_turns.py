"""Projects of one model compared: the record of each task, measured in turns.

Latencies that runs found at different times differ by the machine's drift, and the least of many
measurements is a lucky one; what decided a record is not what it is compared by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self

from engine.history.history import History
from engine.jobs.records import Records
from engine.measure.build_pool import BuildPool
from engine.measure.local_runner import LocalRunner
from engine.measure.runner import BuildRequest, BuildResult, RunRequest
from engine.measure.significance import compare, holm
from engine.project.repository import Project
from engine.records.task import Task, TensorSpec
from engine.records.trial import Protocol, typical_latency
from engine.search.task_search import scheduled_module
from engine.targets.targets import TargetSpec, to_tvm
from engine.workers.artifacts import ArtifactFolder
from tests.benchmarks.passes.pass_runs import Result, Workshop

_BUILD_S = 60.0
_ALPHA = 0.05

Samples = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One task: its latency on each side, in seconds, and the samples that say so.

    A side without a record, where untuned is as fast, has no samples and its untuned latency.
    Where all sides have one record it is not measured again, and counts the same on all.
    """

    task: Task
    latency_s: tuple[float, ...]
    samples: tuple[Samples, ...]

    def gain(self, first: int, second: int) -> float:
        """The first side's latency over the second's."""
        return self.latency_s[first] / self.latency_s[second]


class Turns:
    """Builds schedules and measures them in turns."""

    def __init__(self, spec: TargetSpec, protocol: Protocol) -> None:
        self._spec = spec
        self._protocol = protocol
        self._left = ExitStack()

    def __enter__(self) -> Self:
        import tvm

        spec = self._spec
        workers = max(1, spec.cores - 2) if spec.is_gpu else spec.cores
        self._builder = BuildPool(workers, timeout_s=_BUILD_S)
        self._left.callback(self._builder.close)
        self._runner = LocalRunner(spec.device)
        self._left.callback(self._runner.close)
        self._artifacts = ArtifactFolder()
        self._left.callback(self._artifacts.close)
        self._target = tvm.ir.save_json(to_tvm(spec))
        self._builder.wait_ready()
        self._runner.wait_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.close()

    def measure(self, jobs: Sequence[tuple[Task, Sequence[str]]]) -> list[list[Samples]]:
        """For each task, with its workload, the samples of each of its traces, in turns.

        All are built first: a build beside it would disturb a measurement. What does not apply,
        build or run has no samples.
        """
        begun = [[self._begin(task, trace) for trace in traces] for task, traces in jobs]
        built = [[made and (made[0].result(), made[1]) for made in row] for row in begun]
        return [self._contest(row) for row in built]

    def _begin(self, task: Task, trace: str) -> Any:
        import tvm

        try:
            module, args = scheduled_module(tvm.ir.load_json(task.workload), trace)
        except Exception:  # TVM raises whatever the primitives do
            return None
        request = BuildRequest(module, self._target, self._artifacts.fresh(".so"))
        return self._builder.submit(request), args

    def _contest(
        self, row: Sequence[tuple[BuildResult, tuple[TensorSpec, ...]] | None]
    ) -> list[Samples]:
        ready = [
            (place, RunRequest(made[0].artifact, made[1], self._protocol))
            for place, made in enumerate(row)
            if made is not None and made[0].artifact is not None
        ]
        found: list[Samples] = [() for _ in row]
        if ready:
            results = self._runner.confirm(tuple(request for _, request in ready)).result()
            for (place, _), result in zip(ready, results, strict=True):
                if result.error is None:
                    found[place] = result.samples
        return found


def in_turns(shop: Workshop, sides: Sequence[Result]) -> list[Row]:
    """Each task's record of each side, measured in turns; OutOfTime once the limit is reached."""
    shop.check()
    records = [_records(side) for side in sides]
    with Project.open(sides[0].path, read_only=True) as project:
        tasks = project.tasks()
    histories = [side.history for side in sides]
    jobs = []
    for task in tasks:
        traces = {found[task.index] for found in records if task.index in found}
        missing = any(task.index not in found for found in records)
        if traces and (len(traces) > 1 or missing):
            jobs.append((task, sorted(traces)))
    with Turns(shop.spec, shop.asked.closely) as turns:
        measured = turns.measure(jobs)
    samples = {
        task.index: dict(zip(traces, found, strict=True))
        for (task, traces), found in zip(jobs, measured, strict=True)
    }
    return [_row(task, records, samples.get(task.index, {}), histories) for task in tasks]


def model_s(rows: Sequence[Row], side: int) -> float:
    """The sum of weight times latency of a side, in seconds."""
    return sum(row.task.weight * row.latency_s[side] for row in rows)


def worse(rows: Sequence[Row], before: int, after: int) -> list[Row]:
    """The tasks that are significantly slower on the side `after`, corrected for their number."""
    tested = [row for row in rows if row.samples[before] and row.samples[after]]
    p_values = holm([compare(row.samples[after], row.samples[before]).p_value for row in tested])
    return [
        row
        for row, p_value in zip(tested, p_values, strict=True)
        if p_value <= _ALPHA and row.gain(before, after) < 1
    ]


def geometric_mean(values: Sequence[float]) -> float:
    """Of ratios above zero; 1 where there is none."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 1.0


def _records(side: Result) -> dict[int, str]:
    """The trace that stands for each task."""
    with Project.open(side.path, read_only=True) as project:
        return Records.of(project).traces


def _row(
    task: Task,
    records: Sequence[dict[int, str]],
    samples: dict[str, Samples],
    histories: Sequence[History],
) -> Row:
    """Where a record could not be measured, all sides count as their runs measured them."""
    taken = [samples.get(found.get(task.index, ""), ()) for found in records]
    own = [history.now(task.index) or math.nan for history in histories]
    recorded = [task.index in found for found in records]
    if not samples:
        return Row(task, (own[0],) * len(own), tuple(taken))
    if any(has and not taken[side] for side, has in enumerate(recorded)):
        return Row(task, tuple(own), tuple(() for _ in own))
    latency_s = [
        typical_latency(taken[side]) if has else own[side] for side, has in enumerate(recorded)
    ]
    return Row(task, tuple(latency_s), tuple(taken))
