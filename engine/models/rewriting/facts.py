"""What is known of an ONNX model's values: shapes, element types, constants."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from engine.models.operators import standard_opset
from engine.models.proto_walk import constant_tensor, walk_nodes
from engine.models.weights.mapped import array_of

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto


class Facts:
    """Known shapes, ONNX element types and constants by name, of the outermost graph's values."""

    def __init__(self, proto: ModelProto) -> None:
        graph = proto.graph
        self.opset = standard_opset(proto)
        self.stored: dict[str, TensorProto] = {t.name: t for t in graph.initializer}
        for node in graph.node:
            tensor = constant_tensor(node)
            if tensor is not None:
                self.stored[node.output[0]] = tensor
        self._makers = {name: node for node in graph.node for name in node.output}
        self._outputs = [value.name for value in graph.output]
        self._readers: defaultdict[str, list[NodeProto]] = defaultdict(list)
        for node in walk_nodes(proto):
            for name in node.input:
                self._readers[name].append(node)
        self._types = {t: tensor.data_type for t, tensor in self.stored.items()}
        self._shapes = {t: tuple(tensor.dims) for t, tensor in self.stored.items()}
        for value in (*graph.input, *graph.value_info, *graph.output):
            self._read(value)

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a value, None where a dimension is not known."""
        return self._shapes.get(name)

    def type(self, name: str) -> int:
        """The ONNX element type of a value, 0 where it is not known."""
        return int(self._types.get(name, 0))

    def value(self, name: str) -> np.ndarray | None:
        """A constant's value, None for everything else."""
        tensor = self.stored.get(name)
        return None if tensor is None else array_of(tensor)

    def maker(self, name: str) -> NodeProto | None:
        """The node of the outermost graph that computes a value."""
        return self._makers.get(name)

    def uses(self, name: str) -> int:
        """How often a value is read, as an output of the model too."""
        return len(self._readers[name]) + self._outputs.count(name)

    def reader(self, name: str) -> NodeProto | None:
        """The node that alone reads a value, None where that is none or several."""
        return self._readers[name][0] if self._readers[name] and self.uses(name) == 1 else None

    def _read(self, value: ValueInfoProto) -> None:
        if value.type.WhichOneof("value") != "tensor_type" or value.name in self.stored:
            return
        tensor = value.type.tensor_type
        self._types[value.name] = tensor.elem_type
        dims = tensor.shape.dim
        if tensor.HasField("shape") and all(d.HasField("dim_value") for d in dims):
            self._shapes[value.name] = tuple(d.dim_value for d in dims)
