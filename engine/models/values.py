"""Inputs that get one value for good: they become constants, and what hangs on them folds away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.models.shapes import tensor_spec
from engine.records.errors import Hint, ShapeError
from engine.records.units import decimal_number

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, ValueInfoProto

_EXAMPLE = "Write it like sr=16000."


def parse_values(texts: Iterable[str]) -> dict[str, float]:
    """Values by input name out of "sr=16000"; ShapeError where a text is not of that form."""
    values: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        name = name.strip()
        number = number.strip()
        value = decimal_number({"true": "1", "false": "0"}.get(number.lower(), number))
        if not equals or not name or value is None:
            raise ShapeError(f"'{text}' is not a value.", _EXAMPLE, Hint.VALUE)
        if values.setdefault(name, value) != value:
            raise ShapeError(f"Input {name} is given two values.", "Give each input one value.")
    return values


def apply_values(proto: ModelProto, values: Mapping[str, float]) -> None:
    """Turn inputs of fixed shapes into constants filled with their value, in place.

    ShapeError for an unknown input, or for a value that its type does not hold.
    """
    from onnx import numpy_helper

    graph = proto.graph
    inputs = {value.name: value for value in graph.input}
    for name, array in filled(proto, values).items():
        graph.initializer.append(numpy_helper.from_array(array, name))
        graph.input.remove(inputs[name])


def filled(proto: ModelProto, values: Mapping[str, float]) -> dict[str, np.ndarray]:
    """What inputs of fixed shapes are when filled with their value. Raises as `apply_values`."""
    inputs = {value.name: value for value in proto.graph.input}
    return {name: _filled(inputs, name, number) for name, number in values.items()}


def _filled(inputs: Mapping[str, ValueInfoProto], name: str, number: float) -> np.ndarray:
    import numpy as np

    if name not in inputs:
        listed = ", ".join(inputs) or "none"
        raise ShapeError(f"The model has no input {name}.", f"Its inputs are: {listed}.")
    spec = tensor_spec(inputs[name])
    if spec is None:
        raise ShapeError(
            f"Input {name} has no fixed shape yet.",
            f"Give it a shape as well, like {name}=1x2.",
        )
    dtype = np.dtype(spec.dtype)
    with np.errstate(all="ignore"):
        stored = np.array(number).astype(dtype)
    if dtype.kind in "biu" and float(stored) != number:
        raise ShapeError(
            f"Input {name} of type {spec.dtype} cannot be {number:g}.", "Give another value."
        )
    return np.full(spec.shape, stored)
