"""A trace's decisions as coordinates: what a schedule chooses, named for a person."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.search.knob_names import NamedKnobs
from engine.search.trace_text import TraceText, parse

# How many loop iterations become tasks of threads, and how many one vector: numbers that stand in
# the trace itself. TVM's own search changes the first.
_ANNOTATIONS = {"meta_schedule.parallel": 1024, "meta_schedule.vectorize": 128}
_MOST = 2**31 - 1  # of a factor, which a damaged file might make too large to be factorised


@dataclass(frozen=True, slots=True)
class Tile:
    """A loop split into factors, whose product is its extent; `limit` bounds the innermost one,
    0: none. `at` is the position of the instruction in the trace."""

    at: int
    name: str
    factors: tuple[int, ...]
    limit: int = 0

    @property
    def extent(self) -> int:
        return math.prod(self.factors)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of `values`, the `chosen`-th; `written` where the trace holds the value itself."""

    at: int
    name: str
    values: tuple[int | float, ...]
    chosen: int
    written: bool = False


@dataclass(frozen=True, slots=True)
class Location:
    """The place `chosen` at which a block is computed: a loop's depth, -1 for its own, -2 for
    inlined. `valid` are all that would do, ascending; where none is known, it is left alone."""

    at: int
    name: str
    chosen: int
    valid: tuple[int, ...] = ()


Coordinate = Tile | Choice | Location
Value = tuple[int, ...] | int
Places = Mapping[int, tuple[int, ...]]


def read_decisions(trace: str, places: Places | None = None) -> tuple[Coordinate, ...]:
    """The coordinates of a trace (TVM's JSON text), in its order.

    `places` are the valid locations by instruction, as a Replayer finds them. What has no
    decision, or one of a kind that is unknown here, is left out. ValueError where it is no trace.
    """
    parsed = parse(trace)
    try:
        return tuple(_coordinates(parsed, places or {}))
    except (TypeError, LookupError) as error:
        raise ValueError("The trace is damaged.") from error


def changed(parsed: TraceText, coordinate: Coordinate, value: Value) -> TraceText:
    """The trace with another value, without its postprocessors, which no longer fit.

    A tile takes factors, a choice the index of a value, a location a place.
    """
    at = coordinate.at
    if not (isinstance(coordinate, Choice) and coordinate.written):
        decided = list(value) if isinstance(value, tuple) else value
        return replace(parsed, decisions=parsed.decisions | {at: decided})
    assert isinstance(value, int)
    kind, inputs, *rest = parsed.instructions[at]
    instructions = list(parsed.instructions)
    instructions[at] = [kind, [inputs[0], coordinate.values[value]], *rest]
    return replace(parsed, instructions=instructions)


def point_key(trace: str) -> str:
    """What identifies a point: its instructions and decisions, not its postprocessors."""
    return parse(trace).key


def shown(coordinate: Coordinate, value: Value) -> str:
    """A value for a person: "2x1x8", "64", "loop 3"."""
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    if isinstance(coordinate, Choice):
        return f"{coordinate.values[value]:g}"
    return {-2: "inlined", -1: "its own"}.get(value, f"loop {value + 1}")


def _coordinates(parsed: TraceText, places: Places) -> Iterator[Coordinate]:
    names = NamedKnobs(parsed.instructions)
    for at, instruction in enumerate(parsed.instructions):
        name, made = names.take(instruction), parsed.decisions.get(at)
        found = _decision(at, name, instruction, made, places) if name else None
        found = found or _annotation(at, instruction)
        if found is not None:
            yield found


def _decision(
    at: int, name: str, instruction: list[Any], made: Any, places: Places
) -> Coordinate | None:
    kind, _, attributes, _ = instruction
    if kind == "SamplePerfectTile" and _positive(made):
        return Tile(at, name, tuple(made), max(0, _whole(attributes[1:2])))
    if kind == "SampleCategorical" and isinstance(made, int) and _numbers(attributes[0]):
        values = tuple(attributes[0])
        return Choice(at, name, values, made) if 0 <= made < len(values) else None
    if kind == "SampleComputeLocation" and isinstance(made, int):
        return Location(at, name, made, places.get(at, ()))
    return None


def _annotation(at: int, instruction: list[Any]) -> Choice | None:
    kind, inputs, attributes, _ = instruction
    most = _ANNOTATIONS.get(str(attributes[0])) if kind == "Annotate" and attributes else None
    value = _whole(inputs[1:2])
    if most is None or value < 1:
        return None
    values = sorted({value, *(2**power for power in range(most.bit_length()))})
    name = str(attributes[0]).rpartition(".")[2]
    return Choice(at, f"{name} limit", tuple(values), values.index(value), written=True)


def _positive(made: Any) -> bool:
    return isinstance(made, list) and all(isinstance(n, int) and 0 < n <= _MOST for n in made)


def _numbers(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, int | float) for value in values)


def _whole(values: list[Any]) -> int:
    return values[0] if values and isinstance(values[0], int) else 0
