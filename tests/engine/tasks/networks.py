"""Tiny networks, each with something that lowering, planning or compiling must get right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from tests.engine.models.build import Value, conv_relu_model, model

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
INT64, BOOL, INT8 = TensorProto.INT64, TensorProto.BOOL, TensorProto.INT8

IMAGE = ("x", FLOAT, [1, 16, 8, 8])


def weight(*shape: int, dtype: str = "float32", seed: int = 0) -> np.ndarray:
    """Standard normal values over the square root of their fan-in."""
    values = np.random.default_rng(seed).standard_normal(shape)
    return np.asarray(values / math.sqrt(max(1, math.prod(shape[1:])))).astype(dtype)


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> NodeProto:
    """A node; names are separated by spaces, "-" is an input that is left out."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(kind, names, outputs.split(), **attributes)


def conv(inputs: str, outputs: str, **attributes: Any) -> NodeProto:
    """A convolution of 3x3 that keeps the size."""
    return node("Conv", inputs, outputs, **({"pads": [1, 1, 1, 1]} | attributes))


def outputs(*names: str, kind: int = FLOAT) -> list[Value]:
    """Outputs whose shapes are left to inference."""
    return [(name, kind, None) for name in names]


def conv_bias_relu(channels: int = 32) -> ModelProto:
    """A convolution whose channels fill vectors."""
    nodes = [conv("x w b", "c"), node("Relu", "c", "y")]
    weights = {"w": weight(channels, 16, 3, 3), "b": weight(channels)}
    return model(nodes, [IMAGE], outputs("y"), weights)


def conv_only(
    source: Sequence[int], kernel: Sequence[int], dtype: str = "float32", **attributes: Any
) -> ModelProto:
    """One convolution of x by constant weights."""
    kind = {"float32": FLOAT, "float16": HALF}[dtype]
    weights = {"w": weight(*kernel, dtype=dtype)}
    nodes = [node("Conv", "x w", "y", **attributes)]
    return model(nodes, [("x", kind, source)], outputs("y", kind=kind), weights)


def twin_convs() -> ModelProto:
    """Two convolutions of one workload with different weights."""
    nodes = [conv("x w", "a"), node("Relu", "a", "b"), conv("b v", "c"), node("Relu", "c", "y")]
    weights = {"w": weight(16, 16, 3, 3), "v": weight(16, 16, 3, 3, seed=1)}
    return model(nodes, [IMAGE], outputs("y"), weights)


def residual() -> ModelProto:
    """relu(conv(x) + x)."""
    nodes = [conv("x w", "c"), node("Add", "c x", "s"), node("Relu", "s", "y")]
    return model(nodes, [IMAGE], outputs("y"), {"w": weight(16, 16, 3, 3)})


def batch_norm() -> ModelProto:
    """Convolution, normalisation, rectifier."""
    nodes = [
        conv("x w", "c"),
        node("BatchNormalization", "c g b m v", "n"),
        node("Relu", "n", "y"),
    ]
    stats = {name: weight(16, seed=i) for i, name in enumerate("gbm")}
    weights = {"w": weight(16, 16, 3, 3), **stats, "v": np.abs(weight(16)) + 1}
    return model(nodes, [IMAGE], outputs("y"), weights)


def depthwise() -> ModelProto:
    """A convolution of each channel by itself, then one of the points."""
    nodes = [conv("x w", "d", group=16), node("Conv", "d v", "y")]
    weights = {"w": weight(16, 1, 3, 3), "v": weight(32, 16, 1, 1)}
    return model(nodes, [IMAGE], outputs("y"), weights)


def transposed_conv() -> ModelProto:
    """A convolution behind which a transposed one doubles the size."""
    nodes = [
        conv("x w", "c"),
        node("Relu", "c", "r"),
        node("ConvTranspose", "r v", "y", strides=[2, 2]),
    ]
    weights = {"w": weight(16, 16, 3, 3), "v": weight(16, 4, 2, 2)}
    return model(nodes, [IMAGE], outputs("y"), weights)


def dense() -> ModelProto:
    """Two dense layers."""
    nodes = [
        node("Gemm", "x w b", "h", transB=1),
        node("Relu", "h", "r"),
        node("Gemm", "r v", "y"),
    ]
    weights = {"w": weight(64, 32), "b": weight(64), "v": weight(64, 10)}
    return model(nodes, [("x", FLOAT, [2, 32])], outputs("y"), weights)


def attention() -> ModelProto:
    """softmax(x x^T) x, whose operands are all computed."""
    nodes = [
        node("Transpose", "x", "t", perm=[0, 2, 1]),
        node("MatMul", "x t", "s"),
        node("Softmax", "s", "p"),
        node("MatMul", "p x", "y"),
    ]
    return model(nodes, [("x", FLOAT, [2, 8, 16])], outputs("y"))


def pools() -> ModelProto:
    """All kinds of pooling, and local response normalisation."""
    nodes = [
        node("MaxPool", "x", "a", kernel_shape=[2, 2], strides=[2, 2]),
        node("AveragePool", "a", "b", kernel_shape=[2, 2]),
        node("GlobalAveragePool", "b", "c"),
        node("LRN", "a", "l", size=3),
        node("Flatten", "c", "y"),
    ]
    return model(nodes, [IMAGE], outputs("y", "l"))


def concat() -> ModelProto:
    """One kernel with a single schedule."""
    nodes = [node("Relu", "x", "r"), node("Concat", "r x", "y", axis=1)]
    return model(nodes, [IMAGE], outputs("y"))


def split() -> ModelProto:
    """A kernel with two outputs: one is read again, both leave the model."""
    nodes = [
        node("Split", "x", "a b", axis=1, num_outputs=2),
        node("Relu", "a", "c"),
    ]
    inputs: list[Value] = [("x", FLOAT, [1, 8, 4])]
    return model(nodes, inputs, outputs("c", "b", "a"), opset=18)


def reshaped_input() -> ModelProto:
    """An output that is a view of an input, beside one that is computed from it."""
    nodes = [node("Reshape", "x s", "y"), node("Relu", "x", "z")]
    inputs: list[Value] = [("x", FLOAT, [2, 6])]
    return model(nodes, inputs, outputs("y", "z"), {"s": np.array([3, 4])})


def reshape_between() -> ModelProto:
    """A view between two kernels, and of an output."""
    nodes = [
        node("Relu", "x", "r"),
        node("Reshape", "r s", "v"),
        node("Softmax", "v", "y"),
    ]
    inputs: list[Value] = [("x", FLOAT, [2, 6])]
    return model(nodes, inputs, outputs("y", "v", "r"), {"s": np.array([3, 4])})


def only_reshape() -> ModelProto:
    """A model without a kernel."""
    shape = {"s": np.array([3, 4])}
    return model([node("Reshape", "x s", "y")], [("x", FLOAT, [2, 6])], outputs("y"), shape)


def constant_output() -> ModelProto:
    """An output that no input has to do with."""
    nodes = [node("Relu", "x", "z"), node("Identity", "k", "y")]
    return model(nodes, [("x", FLOAT, [2, 6])], outputs("z", "y"), {"k": weight(3)})


def input_as_output() -> ModelProto:
    """An input that leaves the model as it came."""
    nodes = [node("Relu", "x", "z"), node("Identity", "x", "y")]
    return model(nodes, [("x", FLOAT, [2, 6])], outputs("z", "y"))


def twice() -> ModelProto:
    """One tensor under two output names."""
    nodes = [node("Relu", "x", "z"), node("Identity", "z", "y")]
    return model(nodes, [("x", FLOAT, [2, 6])], outputs("z", "y"))


def unused_input() -> ModelProto:
    """An input that nothing reads."""
    inputs: list[Value] = [("x", FLOAT, [2, 6]), ("u", FLOAT, [3])]
    return model([node("Relu", "x", "z")], inputs, outputs("z"))


def integers() -> ModelProto:
    """A table looked up by integers, masked by booleans, and what a comparison gives."""
    nodes = [
        node("Gather", "t i", "g"),
        node("Cast", "b", "c", to=FLOAT),
        node("Mul", "g c", "y"),
        node("Greater", "g z", "more"),
        node("Not", "more", "less"),
    ]
    inputs: list[Value] = [("i", INT64, [4]), ("b", BOOL, [4, 1])]
    results = outputs("y") + outputs("less", kind=BOOL)
    weights = {"t": weight(5, 8), "z": np.zeros(1, np.float32)}
    return model(nodes, inputs, results, weights)


def quantised() -> ModelProto:
    """An output of 8-bit integers, and an index."""
    nodes = [node("QuantizeLinear", "x s z", "y"), node("ArgMax", "x", "i", axis=1)]
    results = outputs("y", kind=INT8) + outputs("i", kind=INT64)
    weights: dict[str, np.ndarray] = {"s": np.array(0.05, np.float32), "z": np.array(0, np.int8)}
    return model(nodes, [("x", FLOAT, [4, 16])], results, weights)


def scalars() -> ModelProto:
    """A scalar input and a scalar output."""
    nodes = [node("Mul", "x s", "m"), node("ReduceSum", "m", "y", keepdims=0)]
    inputs: list[Value] = [("x", FLOAT, [2, 3]), ("s", FLOAT, [])]
    return model(nodes, inputs, outputs("y"))


def scan_and_dense() -> ModelProto:
    """Kernels that are not made of blocks, a scan and a sort, beside one that may be prepacked."""
    nodes = [
        node("MatMul", "x w", "h"),
        node("CumSum", "h a", "y"),
        node("TopK", "h k", "v i", axis=-1),
    ]
    results = outputs("y", "v") + outputs("i", kind=INT64)
    weights = {"w": weight(32, 64), "a": np.array(1), "k": np.array([3])}
    return model(nodes, [("x", FLOAT, [2, 32])], results, weights)


def scatter() -> ModelProto:
    """A kernel on whose schedules TVM's features fail."""
    nodes = [node("ScatterND", "x i u", "s"), node("Relu", "s", "y")]
    inputs: list[Value] = [("x", FLOAT, [4, 3]), ("u", FLOAT, [2, 3])]
    return model(nodes, inputs, outputs("y"), {"i": np.array([[0], [2]])})


def double() -> ModelProto:
    """Double precision."""
    weights = {"w": weight(16, 16, dtype="float64")}
    nodes = [node("MatMul", "x w", "y")]
    return model(nodes, [("x", DOUBLE, [4, 16])], outputs("y", kind=DOUBLE), weights)


def half() -> ModelProto:
    """Half precision, in which TVM also sums."""
    return conv_only((1, 16, 8, 8), (32, 16, 3, 3), "float16", pads=[1, 1, 1, 1])


NETWORKS: dict[str, Callable[[], ModelProto]] = {
    function.__name__: function
    for function in (
        conv_relu_model,
        conv_bias_relu,
        twin_convs,
        residual,
        batch_norm,
        depthwise,
        transposed_conv,
        dense,
        attention,
        pools,
        concat,
        split,
        reshaped_input,
        reshape_between,
        constant_output,
        input_as_output,
        twice,
        unused_input,
        integers,
        quantised,
        scalars,
        scan_and_dense,
        scatter,
        double,
        half,
    )
}
