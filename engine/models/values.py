"""Inputs that get one value for good: they become constants, and what hangs on them folds away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from engine.models.shapes import no_input, tensor_spec
from engine.records.errors import Hint, ShapeError
from engine.records.sentences import Sentence
from engine.records.units import decimal_number

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, ValueInfoProto

_EXAMPLE = Sentence("Write it like sr=16000.")


def parse_values(texts: Iterable[str]) -> dict[str, float]:
    """Values by input name out of "sr=16000"; ShapeError where a text is not of that form."""
    values: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        name = name.strip()
        number = number.strip()
        value = decimal_number({"true": "1", "false": "0"}.get(number.lower(), number))
        if not equals or not name or value is None:
            raise ShapeError(Sentence("'{text}' is not a value.", text=text), _EXAMPLE, Hint.VALUE)
        if values.setdefault(name, value) != value:
            raise ShapeError(
                Sentence("Input {name} is given two values.", name=name),
                "Give each input one value.",
            )
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
        raise no_input(name, list(inputs))
    spec = tensor_spec(inputs[name])
    if spec is None:
        raise ShapeError(
            Sentence("Input {name} has no fixed shape yet.", name=name),
            Sentence("Give it a shape as well, like {name}=1x2.", name=name),
        )
    dtype = np.dtype(spec.dtype)
    with np.errstate(all="ignore"):
        stored = np.array(number).astype(dtype)
    if dtype.kind in "biu" and float(stored) != number:
        raise ShapeError(
            Sentence(
                "Input {name} of type {dtype} cannot be {number:g}.",
                name=name,
                dtype=spec.dtype,
                number=number,
            ),
            "Give another value.",
        )
    return np.full(spec.shape, stored)
