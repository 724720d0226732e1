"""Applies the rules to a model until nothing changes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.models.free_names import free_names
from engine.models.operators import node_name
from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.models.rewriting.constants import fold
from engine.models.rewriting.emit import Declined, Emitter, Names, Refused
from engine.models.rewriting.facts import Facts
from engine.models.rewriting.rules import RULES, UNROLLED, Rule
from engine.models.simplify import forget_shapes, infer_shapes, outputs_of
from engine.models.unused import drop_unused

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

log = logging.getLogger(__name__)

Rules = Mapping[tuple[str, str], Rule]

_MAX_ROUNDS = 500  # an operator may have to wait for the shape that another's rewriting tells


@dataclass(slots=True)
class Rewriting:
    """What was rewritten.

    `origins` gives, by the name of a node that was put in, the name of the file's node; `operators`
    counts rewritten nodes by domain and name; `notes` has by node name why one was left as it is.
    `refused` has the names of those that TVM would import wrongly. `absorbed` gives, by the name
    of a node of the file, others whose work the nodes in its place do as well.
    """

    origins: dict[str, str] = field(default_factory=dict)
    operators: dict[tuple[str, str], int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    absorbed: dict[str, tuple[str, ...]] = field(default_factory=dict)


def rewrite(proto: ModelProto, done: Rewriting | None = None, *, unroll: bool = True) -> Rewriting:
    """Rewrite `proto`, whose inputs are static, in place: it computes the same.

    Without `unroll`, what becomes many operators stays for a later call, which is given `done`.
    """
    done = done or Rewriting()
    fresh = fresh_names(proto)
    rules = RULES if unroll else {key: RULES[key] for key in RULES.keys() - UNROLLED}
    declared = outputs_of(proto)
    for _ in range(_MAX_ROUNDS):
        infer_shapes(proto)
        done.notes.clear()
        done.refused.clear()
        changed = fold(proto, Facts(proto), done.origins)
        changed |= apply_rules(proto, rules, done, fresh)
        if not changed:
            break
        drop_unused(proto)
        forget_shapes(proto, declared)
    else:
        infer_shapes(proto)
    return done


def apply_rules(proto: ModelProto, rules: Rules, done: Rewriting, fresh: Names) -> bool:
    """Apply the rules once, in place; whether anything changed."""
    facts = Facts(proto)
    changed = False
    for graph in walk_graphs(proto):
        changed |= _apply_to(graph, facts, rules, done, fresh)
    if changed:
        _import_domains(proto)
    return changed


def _apply_to(graph: GraphProto, facts: Facts, rules: Rules, done: Rewriting, fresh: Names) -> bool:
    if not any(_key(node) in rules for node in graph.node):
        return False
    nodes: list[NodeProto] = []
    changed = False
    for node in graph.node:
        rule = rules.get(_key(node))
        emitter = _emitted(node, rule, facts, done, fresh) if rule else None
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


def _emitted(
    node: NodeProto, rule: Rule, facts: Facts, done: Rewriting, fresh: Names
) -> Emitter | None:
    """What takes the node's place, None where it stays."""
    emitter = Emitter(node, facts, fresh)
    try:
        rule(emitter)
    except Declined as reason:
        if str(reason):
            done.notes[emitter.base] = str(reason)
        if isinstance(reason, Refused):
            done.refused.add(emitter.base)
        return None
    except Exception as error:  # a damaged file can have anything for attributes and inputs
        log.debug("Rewriting %s failed", emitter.base, exc_info=error)
        done.notes[emitter.base] = "its inputs and attributes do not fit together"
        return None
    return emitter


def _record(node: NodeProto, emitter: Emitter, done: Rewriting) -> None:
    origin = done.origins.get(emitter.base, emitter.base)
    for made in emitter.nodes:
        done.origins[made.name] = origin
    names = [node_name(other) for other in emitter.absorbed]
    if names:
        others = tuple(done.origins.get(name, name) for name in names)
        done.absorbed[origin] = done.absorbed.get(origin, ()) + others
    for name, one in zip([emitter.base, *names], [node, *emitter.absorbed], strict=True):
        if name not in done.origins:
            key = _key(one)
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
    return free_names(used)
