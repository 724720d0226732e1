"""Replaces a network's weights by random ones under which signals keep their size.

Matrices and kernels are drawn as in He et al. 2015, "Delving Deep into Rectifiers": a normal
distribution of variance 2 / fan-in behind a rectifier, which halves a signal's power, and
1 / fan-in elsewhere. Normalisations stay near the identity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.shapes import FIRST_IR_WITHOUT_LISTED_WEIGHTS

if TYPE_CHECKING:
    import numpy as np
    from onnx import GraphProto, ModelProto, NodeProto

# A branch that is added to its own input is damped: 16 such blocks would amplify each other.
_RESIDUAL_GAIN = 0.25

# Operators that pass a weight on in another shape.
_RESHAPES = {"Unsqueeze", "Reshape"}

# Operators behind which a rectified signal still is one.
_PASSES = {"Concat", "Dropout", "LRN", "MaxPool", "Reshape", "Sum", "Transpose"}


@dataclass(frozen=True, slots=True)
class _Use:
    """The operator that reads a weight, and at which of its inputs."""

    node: NodeProto
    position: int


def randomise_weights(proto: ModelProto, seed: int) -> None:
    """Replace, in place, the graph's float initializers and constant fills by random initializers.

    The same seed gives the same weights.
    """
    import numpy as np
    from onnx import numpy_helper

    graph = proto.graph
    random = np.random.default_rng(seed)
    uses = _uses(graph)
    gains = _branch_gains(graph)
    rectified = _rectified(graph)
    shapes = {name: shape for name, shape in _weight_shapes(graph).items() if name in uses}
    _remove(graph, set(shapes))
    proto.ir_version = max(proto.ir_version, FIRST_IR_WITHOUT_LISTED_WEIGHTS)
    for name, shape in shapes.items():
        array = _draw(uses[name], shape, gains, rectified, random)
        graph.initializer.append(numpy_helper.from_array(array, name))


def _weight_shapes(graph: GraphProto) -> dict[str, tuple[int, ...]]:
    """Shapes by name of the float initializers and of what ConstantOfShape nodes make."""
    from onnx import TensorProto, numpy_helper

    stored = {tensor.name: tensor for tensor in graph.initializer}
    shapes = {
        tensor.name: tuple(tensor.dims)
        for tensor in graph.initializer
        if tensor.data_type == TensorProto.FLOAT
    }
    for node in graph.node:
        if node.op_type == "ConstantOfShape" and node.input[0] in stored:
            sizes = numpy_helper.to_array(stored[node.input[0]])
            shapes[node.output[0]] = tuple(int(size) for size in sizes)
    return shapes


def _uses(graph: GraphProto) -> dict[str, _Use]:
    """By name, the operator that a value finally goes into, through any reshaping."""
    uses: dict[str, _Use] = {}
    for node in reversed(graph.node):
        for position, name in enumerate(node.input):
            through = node.op_type in _RESHAPES and position == 0
            use = uses.get(node.output[0]) if through else None
            uses[name] = use or _Use(node, position)
    return uses


def _remove(graph: GraphProto, names: set[str]) -> None:
    """Drop the old weights and what only they needed, also from the graph's inputs."""
    nodes = [node for node in graph.node if node.output[0] not in names]
    read = {name for node in nodes for name in node.input}
    tensors = [t for t in graph.initializer if t.name in read and t.name not in names]
    stored = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in stored | names]
    for field, kept in ((graph.node, nodes), (graph.initializer, tensors), (graph.input, inputs)):
        del field[:]
        field.extend(kept)


def _branch_gains(graph: GraphProto) -> dict[str, float]:
    """Factors for normalised values that are summed, so that the sum is no larger than they are."""
    normalised = {node.output[0] for node in graph.node if node.op_type == "BatchNormalization"}
    gains: dict[str, float] = {}
    for node in graph.node:
        if node.op_type == "Sum":
            branches = normalised.intersection(node.input)
            residual = len(branches) < len(node.input)
            gain = _RESIDUAL_GAIN if residual else 1 / math.sqrt(len(branches))
            gains.update(dict.fromkeys(branches, gain))
    return gains


def _rectified(graph: GraphProto) -> set[str]:
    """Values that come out of a Relu, perhaps through operators that keep them rectified."""
    names: set[str] = set()
    for node in graph.node:
        passes = node.op_type in _PASSES and not names.isdisjoint(node.input)
        if node.op_type == "Relu" or passes:
            names.update(node.output)
    return names


def _draw(
    use: _Use,
    shape: tuple[int, ...],
    gains: dict[str, float],
    rectified: set[str],
    random: np.random.Generator,
) -> np.ndarray:
    """Random float32 values that suit the weight's role."""
    import numpy as np

    node, role = use.node, (use.node.op_type, use.position)
    noise = random.standard_normal(shape, dtype=np.float32)
    if role in (("Conv", 1), ("Gemm", 1)):
        power = 2 if node.input[0] in rectified else 1
        noise *= np.float32(math.sqrt(power / _fan_in(node, shape)))
        return noise
    noise *= np.float32(0.1)
    if role == ("BatchNormalization", 1):
        gain = np.float32(gains.get(node.output[0], 1))
        return np.asarray(gain * (1 + noise))
    if role == ("BatchNormalization", 4):
        return np.asarray(np.exp(2 * noise))
    return np.asarray(1 + noise) if node.op_type == "Mul" else noise


def _fan_in(node: NodeProto, shape: tuple[int, ...]) -> int:
    """How many products are summed into one output of a Conv or Gemm."""
    if node.op_type == "Conv":
        return math.prod(shape[1:])
    rows, columns = [size for size in shape if size > 1][-2:]
    transposed = any(a.name == "transB" and a.i for a in node.attribute)
    return columns if transposed else rows
