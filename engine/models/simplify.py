"""Rewrites a static ONNX model into an equal one that TVM imports well."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from engine.models.light_copy import check, light_copy
from engine.models.operators import unsupported_nodes
from engine.models.proto_walk import constant_tensor, walk_nodes
from engine.models.unused import drop_unused

if TYPE_CHECKING:
    from onnx import ModelProto

log = logging.getLogger(__name__)

# A constant above this size stays an operator: folded, a short file could fill the memory.
_MAX_FOLDED_BYTES = 2**28


def expand_functions(proto: ModelProto) -> ModelProto:
    """Inline the model's own functions, and operators that TVM lacks but ONNX defines by others."""
    from onnx import inliner

    try:
        if proto.functions:
            proto = inliner.inline_local_functions(proto)
        lacking = unsupported_nodes(proto)
        expandable = _defined_by_others(lacking)
        if not expandable:
            return proto
        _write_defaults(proto, expandable)
        expanded = inliner.inline_selected_functions(
            proto, list(expandable), inline_schema_functions=True
        )
    except Exception as error:  # the inliner's C++ raises several unrelated types
        _warn("Some functions of the model could not be inlined", error)
        return proto
    # Where TVM lacks the parts as well, the whole's name says more to a person.
    return expanded if unsupported_nodes(expanded) <= lacking else proto


def infer_shapes(proto: ModelProto) -> None:
    """Write all shapes that ONNX can infer into `proto`; it stays as it is where that fails."""
    from onnx import shape_inference

    try:
        inferred = shape_inference.infer_shapes(light_copy(proto), data_prop=True).graph
    except Exception as error:  # as above
        _warn("Shapes could not be inferred", error)
        return
    for field, values in (
        (proto.graph.value_info, inferred.value_info),
        (proto.graph.output, inferred.output),
    ):
        del field[:]
        field.extend(values)


def simplify(proto: ModelProto) -> ModelProto:
    """`proto` with constants folded and operators fused by onnxslim, and shapes inferred.

    What onnxslim cannot treat comes back as it was: that costs speed, not the model.
    """
    import onnxslim

    # With a handler in place onnxslim does not add its own, which writes to stderr.
    logging.getLogger("onnxslim").addHandler(logging.NullHandler())
    try:
        slim = onnxslim.slim(proto, size_threshold=_MAX_FOLDED_BYTES)
        infer_shapes(slim)
        check(slim)
        if _interface(slim) != _interface(proto):
            raise ValueError("inputs or outputs changed")
    except Exception as error:  # onnxslim rewrites graphs, and anything can come out of that
        _warn("The model could not be simplified and is used as it is", error)
        slim = proto
    return slim


def _interface(proto: ModelProto) -> tuple[list[str], list[str]]:
    return [v.name for v in proto.graph.input], [v.name for v in proto.graph.output]


def _defined_by_others(operators: set[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    """Schemas, by domain and name, of the operators that ONNX defines as functions."""
    from onnx import defs

    schemas = {key: defs.get_schema(key[1], domain=key[0]) for key in operators if _known(key)}
    return {
        key: schema
        for key, schema in schemas.items()
        if schema.has_function or schema.has_context_dependent_function
    }


def _known(key: tuple[str, str]) -> bool:
    from onnx import defs

    domain, name = key
    return bool(defs.has(name, domain))


def _write_defaults(proto: ModelProto, schemas: dict[tuple[str, str], Any]) -> None:
    """Spell out attributes left at their defaults, which the inliner would lose."""
    for node in walk_nodes(proto):
        schema = schemas.get((node.domain, node.op_type))
        given = {attribute.name for attribute in node.attribute}
        for name, attribute in schema.attributes.items() if schema else ():
            if name not in given and attribute.default_value.type:
                node.attribute.append(attribute.default_value)


def tidy(proto: ModelProto) -> None:
    """In place: no Constant nodes, of whose forms TVM reads only one, and nothing without a use."""
    nodes = []
    for node in proto.graph.node:
        tensor = constant_tensor(node)
        if tensor is None:
            nodes.append(node)
            continue
        proto.graph.initializer.append(tensor)
        proto.graph.initializer[-1].name = node.output[0]
    del proto.graph.node[:]
    proto.graph.node.extend(nodes)
    drop_unused(proto)


def _warn(what: str, error: Exception) -> None:
    """One line for a person, the traceback only for who debugs."""
    reason = " ".join(str(error).split()) or type(error).__name__
    log.warning("%s: %s", what, reason[:300])
    log.debug(what, exc_info=error)
