"""Imports a prepared ONNX model into TVM's Relax."""

from __future__ import annotations

import json
import logging
import re
import threading
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.models.dynamic import dynamic_origins
from engine.models.operators import node_name, refusal
from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.models.relax.binding_names import name_bindings, noting_results
from engine.models.relax.converters import own_converters
from engine.models.relax.wide_sums import with_wide_sums
from engine.records.errors import ModelError

if TYPE_CHECKING:
    import tvm
    from onnx import ModelProto, NodeProto

INPUT_NAMES = "tunewright.input_names"
"""The attribute of `main` that holds the names of its inputs in the model, as JSON."""

_FRONT_END = "tvm.relax.frontend.onnx.onnx_frontend"

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

log = logging.getLogger(__name__)

import_lock = threading.Lock()


def to_relax(name: str, proto: ModelProto, origins: Mapping[str, str]) -> tvm.ir.IRModule:
    """The model as a Relax module with weights as constants; `main` takes the inputs in order.

    `origins` are those of `PreparedModel`. UnsupportedOperators names every operator that TVM
    lacks; ModelError says what TVM refused, or what of the model depends on its data.
    """
    _refuse(proto)
    with _quietly():
        try:
            module = _import(proto)
        except Exception as error:  # TVM raises whatever the converter of an operator does
            raise ModelError(
                f"TVM cannot import {name}: {_reason(error, origins)}.",
                "Export it with another ONNX operator set, or replace that operator.",
            ) from error
    _refuse_symbolic(module, proto)
    return module


def _import(proto: ModelProto) -> tvm.ir.IRModule:
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    names = [value.name for value in proto.graph.input]
    plain = _with_plain_names(proto)
    # Of a shape in the model itself TVM takes a size of 0 for one that is not known
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in plain.graph.input
    }
    with noting_results() as results:
        module = from_onnx(plain, shape_dict=shapes, keep_params_in_input=False)
    module = name_bindings(module, results)
    main = module["main"].with_attr(INPUT_NAMES, json.dumps(names))
    module.update_func(module.get_global_var("main"), main)
    module = with_wide_sums(relax.transform.DecomposeOpsForInference()(module))
    return name_bindings(relax.transform.CanonicalizeBindings()(module))


def _with_plain_names(proto: ModelProto) -> ModelProto:
    """The model with inputs that are named as variables in C are; itself where they are.

    TVM writes their names into CUDA source as they are, and ONNX allows any sign in them.
    """
    if all(_PLAIN.fullmatch(value.name) for value in proto.graph.input):
        return proto
    named = type(proto)()
    named.CopyFrom(proto)
    taken = {name for node in walk_nodes(named) for name in (*node.input, *node.output)}
    taken |= {tensor.name for tensor in named.graph.initializer}
    renamed: dict[str, str] = {}
    for place, value in enumerate(named.graph.input):
        name = f"input_{place}"
        while name in taken:
            name += "_"
        renamed[value.name] = name
        value.name = name
    for node in walk_nodes(named):
        for place, name in enumerate(node.input):
            node.input[place] = renamed.get(name, name)
    for graph in walk_graphs(named):
        for value in graph.output:
            value.name = renamed.get(value.name, value.name)
    return named


def _refuse(proto: ModelProto) -> None:
    if error := refusal(proto):
        raise error
    branches = [node.name or node.output[0] for node in proto.graph.node if node.op_type == "If"]
    if branches:
        raise ModelError(
            f"The model branches on its data: If ({', '.join(branches)}).",
            "Export it with the condition fixed, so that only one branch is left.",
        )


def _refuse_symbolic(module: tvm.ir.IRModule, proto: ModelProto) -> None:
    dynamic = symbolic_results(module["main"])
    if dynamic:
        raise ModelError(
            f"Shapes in the model depend on its data{dynamic_origins(proto) or dynamic}.",
            "Cut the model before these operators.",
        )


def symbolic_results(main: Any) -> str:
    """ " at relax.nonzero" and the like: operators of `main` without a fixed shape, "" for none."""
    from tvm import relax

    found: list[str] = []
    for block in main.body.blocks:
        for binding in block.bindings:
            if not _is_static(binding.var.ty):
                value = binding.value
                name = value.op.name if isinstance(value, relax.Call) else type(value).__name__
                found.append(str(name))
    return f" at {', '.join(dict.fromkeys(found))}" if found else ""


def _is_static(kind: Any) -> bool:
    """Whether a Relax type has only numbers for shapes."""
    from tvm import relax, tirx

    if isinstance(kind, relax.TupleType):
        return all(_is_static(field) for field in kind.fields)
    if isinstance(kind, relax.TensorType):
        return kind.shape is not None and _is_static(kind.shape.ty)
    if isinstance(kind, relax.ShapeType):
        return kind.values is not None and all(isinstance(v, tirx.IntImm) for v in kind.values)
    return True


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the importer's prints and warnings off stdout and stderr."""
    from tvm.relax.frontend.onnx import onnx_frontend

    with import_lock, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # Redirecting stdout would catch other threads' prints as well; this name is only its own.
        onnx_frontend.print = lambda *words: log.debug("TVM: %s", " ".join(map(str, words)))
        try:
            with own_converters():
                yield
        finally:
            del onnx_frontend.print
    for warning in caught:
        log.info("TVM: %s", warning.message)


def _reason(error: Exception, origins: Mapping[str, str]) -> str:
    """TVM's message in one line, with operator and node where they are known."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = (lines[-1] if lines else type(error).__name__).rstrip(".")
    node = _converted(error)
    if node is not None:
        name = node_name(node)
        text = f"{node.op_type} (node {origins.get(name, name)}): {text}"
    return text if len(text) <= 300 else f"{text[:297]}..."


def _converted(error: Exception) -> NodeProto | None:
    """The node that TVM was at: its front end says the operator alone, but its frame knows."""
    from onnx import NodeProto

    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = frame.f_locals.get("node")
        if frame.f_globals.get("__name__") == _FRONT_END and isinstance(node, NodeProto):
            return node
    return None
