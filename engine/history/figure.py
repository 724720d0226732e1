"""How fast a project's model is now: which measurement holds, or what is to be expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from engine.history.history import History
from engine.records.schedule import FoundSchedule
from engine.records.snapshot import REFERENCE, UNTUNED, Figure, Snapshot, of_one_shape
from engine.records.trial import Measured

_KEY_LETTERS = 16


def schedules_key(history: History, stages: FoundSchedule | None = None) -> str:
    """What a measurement of the whole model is kept by: the record of each task that it is
    compiled with, UNTUNED where none has any, and the `stages` that it ran in."""
    tasks = [task.index for task in history.tasks if stages is not None or not task.merged]
    records = [f"{task}:{number}" for task in tasks if (number := history.record(task)) is not None]
    if stages is not None:
        records.append(f"stages {stages.created_at!r}")
    return sha256(",".join(records).encode()).hexdigest()[:_KEY_LETTERS] if records else UNTUNED


def figure_of(snapshot: Snapshot, history: History | None = None) -> Figure:
    """The figure of a project; `history` is its own where that is at hand already.

    A measurement of just now's schedules holds. Where there is none, or something disturbed it,
    the newest good one of earlier schedules is scaled by what the kernels' sum became since. A
    disturbed one is better than the untuned model's scaled so, and that than the mere sum.
    """
    history = history or History(snapshot)
    known, sum_s = known_latencies(snapshot, history), history.now_s()
    key, untuned = schedules_key(history), _untuned(snapshot, history)
    made = Figure(
        sum_s=sum_s,
        tuned=key != UNTUNED,
        untuned=untuned,
        reference=snapshot.measured.get(REFERENCE),
    )
    is_whole = untuned is not None and snapshot.untuned_latency_s is not None
    if untuned is not None and is_whole and not made.tuned:
        return _measured(made, untuned)
    exact = known.get(key)
    if snapshot.schedule is not None:
        exact = known.get(schedules_key(history, snapshot.schedule), exact)
    if exact is not None and not exact.disturbed:
        return _measured(made, exact)
    if (earlier := _newest_good(known)) is not None:
        return replace(_scaled(made, earlier), aside=exact)
    if exact is not None:
        return _measured(made, exact)
    if untuned is not None and is_whole and not untuned.disturbed:
        return _scaled(made, untuned)
    return replace(made, latency_s=sum_s)


def known_latencies(snapshot: Snapshot, history: History) -> Mapping[str, Measured]:
    """`Snapshot.measured`; of a file of an earlier version, which keeps no schedules with what its
    runs measured, the last of those: it is of now's where no run had trials since."""
    if snapshot.shapes or set(snapshot.measured) - {UNTUNED, REFERENCE}:
        return snapshot.measured
    for run in reversed(snapshot.runs):
        if run.tuned_latency_s is not None:
            at = run.ended_at or run.started_at
            found = Measured(run.tuned_latency_s, sum_s=history.now_s(), at=at)
            return {schedules_key(history): found, **snapshot.measured}
        if run.trials:
            break
    return snapshot.measured


def with_measured(snapshot: Snapshot, kind: str, found: Measured) -> Snapshot:
    """The project with a latency of a kind, over an earlier one."""
    snapshot = replace(snapshot, measured={**snapshot.measured, kind: found})
    if kind == UNTUNED:
        return replace(snapshot, untuned_latency_s=found.latency_s)
    if kind == REFERENCE:
        return replace(snapshot, reference_latency_s=found.latency_s)
    return snapshot


def _untuned(snapshot: Snapshot, history: History) -> Measured | None:
    """End to end, or else the kernels' sum; with that sum as it is known by now."""
    sum_s, latency_s = history.untuned_s(), snapshot.untuned_latency_s
    if latency_s is None:
        return None if sum_s is None else Measured(sum_s, sum_s=sum_s)
    known = snapshot.measured.get(UNTUNED)
    return replace(known or Measured(latency_s), latency_s=latency_s, sum_s=sum_s)


def _measured(made: Figure, found: Measured) -> Figure:
    return replace(made, latency_s=found.latency_s, measured=True, basis=found)


def _scaled(made: Figure, basis: Measured) -> Figure:
    """An estimate from an earlier measurement, by what the kernels gained since."""
    if made.sum_s is None or not basis.sum_s:
        return made
    return replace(made, latency_s=basis.latency_s * (made.sum_s / basis.sum_s), basis=basis)


def _newest_good(known: Mapping[str, Measured]) -> Measured | None:
    """Of the tuned model, with the schedules of any time."""
    good = [
        measured
        for kind, measured in of_one_shape(known, None).items()
        if kind not in (UNTUNED, REFERENCE) and measured.sum_s and not measured.disturbed
    ]
    return max(good, key=lambda measured: measured.at, default=None)
