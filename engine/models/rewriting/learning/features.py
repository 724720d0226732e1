"""What prepares features in ai.onnx.ml: choosing, encoding, filling in, scaling rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np

_TEXTS = "its values are texts"


def extractor(emit: Emitter) -> None:
    """Chosen places of the last axis; a list counts as one row."""
    shape = emit.shape(emit.input(0))
    places = emit.reshape(emit.input(1), -1, part="places")
    chosen = emit("Gather", emit.input(0), places, axis=-1, part="chosen")
    rows = shape[:-1] if len(shape) > 1 else (1,)
    emit.reshape(chosen, *rows, -1, out=emit.output(0), part="rows")


def binarizer(emit: Emitter) -> None:
    """1 above a threshold, else 0."""
    x = emit.input(0)
    above = emit("Greater", x, emit.scalar(emit.attribute("threshold", 0.0), x), part="above")
    emit.cast(above, emit.dtype(x).name, out=emit.output(0))


def label_encoder(emit: Emitter) -> None:
    """Numbers for numbers: the value of the first key that equals."""
    keys, values = (_listed(emit, what) for what in ("keys", "values"))
    default = _default(emit, values.dtype)
    place, found = _place(emit, keys)
    names = emit.constant(values, values.dtype, "values")
    chosen = emit("Gather", names, place, axis=0, part="chosen")
    other = emit.constant(default, values.dtype, "default")
    emit("Where", found, chosen, other, out=emit.output(0))


def _listed(emit: Emitter, what: str) -> np.ndarray:
    import numpy as np
    from onnx import numpy_helper

    tensor = emit.attribute(f"{what}_tensor", None)
    if tensor is not None:
        listed: np.ndarray = numpy_helper.to_array(tensor).reshape(-1)
        if listed.dtype.kind not in "iuf":
            raise Declined(_TEXTS)
        return listed
    for kind, dtype in (("int64s", "int64"), ("floats", "float32")):
        numbers = emit.attribute(f"{what}_{kind}", None)
        if numbers:
            return np.asarray(numbers, dtype)
    raise Declined(_TEXTS)


def _default(emit: Emitter, dtype: np.dtype[Any]) -> Any:
    from onnx import numpy_helper

    tensor = emit.attribute("default_tensor", None)
    if tensor is not None:
        return numpy_helper.to_array(tensor).reshape(())
    if dtype.kind == "f":
        return emit.attribute("default_float", -0.0)
    return emit.attribute("default_int64", -1)


def _place(emit: Emitter, keys: np.ndarray) -> tuple[str, str]:
    """For each value the place of its key, and whether it has one."""
    same = _matches(emit, keys, "int32")
    place = emit("ArgMax", same, axis=-1, keepdims=0, part="place")
    return place, emit.cast(emit.reduce("ReduceMax", same, -1, keep=False), "bool", part="found")


def _matches(emit: Emitter, keys: np.ndarray, dtype: str) -> str:
    """1 where a value equals a key, which lie along a new last axis; NaN equals itself."""
    import numpy as np

    x = emit.unsqueeze(emit.input(0), len(emit.shape(emit.input(0))))
    same = emit("Equal", x, emit.constant(keys, emit.dtype(emit.input(0)), "keys"), part="same")
    if keys.dtype.kind == "f" and np.isnan(keys).any():
        none = emit.constant(np.isnan(keys), "bool", "unknown_keys")
        same = emit("Or", same, emit("And", emit("IsNaN", x), none), part="same")
    return emit.cast(same, dtype, part="matches")


def one_hot(emit: Emitter) -> None:
    """A 1 at the place of each category among zeros."""
    import numpy as np

    categories = emit.attribute("cats_int64s", None)
    if not categories:
        raise Declined(_TEXTS)
    if not emit.attribute("zeros", 1):
        raise Declined("it fails where a category is not known")
    emit.identity(_matches(emit, np.asarray(categories), "float32"), emit.output(0))


def normalizer(emit: Emitter) -> None:
    """Rows by their largest value, their sum of sizes, or the root of their sum of squares."""
    x = emit.cast(emit.input(0), "float32", part="float")
    kind = emit.attribute("norm", "MAX")
    if len(emit.shape(emit.input(0))) > 2:
        raise Declined("it has more than two axes")
    op = {"MAX": "ReduceMax", "L1": "ReduceL1", "L2": "ReduceL2"}[kind]
    norm = emit.reduce(op, x, -1)
    zero, one = (emit.constant(n, "float32", "number") for n in (0, 1))
    safe = emit("Where", emit("Equal", norm, zero, part="empty"), one, norm, part="safe")
    emit("Div", x, safe, out=emit.output(0))


def vectorizer(emit: Emitter) -> None:
    """All features in a row, as floats."""
    parts = []
    for name in emit.node.input:
        x = emit.cast(name, "float32", part="float")
        parts.append(x if len(emit.shape(name)) > 1 else emit.unsqueeze(x, 0))
    emit.concat(parts, 1, out=emit.output(0))


def imputer(emit: Emitter) -> None:
    """Another value, perhaps one for each feature, for one that stands for nothing."""
    import math

    x = emit.input(0)
    kinds = ("imputed_value_floats", "replaced_value_float", 0.0)
    if emit.dtype(x).kind != "f":
        kinds = ("imputed_value_int64s", "replaced_value_int64", 0)
    wanted, what = emit.attribute(kinds[0], []), emit.attribute(kinds[1], kinds[2])
    if len(wanted) not in (1, emit.shape(x)[-1]):
        raise Declined("it has not one value for each feature")
    if math.isnan(what):
        empty = emit("IsNaN", x, part="empty")
    else:
        empty = emit("Equal", x, emit.scalar(what, x), part="empty")
    values = emit.constant(wanted, emit.dtype(x), "values")
    emit("Where", empty, values, x, out=emit.output(0))
