"""Products with a matrix of weights, float or quantized."""

from __future__ import annotations

from dataclasses import dataclass

from engine.models.rewriting.emit import Emitter


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix by name, inputs first; with a scale its values are integers."""

    name: str
    scale: str = ""
    zero_point: str = ""


def multiply(emit: Emitter, x: str, matrix: Matrix, part: str, out: str = "") -> str:
    """x times the matrix.

    With an integer matrix, x is quantized to 8 bits by its own range and the sums are integers.
    """
    if not matrix.scale:
        return emit("MatMul", x, matrix.name, out=out, part=part)
    quantized = [emit.name(f"{part}_{name}") for name in ("quantized", "scale", "zero_point")]
    emit("DynamicQuantizeLinear", x, out=quantized, part=f"{part}_quantize")
    values, scale, zero_point = quantized
    inputs = trimmed(values, matrix.name, zero_point, matrix.zero_point)
    sums = emit("MatMulInteger", *inputs, part=f"{part}_sums")
    return scaled(emit, sums, (scale, matrix.scale), part, out)


def scaled(emit: Emitter, sums: str, scales: tuple[str, ...], part: str, out: str = "") -> str:
    """Sums of integers in float, times all scales."""
    product = emit.cast(sums, "float32", part=f"{part}_float")
    both, *others = scales
    for scale in others:
        both = emit("Mul", both, scale, part=f"{part}_scales")
    return emit("Mul", product, both, out=out, part=part)


def trimmed(*inputs: str) -> list[str]:
    """The inputs without the absent ones at their end."""
    given = list(inputs)
    while given and not given[-1]:
        given.pop()
    return given
