"""Refuses constants that a short file describes and no memory holds, before they are computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.models.file_nodes import FoundNode
from engine.models.light_copy import bytes_of, light_copy, stored_bytes
from engine.models.operators import node_name
from engine.models.proto_walk import walk_tensors
from engine.models.rewriting.facts import Facts
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto

_LEAST_BYTES = 2**30
_GROWTH = 4  # what weights may become: of float16 in float32, twice, for instance


def refuse_huge_stored(proto: ModelProto, found: Iterable[FoundNode]) -> None:
    """As `refuse_huge_constants`, of what small constants of the file say outright.

    To be asked before shapes are inferred by values: ONNX computes those of long vectors.
    """
    from onnx import shape_inference

    light = light_copy(proto)
    del light.functions[:]  # ONNX goes into each call, however many they become
    try:
        light = shape_inference.infer_shapes(light)
    except Exception:  # ONNX raises several types; who infers later says what is wrong
        return
    refuse_huge_constants(light, {}, found, _stored(proto))


def refuse_huge_constants(
    proto: ModelProto, origins: Mapping[str, str], found: Iterable[FoundNode], stored: int = 0
) -> None:
    """ModelError names the first node of the outermost graph that computes, of constants alone,
    more than a GiB and more than four times all that the file stores.

    Shapes have to be inferred. `origins` has by the name of a node that was put in that of the one
    in the file, all of which are `found`; `stored` are the bytes of weights that are left out here.
    """
    facts = Facts(proto)
    most = max(_LEAST_BYTES, _GROWTH * (stored or _stored(proto)))
    known = set(facts.stored)
    for node in proto.graph.node:
        if not known.issuperset(filter(None, node.input)):
            continue
        known.update(node.output)
        for name in node.output:
            shape = facts.shape(name)
            size = bytes_of(shape, facts.type(name)) if shape is not None else 0
            if shape is not None and size > most:
                origin = origins.get(node_name(node), node_name(node))
                operator = next((n.op_type for n in found if n.name == origin), node.op_type)
                raise ModelError(
                    Sentence(
                        "{operator} ({origin}) makes a constant of {shape:,} elements, "
                        "{size:.1f} GB.",
                        operator=operator,
                        origin=origin,
                        shape=math.prod(shape),
                        size=size / 1000000000.0,
                    ),
                    "Export the model with smaller sizes, or with that value as an input.",
                ).at(origin)


def _stored(proto: ModelProto) -> int:
    return sum(max(stored_bytes(tensor), 0) for tensor in walk_tensors(proto))
