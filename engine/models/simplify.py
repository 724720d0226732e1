"""Rewrites a static ONNX model into an equal one that TVM imports well."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from engine.models.light_copy import check, light_copy
from engine.models.operators import unsupported_nodes
from engine.models.proto_walk import constant_tensor, walk_nodes
from engine.models.rewriting.rules import RULES
from engine.models.slim_bounds import slimmed
from engine.models.unused import drop_unused
from engine.models.weights.mapped import put_mapped_back, with_mapped_as_inputs

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

log = logging.getLogger(__name__)


def expand_functions(proto: ModelProto) -> None:
    """Replace, in place, operators that TVM lacks but ONNX defines by others that it has.

    Some definitions depend on types and shapes: those of inputs must be fixed.
    """
    lacking = unsupported_nodes(proto)
    for key in sorted(_defined_by_others(lacking)):
        expanded = _expanded(proto, {key})
        # Where TVM lacks the parts as well, the whole's name says more to a person.
        if expanded is not None and unsupported_nodes(expanded) < lacking:
            lacking = unsupported_nodes(expanded)
            del proto.graph.node[:]
            proto.graph.node.extend(expanded.graph.node)


def _expanded(proto: ModelProto, keys: set[tuple[str, str]]) -> ModelProto | None:
    """A light copy with those operators inlined, and those that come in with them.

    None where ONNX cannot do that.
    """
    from onnx import inliner

    made = light_copy(proto)
    try:
        while keys:
            before = unsupported_nodes(made) - keys
            _write_defaults(made, _defined_by_others(keys))
            _write_types(made)
            made = inliner.inline_selected_functions(
                made, sorted(keys), inline_schema_functions=True
            )
            keys = set(_defined_by_others(unsupported_nodes(made) - before))
    except Exception as error:  # the inliner's C++ raises several unrelated types
        _warn("Some operators could not be written in others", error)
        return None
    return made


def outputs_of(proto: ModelProto) -> list[ValueInfoProto]:
    """Copies of the graph's outputs as they are declared."""
    return [type(value).FromString(value.SerializeToString()) for value in proto.graph.output]


def forget_shapes(proto: ModelProto, declared: list[ValueInfoProto]) -> None:
    """What was inferred of operators that are gone may be wrong: ONNX errs on STFT, for one."""
    del proto.graph.value_info[:]
    del proto.graph.output[:]
    proto.graph.output.extend(declared)


def _write_types(proto: ModelProto) -> None:
    """In place: the inliner asks for types of all that an operator takes.

    Of constants, too, and of inputs that are left out, whose name is empty and type of no account.
    """
    from onnx import TensorProto, helper

    infer_shapes(proto)
    known = {value.name for value in (*proto.graph.value_info, *proto.graph.input)}
    for tensor in proto.graph.initializer:
        if tensor.name not in known:
            value = helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            proto.graph.value_info.append(value)
    if "" not in known:
        left_out = helper.make_tensor_value_info("", TensorProto.FLOAT, [])
        proto.graph.value_info.append(left_out)


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

    What onnxslim cannot treat comes back as it was: that costs speed, not the model. Of mapped
    weights it sees the shapes alone.
    """
    try:
        bare = with_mapped_as_inputs(proto)
        slim = slimmed(bare)
        put_mapped_back(slim, proto)
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

    schemas = {key: defs.get_schema(key[1], domain=key[0]) for key in _open_to_others(operators)}
    return {
        key: schema
        for key, schema in schemas.items()
        if schema.has_function or schema.has_context_dependent_function
    }


def _open_to_others(operators: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those that ONNX knows and we have no rule for, which makes fewer operators of them."""
    return {key for key in operators if _known(key) and key not in RULES}


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
