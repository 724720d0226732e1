"""Activations that LSTM, GRU and RNN may have, with their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.models.rewriting.emit import Declined, Emitter

_DEFAULTS: Mapping[str, Mapping[str, float]] = {
    "Affine": {"alpha": 1.0, "beta": 0.0},
    "Elu": {"alpha": 1.0},
    "HardSigmoid": {"alpha": 0.2, "beta": 0.5},
    "LeakyRelu": {"alpha": 0.01},
    "Relu": {},
    "ScaledTanh": {"alpha": 1.0, "beta": 1.0},
    "Sigmoid": {},
    "Softplus": {},
    "Softsign": {},
    "Tanh": {},
    "ThresholdedRelu": {"alpha": 1.0},
}


@dataclass(frozen=True, slots=True)
class Activation:
    """One of ONNX's functions; `clip` bounds what it is given, 0 does not."""

    name: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    clip: float = 0.0

    def __call__(self, emit: Emitter, x: str, part: str) -> str:
        """The function's value at x, of the type of the node's first input."""
        if self.clip:
            low, high = (self._number(emit, bound) for bound in (-self.clip, self.clip))
            x = emit("Min", emit("Max", x, low, part="above"), high, part="clipped")
        if self.name == "Affine":
            scaled = emit("Mul", x, self._number(emit, self.numbers["alpha"]), part="scaled")
            return emit("Add", scaled, self._number(emit, self.numbers["beta"]), part=part)
        if self.name == "ScaledTanh":
            inner = emit("Mul", x, self._number(emit, self.numbers["beta"]), part="scaled")
            outer = self._number(emit, self.numbers["alpha"])
            return emit("Mul", emit("Tanh", inner, part="tanh"), outer, part=part)
        return emit(self.name, x, out="", part=part, domain="", **dict(self.numbers))

    def _number(self, emit: Emitter, value: float) -> str:
        return emit.scalar(value, emit.input(0))


def activations(emit: Emitter, default: tuple[str, ...], directions: int) -> list[Activation]:
    """Those of all directions in a row; numbers go to the functions that take any, in order."""
    names = list(emit.attribute("activations", [])) or list(default) * directions
    known = {name.lower(): name for name in _DEFAULTS}
    given = {kind: list(emit.attribute(f"activation_{kind}", [])) for kind in ("alpha", "beta")}
    clip = float(emit.attribute("clip", 0.0))
    found = []
    for name in names:
        if name.lower() not in known:
            raise Declined(f"its activation {name} is not known")
        numbers = dict(_DEFAULTS[known[name.lower()]])
        for kind in numbers:
            if given[kind]:
                numbers[kind] = given[kind].pop(0)
        found.append(Activation(known[name.lower()], numbers, clip))
    return found
