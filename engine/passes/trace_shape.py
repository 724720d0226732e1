"""What a trace needs and decides, read from its JSON text without TVM."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


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
