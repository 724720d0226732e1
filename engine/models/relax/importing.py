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
from typing import TYPE_CHECKING, Any, TypeVar

from engine.models.operators import refusal
from engine.models.proto_walk import walk_graphs, walk_nodes
from engine.models.refusals.dynamic import dynamic_origins
from engine.models.refusals.node_words import file_name, node_title, node_uses, reason_of
from engine.models.relax.binding_names import (
    bindings_of,
    name_bindings,
    noting_results,
    owners_of,
)
from engine.models.relax.calls import operator_name
from engine.models.relax.context import CannotConvert
from engine.models.relax.converters import own_converters
from engine.models.relax.wide_sums import with_wide_sums
from engine.records.errors import ModelError
from engine.records.sentences import Sentence, in_brackets

if TYPE_CHECKING:
    import tvm
    from onnx import ModelProto

INPUT_NAMES = "tunewright.input_names"
"""The attribute of `main` that holds the names of its inputs in the model, as JSON."""

_FRONT_ENDS = "tvm.relax.frontend."
_Node = TypeVar("_Node")

_OTHERWISE = Sentence(
    "Replace it in the model, or export the model with another ONNX operator set."
)

_SHOWN = 3
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

log = logging.getLogger(__name__)

import_lock = threading.Lock()


def to_relax(name: str, proto: ModelProto, origins: Mapping[str, str]) -> tvm.ir.IRModule:
    """The model as a Relax module with weights as constants; `main` takes the inputs in order.

    `origins` are those of `PreparedModel`. UnsupportedOperators names every operator that TVM
    lacks; ModelError says which node TVM refused, or what of the model depends on its data.
    """
    _refuse(proto)
    with _quietly():
        try:
            module = _import(proto)
        except Exception as error:  # TVM raises whatever the converter of an operator does
            log.warning("TVM cannot import %s: %s", name, error)
            raise _refusal(error, name, proto, origins) from error
    _refuse_symbolic(module, proto, origins)
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
            Sentence("The model branches on its data: If ({names}).", names=", ".join(branches)),
            "Export it with the condition fixed, so that only one branch is left.",
        ).at(branches[0])


def _refuse_symbolic(
    module: tvm.ir.IRModule, proto: ModelProto, origins: Mapping[str, str]
) -> None:
    dynamic = _symbolic(module["main"])
    if not dynamic:
        return
    places = sorted({place for binding in dynamic for place in owners_of(binding.var)})
    titles = [node_title(proto.graph.node[place], origins) for place in places[:_SHOWN]]
    named = dynamic_origins(proto) or ", ".join(titles)
    raise ModelError(
        Sentence("Shapes in the model depend on its data because of {names}.", names=named)
        if named
        else "Shapes in the model depend on its data.",
        "Cut the model before these operators.",
    ).at(file_name(proto.graph.node[places[0]], origins) if places else "")


def symbolic_results(main: Any) -> str:
    """ "nonzero" and the like: operators of `main` without a fixed shape, "" for none."""
    found = dict.fromkeys(operator_name(binding.value) for binding in _symbolic(main))
    return ", ".join(name.removeprefix("relax.") or "?" for name in found)


def _symbolic(main: Any) -> list[Any]:
    """The bindings of `main` without a fixed shape."""
    return [binding for binding in bindings_of(main) if not _is_static(binding.var.ty)]


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


def _refusal(
    error: Exception, name: str, proto: ModelProto, origins: Mapping[str, str]
) -> ModelError:
    """TVM's words are for the log: here are the node that it was at, and what may be odd of it."""
    from onnx import NodeProto

    node = converted_node(error, NodeProto)
    if node is None:
        return ModelError(
            Sentence(
                "TVM cannot import {name}, and the log has all that it says of it.", name=name
            ),
            "Export it with another ONNX operator set, or in smaller parts.",
        )
    title = node_title(node, origins)
    name = file_name(node, origins)
    if isinstance(error, CannotConvert):
        return ModelError(
            Sentence("TVM cannot import {title}: {error}.", title=title, error=error), _OTHERWISE
        ).at(name)
    uses = in_brackets(node_uses(proto, node))
    what = Sentence(
        "TVM cannot import {title}: {why}{uses}.", title=title, why=reason_of(error), uses=uses
    )
    return ModelError(what, _OTHERWISE).at(name)


def converted_node(error: Exception, kind: type[_Node]) -> _Node | None:
    """The node that TVM's front end was at: it says the operator alone, but its frame knows."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = frame.f_locals.get("node")
        if str(frame.f_globals.get("__name__")).startswith(_FRONT_ENDS) and isinstance(node, kind):
            return node
    return None
