"""What is known of an ONNX model's values: shapes, element types, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.operators import standard_opset

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
            tensor = _constant(node)
            if tensor is not None:
                self.stored[node.output[0]] = tensor
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
        from onnx import numpy_helper

        tensor = self.stored.get(name)
        return None if tensor is None else numpy_helper.to_array(tensor)

    def _read(self, value: ValueInfoProto) -> None:
        if value.type.WhichOneof("value") != "tensor_type" or value.name in self.stored:
            return
        tensor = value.type.tensor_type
        self._types[value.name] = tensor.elem_type
        dims = tensor.shape.dim
        if tensor.HasField("shape") and all(d.HasField("dim_value") for d in dims):
            self._shapes[value.name] = tuple(d.dim_value for d in dims)


def _constant(node: NodeProto) -> TensorProto | None:
    """The tensor of a Constant node, None for any other node."""
    import numpy as np
    from onnx import helper, numpy_helper

    if node.op_type != "Constant" or not node.attribute:
        return None
    attribute = node.attribute[0]
    if attribute.name == "value":
        tensor: TensorProto = attribute.t
        return tensor
    dtypes = {"value_float": "float32", "value_floats": "float32"}
    dtypes |= {"value_int": "int64", "value_ints": "int64"}
    if attribute.name not in dtypes:
        return None
    array = np.asarray(helper.get_attribute_value(attribute), dtypes[attribute.name])
    made: TensorProto = numpy_helper.from_array(array)
    return made
