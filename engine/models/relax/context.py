"""What a converter of an ONNX operator is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Expr = Any
"""One of TVM's expressions, which have no types."""

Attributes = dict[str, Any]

_NEWEST = 100  # operator set


class CannotConvert(ValueError):
    """Why a converter of ours takes a node for wrong, in words that go on after the node's name."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where expressions are made; `known` is TVM's own pair of tables, one for each import."""

    block: Any
    known: Any

    @property
    def values(self) -> dict[str, Expr]:
        """Everything converted so far, by name."""
        values: dict[str, Expr] = self.known[0]
        return values

    def typed(self, x: Expr) -> Expr:
        """x with its type worked out."""
        return self.block.normalize(x)


def built_in(operator: str, context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """What TVM's own converter, in its newest version, makes of an operator."""
    from tvm.relax.frontend.onnx import onnx_frontend

    convert = getattr(onnx_frontend, operator).get_converter(_NEWEST)
    given = onnx_frontend.onnx_input(inputs)
    return convert(context.block, given, attributes, context.known)
