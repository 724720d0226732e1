"""Which operators of an ONNX model TVM's importer lacks, all of them at once."""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING, Any

from engine.models.proto_walk import walk_nodes
from engine.models.relax.converters import converters
from engine.records.errors import UnsupportedOperators

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

RUNTIME = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""

_STANDARD = ("", "ai.onnx")

# TVM finds converters by name alone. These few implement ONNX Runtime's own operators.
_MICROSOFT_ONLY = {
    "Attention",
    "BiasGelu",
    "EmbedLayerNormalization",
    "FastGelu",
    "MatMulInteger16",
    "SkipLayerNormalization",
}

# ONNX Runtime writes these into models of any operator set as if they were the standard's.
_RUNTIME_ONLY = {"LayerNormalization", "SimplifiedLayerNormalization"}

# The importer converts If outside its table of converters.
_HANDLED_APART = {"If"}


def unsupported_operators(proto: ModelProto) -> tuple[str, ...]:
    """Names of all operators in graph, subgraphs and functions that TVM cannot import, sorted.

    An operator of another domain is written "domain::Operator".
    """
    lacking = unsupported_nodes(proto)
    return tuple(sorted(_title(*key) for key in lacking))


def refusal(proto: ModelProto) -> UnsupportedOperators | None:
    """The error that names what TVM cannot import, None where it can import all."""
    operators = unsupported_operators(proto)
    first: dict[str, str] = {}
    for node in walk_nodes(proto):
        first.setdefault(_title(node.domain, node.op_type), node_name(node))
    nodes = tuple(first.get(operator, "") for operator in operators)
    return UnsupportedOperators(operators, nodes) if operators else None


def node_name(node: NodeProto) -> str:
    """A node's name, or that of its first output."""
    return node.name or next((output for output in node.output if output), "")


def _title(domain: str, operator: str) -> str:
    return operator if domain in _STANDARD else f"{domain}::{operator}"


def unsupported_nodes(proto: ModelProto) -> set[tuple[str, str]]:
    """Domain and name of the operators that TVM cannot import."""
    own = {(function.domain, function.name) for function in proto.functions}
    used = {(node.domain, node.op_type) for node in walk_nodes(proto)} - own
    table = _converters()
    opset = standard_opset(proto)
    return {key for key in used if not _converts(table, *key, opset)}


def undefined_operators(proto: ModelProto) -> tuple[str, ...]:
    """Names of standard operators that the model's operator set does not define, sorted."""
    from onnx import defs

    own = {(function.domain, function.name) for function in proto.functions}
    opset = standard_opset(proto)
    names = {
        node.op_type
        for node in walk_nodes(proto)
        if node.domain in _STANDARD and (node.domain, node.op_type) not in own
    } - _RUNTIME_ONLY
    return tuple(sorted(name for name in names if not defs.has(name, opset, "")))


def name_runtime_domain(proto: ModelProto) -> None:
    """In place: standard operators that only ONNX Runtime has here get the name of its domain."""
    from onnx import defs

    opset = standard_opset(proto)
    missing = {name for name in _RUNTIME_ONLY if not defs.has(name, opset, "")}
    for node in walk_nodes(proto):
        if node.domain in _STANDARD and node.op_type in missing:
            node.domain = RUNTIME
    if RUNTIME not in {entry.domain for entry in proto.opset_import}:
        proto.opset_import.add(domain=RUNTIME, version=1)


def standard_opset(proto: ModelProto) -> int:
    """The version of ONNX's own operator set that the model asks for, 1 where it names none."""
    versions = [entry.version for entry in proto.opset_import if entry.domain in _STANDARD]
    return versions[0] if versions else 1


def _converts(table: dict[str, Any], domain: str, name: str, opset: int) -> bool:
    if domain not in _STANDARD:
        return False
    if name in _HANDLED_APART:
        return True
    named = name in table and name not in _MICROSOFT_ONLY
    return named and not _only_raises(table[name], opset)


def _only_raises(converter: Any, opset: int) -> bool:
    """Whether the converter's version for this operator set never returns."""
    try:
        function = converter.get_converter(opset)
    except (NotImplementedError, IndexError):
        return True
    names = {step.opname for step in dis.get_instructions(function)}
    return not names & {"RETURN_VALUE", "RETURN_CONST"}


def _converters() -> dict[str, Any]:
    from tvm.relax.frontend.onnx import onnx_frontend

    table: dict[str, Any] = onnx_frontend._get_convert_map()
    return table | converters()
