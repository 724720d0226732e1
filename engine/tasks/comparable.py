"""How two kernels of a task can be compared, read off its workload."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.measure.comparing import Comparison
from engine.tasks.tf32 import is_tf32

Node: TypeAlias = dict[str, Any]

_ROUNDINGS = 16.0  # of the largest kind that a value goes through: some fused operators amplify
_TF32_BITS = 11
_DIVISORS = (1, 7)  # small enough for shifts
_OPERANDS = ("a", "b", "value", "condition", "true_value", "false_value", "args", "indices")
_PICKS = frozenset({"Cast", "Select", "Min", "Max", "if_then_else"})
_ORDERS = frozenset({"LT", "LE", "GT", "GE", "EQ", "NE"})
_QUOTIENTS = frozenset({"Div", "Mod", "FloorDiv", "FloorMod", "LShift", "RShift"})
_STEPS = frozenset({"round", "floor", "ceil", "trunc", "nearbyint"})
_REDUCES = 2  # TVM's number for an axis that is summed over


def comparison_of(workload: Any) -> Comparison | None:
    """How kernels of a workload (a module with `main`) are compared; None where it writes to
    none of its arguments by stores, as calls of libraries do.

    Rounding: `_ROUNDINGS` times the unit roundoff of the narrowest type, and that of each sum
    times the root of its length, as errors of both signs add up.
    """
    import tvm

    facts = _Facts(json.loads(tvm.ir.save_json(workload))["nodes"])
    facts.read()
    params = facts.params
    outputs = tuple(sorted({params.index(one) for one in facts.written if one in params}))
    if not outputs:
        return None
    narrowest = max(map(_roundoff, facts.dtypes), default=0.0)
    if is_tf32(workload):
        narrowest = max(narrowest, 2.0**-_TF32_BITS)
    relative = _ROUNDINGS * (
        narrowest + sum(_roundoff(dtype) * math.sqrt(length) for dtype, length in facts.sums)
    )
    floats = narrowest > 0
    return Comparison(
        outputs=outputs,
        integers=facts.integers(),
        unit=facts.indexed and facts.from_floats,
        relative=relative,
        share=min(0.02, _ROUNDINGS * relative) if facts.steps else 0.0,
        whole=floats,
    )


def _roundoff(dtype: str) -> float:
    """Half the distance from 1 to the next number of a float type; 0 for other types."""
    if "float" not in dtype:
        return 0.0
    import ml_dtypes
    import numpy as np

    named = np.dtype(getattr(ml_dtypes, dtype, None) or dtype)
    return float(ml_dtypes.finfo(named).eps) / 2  # type: ignore[no-untyped-call]


@dataclass(slots=True)
class _Facts:
    """What the nodes of a module in TVM's JSON say; operands come before what uses them.

    `sums` are the types and lengths of what is summed up. `indexed`: values decide which element
    is read or written; `reach` is the shortest axis of those, 1 where the index is computed.
    `steps`: a float is rounded or compared, so that a small difference can become a large one.
    """

    nodes: list[Node]
    params: list[int] = field(default_factory=list)
    written: set[int] = field(default_factory=set)
    dtypes: set[str] = field(default_factory=set)
    sums: list[tuple[str, int]] = field(default_factory=list)
    indexed: bool = False
    reach: int = 1 << 30
    divided: bool = False
    from_floats: bool = False
    steps: bool = False
    _loaded: set[int] = field(default_factory=set)  # expressions made of loaded values
    _plain: set[int] = field(default_factory=set)  # of those, what only picks one
    _computed: set[int] = field(default_factory=set)  # buffers with values that are not plain

    def integers(self) -> tuple[int, int] | None:
        """Which integers are harmless, lowest and highest; None for any."""
        if self.indexed:
            low = min(int(self.divided), self.reach - 1)
            return low, min(self.reach - 1, _DIVISORS[1]) if self.divided else self.reach - 1
        return _DIVISORS if self.divided else None

    def read(self) -> None:
        """Look at all nodes once."""
        for number, node in enumerate(self.nodes):
            kind, data = node["type"], node.get("data", {})
            if kind == "tirx.PrimFunc":
                self.params = self._list(data["params"])
            elif kind == "tirx.BufferType":
                self.dtypes.add(self._dtype_of(data))
            elif kind == "tirx.BufferStore":
                self._look_at_store(data)
            elif kind == "s_tir.SBlock":
                self._look_at_block(data)
            elif kind == "ir.TensorLoad":
                self._look_at_indices(data["source"], data["indices"])
                self._loaded.add(number)
                if data["source"] not in self._computed:
                    self._plain.add(number)
            elif kind == "tirx.Bind" and data["value"] in self._loaded:
                self._loaded.add(data["var"])
            elif kind.startswith("prim.") or kind == "ir.Call":
                self._look_at_expression(number, kind, data)

    def _look_at_expression(self, number: int, kind: str, data: Node) -> None:
        operands = list(self._operands(data))
        loaded = [one for one in operands if one in self._loaded]
        if not loaded:
            return
        self._loaded.add(number)
        name = (self._called(data) if kind == "ir.Call" else kind).rpartition(".")[-1]
        if name in _PICKS and all(one in self._plain for one in loaded):
            self._plain.add(number)
        floats = any("float" in self._dtype(one) for one in operands)
        if kind == "prim.Cast" and floats and "float" not in self._dtype(number):
            self.from_floats = self.steps = True
        if floats and name in _ORDERS | _STEPS:
            self.steps = True
        if name in _QUOTIENTS and not floats and operands[-1] in self._loaded:
            self.divided = True

    def _look_at_store(self, data: Node) -> None:
        buffer, value = data["buffer"], data["value"]
        self.written.add(buffer)
        if value in self._loaded and value not in self._plain:
            self._computed.add(buffer)
        self._look_at_indices(buffer, data["indices"])

    def _look_at_block(self, data: Node) -> None:
        """The length of a block's sum, by the type that it is kept in."""
        length = 1
        for axis in self._list(data["iter_vars"]):
            fields = self.nodes[axis]["data"]
            if fields["iter_type"] == _REDUCES:
                length *= self._integer(self.nodes[fields["dom"]]["data"]["extent"])
        for region in self._list(data["writes"]) if length > 1 else ():
            source = self.nodes[region]["data"]["source"]
            self.sums.append((self._dtype(source), length))

    def _look_at_indices(self, buffer: int, indices: int) -> None:
        shape = self.nodes[self.nodes[buffer]["data"]["ty"]]["data"]["shape"]
        for index, size in zip(self._list(indices), self._list(shape), strict=False):
            if index in self._loaded:
                self.indexed = True
                plain = index in self._plain
                self.reach = min(self.reach, self._integer(size) if plain else 1)

    def _operands(self, data: Node) -> Iterator[int]:
        for name in _OPERANDS:
            if isinstance(place := data.get(name), int):
                yield from self._list(place)

    def _called(self, data: Node) -> str:
        op = self.nodes[data["op"]]
        return str(op.get("data", "")) if op["type"] == "ir.Op" else ""

    def _list(self, place: int) -> list[int]:
        node = self.nodes[place]
        return list(node["data"]) if node["type"] == "ffi.Array" else [place]

    def _integer(self, place: int) -> int:
        node = self.nodes[place]
        return int(self.nodes[node["data"]["value"]]["data"]) if node["type"] == "ir.IntImm" else 1

    def _dtype(self, place: int) -> str:
        """The type of an expression, or of a buffer's elements."""
        data = self.nodes[place].get("data")
        kind = data.get("ty") if isinstance(data, dict) else None
        return self._dtype_of(self.nodes[kind]["data"]) if isinstance(kind, int) else ""

    def _dtype_of(self, data: Node) -> str:
        found = data.get("dtype", "")
        return self._dtype_of(self.nodes[found]["data"]) if isinstance(found, int) else str(found)
