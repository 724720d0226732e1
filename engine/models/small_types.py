"""Values of a few bits and in float8: TVM takes most of them and computes something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.models.operators import node_name
from engine.models.proto_walk import walk_graphs
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto

_SMALL = re.compile(r"FLOAT[48]E.*|U?INT[24]")


def refuse_small_types(proto: ModelProto, origins: Mapping[str, str]) -> None:
    """ModelError where a node of inferred `proto` takes or gives such values.

    Their casts round otherwise than ONNX says, lose NaN, or read and write beyond their arrays.
    `origins` are those of `PreparedModel`.
    """
    for graph in walk_graphs(proto):
        types = _small(graph)
        for node in graph.node:
            name = next((name for name in (*node.input, *node.output) if name in types), None)
            if name is not None:
                own = node_name(node)
                raise ModelError(
                    Sentence(
                        "TVM cannot import {op_type} ({own}): {name} is {types}.",
                        op_type=node.op_type,
                        own=own,
                        name=name,
                        types=types[name].lower(),
                    ),
                    "Export the model with numbers of 8 bits or more that are no float8.",
                ).at(origins.get(own, own))
        for value in (*graph.input, *graph.output):
            if value.name in types:
                raise ModelError(
                    Sentence(
                        "{value} is {types}, which TVM does not hold.",
                        value=value.name,
                        types=types[value.name].lower(),
                    ),
                    "Export the model with numbers of 8 bits or more that are no float8.",
                )


def _small(graph: GraphProto) -> dict[str, str]:
    """The types of those values of a graph, by name."""
    from onnx import TensorProto

    kinds = {
        value.name: value.type.tensor_type.elem_type
        for value in (*graph.input, *graph.value_info, *graph.output)
    }
    kinds |= {tensor.name: tensor.data_type for tensor in graph.initializer}
    named = {name: TensorProto.DataType.Name(kind) for name, kind in kinds.items()}
    return {name: kind for name, kind in named.items() if _SMALL.fullmatch(kind)}
