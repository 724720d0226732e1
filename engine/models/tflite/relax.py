"""Imports a TensorFlow Lite model into TVM's Relax."""

from __future__ import annotations

import logging
import struct
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.models.refusals.foreign_words import plain
from engine.models.relax.finish import finished
from engine.models.relax.importing import import_lock
from engine.models.support import OperatorSupport
from engine.records.errors import ModelError, UnsupportedOperators
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import tvm

log = logging.getLogger(__name__)

_DAMAGE = (struct.error, IndexError, KeyError, ValueError, TypeError, AttributeError)


def to_relax(name: str, data: bytes, shapes: Mapping[str, tuple[int, ...]]) -> tvm.ir.IRModule:
    """The model as a Relax module with weights as constants; `main` takes the inputs in order.

    UnsupportedOperators names every operator that TVM lacks.
    """
    import tflite
    from tvm.relax.frontend.tflite import from_tflite

    from engine.models.tflite.converter import ConversionError, converter_class

    with import_lock:
        missing = [item for item in operators(name, data) if item.state == "missing"]
        if missing:
            raise UnsupportedOperators(
                tuple(_title(item) for item in missing), tuple(item.nodes[0] for item in missing)
            )
        try:
            model = tflite.Model.GetRootAsModel(data, 0)
            module = from_tflite(model, dict(shapes), op_converter=converter_class())
        except ConversionError as error:
            log.warning("TVM cannot import %s: %s", name, error.__cause__)
            raise ModelError(
                Sentence("TVM cannot import {error}.", error=error),
                "Convert the model again, or replace that operator.",
            ) from error
        except Exception as error:  # TVM raises what it likes
            log.warning("TVM cannot import %s: %s", name, error)
            raise ModelError(
                Sentence(
                    "TVM cannot import {name}, and the log has all that it says of it.", name=name
                ),
                "Convert the model again, or replace that operator.",
            ) from error
        return finished(_with_plain_names(module), shapes)


def operators(name: str, data: bytes) -> tuple[OperatorSupport, ...]:
    """Each kind of operator, and whether TVM has it; a node is named by its first output."""
    import tflite
    from tvm import relax
    from tvm.relax.frontend.tflite.tflite_frontend import ExprTable, OperatorConverter

    try:
        model = tflite.Model.GetRootAsModel(data, 0)
        graph = model.Subgraphs(0)
        converter = OperatorConverter(model, graph, ExprTable(), relax.BlockBuilder())
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for place in range(graph.OperatorsLength()):
            node = graph.Operators(place)
            output = graph.Tensors(node.Outputs(0)).Name().decode()
            found[_kind(converter, node)].append(output)
    except _DAMAGE as error:
        raise ModelError(
            Sentence("{name} is damaged: {error}.", name=name, error=_reason(error)),
            "Convert it again.",
        ) from error
    return tuple(
        OperatorSupport(
            kind, "", len(nodes), "missing" if note else "supported", tuple(nodes), note.strip()
        )
        for (kind, note), nodes in sorted(found.items())
    )


def _kind(converter: Any, node: Any) -> tuple[str, str]:
    """A node's operator, and why TVM does not import it."""
    try:
        kind = str(converter.get_op_code_str(node))
    except NotImplementedError:  # an operator of somebody's own
        custom = converter.model.OperatorCodes(node.OpcodeIndex()).CustomCode()
        return f"{(custom or b'?').decode(errors='replace')}", "not one of TensorFlow Lite's own"
    return kind, _objection(converter, node, kind)


def _objection(converter: Any, node: Any, kind: str) -> str:
    """Why TVM does not import this node, as its front end decides it; "" where it does."""
    if kind not in converter.convert_map:
        return " "
    if kind == "DENSIFY":  # its converter cannot hand the weights on
        return "of sparse weights"
    inputs = [tensor.qnn_params is not None for tensor in converter.get_input_tensors(node)]
    made = any(tensor.qnn_params is not None for tensor in converter.get_output_tensors(node))
    if any(inputs[1:]) and not inputs[0] and not made:
        return "of quantized weights alone"
    if (any(inputs) or made) and kind not in converter._SUPPORTED_QUANTIZED_OPS:
        return "quantized"
    return ""


def _title(item: OperatorSupport) -> str:
    return f"{item.op}, {item.note}" if item.note else item.op


def _with_plain_names(module: tvm.ir.IRModule) -> tvm.ir.IRModule:
    """The module with its inputs named as variables in C: TVM writes them into CUDA source."""
    import tvm
    from tvm import relax

    main = module["main"]
    fresh = [relax.Var(f"input_{place}", var.ty) for place, var in enumerate(main.params)]

    @relax.expr_functor.mutator
    class Renaming(relax.PyExprMutator):  # type: ignore[misc]
        """Puts other variables in the place of the inputs."""

        def visit_var_(self, var: Any) -> Any:
            for old, new in zip(main.params, fresh, strict=True):
                if var.same_as(old):
                    return new
            return var

    body = Renaming().visit_expr(main.body)
    renamed = relax.Function(fresh, body, main.ret_ty, main.is_pure)
    return tvm.IRModule({"main": renamed.with_attr("global_symbol", "main")})


def _reason(error: Exception) -> str:
    return plain(str(error)) or type(error).__name__
