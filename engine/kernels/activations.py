"""Activations that a library has, known by what a task's blocks make of some numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.blocks import Block, is_load, place

Floats = NDArray[np.float64]

_NUMBERS = np.array([*np.linspace(-12, 12, 241), -1000.0, -40.0, 40.0, 1000.0])
_BOUND = 1e-5  # of a number: constants in files have seven digits or more


def is_gelu_tanh(source: Any, blocks: Sequence[Block]) -> bool:
    """Whether blocks make of the buffer `source`, element by element, what GELU's form by the
    hyperbolic tangent does (Hendrycks and Gimpel 2016, arXiv:1606.08415)."""
    x = _NUMBERS
    wanted = x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    known = [(source, x)]
    for block in blocks:
        made = _Numbers(block, known).of(block.value)
        if made is None:
            return False
        known.append((block.output, np.broadcast_to(made, x.shape)))
    return bool(blocks) and bool(np.all(np.abs(known[-1][1] - wanted) <= _BOUND * (1 + np.abs(x))))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide},
    **{"tirx.tanh": np.tanh, "tirx.exp": np.exp, "tirx.pow": np.power},
}


class _Numbers:
    """What the expressions of a block are, where it reads `known` buffers."""

    def __init__(self, block: Block, known: Sequence[tuple[Any, Floats]]) -> None:
        self._block, self._known = block, known

    def of(self, value: Any) -> Any:
        """Numbers, without the rounding of their types; None where they are not known."""
        from tvm import tirx

        if isinstance(value, tirx.FloatImm | tirx.IntImm):
            return np.float64(value.value)
        if isinstance(value, tirx.Cast):
            return self.of(value.value)
        if is_load(value):
            return self._loaded(value)
        operator = str(getattr(getattr(value, "op", None), "name", type(value).__name__))
        parts = (value.a, value.b) if hasattr(value, "a") else getattr(value, "args", ())
        terms = [self.of(one) for one in parts]
        if operator not in _FUNCTIONS or any(one is None for one in terms):
            return None
        with np.errstate(all="ignore"):
            return _FUNCTIONS[operator](*terms)

    def _loaded(self, load: Any) -> Floats | None:
        same = self._block.same(self._block.own_place, place(load.source, load.indices))
        found = (numbers for buffer, numbers in self._known if buffer.same_as(load.source))
        return next(found, None) if same else None
