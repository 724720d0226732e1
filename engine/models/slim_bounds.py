"""What onnxslim does in time that grows with the square of a model, or without bound."""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import ModelProto

MAX_FOLDED_BYTES = 2**28
"""A constant above this size stays an operator: folded, a short file could fill the memory."""

_SMALL_BYTES = 2**12
_PLAIN = (int, float, str, bytes)  # attributes that are told apart by how they are written


def slimmed(proto: ModelProto) -> ModelProto:
    """What onnxslim makes of a model, in time that grows with it. Raises whatever it raises."""
    import onnxslim

    # With a handler in place onnxslim does not add its own, which writes to stderr.
    logging.getLogger("onnxslim").addHandler(logging.NullHandler())
    _bound()
    made: ModelProto = onnxslim.slim(proto, size_threshold=MAX_FOLDED_BYTES)
    return made


@cache
def _bound() -> None:
    _spare_names()
    _fold_no_huge()
    _tie_by_value()
    _know_inputs_by_name()
    _compare_alike()


def _spare_names() -> None:
    """Have onnxslim gather the names of all tensors only for a node that needs a new one.

    It does so for each operator that it fuses, which of 10,000 nodes takes minutes.
    """
    from onnxslim.third_party import onnx_graphsurgeon as gs

    gathering = gs.Graph.layer

    def layer(self: Any, inputs: Any = None, outputs: Any = None, **fields: Any) -> Any:
        given = [*(inputs or ()), *(outputs or ())]
        if "name" not in fields or not all(isinstance(one, gs.Tensor) for one in given):
            return gathering(self, inputs, outputs, **fields)
        node = gs.Node(**fields, inputs=list(inputs or ()), outputs=list(outputs or ()))
        self.nodes.append(node)
        return node.outputs

    gs.Graph.layer = layer


def _fold_no_huge() -> None:
    """Have onnxslim compute no constant of more than `MAX_FOLDED_BYTES`, nor what follows of it.

    By its own threshold it does not keep such a constant, and computes it for what follows.
    """
    from onnxslim.third_party.onnx_graphsurgeon import Graph

    folding = Graph.fold_constants

    def fold_constants(self: Any, *args: Any, **fields: Any) -> Any:
        return folding(self, *args, **{"should_exclude_node": _is_huge, **fields})

    Graph.fold_constants = fold_constants


def _tie_by_value() -> None:
    """Have onnxslim look for equal constants among those of equal bytes only.

    It compares each with each, which of 10,000 of one shape takes minutes.
    """
    from onnxslim.core.optimization import weight_tying

    tying = weight_tying.find_and_remove_replaceable_constants

    def tie(constants: list[Any]) -> None:
        alike: defaultdict[tuple[Any, bytes], list[Any]] = defaultdict(list)
        for constant in constants:
            alike[constant.values.dtype, constant.values.tobytes()].append(constant)
        for group in alike.values():
            if group[0] == group[0]:  # else NaN is in it, and nothing equals anything
                tying(group)

    weight_tying.find_and_remove_replaceable_constants = tie


def _is_huge(node: Any) -> bool:
    """Whether an output of onnxslim's node is known to be too large to be folded."""
    return any(
        all(isinstance(size, int) for size in tensor.shape or ())
        and math.prod(tensor.shape or ()) * getattr(tensor.dtype, "itemsize", 8) > MAX_FOLDED_BYTES
        for tensor in node.outputs
    )


def _know_inputs_by_name() -> None:
    """Have onnxslim look up by name whether an input is used: it compares it with all tensors."""
    from onnxslim.third_party.onnx_graphsurgeon import Graph

    finding = Graph._get_used_node_ids

    def used(self: Any) -> tuple[Any, _Named]:
        nodes, tensors = finding(self)
        return nodes, _Named(tensors)

    Graph._get_used_node_ids = used


class _Named(list[Any]):
    """Tensors of different names."""

    def __init__(self, tensors: list[Any]) -> None:
        super().__init__(tensors)
        self._names = {tensor.name for tensor in tensors}

    def __contains__(self, tensor: object) -> bool:
        return getattr(tensor, "name", None) in self._names


def _compare_alike() -> None:
    """Have onnxslim look for equal nodes among those of equal inputs and attributes only.

    It compares each with each that reads the same values, such as 3,000 outputs of one input.
    """
    from importlib import import_module

    # Its package has a function of the same name
    module: Any = import_module("onnxslim.core.optimization.subexpression_elimination")
    eliminating = module.find_and_remove_replaceable_nodes

    def eliminate(nodes: list[Any], results: set[int] | None = None) -> None:
        for same in _grouped(nodes, _variables):
            for alike in _grouped(same, _likeness):
                eliminating(_with_one_result(alike, module.has_graph_output, results), results)

    module.find_and_remove_replaceable_nodes = eliminate


def _grouped(nodes: list[Any], key: Callable[[Any], Hashable]) -> list[list[Any]]:
    """The nodes that are alike by a key and not alone."""
    groups: defaultdict[Hashable, list[Any]] = defaultdict(list)
    for node in nodes:
        groups[key(node)].append(node)
    return [group for group in groups.values() if len(group) > 1]


def _with_one_result(
    nodes: list[Any], is_result: Callable[[Any, set[int] | None], bool], results: set[int] | None
) -> list[Any]:
    """Of equal nodes that give outputs of the model, which all stay, the first; and the others."""
    given = [node for node in nodes if is_result(node, results)]
    if len(given) < 2:
        return nodes
    left_out = set(map(id, given[1:]))
    return [node for node in nodes if id(node) not in left_out]


def _variables(node: Any) -> Hashable:
    return tuple(one.name for one in node.inputs if not _is_constant(one))


def _likeness(node: Any) -> Hashable:
    """What nodes of one operator have in common if they are equal."""
    attributes = tuple(sorted((name, _written(value)) for name, value in node.attrs.items()))
    constants = tuple(map(_value_of, filter(_is_constant, node.inputs)))
    return node.domain, attributes, constants


def _is_constant(tensor: Any) -> bool:
    return hasattr(tensor, "_values")


def _value_of(constant: Any) -> Hashable:
    """The value of a small constant, the shape of a large one, whose value stays where it is."""
    size = constant._values.nbytes
    small = size <= _SMALL_BYTES
    return size, tuple(constant._values.shape), constant.values.tobytes() if small else b""


def _written(value: Any) -> str:
    plain = isinstance(value, _PLAIN) or (
        isinstance(value, list) and all(isinstance(one, _PLAIN) for one in value)
    )
    return repr(value) if plain else type(value).__name__
