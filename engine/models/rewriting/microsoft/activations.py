"""Activations of ONNX Runtime's own, and those that it puts into a product."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine.models.rewriting.emit import Declined, Emitter

_DEFAULTS: Mapping[str, Mapping[str, float]] = {
    "Elu": {"alpha": 1.0},
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5},
    "LeakyRelu": {"alpha": 0.01},
    "Relu": {},
    "Selu": {"alpha": 1.6732632423543772, "gamma": 1.0507009873554805},
    "Sigmoid": {},
    "Softplus": {},
    "Softsign": {},
    "Tanh": {},
    "ThresholdedRelu": {"alpha": 1.0},
}


def bias_gelu(emit: Emitter) -> None:
    """Gelu of a sum."""
    gelu(emit, emit("Add", emit.input(0), emit.input(1), part="biased"), emit.output(0))


def plain_gelu(emit: Emitter) -> None:
    """Gelu, which the standard has from version 20 on."""
    gelu(emit, emit.input(0), emit.output(0))


def fast_gelu(emit: Emitter) -> None:
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), of a sum where there is a bias."""
    tanh_gelu(emit, _biased(emit, 1), emit.output(0))


def tanh_gelu(emit: Emitter, x: str, out: str) -> None:
    """As `fast_gelu`, of any value of the first input's type."""
    cube, one, slope = (_number(emit, n) for n in (0.044715, 1, math.sqrt(2 / math.pi)))
    cubic = emit("Mul", emit("Mul", x, x, part="square"), cube, part="cubic")
    inner = emit("Mul", x, emit("Add", cubic, one, part="bent"), part="inner")
    inner = emit("Mul", inner, slope, part="sloped")
    _half_of(emit, x, emit("Tanh", inner, part="tanh"), out)


def gelu(emit: Emitter, x: str, out: str) -> str:
    """x / 2 * (1 + erf(x / sqrt 2)), of any value of the first input's type."""
    sloped = emit("Mul", x, _number(emit, math.sqrt(0.5)), part="sloped")
    return _half_of(emit, x, emit("Erf", sloped, part="erf"), out)


def quick_gelu(emit: Emitter) -> None:
    """x * sigmoid(alpha * x)."""
    alpha = emit.attribute("alpha", 1.702)
    x = emit.input(0)
    scaled = emit("Mul", x, _number(emit, alpha), part="scaled") if alpha != 1 else x
    emit("Mul", x, emit("Sigmoid", scaled, part="sigmoid"), out=emit.output(0))


def split_gelu(emit: Emitter) -> None:
    """Of a sum the left half of the last axis, times Gelu of the right half."""
    half = emit.shape(emit.input(1))[0] // 2
    both = emit("Add", emit.input(0), emit.input(1), part="biased")
    left = emit.slice(both, -1, 0, half, part="left")
    right = gelu(emit, emit.slice(both, -1, half, 2 * half, part="right"), "")
    emit("Mul", left, right, out=emit.output(0))


def bias_add(emit: Emitter) -> None:
    """Three values added."""
    biased = emit("Add", emit.input(0), emit.input(1), part="biased")
    emit("Add", biased, emit.input(2), out=emit.output(0))


def activated(emit: Emitter, x: str, name: str, numbers: Mapping[str, float], out: str = "") -> str:
    """x through the activation `name`; `numbers` are its attributes that are not the default.

    Declined where the name is not known.
    """
    if name not in _DEFAULTS:
        raise Declined(f"its activation {name} is not known")
    given: dict[str, Any] = {
        key: numbers.get(key, default) for key, default in _DEFAULTS[name].items()
    }
    return emit(name, x, out=out, part="activated", **given)


def convolution_activation(emit: Emitter, x: str, out: str) -> str:
    """What FusedConv does with its sums: `activation`, with its `activation_params`."""
    name = emit.attribute("activation", "")
    numbers: Sequence[float] = emit.attribute("activation_params", [])
    if not name:
        emit.identity(x, out)
        return out
    if name == "Clip":
        least, most = (_number(emit, number) for number in numbers)
        return emit("Min", emit("Max", x, least, part="above"), most, out=out, part="activated")
    return activated(emit, x, name, dict(zip(("alpha", "beta"), numbers, strict=False)), out)


def _biased(emit: Emitter, place: int) -> str:
    x, bias = emit.input(0), emit.input(place)
    return emit("Add", x, bias, part="biased") if bias else x


def _half_of(emit: Emitter, x: str, bend: str, out: str) -> str:
    """x / 2 * (1 + bend)."""
    half = emit("Mul", x, _number(emit, 0.5), part="halved")
    return emit("Mul", half, emit("Add", bend, _number(emit, 1), part="raised"), out=out)


def _number(emit: Emitter, value: float) -> str:
    return emit.constant(value, emit.common_dtype(), "number")
