"""Which donors to try for a task, the most promising first."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.passes.donor import Donor
from engine.records.sentences import Sentence, together
from engine.records.task import Task, TensorSpec

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


def best_known(
    task: Task, donors: Iterable[Donor], target: str, tvm_version: str, title: str | None = None
) -> Donor | None:
    """The fastest record of the very workload, by this device and version of TVM, if there is one.

    Arguments as `rank` takes them.
    """
    here = _Here(target, title, tvm_version)
    same = (
        donor
        for donor in donors
        if donor.fingerprint == task.fingerprint
        and donor.tvm_version == tvm_version
        and _same_device(donor, here)
    )
    return min(same, key=lambda donor: (donor.latency_s, donor.trace_key), default=None)


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


def _reason(task: Task, donor: Donor, here: _Here) -> Sentence:
    apart = extents_apart(donor.args, task.args)
    if donor.fingerprint == task.fingerprint:
        parts = [Sentence("the same workload")]
    elif apart is None:
        parts = [Sentence("other arguments")]
    else:
        parts = [
            Sentence("extents {ratio:.2f}x apart", ratio=2.0**apart)
            if apart
            else Sentence("equal extents")
        ]
    if donor.untuned_latency_s and donor.latency_s > 0:
        gain = donor.untuned_latency_s / donor.latency_s
        parts.append(Sentence("{gain:.3g}x faster than untuned there", gain=gain))
    if not _same_device(donor, here):
        device = device_name(donor.target_title)
        parts.append(Sentence("measured on {device}", device=device))
    if donor.tvm_version != here.tvm_version:
        parts.append(Sentence("tuned with TVM {version}", version=donor.tvm_version))
    return together(*parts, by=", ")


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


FAR = 8.0  # what arguments count that cannot be compared: another rank, dtype or number of them
_LOST = 1.0  # what an extent counts, in doublings, that shares no factor with the donor's
_WORK = 0.1  # what a doubling of the FLOPs counts


def extents_apart(donor: tuple[TensorSpec, ...], ours: tuple[TensorSpec, ...]) -> float | None:
    """The mean of |log2| of the ratios of the extents; None where they cannot be compared."""
    pairs = _pairs(donor, ours)
    if pairs is None:
        return None
    return sum(abs(math.log2(b / a)) for a, b in pairs) / max(1, len(pairs))


def distance(
    donor: tuple[TensorSpec, ...],
    ours: tuple[TensorSpec, ...],
    donor_flops: float,
    our_flops: float,
) -> float:
    """How far a donor's workload is from ours, from 0 (equal extents), in doublings.

    The mean over all axes of |log2| of the ratio and of the factors lost: a tile of the donor's
    keeps those of its factors that divide our extent. The FLOPs count a little. The weights were
    chosen on 608 tries of convolutions' records on 32 others, on a CPU, half of which replayed:
    there the best of the first three was 1.24 times as slow as the best of all twenty of its task,
    the best of three random ones 3 times.
    """
    pairs = _pairs(donor, ours)
    if pairs is None:
        return FAR
    apart = sum(abs(math.log2(b / a)) + _LOST * _lost(a, b) for a, b in pairs)
    work = 0.0
    if donor_flops > 0 and our_flops > 0:
        work = abs(math.log2(our_flops / donor_flops))
    return apart / max(1, len(pairs)) + _WORK * work


def _lost(donor: int, ours: int) -> float:
    """The part, in [0, 1], of the donor's extent (by its logarithm) that does not divide ours."""
    return 1.0 - math.log(math.gcd(donor, ours)) / math.log(donor) if donor > 1 else 0.0


def _pairs(
    donor: tuple[TensorSpec, ...], ours: tuple[TensorSpec, ...]
) -> list[tuple[int, int]] | None:
    """The extents side by side; those of nothing (an empty tensor) cannot be compared."""
    if [_form(spec) for spec in donor] != [_form(spec) for spec in ours]:
        return None
    pairs = [
        pair
        for theirs, mine in zip(donor, ours, strict=True)
        for pair in zip(theirs.shape, mine.shape, strict=True)
    ]
    return pairs if all(a > 0 and b > 0 for a, b in pairs) else None


def _form(spec: TensorSpec) -> tuple[int, str]:
    return len(spec.shape), spec.dtype


@dataclass(frozen=True, slots=True)
class Decided:
    """The replayed part of a trace: a digest of its instructions, and its decisions in order.

    The outermost factor of a tile is left out: on another extent it becomes what is left. `blocks`
    are the names that it looks up in the workload before it changes anything.
    """

    structure: str
    decisions: tuple[Hashable, ...] = ()
    blocks: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def decided(trace: str, key: str) -> Decided:
    """What a trace decides before its postprocessors, which a replay does not take over.

    A text that is no trace is like no other: `key`, its SHA-256, is its structure.
    """
    try:
        instructions, decisions = json.loads(trace)
        end = next((i for i, item in enumerate(instructions) if item[0] == "EnterPostproc"), None)
        kept = instructions[:end]
        taken = [value for place, value in decisions if place < len(kept)]
        blocks = _blocks(kept)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return Decided(key)
    structure = hashlib.sha256(json.dumps(kept).encode()).hexdigest()
    return Decided(structure, tuple(map(_inner, taken)), blocks)


def fits(reads: Decided, workload: str) -> bool:
    """Whether a workload (TVM's JSON) may have all blocks that the trace looks up; a trace that
    looks up another one cannot be replayed on it. True for an empty workload: nobody knows."""
    return not workload or all(json.dumps(name) in workload for name in reads.blocks)


def alike(one: Decided, other: Decided) -> float:
    """The share of equal decisions, in [0, 1]; 0 where the instructions differ."""
    if one.structure != other.structure or len(one.decisions) != len(other.decisions):
        return 0.0
    if not one.decisions:
        return 1.0
    pairs = zip(one.decisions, other.decisions, strict=True)
    return sum(a == b for a, b in pairs) / len(one.decisions)


def _inner(value: Any) -> Hashable:
    return json.dumps(value[1:] if isinstance(value, list) else value)


def _blocks(instructions: list[Any]) -> frozenset[str]:
    names = set()
    for name, _, attributes, _ in instructions:
        if name != "GetSBlock":
            break
        names.add(str(attributes[0]))
    return frozenset(names)
