"""Weights of large models: they stay in their files, and are mapped where their values are read.

protobuf writes no message above 2 GB, and each copy of such a model is one more that memory holds.
An initializer that says where its values are, by an absolute path that was checked, is *mapped*.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, TensorProto

MAPPED_ABOVE_BYTES = 2**30
"""Models with more weights than this are mapped. Others are simplified with all their values."""

LEAST_MAPPED_BYTES = 2**20
"""Smaller weights are read in: they may be what operators are steered by."""


def map_weight(tensor: TensorProto, path: Path, offset: int, length: int) -> None:
    """Have an initializer say that its values are those bytes of the file at an absolute path."""
    del tensor.external_data[:]
    for key, value in (("location", path), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))


def is_mapped(tensor: TensorProto) -> bool:
    """Whether the values are in a file: those of a loaded model that are not mapped are in it."""
    return bool(tensor.data_location == tensor.EXTERNAL)


def has_mapped(proto: ModelProto) -> bool:
    """Whether weights of the model are mapped."""
    return any(map(is_mapped, proto.graph.initializer))


def array_of(tensor: TensorProto) -> np.ndarray:
    """A tensor's values; of a mapped one in pages that are shared until they are written to."""
    import numpy as np
    from onnx import helper, numpy_helper

    if not is_mapped(tensor):
        stored: np.ndarray = numpy_helper.to_array(tensor)
        return stored
    entries = {entry.key: entry.value for entry in tensor.external_data}
    dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
    path, offset = entries["location"], int(entries["offset"])
    return np.memmap(path, dtype, "c", offset, tuple(tensor.dims))


def with_mapped_as_inputs(proto: ModelProto) -> ModelProto:
    """A copy of the model that takes its mapped weights as its last inputs; itself without such."""
    from onnx import helper

    if not has_mapped(proto):
        return proto
    bare = type(proto)()
    bare.CopyFrom(proto)
    kept = [tensor for tensor in proto.graph.initializer if not is_mapped(tensor)]
    del bare.graph.initializer[:]
    bare.graph.initializer.extend(kept)
    for tensor in filter(is_mapped, proto.graph.initializer):
        value = helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
        bare.graph.input.append(value)
    return bare


def put_mapped_back(bare: ModelProto, proto: ModelProto) -> None:
    """Make the last inputs of a copy, in place, the mapped weights that they are in `proto`."""
    mapped = [tensor for tensor in proto.graph.initializer if is_mapped(tensor)]
    names = {tensor.name for tensor in mapped}
    inputs = [value for value in bare.graph.input if value.name not in names]
    del bare.graph.input[:]
    bare.graph.input.extend(inputs)
    bare.graph.initializer.extend(mapped)
