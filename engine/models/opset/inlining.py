"""Puts the nodes of the model's own functions where they are called.

ONNX's inliner leaves out functions that were written for another operator set than the model, and
TVM goes by an operator's name alone: a function called Relu would become ONNX's Relu.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.models.operators import node_name, standard_opset
from engine.models.proto_walk import inner_graphs
from engine.models.rewriting.driver import fresh_names
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto

    from engine.models.rewriting.emit import Names

_MAX_NODES = 200_000
"""A short file could describe more: functions that call others twice, many deep."""

_MAX_DEPTH = 100

_REMEDY = Sentence(
    "Export the model again without functions, or with ones that call each other plainly."
)

Key = tuple[str, str, str]
"""Domain, name and overload."""


@dataclass(slots=True)
class Inlined:
    """What became of calls: by name of a node put in, the operator set that it was written for,
    where that is not the model's, and the name of the node that called."""

    versions: dict[str, int] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    operators: dict[tuple[str, str], int] = field(default_factory=dict)


def inline_functions(proto: ModelProto) -> Inlined:
    """Replace, in place and at any depth, each call of the model's own functions.

    ModelError where a function calls itself, or where the calls are too many: they are counted
    before the first is replaced.
    """
    work = _Work(proto)
    if proto.functions:
        work.count()
        work.expand(proto.graph)
        del proto.functions[:]
    return work.done


def function_key(item: NodeProto | FunctionProto) -> Key:
    """What a call and the function that it calls have in common."""
    name = item.op_type if hasattr(item, "op_type") else item.name
    return plain_domain(item.domain), name, item.overload


def plain_domain(domain: str) -> str:
    """ONNX's own domain has two names."""
    return "" if domain == "ai.onnx" else domain


class _Work:
    def __init__(self, proto: ModelProto) -> None:
        self._proto = proto
        self._fresh: Names = fresh_names(proto)
        self._functions = {function_key(function): function for function in proto.functions}
        self._opset = standard_opset(proto)
        self._imported = {plain_domain(entry.domain) for entry in proto.opset_import}
        self.done = Inlined()

    def count(self) -> None:
        """Refuse calls that become too many operators, or have no end."""
        sizes: dict[Key, int] = {}
        total = 0
        for node in _with_inner(self._proto.graph.node):
            size = self._size(node, (), sizes)
            total += size
            if total > _MAX_NODES and size > 1:
                raise ModelError(
                    Sentence(
                        "The model's functions become more than {max_nodes} operators, {size:,} "
                        "of them in {op_type} ({node}).",
                        max_nodes=_MAX_NODES,
                        size=size,
                        op_type=node.op_type,
                        node=node_name(node),
                    ),
                    _REMEDY,
                )

    def _size(self, node: NodeProto, above: tuple[Key, ...], sizes: dict[Key, int]) -> int:
        """How many operators a node becomes; `sizes` keeps those of functions."""
        key = function_key(node)
        function = self._functions.get(key)
        if function is None:
            return 1
        if key in above:
            raise ModelError(
                Sentence("The model's function {function} calls itself.", function=function.name),
                _REMEDY,
            )
        if len(above) == _MAX_DEPTH:
            raise ModelError(
                Sentence(
                    "The model's functions call each other {max_depth} deep.", max_depth=_MAX_DEPTH
                ),
                _REMEDY,
            )
        if key not in sizes:
            inside = _with_inner(function.node)
            sizes[key] = sum(self._size(one, (*above, key), sizes) for one in inside)
        return sizes[key]

    def expand(self, graph: GraphProto, above: tuple[Key, ...] = (), origin: str = "") -> None:
        """The functions in `above` are being expanded, for the file's node `origin`."""
        calls = any(function_key(node) in self._functions for node in graph.node)
        nodes = [made for node in graph.node for made in self._expanded(node, above, origin)]
        if not calls:
            return
        kept = [type(node).FromString(node.SerializeToString()) for node in nodes]
        del graph.node[:]
        graph.node.extend(kept)

    def _expanded(self, node: NodeProto, above: tuple[Key, ...], origin: str) -> list[NodeProto]:
        """What takes a node's place: itself where it calls none of the functions."""
        key = function_key(node)
        function = self._functions.get(key)
        if function is None:
            for graph in inner_graphs(node):
                self.expand(graph, above, origin)
            return [node]
        self._enter(function, key, above)
        origin = origin or node_name(node)
        made = _Call(node, function, self._fresh).nodes()
        version = self._version(function)
        for one in made:
            self._note(one, version, origin)
        return [last for one in made for last in self._expanded(one, (*above, key), origin)]

    def _enter(self, function: FunctionProto, key: Key, above: tuple[Key, ...]) -> None:
        if not above:
            self.done.operators[key[:2]] = self.done.operators.get(key[:2], 0) + 1
        for entry in function.opset_import:
            if plain_domain(entry.domain) not in self._imported:
                self._imported.add(plain_domain(entry.domain))
                self._proto.opset_import.add(domain=entry.domain, version=entry.version)

    def _note(self, node: NodeProto, version: int, origin: str) -> None:
        self.done.origins[node.name] = origin
        if version != self._opset:
            self.done.versions[node.name] = version
        for graph in inner_graphs(node):
            for inner in graph.node:
                self._note(inner, version, origin)

    def _version(self, function: FunctionProto) -> int:
        versions = {plain_domain(entry.domain): entry.version for entry in function.opset_import}
        return int(versions.get("", self._opset))


class _Call:
    """One call: the function's nodes with the caller's names and attributes."""

    def __init__(self, node: NodeProto, function: FunctionProto, fresh: Names) -> None:
        self._function, self._base = function, node_name(node)
        self._fresh = fresh
        self._attributes = {attribute.name: attribute for attribute in function.attribute_proto}
        self._attributes |= {attribute.name: attribute for attribute in node.attribute}
        given = dict(zip(function.input, _padded(node.input, len(function.input)), strict=False))
        results = _padded(node.output, len(function.output))
        wanted = zip(function.output, results, strict=False)
        self._results = [(name, outer) for name, outer in wanted if outer]
        self._names = {"": "", **given}

    def nodes(self) -> list[NodeProto]:
        """In order; every node has a name that no other has."""
        from onnx import helper

        own = {name for node in self._function.node for name in node.output}
        given: dict[str, str] = {}
        passed = []
        for name, outer in self._results:
            if name in own and name not in given:
                given[name] = outer
            else:  # an input that is handed through, or a result given twice
                passed.append((name, outer))
        self._names.update(given)
        made = self._copies(self._function.node, self._names)
        for name, outer in passed:
            identity = helper.make_node("Identity", [self._names.get(name, name)], [outer])
            identity.name = self._fresh(f"{self._base}/identity")
            made.append(identity)
        return made

    def _copies(self, nodes: Iterable[NodeProto], names: dict[str, str]) -> list[NodeProto]:
        for node in nodes:
            for name in node.output:
                if name not in names:
                    names[name] = self._fresh(f"{self._base}/{name}")
        return [self._copy(node, names) for node in nodes]

    def _copy(self, node: NodeProto, names: Mapping[str, str]) -> NodeProto:
        made = type(node)()
        made.CopyFrom(node)
        made.name = self._fresh(f"{self._base}/{node.name or node.op_type.lower()}")
        for places in (made.input, made.output):
            for place, name in enumerate(places):
                places[place] = names.get(name, name)
        while made.input and not made.input[-1]:
            del made.input[-1]
        del made.attribute[:]
        for attribute in node.attribute:
            if (bound := self._bound(attribute)) is not None:
                made.attribute.append(bound)
        for graph in inner_graphs(made):
            self._rename(graph, names)
        return made

    def _bound(self, attribute: AttributeProto) -> AttributeProto | None:
        """An attribute of the body; one that refers to the call's is None where that has none."""
        made = type(attribute)()
        if not attribute.ref_attr_name:
            made.CopyFrom(attribute)
            return made
        given = self._attributes.get(attribute.ref_attr_name)
        if given is None:
            return None
        made.CopyFrom(given)
        made.name = attribute.name
        return made

    def _rename(self, graph: GraphProto, outer: Mapping[str, str]) -> None:
        """Give an inner graph's own values new names as well: the caller may have theirs."""
        names = dict(outer)
        for value in (*graph.input, *graph.initializer):
            names[value.name] = self._fresh(f"{self._base}/{value.name}")
            value.name = names[value.name]
        for node in graph.node:
            for name in filter(None, node.output):
                names[name] = self._fresh(f"{self._base}/{name}")
        kept = [self._copy(node, names) for node in graph.node]
        del graph.node[:], graph.value_info[:]
        graph.node.extend(kept)
        for value in graph.output:
            value.name = names.get(value.name, value.name)


def _with_inner(nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
    """Those nodes and all inside their graphs."""
    for node in nodes:
        yield node
        for graph in inner_graphs(node):
            yield from _with_inner(graph.node)


def _padded(names: Iterable[str], count: int) -> list[str]:
    listed = list(names)
    return listed + [""] * (count - len(listed))
