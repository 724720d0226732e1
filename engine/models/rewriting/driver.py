"""Applies the rules to a model until nothing changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.models.rewriting.constants import fold
from engine.models.rewriting.emit import Declined, Emitter, Names
from engine.models.rewriting.facts import Facts
from engine.models.rewriting.rules import RULES
from engine.models.simplify import infer_shapes

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

_MAX_ROUNDS = 50


@dataclass(slots=True)
class Rewriting:
    """What was rewritten.

    `origins` gives, by the name of a node that was put in, the name of the file's node; `operators`
    counts rewritten nodes by domain and name; `notes` has by node name why one was left as it is.
    """

    origins: dict[str, str] = field(default_factory=dict)
    operators: dict[tuple[str, str], int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def rewrite(proto: ModelProto) -> Rewriting:
    """Rewrite `proto`, whose inputs are static, in place: it computes the same."""
    done = Rewriting()
    fresh = fresh_names(proto)
    for _ in range(_MAX_ROUNDS):
        infer_shapes(proto)
        done.notes.clear()
        changed = fold(proto, Facts(proto))
        changed |= _apply(proto, done, fresh)
        if not changed:
            break
    return done


def _apply(proto: ModelProto, done: Rewriting, fresh: Names) -> bool:
    facts = Facts(proto)
    changed = False
    for graph in walk_graphs(proto):
        changed |= _apply_to(graph, facts, done, fresh)
    if changed:
        _import_domains(proto)
    return changed


def _apply_to(graph: GraphProto, facts: Facts, done: Rewriting, fresh: Names) -> bool:
    if not any(_key(node) in RULES for node in graph.node):
        return False
    nodes: list[NodeProto] = []
    changed = False
    for node in graph.node:
        emitter = _emitted(node, facts, done, fresh)
        if emitter is None:
            nodes.append(node)
            continue
        changed = True
        nodes += emitter.nodes
        graph.initializer.extend(emitter.constants)
        _record(node, emitter, done)
    if changed:
        kept = [type(node).FromString(node.SerializeToString()) for node in nodes]
        del graph.node[:]
        graph.node.extend(kept)
    return changed


def _emitted(node: NodeProto, facts: Facts, done: Rewriting, fresh: Names) -> Emitter | None:
    """What takes the node's place, None where it stays."""
    rule = RULES.get(_key(node))
    if rule is None:
        return None
    emitter = Emitter(node, facts, fresh)
    try:
        rule(emitter)
    except Declined as reason:
        if str(reason):
            done.notes[emitter.base] = str(reason)
        return None
    return emitter


def _record(node: NodeProto, emitter: Emitter, done: Rewriting) -> None:
    origin = done.origins.get(emitter.base, emitter.base)
    for made in emitter.nodes:
        done.origins[made.name] = origin
    if emitter.base not in done.origins:
        key = _key(node)
        done.operators[key] = done.operators.get(key, 0) + 1


def _key(node: NodeProto) -> tuple[str, str]:
    return ("" if node.domain == "ai.onnx" else node.domain), node.op_type


def _import_domains(proto: ModelProto) -> None:
    known = {entry.domain for entry in proto.opset_import}
    for node in walk_nodes(proto):
        if node.domain and node.domain != "ai.onnx" and node.domain not in known:
            known.add(node.domain)
            proto.opset_import.add(domain=node.domain, version=1)


def fresh_names(proto: ModelProto) -> Names:
    """Makes names that nothing in the model has: inner graphs see those of outer ones."""
    used = {name for node in walk_nodes(proto) for name in (*node.input, *node.output, node.name)}
    for graph in walk_graphs(proto):
        used |= {value.name for value in (*graph.input, *graph.initializer, *graph.output)}
    counts: dict[str, int] = {}

    def fresh(wanted: str) -> str:
        name = wanted
        while name in used:
            counts[wanted] = counts.get(wanted, 0) + 1
            name = f"{wanted}_{counts[wanted]}"
        used.add(name)
        return name

    return fresh
