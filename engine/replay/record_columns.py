"""A tuned project as a recording: columns of what its trials took and gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from engine.allocation.recording import RecordedTask, Recording
from engine.project.repository import Project
from engine.project.search_seconds import estimated_searches
from engine.records.errors import ProjectError
from engine.records.options import Real, fits
from engine.records.sentences import Sentence
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.task import Task
from engine.records.trial import Trial, typical_latency
from engine.records.words import RunEnd
from engine.replay.recording_file import save_recording

_IN_FLIGHT = 6  # a run has at most so many slots in flight


def record(project: Path, out: Path, *, device: str = "", cores: int | None = None) -> Recording:
    """Write the recording of a project file; see `recording_of`."""
    with Project.open(project, read_only=True) as opened:
        recording = recording_of(opened, device=device, cores=cores)
    save_recording(recording, out)
    return recording


def recording_of(
    project: Project,
    *,
    device: str = "",
    cores: int | None = None,
    peak_flops: float = 0.0,
    searches: Mapping[int, float] | None = None,
    exhausted: frozenset[int] | None = None,
) -> Recording:
    """The search trials of a project, each task's in the order of their results.

    `device` names the hardware (default: what the target says of it), `cores` how many builds
    went on at once (default: as in the target), `peak_flops` is 0 where it is unknown.
    `searches` holds the seconds that slots searched, learning included, by slot number; for
    other slots they are estimated (`engine.project.search_seconds`). `exhausted` names the tasks
    whose search had nothing left; without it, they are told by an empty slot with others after it.
    Latencies are first measurements. A task without an untuned latency starts with its first
    valid one; a task without either is left out. ProjectError where nothing was tuned.
    """
    snapshot = project.snapshot()
    by_task: dict[int, list[Trial]] = defaultdict(list)
    for trial in snapshot.trials:
        if trial.source.is_search:
            by_task[trial.task].append(trial)
    if not by_task:
        raise ProjectError(
            Sentence("{model_name} has no trials to record.", model_name=snapshot.model_name),
            "Tune it first.",
        )
    builds = cores or snapshot.hardware.cores
    seconds = estimated_searches(snapshot, on_cpu=snapshot.hardware.is_cpu) | dict(searches or {})
    empty = _exhausted(snapshot) if exhausted is None else exhausted
    recorded = [
        _task(task, by_task[task.index], seconds, task.index in empty)
        for task in snapshot.own_tasks
    ]
    last = snapshot.runs[-1] if snapshot.runs else None
    return Recording(
        model=snapshot.model_name,
        target=project.target_title,
        device=device or project.target_title.removeprefix("cuda "),
        date=datetime.fromtimestamp(_end_of(snapshot), UTC).isoformat(timespec="seconds"),
        engine_version=_engine_version(project.tvm_version),
        seed=last.settings.seed if last else 0,
        batch=last.settings.search.batch if last else 16,
        cores=builds,
        peak_flops=peak_flops,
        protocol=_protocol_of(snapshot),
        tasks=tuple(task for task in recorded if task is not None),
    )


def _task(
    task: Task, trials: Sequence[Trial], searches: Mapping[int, float], exhausted: bool
) -> RecordedTask | None:
    latency_s = np.array(
        [np.inf if trial.error else typical_latency(trial.samples) for trial in trials], np.float64
    )
    valid = latency_s[np.isfinite(latency_s)]
    untuned_s = task.untuned_latency_s or (float(valid[0]) if len(valid) else None)
    if untuned_s is None:
        return None
    sizes: dict[int, int] = defaultdict(int)
    for trial in trials:
        sizes[trial.slot] += 1
    shares = [searches.get(trial.slot, 0.0) / sizes[trial.slot] for trial in trials]
    return RecordedTask(
        name=task.name,
        op_class=task.op_class,
        weight=task.weight,
        flops=task.flops,
        untuned_s=untuned_s,
        latency_s=latency_s,
        build_s=np.array([trial.build_s for trial in trials], np.float64),
        run_s=np.array([trial.run_s for trial in trials], np.float64),
        search_s=np.array(shares, np.float64),
        exhausted=exhausted,
    )


def _exhausted(snapshot: Snapshot) -> frozenset[int]:
    """Tasks whose last slot gave nothing although it was not among the last of its run."""
    filled = {trial.slot for trial in snapshot.trials}
    last: dict[int, SlotInfo] = {slot.task: slot for slot in snapshot.slots}
    after = {
        slot.task: sum(other.run == slot.run and other.number > slot.number
                       for other in snapshot.slots)
        for slot in last.values()
        if slot.number not in filled
    }  # fmt: skip
    dry = {run.id for run in snapshot.runs if run.reason == RunEnd.EXHAUSTED}
    return frozenset(
        task for task, count in after.items() if count >= _IN_FLIGHT or last[task].run in dry
    )


def _end_of(snapshot: Snapshot) -> float:
    return max(trial.at for trial in snapshot.trials)


def _protocol_of(snapshot: Snapshot) -> dict[str, float]:
    found = snapshot.trials[-1].protocol
    return {name: float(value) for name, value in found.items() if fits(value, Real)}


def _engine_version(tvm_version: str) -> str:
    try:
        own = version("tunewright")
    except PackageNotFoundError:
        own = "not installed"
    return f"{own}, TVM {tvm_version}"
