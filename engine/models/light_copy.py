"""Copies of ONNX models without their large weights: quick to serialise, whatever the size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.models.operators import name_runtime_domain
from engine.models.proto_walk import walk_nodes
from engine.models.weights.mapped import is_mapped

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto

_OWN = "own functions"

# Initializers up to this size stay: they may be shapes, which inference needs to read.
_LIGHT_BYTES = 2**14

_SMALL_BITS: dict[str, int] = {"INT4": 4, "UINT4": 4, "FLOAT4E2M1": 4, "INT2": 2, "UINT2": 2}


def light_copy(proto: ModelProto) -> ModelProto:
    """`proto` with inputs in the place of large initializers."""
    from onnx import helper

    light = type(proto)(ir_version=proto.ir_version)
    light.opset_import.extend(proto.opset_import)
    light.functions.extend(proto.functions)
    source, graph = proto.graph, light.graph
    graph.name = source.name
    for field in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(graph, field).extend(getattr(source, field))
    listed = {value.name for value in source.input}
    for tensor in source.initializer:
        if tensor.ByteSize() <= _LIGHT_BYTES and not is_mapped(tensor):
            graph.initializer.append(tensor)
        elif tensor.name not in listed:
            value = helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            graph.input.append(value)
    return light


def check(proto: ModelProto) -> None:
    """Let onnx.checker judge `proto`; it raises exceptions of several types."""
    import onnx

    light = light_copy(proto)
    name_runtime_domain(light)
    # The checker insists on shapes of inputs and outputs; many exporters leave them out.
    for value in (*light.graph.input, *light.graph.output):
        if value.type.WhichOneof("value") == "tensor_type":
            value.type.tensor_type.shape.SetInParent()
    # Its own functions may be written for another operator set, which the checker does not allow.
    own = {(function.domain, function.name) for function in light.functions}
    for node in walk_nodes(light):
        if (node.domain, node.op_type) in own:
            node.domain = _OWN
    for function in light.functions:
        function.opset_import.add(domain=_OWN, version=1)
        onnx.checker.check_function(function)
    del light.functions[:]
    light.opset_import.add(domain=_OWN, version=1)
    onnx.checker.check_model(light)


def stored_bytes(tensor: TensorProto) -> int:
    """How many bytes a tensor of this shape and type takes in a file; -1 for an unknown type."""
    return bytes_of(tensor.dims, tensor.data_type)


def bytes_of(shape: Iterable[int], data_type: int) -> int:
    """Bytes of a tensor of an ONNX element type; -1 for an unknown type."""
    from onnx import TensorProto, helper

    try:
        bits = _SMALL_BITS.get(TensorProto.DataType.Name(data_type))
        if bits is None:
            bits = 8 * int(helper.tensor_dtype_to_np_dtype(data_type).itemsize)
    except (KeyError, ValueError):
        return -1
    return int(math.prod(shape) * bits + 7) // 8
