"""The nodes of a model file as they are found, and what each became in the prepared model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.graph.feeding import consumers_share
from engine.models.proto_walk import inner_graphs
from engine.models.shapes import tensor_spec
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, ValueInfoProto

_STANDARD = ("", "ai.onnx")
_SHAPES = ("Shape", "Size")
_RANDOM = ("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform")


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node of the file. `constant`: its result follows from constants and fixed shapes alone."""

    name: str
    op_type: str
    inputs: tuple[int, ...]
    outputs: tuple[str, ...]
    output: TensorSpec | None
    constant: bool


def read_nodes(proto: ModelProto) -> tuple[FoundNode, ...]:
    """The outermost graph's nodes, without those that only hold a constant."""
    known = {value.name: tensor_spec(value) for value in _values(proto)}
    constants = {tensor.name for tensor in proto.graph.initializer}
    maker: dict[str, int] = {}
    found: list[FoundNode] = []
    for node in proto.graph.node:
        outputs = tuple(name for name in node.output if name)
        if node.op_type == "Constant" and node.domain in _STANDARD:
            constants.update(outputs)
            continue
        reads = list(_reads(node))
        fixed = follows_from(constants, node.op_type, reads)
        found.append(
            FoundNode(
                name=node.name or next(iter(outputs), ""),
                op_type=node.op_type,
                inputs=tuple(dict.fromkeys(maker[name] for name in reads if name in maker)),
                outputs=outputs,
                output=known.get(outputs[0]) if outputs else None,
                constant=fixed,
            )
        )
        maker.update(dict.fromkeys(outputs, len(found) - 1))
        if fixed:
            constants.update(outputs)
    return tuple(found)


def follows_from(constants: set[str], op_type: str, reads: Iterable[str]) -> bool:
    """Whether what a node gives follows from constants and fixed shapes alone."""
    fixed = op_type in _SHAPES or constants.issuperset(reads)
    return fixed and not op_type.startswith(_RANDOM)


def with_shapes(nodes: Iterable[FoundNode], prepared: ModelProto) -> dict[int, TensorSpec]:
    """The nodes' first results by place; the prepared model has shapes that files leave open."""
    static = {value.name: tensor_spec(value) for value in _values(prepared)}
    specs = {
        place: (static.get(node.outputs[0]) or node.output) if node.outputs else None
        for place, node in enumerate(nodes)
    }
    return {place: spec for place, spec in specs.items() if spec is not None}


def sources(
    nodes: tuple[FoundNode, ...],
    prepared: ModelProto,
    origins: Mapping[str, str],
    absorbed: Mapping[str, tuple[str, ...]],
) -> list[frozenset[int]]:
    """For each node of the prepared model, in order, the file's nodes that it came of.

    A node comes of that whose name it has, `origins` telling those of rewritten ones and `absorbed`
    what went into these, and of that whose result it gives: what is merged into a node leaves it
    its output. A node that was put in comes of what the nodes that read it came of.
    """
    counts = Counter(node.name for node in nodes)
    named = {node.name: place for place, node in enumerate(nodes) if counts[node.name] == 1}
    maker = {name: place for place, node in enumerate(nodes) for name in node.outputs}
    graph = prepared.graph
    found = []
    for node in graph.node:
        name = origins.get(node.name, node.name)
        own = {named[one] for one in (name, *absorbed.get(name, ())) if one in named}
        found.append(frozenset(own.union(maker[o] for o in node.output if o in maker)))
    made = {name: place for place, node in enumerate(graph.node) for name in node.output if name}
    reads = [[made[name] for name in _reads(node) if name in made] for node in graph.node]
    return consumers_share(found, reads)


def stored_names(prepared: ModelProto) -> frozenset[str]:
    """The names of the prepared model's constants."""
    return frozenset(tensor.name for tensor in prepared.graph.initializer)


def add_outputs(proto: ModelProto, values: Mapping[str, TensorSpec | None]) -> None:
    """Make values of the outermost graph further outputs, in place, with the specs known."""
    import numpy as np
    from onnx import helper

    graph = proto.graph
    known = {value.name for value in graph.output}
    for name, spec in values.items():
        if name in known:
            continue
        if spec is None:
            graph.output.add().name = name
        else:
            kind = helper.np_dtype_to_tensor_dtype(np.dtype(spec.dtype))
            graph.output.append(helper.make_tensor_value_info(name, kind, spec.shape))


def _values(proto: ModelProto) -> list[ValueInfoProto]:
    graph = proto.graph
    return [*graph.value_info, *graph.output]


def _reads(node: NodeProto) -> Iterable[str]:
    """What a node takes, from outside of its inner graphs too."""
    yield from (name for name in node.input if name)
    for graph in inner_graphs(node):
        own = {value.name for value in (*graph.input, *graph.initializer)}
        own |= {name for inner in graph.node for name in inner.output}
        for inner in graph.node:
            yield from (name for name in _reads(inner) if name not in own)
        yield from (value.name for value in graph.output if value.name not in own)
