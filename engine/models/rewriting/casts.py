"""Conversions of types, some of which TVM holds but computes wrongly."""

from __future__ import annotations

from engine.models.rewriting.emit import Declined, Emitter, Refused

_HELD = {"bool", "bfloat16", "float16", "float32", "float64"}
_HELD |= {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}

_WIDER = {"int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32"}
_WIDER |= {"uint32": "int64"}
_SORTED = {"float16", "float32", "float64", "int32", "int64"}


def cast(emit: Emitter) -> None:
    """TVM wraps where values of few bits saturate, and knows no NaN of 8 bits."""
    kinds = [emit.attribute("to", 0), emit.facts.type(emit.input(0))]
    wanted, given = (type_name(kind) if kind else "" for kind in kinds)
    if wanted and wanted not in _HELD:
        raise Refused(f"it converts to {wanted}")
    if not given or given in _HELD:
        raise Declined("")
    stored = emit.facts.value(emit.input(0))
    if stored is None:
        raise Refused(f"it converts from {given}")
    emit.identity(emit.constant(stored.astype(wanted), wanted, wanted), emit.output(0))


def cast_like(emit: Emitter) -> None:
    """A Cast to the type of the second input, whose values play no part."""
    kind = emit.facts.type(emit.input(1))
    if not kind:
        raise Declined("")
    emit("Cast", emit.input(0), to=kind, out=emit.output(0))


def top_k(emit: Emitter) -> None:
    """TVM sorts few types, and everything in order, which "in any order" allows."""
    from engine.models.rewriting.selection import constant

    constant(emit, 1, "its k")
    dtype = type_name(emit.facts.type(emit.input(0)))
    if dtype not in _SORTED | set(_WIDER):
        raise Refused(f"it sorts values of {dtype}")
    kept = [attribute for attribute in emit.node.attribute if attribute.name != "sorted"]
    if dtype in _SORTED:
        if len(kept) == len(emit.node.attribute) or emit.attribute("sorted", 1):
            raise Declined("")
        emit("TopK", *emit.node.input, out=list(emit.node.output))
        emit.nodes[-1].attribute.extend(kept)
        return
    wide = emit.cast(emit.input(0), _WIDER[dtype], part="wide")
    found = emit.name("found")
    emit("TopK", wide, emit.input(1), out=[found, emit.output(1) or emit.name("places")])
    emit.nodes[-1].attribute.extend(kept)
    if emit.output(0):
        emit.cast(found, dtype, out=emit.output(0))


def type_name(kind: int) -> str:
    """NumPy's name of an ONNX element type."""
    from onnx import TensorProto, helper

    if kind in (TensorProto.UNDEFINED, TensorProto.STRING):
        return "texts" if kind else "an unknown type"
    return str(helper.tensor_dtype_to_np_dtype(kind).name)
