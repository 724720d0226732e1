"""Brings the operators of older operator sets into the forms of newer ones.

TVM's importer knows one form of most operators, whatever the model's operator set says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.operators import node_name, standard_opset
from engine.models.opset.adapters import ADAPTERS
from engine.models.opset.dense import make_dense
from engine.models.opset.inlining import inline_functions, plain_domain
from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.models.rewriting.constants import fold
from engine.models.rewriting.driver import Rewriting, apply_rules, fresh_names
from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.facts import Facts
from engine.models.simplify import forget_shapes, infer_shapes, outputs_of
from engine.records.errors import ModelError
from engine.records.sentences import Sentence, in_brackets

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

OLDEST_READ = 13
"""The operator set from which on TVM's converters read operators as they are defined."""

# What training frameworks wrote once, and what it has to be in a model that only answers.
_MEANINGLESS = {"consumed_inputs": None, "spatial": 1, "is_test": 1, "output_sequence": None}

_ROUNDS = 50


def settle(proto: ModelProto) -> Rewriting:
    """Write `proto`, in place, in one operator set, without sparse constants and own functions.

    Returns what was put in for what. ModelError where that cannot be.
    """
    make_dense(proto)
    inlined = inline_functions(proto)
    done = Rewriting(origins=inlined.origins, operators=inlined.operators)
    upgrade(proto, inlined.versions, done)
    return done


def upgrade(proto: ModelProto, versions: Mapping[str, int], done: Rewriting) -> None:
    """Write `proto`, in place, in one operator set, at least `OLDEST_READ`: it computes the same.

    `versions` are the operator sets of nodes, by name, that are not written in the model's.
    ModelError names a node that cannot be brought into the newer form.
    """
    opset = standard_opset(proto)
    newest = max(OLDEST_READ, opset, *versions.values())
    if opset == newest and not versions:
        return
    declared = outputs_of(proto)
    if not versions:  # else operators of the wrong set would tell what is known
        _fold(proto)
    work = _Upgrade(opset, newest, versions)
    for graph in walk_graphs(proto):
        for node in graph.node:
            _drop_meaningless(node, work.version(node))
    keys = {("", operator): work.apply for operator in ADAPTERS}
    old = {node_name(node) for node in walk_nodes(proto)}
    apply_rules(proto, keys, done, fresh_names(proto))
    for node in walk_nodes(proto):
        if node_name(node) in old and plain_domain(node.domain) == "":
            _refuse_unlike(node, work.version(node), newest, done.notes)
    for entry in proto.opset_import:
        if plain_domain(entry.domain) == "":
            entry.version = newest
    forget_shapes(proto, declared)


def _fold(proto: ModelProto) -> None:
    for _ in range(_ROUNDS):
        infer_shapes(proto)
        if not fold(proto, Facts(proto), {}):
            break


@dataclass(frozen=True, slots=True)
class _Upgrade:
    opset: int
    newest: int
    versions: Mapping[str, int]

    def version(self, node: NodeProto) -> int:
        return self.versions.get(node_name(node), self.opset)

    def apply(self, emit: Emitter) -> None:
        """A rule: the node's newer form, where that differs."""
        adapter, changes = ADAPTERS[emit.node.op_type]
        version = self.version(emit.node)
        if not any(version < change <= self.newest for change in changes):
            raise Declined("")
        adapter(emit, self.newest)


def _drop_meaningless(node: NodeProto, version: int) -> None:
    for attribute in list(node.attribute):
        if attribute.name not in _MEANINGLESS or plain_domain(node.domain) or version >= 14:
            continue
        if _MEANINGLESS[attribute.name] in (None, attribute.i):
            node.attribute.remove(attribute)


def _refuse_unlike(node: NodeProto, old: int, new: int, notes: Mapping[str, str]) -> None:
    """Raise where a node that stayed would mean something else in the newer operator set."""
    from onnx import defs

    if old == new or not defs.has(node.op_type, old, "") or not defs.has(node.op_type, new, ""):
        return
    before, after = (defs.get_schema(node.op_type, version, "") for version in (old, new))
    if before.since_version == after.since_version:
        return
    given = {attribute.name for attribute in node.attribute}
    fits = given <= set(after.attributes) and after.min_input <= len(node.input) <= after.max_input
    note = notes.get(node_name(node), "")
    if not fits or note or after.deprecated:
        raise ModelError(
            Sentence(
                "{operator} ({name}) is of operator set {old} and cannot be written in a newer "
                "one{why}.",
                operator=node.op_type,
                name=node_name(node),
                old=old,
                why=in_brackets(note),
            ),
            Sentence(
                "Export the model again with operator set {oldest_read} or newer.",
                oldest_read=OLDEST_READ,
            ),
        )
