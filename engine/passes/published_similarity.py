"""The published similarity of two choices: the Jaccard index of their candidates."""

from __future__ import annotations

from math import gcd

from engine.passes.factors import count_tiles
from engine.records.space import Knob, KnobKind


def candidates_in_common(one: Knob, other: Knob) -> float:
    """The Jaccard index of two knobs' candidate sets, from 0 (disjoint) to 1 (equal).

    A tile's candidates are its factors but the outermost, which is what they leave: those that
    two extents share are those of their greatest common divisor. Source: the sharing slides and
    the change to TVM that goes with them.
    """
    if one.kind is KnobKind.TILE:
        shared = _count(gcd(one.extent, other.extent), one)
        return shared / (_count(one.extent, one) + _count(other.extent, other) - shared)
    if one.kind is KnobKind.CATEGORICAL:
        return shared_choices(one, other)
    return 1.0


def shared_choices(one: Knob, other: Knob) -> float:
    """The Jaccard index of two categoricals' choices."""
    ours, theirs = set(one.choices), set(other.choices)
    return len(ours & theirs) / len(ours | theirs) if ours or theirs else 1.0


def _count(extent: int, knob: Knob) -> int:
    return count_tiles(extent, knob.parts, knob.innermost)
