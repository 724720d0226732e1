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


def multiply(emit: Emitter, x: str, matrix: Matrix, part: str) -> str:
    """x times the matrix.

    With an integer matrix, x is quantized to 8 bits by its own range and the sums are integers.
    """
    from onnx import TensorProto

    if not matrix.scale:
        return emit("MatMul", x, matrix.name, part=part)
    quantized = [emit.name(f"{part}_{name}") for name in ("quantized", "scale", "zero_point")]
    emit("DynamicQuantizeLinear", x, out=quantized, part=f"{part}_quantize")
    values, scale, zero_point = quantized
    zero_points = [zero_point, matrix.zero_point] if matrix.zero_point else [zero_point]
    sums = emit("MatMulInteger", values, matrix.name, *zero_points, part=f"{part}_sums")
    sums = emit("Cast", sums, to=TensorProto.FLOAT, part=f"{part}_float")
    both = emit("Mul", scale, matrix.scale, part=f"{part}_scales")
    return emit("Mul", sums, both, part=part)
