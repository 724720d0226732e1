"""TVM's converter of TensorFlow Lite operators, with what it gets wrong put right."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.models.refusals.node_words import reason_of
from engine.models.relax.context import CannotConvert


class ConversionError(Exception):
    """What a converter raised, with the operator and the node that it was at."""


@cache
def converter_class() -> type[Any]:
    """A converter whose errors name the node by its first output."""
    from tvm import relax
    from tvm.relax.frontend.tflite.tflite_frontend import OperatorConverter

    class Converter(OperatorConverter):  # type: ignore[misc]
        """As TVM's, but for EXPAND_DIMS, which calls an operator of Relax with three arguments."""

        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.convert_map["EXPAND_DIMS"] = self._expand_dims
            for kind, convert in list(self.convert_map.items()):
                self.convert_map[kind] = self._named(kind, convert)

        def _named(self, kind: str, convert: Callable[..., Any]) -> Callable[..., Any]:
            def call(op: Any) -> Any:
                try:
                    return convert(op=op)
                except Exception as error:  # converters raise whatever they stumble over
                    node = self.subgraph.Tensors(op.Outputs(0)).Name().decode()
                    reason = error if isinstance(error, CannotConvert) else reason_of(error)
                    raise ConversionError(f"{kind} ({node}): {reason}") from error

            return call

        def _expand_dims(self, op: Any) -> Any:
            value, axis = self.get_input_tensors(op)
            if value.qnn_params and not self.has_same_qnn_params(
                value, self.get_output_tensors(op)[0]
            ):
                raise CannotConvert("its input and output are scaled differently")
            place = int(self.get_tensor_value(axis).reshape(-1)[0])
            return relax.op.expand_dims(self.get_tensor_expr(value), place)

    return Converter
