"""How often a Loop's body runs, where constants alone decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.models.proto_walk import inner_graphs
from engine.models.rewriting.emit import Declined, Emitter

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
