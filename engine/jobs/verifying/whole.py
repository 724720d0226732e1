"""Latencies of the whole model: which are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engine.history.figure import schedules_key
from engine.jobs.records import Records
from engine.project.repository import Project
from engine.records.events import Event, Message, ModelMeasured
from engine.records.sentences import Sentence
from engine.records.snapshot import Snapshot, kind_of_shape
from engine.records.trial import Measured, better_of
from engine.records.words import disturbance_text, kind_text


def keep_measured(
    project: Project,
    emit: Callable[[Event], None],
    kind: str,
    found: Measured,
    run: int = 0,
    snapshot: Snapshot | None = None,
) -> Measured:
    """Store a latency of its kind and tell of it; what is known of the kind now.

    A disturbed one never replaces a good one. Kernels that only the other one of both has timed
    are kept with it, unless that is disturbed: the schedules are the same. It becomes the outcome
    of `run`, and of runs whose outcome was the one that it replaces. `snapshot` is the project
    where it was just read.
    """
    snapshot = snapshot or project.snapshot()
    known = snapshot.measured.get(kind)
    kept = better_of(known, found)
    replaced = known is not None and kept is not known
    other = found if kept is known else known
    if not kept.kernels and other is not None and not other.disturbed:
        kept = replace(kept, kernels=other.kernels)
    if kept != known:
        project.set_measured(kind, kept)
    runs = [
        item.id
        for item in snapshot.runs
        if item.id == run or (replaced and known and item.tuned_latency_s == known.latency_s)
    ]
    for each in runs:
        project.set_run(each, tuned_latency_s=kept.latency_s)
    emit(ModelMeasured(kind, kept, tuple(runs)))
    if found.disturbed and " " not in kind:  # of a set, the mean tells it once
        emit(
            Message(
                "warning",
                Sentence(
                    "{kind} is disturbed: {found}.",
                    kind=kind_text(kind),
                    found=disturbance_text(found),
                ),
            )
        )
    return kept


def keep_each(
    project: Project,
    emit: Callable[[Event], None],
    kind: str,
    found: Sequence[Measured],
    run: int = 0,
    snapshot: Snapshot | None = None,
) -> Measured:
    """`keep_measured` of a model in each of its shapes, and of their mean as the model's, which is
    returned; `found` has one for each."""
    snapshot = snapshot or project.snapshot()
    if not snapshot.shapes:
        (alone,) = found
        return keep_measured(project, emit, kind, alone, run, snapshot)
    kept = [
        keep_measured(project, emit, kind_of_shape(kind, place), one, snapshot=snapshot)
        for place, one in enumerate(found)
    ]
    mean = mean_of(kept, [shape.frequency for shape in snapshot.shapes])
    return keep_measured(project, emit, kind, mean, run, snapshot)


def mean_of(found: Sequence[Measured], frequencies: Sequence[int]) -> Measured:
    """The mean of an inference whose shape is one of these, each as often as that; as loaded and as
    throttled as the worst of them, as spread as they are on average."""
    total = sum(frequencies)

    def mean(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        weighted = zip(known, frequencies, strict=False)
        return sum(v * n for v, n in weighted) / total if len(known) == len(values) else None

    latency_s = mean([one.latency_s for one in found])
    assert latency_s is not None
    return Measured(
        latency_s,
        mean([one.spread_s for one in found]),
        max((one.load for one in found if one.load is not None), default=None),
        mean([one.sum_s for one in found]),
        max(one.at for one in found),
        throttled=any(one.throttled for one in found),
    )


def keep_exported(
    project: Project, emit: Callable[[Event], None], records: Records, manifest: dict[str, Any]
) -> None:
    """Adopt what an export measured of the module with these records, if it did."""
    if manifest["latency_s"] is None:
        return
    schedule = manifest["schedule"]
    staged = schedule is not None and schedule["used"]
    throttled = bool((manifest.get("board") or {}).get("throttled"))
    found = [
        Measured(
            told["latency_s"],
            told["latency_spread_s"],
            told["latency_load"],
            sum_s,
            time.time(),
            throttled=throttled,
        )
        for told, sum_s in zip(manifest.get("shapes", [manifest]), records.sums_s(), strict=True)
    ]
    stages = records.snapshot.schedule if staged else None
    key = schedules_key(records.history, stages)
    keep_each(project, emit, key, found, snapshot=records.snapshot)
