"""Texts of modules, as a project stores them, with damage that a seed decides."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

Graph = dict[str, Any]

NUMBERS = (
    -(2**63),
    -(2**31),
    -2,
    -1,
    0,
    1,
    2,
    3,
    7,
    64,
    65_536,
    2**31 - 1,
    2**40,
    2**63 - 1,
    2**64,
)
KINDS = (
    *("ffi.Function", "ffi.Module", "ffi.Tensor", "ffi.List", "ffi.Dict", "ffi.Shape", "ffi.Bytes"),
    *("DataType", "Device", "ir.Span", "ir.SourceName", "relax.Function", "target.Target"),
    *("tirx.DeclBuffer", "tirx.AssertStmt", "prim.Ramp", "prim.Shuffle", "prim.Broadcast"),
    *("ir.IRModule", "tirx.PrimFunc", "s_tir.SBlock", "ir.Var", "ir.IntImm", "None", "int"),
    *("ffi.String", "ffi.Array", "ffi.Map", "tirx.TileLayout", "nobody.Knows", ""),
)
TEXTS = (
    *("", "main", "float32", "int64", "handle", "float0", "int999", "bool", "shared", "global"),
    *("pragma_import_c", "pragma_import_llvm", "tirx.call_extern", "tirx.exp", "x" * 5000, "\0"),
)


def damaged(text: str, dice: random.Random) -> str:
    """The text with one to three kinds of damage."""
    if dice.random() < 0.05:
        return text[: dice.randrange(len(text))]
    if dice.random() < 0.05:
        return dice.choice(("[" * 50_000, '{"nodes":' * 50_000, "", "null", "7", text + "x"))
    graph = json.loads(text)
    for _ in range(dice.randint(1, 3)):
        with suppress(AttributeError, IndexError, KeyError, TypeError):  # of one spoilt before
            dice.choice(_DAMAGES)(graph, dice)
    return json.dumps(graph)


def _node(graph: Graph, dice: random.Random) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = graph["nodes"]
    return dice.choice(nodes)


def _kind(graph: Graph, dice: random.Random) -> None:
    _node(graph, dice)["type"] = dice.choice(KINDS)


def _others_kind(graph: Graph, dice: random.Random) -> None:
    _node(graph, dice)["type"] = _node(graph, dice)["type"]


def _swapped(graph: Graph, dice: random.Random) -> None:
    """Two nodes of one kind change places: what names them means the other one."""
    one = _node(graph, dice)
    alike = [node for node in graph["nodes"] if node["type"] == one["type"]]
    other = dice.choice(alike)
    one["data"], other["data"] = other.get("data"), one.get("data")


def _index(graph: Graph, dice: random.Random) -> None:
    """A field that names a node names another one, or one that is not there."""
    place = dice.randrange(len(graph["nodes"]))
    data = graph["nodes"][place].get("data")
    count = len(graph["nodes"])
    other = dice.choice((dice.randrange(count), dice.randrange(max(1, place)), -1, count, place))
    if isinstance(data, dict) and data:
        data[dice.choice(list(data))] = other
    elif isinstance(data, list) and data:
        data[dice.randrange(len(data))] = other


def _number(graph: Graph, dice: random.Random) -> None:
    found = [node for node in graph["nodes"] if node["type"] == "int"]
    if found:
        dice.choice(found)["data"] = dice.choice(NUMBERS)


def _flag(graph: Graph, dice: random.Random) -> None:
    """A number that stands in a field, a loop's kind for instance."""
    found = [
        node
        for node in graph["nodes"]
        if node["type"] in ("tirx.For", "tirx.IterVar", "tirx.BufferType", "relax.TensorType")
    ]
    if found:
        data = dice.choice(found)["data"]
        names = {"kind", "iter_type", "data_alignment", "offset_factor", "ndim"} & data.keys()
        data[sorted(names)[0]] = dice.choice((*NUMBERS, 4, 5, 8))


def _text(graph: Graph, dice: random.Random) -> None:
    found = [node for node in graph["nodes"] if isinstance(node.get("data"), str)]
    if found:
        dice.choice(found)["data"] = dice.choice(TEXTS)
    kinds = [node for node in graph["nodes"] if node["type"] == "ir.PrimType"]
    if kinds and dice.random() < 0.3:
        dice.choice(kinds)["data"]["dtype"] = dice.choice((*TEXTS, "float32x4", "uint8", "float16"))


def _wrong_type(graph: Graph, dice: random.Random) -> None:
    value: Any = dice.choice((None, True, 1.5, "a", [], {}, [[]], {"a": {}}, float("nan"), 10**400))
    node = _node(graph, dice)
    if isinstance(node.get("data"), dict) and node["data"] and dice.random() < 0.7:
        node["data"][dice.choice(list(node["data"]))] = value
    else:
        node["data"] = value


def _lost(graph: Graph, dice: random.Random) -> None:
    node = _node(graph, dice)
    if isinstance(node.get("data"), dict) and node["data"]:
        del node["data"][dice.choice(list(node["data"]))]
    elif isinstance(node.get("data"), list) and node["data"]:
        node["data"].pop(dice.randrange(len(node["data"])))
    else:
        node.pop("data", None)


def _shorter(graph: Graph, dice: random.Random) -> None:
    """A list, of a loop's arguments perhaps, with one more or less."""
    found = [node for node in graph["nodes"] if node["type"] == "ffi.Array" and node.get("data")]
    data = dice.choice(found)["data"]
    place = dice.randrange(len(data))
    if dice.random() < 0.5:
        data.insert(place, data[place])
    else:
        del data[place]


def _deep(graph: Graph, dice: random.Random) -> None:
    """A sum of sums, each of the one before, instead of a number."""
    nodes = graph["nodes"]
    sums = [at for at, node in enumerate(nodes) if node["type"] == "prim.Add"]
    if not sums:
        return
    at = dice.choice(sums)
    depth = dice.choice((10, 100, 1000, 5000))
    twice = dice.random() < 0.5
    first = len(nodes)
    for level in range(depth):
        before = first + level - 1 if level else nodes[at]["data"]["a"]
        other = before if twice else nodes[at]["data"]["b"]
        nodes.append({"type": "prim.Add", "data": {**nodes[at]["data"], "a": before, "b": other}})
    graph["nodes"] = _moved_before(nodes, first, at)


def _moved_before(nodes: list[dict[str, Any]], first: int, at: int) -> list[dict[str, Any]]:
    """The nodes with those from `first` on put before `at`, whose sum then is of the last one."""
    more = len(nodes) - first
    where = {old: old if old < at else old + more for old in range(first)}
    where |= {first + turn: at + turn for turn in range(more)}
    ordered = [*nodes[:at], *nodes[first:], *nodes[at:first]]
    plain = {"kind", "iter_type", "data_alignment", "offset_factor", "ndim", "dtype", "purity"}
    made = []
    for node in ordered:
        data = node.get("data")
        if isinstance(data, list):
            data = [where.get(item, item) for item in data]
        elif isinstance(data, dict):
            data = {
                name: where.get(item, item) if type(item) is int and name not in plain else item
                for name, item in data.items()
            }
        made.append({"type": node["type"], "data": data})
    made[at + more]["data"]["a"] = at + more - 1
    return made


_DAMAGES: tuple[Callable[[Graph, random.Random], None], ...] = (
    *(_kind, _others_kind, _swapped, _swapped, _index, _index, _number, _number, _flag, _text),
    *(_wrong_type, _lost, _shorter, _shorter, _deep),
)
