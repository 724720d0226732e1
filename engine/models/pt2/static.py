"""Writes a PyTorch program anew: static, flat, and of nothing but what was looked at.

What PyTorch loads is this new archive, never the file. Names become identifiers (they end up in
Python source that torch.fx runs), sizes become numbers (SymPy would run their text), operators are
aten's, and text, objects, metadata and tree specifications of the file are left behind.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.models.pt2.archive import DTYPES, Archive, Json, damaged, only
from engine.models.pt2.arguments import Static, argument, refusal
from engine.models.pt2.expressions import Unknown, value_of
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

_ATEN = re.compile(r"torch\.ops\.aten\.([A-Za-z][A-Za-z0-9_]*|_[a-z][A-Za-z0-9_]*)\.[A-Za-z0-9_]+")
_WRAPPERS = {
    "torch.ops.higher_order.wrap_with_set_grad_enabled": 1,
    "torch.ops.higher_order.wrap_with_autocast": 4,
}
"""Blocks that only say how gradients or types are kept: by target, the place of their graph."""

_CHECKS = re.compile(r"torch\.ops\.aten\.(_assert_\w+|sym_constrain_range\w*)\.\w+")
_TRAINING = {"train", "training", "use_input_stats"}
_CPU = {"type": "cpu", "index": None}
_STRIDED = 7


@dataclass(slots=True)
class StaticGraph:
    """A graph in the making. `env` of each block leads from its names to those here or numbers."""

    archive: Archive
    symbols: Mapping[str, int]
    nodes: list[Json] = field(default_factory=list)
    tensors: dict[str, Json] = field(default_factory=dict)

    def new_name(self, wanted: str) -> str:
        """An identifier like `wanted` that no tensor here has."""
        name = re.sub(r"[^A-Za-z0-9_]", "_", wanted)[:100]
        if not name or name[0].isdigit() or keyword.iskeyword(name):
            name = f"v_{name}"
        base, count = name, 1
        while name in self.tensors:
            count += 1
            name = f"{base}_{count}"
        return name

    def tensor(self, graph: Json, local: str) -> str:
        """Take a tensor over; its name here."""
        name = self.new_name(local)
        self.tensors[name] = self._meta(graph["tensor_values"][local], local)
        return name

    def _meta(self, meta: Json, name: str) -> Json:
        if meta["layout"] != _STRIDED or meta["dtype"] not in DTYPES:
            raise ModelError(
                Sentence("{name} is of a type or layout that TVM lacks.", name=name),
                "Export the program with another.",
            )
        sizes, strides = ([self.size(size, name) for size in meta[f]] for f in ("sizes", "strides"))
        return {
            "dtype": meta["dtype"],
            "sizes": [{"as_int": size} for size in sizes],
            "requires_grad": False,
            "device": _CPU,
            "strides": [{"as_int": stride} for stride in strides],
            "storage_offset": {"as_int": 0},
            "layout": _STRIDED,
        }

    def size(self, size: Json, name: str) -> int:
        """A size or stride as a number. ModelError where it depends on the data."""
        value = size["as_int"] if "as_int" in size else self.number(size["as_expr"]["expr_str"])
        if value is None:
            raise ModelError(
                Sentence("The shape of {name} depends on the program's data.", name=name),
                "Cut the program before the operators whose result depends on the data.",
            )
        if type(value) is not int or value < 0:
            raise damaged(self.archive.name, f"{name} has no shape")
        return value

    def number(self, text: str) -> Any:
        """What the expression comes to: an int where it is whole; None where data decide."""
        try:
            found = value_of(text, self.symbols)
        except Unknown:
            return None
        return int(found) if found.denominator == 1 else float(found)

    def block(self, graph: Json, env: dict[str, Static]) -> None:
        """Append a block's nodes; `env` has its inputs, and gets all that it computes."""
        for table in ("sym_int_values", "sym_float_values", "sym_bool_values"):
            for name, value in (graph.get(table) or {}).items():
                kind, content = only(value)
                known = self.number(content["expr_str"]) if kind == "as_expr" else content
                env.setdefault(name, Static(known))
        for node in graph["nodes"]:
            self._node(graph, node, env)

    def _node(self, graph: Json, node: Json, env: dict[str, Static]) -> None:
        target, outputs = node["target"], node["outputs"]
        if _CHECKS.fullmatch(target):
            return
        if outputs and all(only(o)[0].startswith("as_sym_") for o in outputs):
            return  # a size, which `block` knows by now or whose use is refused
        if target in _WRAPPERS:
            self._inline(node, _WRAPPERS[target], env)
            return
        if not _ATEN.fullmatch(target):
            raise refusal(node, "it is no operator of PyTorch's aten")
        operator = target.removeprefix("torch.ops.aten.")
        inputs = [argument(node, operator, item, env) for item in node["inputs"]]
        if any(item["name"] in _TRAINING and item["arg"] == {"as_bool": True} for item in inputs):
            raise refusal(
                node, "it was exported for training; call the module's eval() before that"
            )
        made = [self._output(graph, output, env, node) for output in outputs]
        self.nodes.append({"target": target, "inputs": inputs, "outputs": made, "metadata": {}})

    def _output(self, graph: Json, output: Json, env: dict[str, Static], node: Json) -> Json:
        kind, content = only(output)
        if kind == "as_none":
            return {"as_none": True}
        if kind == "as_tensor":
            return {"as_tensor": self._define(graph, content["name"], env)}
        if kind == "as_tensors":
            return {"as_tensors": [self._define(graph, item["name"], env) for item in content]}
        raise refusal(node, "its result is no tensor")

    def _define(self, graph: Json, local: str, env: dict[str, Static]) -> Json:
        name = self.tensor(graph, local)
        env[local] = Static(tensor=name)
        return {"name": name}

    def _inline(self, node: Json, place: int, env: dict[str, Static]) -> None:
        """Put the nodes of a wrapped block in its place."""
        items = [item["arg"] for item in node["inputs"]]
        graph = items[place]["as_graph"]["graph"]
        inner: dict[str, Static] = {}
        for inside, outside in zip(graph["inputs"], items[place + 1 :], strict=True):
            inner[_name(inside)] = env[_name(outside)]
        self.block(graph, inner)
        outputs = [
            one
            for output in node["outputs"]
            for one in (
                [{"as_tensor": item} for item in output["as_tensors"]]
                if "as_tensors" in output
                else [output]
            )
        ]
        for inside, outside in zip(graph["outputs"], outputs, strict=True):
            if "as_none" not in outside:
                env[_name(outside)] = inner[_name(inside)]


def _name(value: Json) -> str:
    """The name that an argument goes by."""
    kind, content = only(value)
    name = content["name"] if kind == "as_tensor" else content["as_name"]
    return str(name)
