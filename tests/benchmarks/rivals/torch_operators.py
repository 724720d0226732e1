"""The ONNX operators of the benchmarks' convolutional networks, as PyTorch does them.

Each takes the node, its inputs as tensors and the inputs that are constants as NumPy arrays. torch
is handed in, as it is installed on few machines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.records.errors import ModelError


@dataclass(frozen=True)
class Node:
    """A node of an ONNX graph, the opset it is of, and the constants among its inputs."""

    proto: Any
    opset: int
    constants: Mapping[str, np.ndarray]

    @property
    def kind(self) -> str:
        """The operator's name."""
        return str(self.proto.op_type)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """Attributes by name."""
        from onnx import helper

        return {item.name: helper.get_attribute_value(item) for item in self.proto.attribute}

    def get(self, name: str, default: Any) -> Any:
        """An attribute."""
        return self.attributes.get(name, default)

    def numbers(self, place: int, attribute: str = "") -> list[Any] | None:
        """A constant input, or the attribute that it was in older opsets; None: left out."""
        if attribute in self.attributes:
            value = self.attributes[attribute]
            return list(value) if isinstance(value, Sequence) else [value]
        name = self.proto.input[place] if place < len(self.proto.input) else ""
        if not name:
            return None
        if name not in self.constants:
            raise self.refusal(f"whose input {name} is computed")
        return list(self.constants[name].reshape(-1).tolist())

    def refusal(self, how: str) -> ModelError:
        """That this form of the operator is not among those that are known."""
        return ModelError(
            f"The PyTorch reference has no {self.kind} {how}.", "Choose another model."
        )


Operator = Callable[[Any, Node, Sequence[Any]], Any]


def conv(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Conv in two dimensions."""
    value, padding = _padded(torch, node, inputs[0], 0.0)
    bias = inputs[2] if len(inputs) > 2 else None
    return torch.nn.functional.conv2d(
        value,
        inputs[1],
        bias,
        stride=node.get("strides", [1, 1]),
        padding=padding,
        dilation=node.get("dilations", [1, 1]),
        groups=node.get("group", 1),
    )


def max_pool(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """MaxPool in two dimensions."""
    ceil, value = _ceil(node, inputs[0]), inputs[0]
    padding = tuple(node.get("pads", [0] * 4)[:2])
    if not ceil:
        value, padding = _padded(torch, node, value, -math.inf)
    return torch.nn.functional.max_pool2d(
        value,
        node.get("kernel_shape", None),
        stride=node.get("strides", [1, 1]),
        padding=padding,
        dilation=node.get("dilations", [1, 1]),
        ceil_mode=ceil or bool(node.get("ceil_mode", 0)),
    )


def average_pool(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """AveragePool in two dimensions."""
    (value,), kernel = inputs, node.get("kernel_shape", None)
    pads, with_pads = node.get("pads", [0] * 4), bool(node.get("count_include_pad", 0))
    spans = [value.shape[2 + axis] + pads[axis] + pads[2 + axis] for axis in (0, 1)]
    if spans == list(kernel) and not with_pads:
        return value.mean((2, 3), keepdim=True)
    ceil = _ceil(node, value) and not with_pads
    if pads[:2] != pads[2:] and not ceil:
        raise node.refusal("padded unevenly")
    return torch.nn.functional.avg_pool2d(
        value,
        kernel,
        stride=node.get("strides", [1, 1]),
        padding=tuple(pads[:2]),
        ceil_mode=ceil or bool(node.get("ceil_mode", 0)),
        count_include_pad=with_pads,
    )


def global_average_pool(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """GlobalAveragePool."""
    return inputs[0].mean(tuple(range(2, inputs[0].dim())), keepdim=True)


def batch_normalization(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """BatchNormalization with given statistics."""
    value, scale, shift, mean, variance = inputs
    return torch.nn.functional.batch_norm(
        value, mean, variance, scale, shift, eps=node.get("epsilon", 1e-5)
    )


def lrn(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """LRN over an odd number of channels."""
    size = node.get("size", 1)
    if size % 2 == 0:
        raise node.refusal(f"over {size} channels")
    return torch.nn.functional.local_response_norm(
        inputs[0],
        size,
        alpha=node.get("alpha", 1e-4),
        beta=node.get("beta", 0.75),
        k=node.get("bias", 1.0),
    )


def gemm(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Gemm."""
    first = inputs[0].T if node.get("transA", 0) else inputs[0]
    second = inputs[1].T if node.get("transB", 0) else inputs[1]
    alpha = node.get("alpha", 1.0)
    if len(inputs) < 3:
        return alpha * (first @ second)
    return torch.addmm(inputs[2], first, second, beta=node.get("beta", 1.0), alpha=alpha)


def softmax(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Softmax; before opset 13 over all axes from its own on."""
    (value,) = inputs
    if node.opset >= 13:
        return torch.softmax(value, node.get("axis", -1))
    return torch.softmax(value.flatten(node.get("axis", 1)), -1).reshape(value.shape)


def reshape(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Reshape; 0 keeps a size."""
    value, sizes = inputs[0], node.numbers(1, "shape") or []
    kept = not node.get("allowzero", 0)
    return value.reshape(
        [value.shape[axis] if size == 0 and kept else size for axis, size in enumerate(sizes)]
    )


def flatten(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Flatten to a matrix."""
    (value,), axis = inputs, node.get("axis", 1)
    return value.reshape(math.prod(value.shape[:axis]), -1)


def unsqueeze(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Unsqueeze; the axes count in the result."""
    value, axes = inputs[0], node.numbers(1, "axes") or []
    rank = value.dim() + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        value = value.unsqueeze(axis)
    return value


def squeeze(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Squeeze; without axes, of all that are 1."""
    value, axes = inputs[0], node.numbers(1, "axes")
    if axes is None:
        return value.squeeze()
    for axis in sorted((axis % value.dim() for axis in axes), reverse=True):
        value = value.squeeze(axis)
    return value


def clip(torch: Any, node: Node, inputs: Sequence[Any]) -> Any:
    """Clip; the limits are constants, and each may be left out."""
    low, high = node.numbers(1, "min"), node.numbers(2, "max")
    return torch.clamp(inputs[0], low and low[0], high and high[0])


OPERATORS: dict[str, Operator] = {
    "Add": lambda torch, node, inputs: inputs[0] + inputs[1],
    "AveragePool": average_pool,
    "BatchNormalization": batch_normalization,
    "Clip": clip,
    "Concat": lambda torch, node, inputs: torch.cat(list(inputs), node.get("axis", 1)),
    "Conv": conv,
    "Div": lambda torch, node, inputs: inputs[0] / inputs[1],
    "Dropout": lambda torch, node, inputs: inputs[0],
    "Flatten": flatten,
    "Gemm": gemm,
    "GlobalAveragePool": global_average_pool,
    "Identity": lambda torch, node, inputs: inputs[0],
    "LRN": lrn,
    "MatMul": lambda torch, node, inputs: inputs[0] @ inputs[1],
    "MaxPool": max_pool,
    "Mul": lambda torch, node, inputs: inputs[0] * inputs[1],
    "Relu": lambda torch, node, inputs: torch.relu(inputs[0]),
    "Reshape": reshape,
    "Sigmoid": lambda torch, node, inputs: torch.sigmoid(inputs[0]),
    "Softmax": softmax,
    "Squeeze": squeeze,
    "Sub": lambda torch, node, inputs: inputs[0] - inputs[1],
    "Sum": lambda torch, node, inputs: sum(inputs[1:], inputs[0]),
    "Transpose": lambda torch, node, inputs: inputs[0].permute(
        node.get("perm", list(reversed(range(inputs[0].dim()))))
    ),
    "Unsqueeze": unsqueeze,
}


def _padded(torch: Any, node: Node, value: Any, filler: float) -> tuple[Any, tuple[int, int]]:
    """The value with what must be padded apart, and what the operator itself can pad."""
    if node.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        raise node.refusal("that pads automatically")
    top, left, bottom, right = node.get("pads", [0] * 4)
    if (top, left) == (bottom, right):
        return value, (top, left)
    return torch.nn.functional.pad(value, (left, right, top, bottom), value=filler), (0, 0)


def _ceil(node: Node, value: Any) -> bool:
    """Whether rounding the output's size up does what padding behind alone would.

    It saves PyTorch a kernel, as whoever wrote the model in PyTorch would have.
    """
    pads, strides = node.get("pads", [0] * 4), node.get("strides", [1, 1])
    if node.get("ceil_mode", 0) or pads[:2] == pads[2:] or any(pads[:2]):
        return False
    for axis, kernel in enumerate(node.get("kernel_shape", [1, 1])):
        if node.get("dilations", [1, 1])[axis] != 1:
            return False
        size, behind, stride = value.shape[2 + axis], pads[2 + axis], strides[axis]
        count = (size + behind - kernel) // stride + 1
        # PyTorch drops a window that would begin behind the input.
        if not stride <= kernel <= size or count != -((kernel - size) // stride) + 1:
            return False
    return True
