"""Which donors to try for a task, the most promising first."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.passes.donor import Donor
from engine.passes.nearness import distance, extents_apart
from engine.passes.trace_shape import Decided, alike, decided, fits
from engine.records.task import Task

_ELSE = 0.95  # the score of a donor with other extents is below this, however near they are
_OTHER_DEVICE = 0.7  # of its score is left to a donor that was measured on another device
_OTHER_VERSION = 0.85  # and to one of another version of TVM
_SLOW = 0.1  # what half the speed of the fastest donor counts, in doublings of distance
_LIKE_EARLIER = 0.75  # of its score is left to a donor that decides as an earlier one did
_VARIED = 8  # so many places are given with regard to what came before; few get further


@dataclass(frozen=True, slots=True)
class Ranked:
    """A donor with its score in [0, 1], higher is better, and why, for a person.

    The score says what to try first. The donor's latency was measured elsewhere and says nothing
    about this task on this machine.
    """

    donor: Donor
    score: float
    reason: str


@dataclass(slots=True)
class _Entry:
    donor: Donor
    score: float
    reads: Decided


@dataclass(frozen=True, slots=True)
class _Here:
    """What donors are wanted for: the target as TVM's JSON, its title, the version of TVM."""

    target: str
    title: str | None
    tvm_version: str


def rank(
    task: Task, donors: Iterable[Donor], target: str, tvm_version: str, title: str | None = None
) -> list[Ranked]:
    """The donors of the task's class and the target's kind, best first; each trace once.

    A record of the very workload goes first; else nearness of extents and FLOPs counts, then the
    donor's speed. Where the task has its workload, a trace that names a block which is not there
    (of another layout, say) is left out. The order in which the donors come does not matter.
    `target` is TVM's JSON; `title` is the target's, which tells devices apart that have one JSON.
    """
    kind, here = _kind(target), _Here(target, title, tvm_version)
    fitting = [
        donor
        for donor in donors
        if donor.op_class == task.op_class and kind and _kind(donor.target) == kind
    ]
    fastest = max(map(_speed, fitting), default=0.0)
    entries = [
        _Entry(donor, _score(task, donor, here, fastest), decided(donor.trace, donor.trace_key))
        for donor in fitting
    ]
    entries = [entry for entry in entries if fits(entry.reads, task.workload)]
    entries.sort(key=_key)
    return [
        Ranked(entry.donor, entry.score, _reason(task, entry.donor, here))
        for entry in _varied(_distinct(entries))
    ]


def _score(task: Task, donor: Donor, here: _Here, fastest: float) -> float:
    if donor.fingerprint == task.fingerprint:  # of the target too, but devices may share one
        return 1.0 if _same_device(donor, here) else 0.5 * (1.0 + _ELSE)
    far = distance(donor.args, task.args, donor.flops, task.flops)
    speed = _speed(donor)
    far += _SLOW * (math.log2(fastest / speed) if speed else 1.0)
    score = _ELSE / (1.0 + far)
    if not _same_device(donor, here):
        score *= _OTHER_DEVICE
    if donor.tvm_version != here.tvm_version:
        score *= _OTHER_VERSION
    return score


def _speed(donor: Donor) -> float:
    """FLOP/s; for what has no FLOPs, such as a concatenation, how much faster than untuned."""
    work = donor.flops or donor.untuned_latency_s or 0.0
    return work / donor.latency_s if donor.latency_s > 0 else 0.0


def _key(entry: _Entry) -> tuple[Any, ...]:
    """The best first; the rest only makes the order the same whatever came in."""
    donor = entry.donor
    return -entry.score, -_speed(donor), donor.trace_key, donor.model, donor.place, repr(donor)


def _distinct(entries: list[_Entry]) -> list[_Entry]:
    """Each trace once, where it scores best; traces that replay as the same are one."""
    kept: list[_Entry] = []
    keys, seen = set[str](), set[Decided]()
    for entry in entries:
        if entry.donor.trace_key not in keys and entry.reads not in seen:
            kept.append(entry)
        keys.add(entry.donor.trace_key)
        seen.add(entry.reads)
    return kept


def _varied(entries: list[_Entry]) -> list[_Entry]:
    """The order in which to try: what resembles an earlier one moves back, by its score."""
    left, first = list(entries), list[_Entry]()
    likeness = [0.0] * len(left)
    scores = [entry.score for entry in left]
    while left and len(first) < _VARIED:
        best = max(range(len(left)), key=scores.__getitem__)  # the earliest of equals
        chosen = left.pop(best)
        del likeness[best]
        first.append(_Entry(chosen.donor, scores.pop(best), chosen.reads))
        likeness = [
            max(known, alike(chosen.reads, entry.reads))
            for known, entry in zip(likeness, left, strict=True)
        ]
        scores = [
            entry.score * (1.0 - (1.0 - _LIKE_EARLIER) * like)
            for entry, like in zip(left, likeness, strict=True)
        ]
    order = sorted(range(len(left)), key=lambda place: -scores[place])
    return first + [_Entry(left[i].donor, scores[i], left[i].reads) for i in order]


def _reason(task: Task, donor: Donor, here: _Here) -> str:
    apart = extents_apart(donor.args, task.args)
    if donor.fingerprint == task.fingerprint:
        parts = ["the same workload"]
    elif apart is None:
        parts = ["other arguments"]
    else:
        parts = [f"extents {2.0**apart:.2f}x apart" if apart else "equal extents"]
    if donor.untuned_latency_s and donor.latency_s > 0:
        parts.append(f"{donor.untuned_latency_s / donor.latency_s:.3g}x faster than untuned there")
    if not _same_device(donor, here):
        parts.append(f"measured on {device_name(donor.target_title)}")
    if donor.tvm_version != here.tvm_version:
        parts.append(f"tuned with TVM {donor.tvm_version}")
    return ", ".join(parts)


def device_name(title: str) -> str:
    """The device in a target's title: "NVIDIA H200" of "cuda NVIDIA H200"."""
    kind, _, name = title.partition(" ")
    return name if name and kind in ("cpu", "cuda") else title


def _same_device(donor: Donor, here: _Here) -> bool:
    named = here.title in (None, donor.target_title)
    return named and _fields(donor.target) == _fields(here.target)


def _kind(target: str) -> str:
    kind = _fields(target).get("kind")
    return kind if isinstance(kind, str) else ""


@lru_cache(maxsize=256)
def _fields(target: str) -> dict[str, Any]:
    """What a target says of the device, empty where the text is no JSON object."""
    try:
        found = json.loads(target)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if name not in ("keys", "tag", "host")}
