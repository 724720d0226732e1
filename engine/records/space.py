"""A task's design space as plain data, and Droplet's path through it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.records.options import Count, Finite, Index, Seconds, Share


class KnobKind(StrEnum):
    """What a sampling instruction of a trace chooses."""

    TILE = "tile"
    CATEGORICAL = "categorical"
    LOCATION = "location"


@dataclass(frozen=True, slots=True)
class Knob:
    """One choice that a schedule of the sketch makes.

    A tile splits a loop of `extent` iterations into `parts` factors, the innermost at most
    `innermost` (0: no limit). A categorical takes one of `choices`. A location is a loop under
    which a block is computed; its candidates depend on the other choices. `name` is unique in
    its sketch and the same in two tasks' sketches of one structure.
    """

    name: str
    kind: KnobKind
    extent: Index = 0
    parts: Index = 0
    innermost: Index = 0
    choices: tuple[Finite, ...] = ()


@dataclass(frozen=True, slots=True)
class Sketch:
    """One design-space trace. Two traces of one `structure` (a SHA-256 over their instructions,
    blocks and attributes, without extents and decisions) replay on each other's workloads."""

    structure: str
    knobs: tuple[Knob, ...]


@dataclass(frozen=True, slots=True)
class DesignSpace:
    """All sketches of one task (its index in the project)."""

    task: int
    op_class: str
    sketches: tuple[Sketch, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A comparison of one neighbour with the point where Droplet stood.

    `start` and `end` are trial numbers of the project, measured in turns. `axis` names the decision
    that differs, for a person. `gain` is start's latency over end's, less 1. `p_value` is that of
    the one-sided test that `end` is faster; `accepted`: Droplet stands on `end` from then on.
    """

    number: Count
    run: Index
    task: Index
    start: Count
    end: Count
    axis: str
    gain: Finite
    p_value: Share
    accepted: bool
    elapsed_s: Seconds = 0.0
