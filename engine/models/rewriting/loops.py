"""Loop and Scan with a known number of iterations, unrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.inline import inline
from engine.models.rewriting.trips import count_trips

if TYPE_CHECKING:
    from onnx import GraphProto


def loop(emit: Emitter) -> None:
    """A loop whose number of iterations follows from constants."""
    body: GraphProto = emit.attribute("body", None)
    trips = count_trips(emit, body)
    carried = [name.name for name in body.input[2:]]
    values = list(emit.node.input[2:])
    rows: list[list[str]] = [[] for _ in range(len(body.output) - 1 - len(carried))]
    _refuse_none(trips, rows)
    true = emit.constant(True, "bool", "true")
    for trip in range(trips):
        count = emit.constant(trip, "int64", f"trip{trip}")
        given = dict(zip([value.name for value in body.input], [count, true, *values], strict=True))
        results = inline(emit, body, given, f"trip{trip}")[1:]
        values = results[: len(carried)]
        for row, result in zip(rows, results[len(carried) :], strict=True):
            row.append(emit.unsqueeze(result, 0, part="row"))
    _finish(emit, values, [(row, 0) for row in rows])


def scan(emit: Emitter) -> None:
    """A scan along axes of known length."""
    body: GraphProto = emit.attribute("body", None)
    if emit.facts.opset < 9:
        raise Declined("it is Scan of an operator set before 9")
    scanned = emit.attribute("num_scan_inputs", 0)
    states = len(body.input) - scanned
    values, sources = list(emit.node.input[:states]), list(emit.node.input[states:])
    count = len(body.output) - states
    axes_in, turned_in = _per(emit, "scan_input", scanned)
    axes_out, turned_out = _per(emit, "scan_output", count)
    trips = emit.shape(sources[0])[axes_in[0]]
    rows: list[list[str]] = [[] for _ in range(count)]
    _refuse_none(trips, rows)
    for trip in range(trips):
        given = values + [
            _slice(emit, source, trips - 1 - trip if turned else trip, axis)
            for source, axis, turned in zip(sources, axes_in, turned_in, strict=True)
        ]
        names = [value.name for value in body.input]
        results = inline(emit, body, dict(zip(names, given, strict=True)), f"trip{trip}")
        values = results[:states]
        for row, result, axis in zip(rows, results[states:], axes_out, strict=True):
            row.append(emit.unsqueeze(result, axis, part="row"))
    ordered = [row[::-1] if turned else row for row, turned in zip(rows, turned_out, strict=True)]
    _finish(emit, values, list(zip(ordered, axes_out, strict=True)))


def _per(emit: Emitter, what: str, count: int) -> tuple[list[int], list[bool]]:
    """Axes and whether they are walked backwards, for each scanned input or output."""
    axes = emit.attribute(f"{what}_axes", None) or [0] * count
    turned = emit.attribute(f"{what}_directions", None) or [0] * count
    return list(axes), [bool(flag) for flag in turned]


def _slice(emit: Emitter, source: str, place: int, axis: int) -> str:
    index = emit.constant(place, "int64", f"at{place}")
    return emit("Gather", source, index, axis=axis, part=f"slice{place}")


def _refuse_none(trips: int, rows: list[list[str]]) -> None:
    if trips <= 0 and rows:
        raise Declined("it has no iterations")


def _finish(emit: Emitter, values: list[str], rows: list[tuple[list[str], int]]) -> None:
    for value, outer in zip(values, emit.node.output, strict=False):
        if outer:
            emit.identity(value, outer)
    for place, (row, axis) in enumerate(rows, start=len(values)):
        if emit.output(place):
            emit.concat(row, axis, out=emit.output(place), part="rows")
