"""Names, for a person, of the choices that a trace makes."""

from __future__ import annotations

from collections import Counter
from typing import Any

_Instruction = list[Any]  # kind, inputs, attributes, outputs
_PREFIX = "meta_schedule."
_RELATED = {
    "GetConsumers": "consumer of",
    "GetProducers": "producer of",
    "GetChildBlocks": "child of",
    "GetOutputBlocks": "output of",
    "CacheRead": "read cache of",
    "CacheWrite": "write cache of",
    "RFactor": "partial",
    "DecomposeReduction": "start of",
}


class NamedKnobs:
    """Names the sampling instructions of a trace by the blocks and loops that they act on.

    A loop has the number, from 1, that it has among those of its block, and a part of it one more
    ("loop 4.2"). A categorical is named by what uses it.
    """

    def __init__(self, instructions: list[_Instruction]) -> None:
        self._instructions = instructions
        self._names: dict[str, str] = {}
        self._used = Counter[str]()
        for instruction in instructions:
            self._follow(*instruction)

    def take(self, instruction: _Instruction) -> str | None:
        """The name of a knob, unique if each is asked for once; None where it is no knob."""
        kind, inputs, _, outputs = instruction
        match kind:
            case "SamplePerfectTile":
                return self._unique(f"tile {self._known(inputs[0])}")
            case "SampleCategorical":
                return self._unique(self._purpose(outputs[0]))
            case "SampleComputeLocation":
                return self._unique(f"place of {self._known(inputs[0])}")
        return None

    def _follow(self, kind: str, inputs: list[Any], attributes: list[Any], outputs: Any) -> None:
        match kind:
            case "GetSBlock":
                self._names[outputs[0]] = str(attributes[0])
            case "GetLoops":
                self._number(f"{self._known(inputs[0])} loop ", outputs)
            case "Split" | "LoopPartition":
                self._number(f"{self._known(inputs[0])}.", outputs)
            case "Fuse" | "Merge":
                self._names[outputs[0]] = self._fused(inputs)
            case _:
                self._relate(kind, inputs, outputs)

    def _known(self, value: Any) -> str:
        return self._names.get(value, str(value)) if isinstance(value, str) else str(value)

    def _number(self, prefix: str, outputs: list[str]) -> None:
        for number, output in enumerate(outputs, 1):
            self._names[output] = f"{prefix}{number}"

    def _fused(self, loops: list[str]) -> str:
        first, *rest = map(self._known, loops)
        return "+".join((first, *(name.rpartition(" ")[2] for name in rest)))

    def _relate(self, kind: str, inputs: list[Any], outputs: list[str]) -> None:
        relation = _RELATED.get(kind, f"{kind} of")
        name = f"{relation} {self._known(inputs[0])}" if inputs else kind
        for number, output in enumerate(outputs, 1):
            self._names[output] = name if len(outputs) == 1 else f"{name} {number}"

    def _purpose(self, variable: str) -> str:
        """What the first instruction does with a categorical's variable."""
        for kind, inputs, attributes, _ in self._instructions:
            if variable not in inputs:
                continue
            owner = self._known(inputs[0])
            if kind == "Annotate":
                what = str(attributes[0]).removeprefix(_PREFIX).replace("_", " ")
                return f"{what} of {owner}"
            return f"{kind.lower()} of {owner}"
        return "unused choice"

    def _unique(self, name: str) -> str:
        self._used[name] += 1
        count = self._used[name]
        return name if count == 1 else f"{name} ({count})"
