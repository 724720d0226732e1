"""Loop and Scan with a known number of iterations, unrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.models.proto_walk import inner_graphs
from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.inline import inline

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, NodeProto, TensorProto


_MOST = 10_000


def count_trips(emit: Emitter, body: GraphProto) -> int:
    """The number of iterations; Declined where data decide it.

    The part of the body that the condition needs, counters and their limits, is run as often.
    """
    limit = int(emit.value(emit.input(0), "its trip count").item()) if emit.input(0) else _MOST + 1
    if emit.input(1) and not emit.value(emit.input(1), "its first condition").all():
        return 0
    count, condition = body.input[0].name, body.input[1].name
    links = dict(zip([v.name for v in body.input[1:]], [v.name for v in body.output], strict=False))
    nodes, states = _needed(body, links, condition)
    if links[condition] == condition:
        return _bounded(limit)
    values = _first_values(emit, body, states)
    evaluator = _evaluator(emit, body, nodes, [count, *values], [links[s] for s in values])
    for trip in range(min(limit, _MOST + 1)):
        results = evaluator.run(None, {**values, count: _scalar(trip)})
        values = dict(zip(values, results, strict=True))
        if not values[condition].all():
            return trip + 1
    return _bounded(limit)


def _bounded(limit: int) -> int:
    if limit > _MOST:
        raise Declined(f"it runs more than {_MOST} times")
    return max(limit, 0)


def _scalar(value: int) -> np.ndarray:
    import numpy as np

    return np.asarray(value, "int64")


def _needed(
    body: GraphProto, links: dict[str, str], condition: str
) -> tuple[list[NodeProto], set[str]]:
    """The nodes that decide whether to go on, and the states that these read."""
    states = {condition}
    while True:
        read = {links[state] for state in states}
        nodes: list[NodeProto] = []
        for node in reversed(body.node):
            if not read.isdisjoint(node.output):
                nodes.insert(0, node)
                read.update(node.input)
        more = read & set(links)
        if more <= states:
            return nodes, states
        states |= more


def _first_values(emit: Emitter, body: GraphProto, states: set[str]) -> dict[str, np.ndarray]:
    """What the states are before the first iteration, in the body's order."""
    import numpy as np

    given = zip([value.name for value in body.input[2:]], emit.node.input[2:], strict=True)
    values = {body.input[1].name: np.asarray(True)}
    for name, outer in given:
        if name in states:
            values[name] = emit.value(outer, "what decides how often it runs")
    return values


def _evaluator(
    emit: Emitter, body: GraphProto, nodes: list[NodeProto], inputs: list[str], outputs: list[str]
) -> Any:
    """ONNX's own evaluator of these nodes, with the constants that they take from outside."""
    from onnx import ValueInfoProto, helper
    from onnx.reference import ReferenceEvaluator

    if any(any(inner_graphs(node)) for node in nodes):
        raise Declined("a graph inside its body decides how often it runs")
    graph = helper.make_graph(
        nodes,
        "condition",
        [ValueInfoProto(name=name) for name in inputs],
        [ValueInfoProto(name=name) for name in outputs],
        _outer_constants(emit, body, nodes, inputs),
    )
    imports = [helper.make_opsetid("", emit.facts.opset)]
    return ReferenceEvaluator(helper.make_model(graph, opset_imports=imports))


def _outer_constants(
    emit: Emitter, body: GraphProto, nodes: list[NodeProto], inputs: list[str]
) -> list[TensorProto]:
    from onnx import numpy_helper

    inside = {tensor.name: tensor for tensor in body.initializer}
    made = {name for node in nodes for name in node.output} | {*inputs, ""}
    tensors = []
    for name in sorted({name for node in nodes for name in node.input} - made):
        if name in inside:
            tensors.append(inside[name])
        else:
            value = emit.value(name, "what decides how often it runs")
            tensors.append(numpy_helper.from_array(value, name))
    return tensors


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
