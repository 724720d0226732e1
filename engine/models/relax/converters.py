"""Our own converters of ONNX operators into Relax, beside those of TVM's front end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from engine.models.relax.context import Attributes, Context, Expr
from engine.models.relax.shared import shared_tensor
from engine.models.weights.mapped import array_of, is_mapped


@cache
def converters() -> dict[str, Any]:
    """Classes like those of TVM's front end, by operator."""
    from tvm.relax.frontend.onnx import onnx_frontend

    from engine.models.relax import (
        activations,
        bounded_ops,
        convolutions,
        integer_ops,
        reductions,
        tensor_ops,
        whole_numbers,
    )

    functions = integer_ops.FUNCTIONS | tensor_ops.FUNCTIONS | bounded_ops.FUNCTIONS
    functions |= activations.FUNCTIONS | reductions.FUNCTIONS | whole_numbers.FUNCTIONS
    functions |= convolutions.FUNCTIONS
    return {
        name: type(
            name, (onnx_frontend.OnnxOpConverter,), {"_impl_v1": classmethod(_adapted(function))}
        )
        for name, function in functions.items()
    }


@contextmanager
def own_converters() -> Iterator[None]:
    """Let TVM's front end use ours; the caller sees to it that one thread does so at a time."""
    from tvm.relax.frontend.onnx import onnx_frontend

    from engine.models.relax.tensor_ops import axis_extent

    importer = onnx_frontend.ONNXGraphImporter
    table, extent = onnx_frontend._get_convert_map, onnx_frontend._axis_extent
    read = importer._parse_array
    onnx_frontend._get_convert_map = lambda: table() | converters()
    onnx_frontend._axis_extent = axis_extent
    importer._parse_array = lambda self, tensor: (
        shared_tensor(array_of(tensor)) if is_mapped(tensor) else read(self, tensor)
    )
    try:
        yield
    finally:
        onnx_frontend._get_convert_map, onnx_frontend._axis_extent = table, extent
        importer._parse_array = read


def _adapted(function: Callable[[Context, list[Expr], Attributes], Expr]) -> Callable[..., Expr]:
    def convert(cls: object, block: Any, inputs: Any, attributes: Attributes, known: Any) -> Expr:
        given = [inputs[place] for place in range(len(inputs))]
        return function(Context(block, known), given, attributes)

    return convert
