"""A network of products of bytes that stand beside each other, each with an output of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

from tests.engine.models.build import Value, model

_TYPES = {"uint8": TensorProto.UINT8, "int8": TensorProto.INT8}
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Product:
    """A QLinearConv of data of `size` pixels a side, or a QLinearMatMul where `kernel` is 0."""

    name: str
    inputs: int
    outputs: int
    kernel: int
    fits: bool = True
    """Whether a kernel for dot products takes it."""
    size: int = 5
    stride: int = 1
    pads: tuple[int, ...] = (0, 0, 0, 0)
    dilation: int = 1
    groups: int = 1
    dtype: str = "uint8"
    zero: int = 3
    weights: str = "int8"
    weight_zeros: tuple[int, ...] = (0,)
    per_channel: bool = False
    reach: int = 60
    """How far weights go from their zero point."""

    def data(self, seed: int) -> Arrays:
        """Random data over the whole range of its type."""
        shape = (4, self.inputs) if not self.kernel else (1, self.inputs, self.size, self.size)
        return {f"x_{self.name}": _bytes(np.random.default_rng(seed), self.dtype, shape)}

    def constants(self) -> Arrays:
        """Weights, scales and zero points. Weights keep to a range in which ONNX Runtime's sums are
        right on CPUs without VNNI, too."""
        rng, name = np.random.default_rng(0), self.name
        inside = self.inputs // self.groups
        shape: tuple[int, ...] = (self.outputs, inside, self.kernel, self.kernel)
        shape = shape if self.kernel else (self.inputs, self.outputs)
        count = self.outputs if self.per_channel else 1
        zeros = np.resize(np.array(self.weight_zeros, self.weights), count)
        around = zeros.astype("int32").reshape([-1, 1, 1, 1] if self.kernel else [-1])
        weights = around + rng.integers(-self.reach, self.reach, shape)
        least = 0 if self.weights == "uint8" else -128
        scale = 0.01 * (1 + rng.random(count, "float32"))
        one = count == 1
        return {
            f"x_scale_{name}": np.array(0.02, "float32"),
            f"x_zero_{name}": np.array(self.zero, self.dtype),
            f"w_{name}": np.clip(weights, least, least + 255).astype(self.weights),
            f"w_scale_{name}": scale[0] if one else scale.astype("float32"),
            f"w_zero_{name}": zeros[0] if one else zeros,
            f"y_scale_{name}": np.array(0.02 * np.sqrt(inside), "float32"),
            f"y_zero_{name}": np.array(self.zero ^ 1, self.dtype),
        }

    def node(self) -> NodeProto:
        """The operator."""
        kinds = ("x", "x_scale", "x_zero", "w", "w_scale", "w_zero", "y_scale", "y_zero")
        names = [f"{kind}_{self.name}" for kind in kinds]
        if not self.kernel:
            return helper.make_node("QLinearMatMul", names, [f"y_{self.name}"])
        return helper.make_node(
            "QLinearConv",
            names,
            [f"y_{self.name}"],
            strides=[self.stride] * 2,
            pads=list(self.pads),
            dilations=[self.dilation] * 2,
            group=self.groups,
        )

    def values(self) -> tuple[Value, Value]:
        """What it takes and gives, as a model declares it."""
        kind, shape = _TYPES[self.dtype], self.data(0)[f"x_{self.name}"].shape
        result = (4, self.outputs) if not self.kernel else (1, self.outputs, *self._pixels())
        return (f"x_{self.name}", kind, shape), (f"y_{self.name}", kind, result)

    def _pixels(self) -> tuple[int, int]:
        top, left, bottom, right = self.pads
        reach = (self.kernel - 1) * self.dilation + 1
        high, wide = self.size + top + bottom - reach, self.size + left + right - reach
        return high // self.stride + 1, wide // self.stride + 1


PRODUCTS = (
    Product("plain", 16, 16, 1, zero=0),
    Product("odd", 3, 20, 3, pads=(1, 1, 1, 1), zero=127, per_channel=True),
    Product("strided", 8, 16, 3, size=7, stride=2, pads=(0, 1, 2, 1), zero=255),
    Product("dilated", 4, 16, 3, size=6, dilation=2, pads=(1, 1, 1, 1)),
    Product("grouped", 16, 64, 3, pads=(1, 1, 1, 1), groups=2, zero=77, per_channel=True),
    Product("signed", 5, 7, 1, dtype="int8", zero=-128),
    Product("signed_padded", 4, 16, 3, pads=(1, 1, 1, 1), dtype="int8", zero=-5),
    Product("centred", 4, 16, 3, weights="uint8", weight_zeros=(128,), zero=9),
    Product("lopsided", 4, 16, 1, fits=False, weights="uint8", weight_zeros=(10,), reach=200),
    Product("depthwise", 16, 16, 3, fits=False, pads=(1, 1, 1, 1), groups=16),
    Product("narrow", 8, 8, 3, fits=False, pads=(1, 1, 1, 1), groups=2),
    Product("dense", 10, 19, 0, zero=200),
    Product("signed_dense", 16, 32, 0, dtype="int8", zero=4),
)


def products() -> ModelProto:
    """All of them."""
    given, made = zip(*(each.values() for each in PRODUCTS), strict=True)
    constants: Arrays = {}
    for each in PRODUCTS:
        constants |= each.constants()
    return model([each.node() for each in PRODUCTS], given, made, constants)


def data(seed: int) -> Arrays:
    """Random data for all of them."""
    drawn: Arrays = {}
    for place, each in enumerate(PRODUCTS):
        drawn |= each.data(100 * seed + place)
    return drawn


def _bytes(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
