"""What the importer makes of each kind of operator in a model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engine.models.operators import unsupported_nodes
from engine.models.opset.upgrade import settle
from engine.models.proto_walk import walk_nodes
from engine.models.refusals.huge import refuse_huge_stored
from engine.models.rewriting.driver import Rewriting, rewrite
from engine.models.simplify import expand_functions

if TYPE_CHECKING:
    from onnx import ModelProto


@dataclass(frozen=True, slots=True)
class OperatorSupport:
    """One kind of operator; `nodes` are the names of those that are in the file."""

    op: str
    domain: str
    count: int
    state: Literal["supported", "rewritten", "missing"]
    nodes: tuple[str, ...]
    note: str = ""


def check_model(proto: ModelProto) -> list[OperatorSupport]:
    """Every kind of operator in `proto`, by name.

    A kind that TVM lacks is rewritten where all of its nodes can be; else the note says, of the
    first that cannot, why. ModelError names a node that makes a constant which no memory holds.
    """
    lacking = unsupported_nodes(proto)
    nodes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in walk_nodes(proto):
        nodes[node.op_type, node.domain].append(node.name or node.output[0])
    refuse_huge_stored(proto, ())
    copy = type(proto).FromString(proto.SerializeToString())
    done = settle(copy)
    expand_functions(copy)
    rewrite(copy, done)
    left = unsupported_nodes(copy)
    return [
        _support(op, domain, names, lacking, left, done)
        for (op, domain), names in sorted(nodes.items())
    ]


def _support(
    op: str,
    domain: str,
    names: list[str],
    lacking: set[tuple[str, str]],
    left: set[tuple[str, str]],
    done: Rewriting,
) -> OperatorSupport:
    reasons = [f"{name}: {done.notes[name]}" for name in names if name in done.notes]
    state: Literal["supported", "rewritten", "missing"] = "supported"
    if (domain, op) in left or not done.refused.isdisjoint(names):
        state = "missing"
    elif (domain, op) in lacking or ("" if domain == "ai.onnx" else domain, op) in done.operators:
        state = "rewritten"
    note = reasons[0] if reasons and state == "missing" else ""
    return OperatorSupport(op, domain, len(names), state, tuple(names), note)
