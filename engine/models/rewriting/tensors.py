"""Smaller operators, and settings of operators that TVM gets wrong."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from engine.models.rewriting.emit import Declined, Emitter, Refused

if TYPE_CHECKING:
    import numpy as np

_MOST_MINORS = 6

_STAY = ""  # no reason for a person: TVM takes the operator as it is


def reverse_sequence(emit: Emitter) -> None:
    """Each sequence of a batch backwards, up to its length; what follows stays."""
    import numpy as np

    x, lengths = emit.input(0), emit.input(1)
    shape = emit.shape(x)
    batch, time = emit.attribute("batch_axis", 1), emit.attribute("time_axis", 0)
    around = [1] * len(shape)
    around[time] = shape[time]
    steps = emit.constant(np.arange(shape[time]).reshape(around), "int64", "steps")
    around[time], around[batch] = 1, shape[batch]
    limits = emit.reshape(lengths, *around, part="limits")
    one = emit.constant(1, "int64", "one")
    last = emit("Sub", limits, one, part="last")
    turned = emit("Sub", last, steps, part="turned")
    inside = emit("Less", steps, limits, part="inside")
    places = emit("Where", inside, turned, steps, part="places")
    places = emit("Expand", places, emit.ints(*shape, part="shape"), part="all_places")
    emit("GatherElements", x, places, axis=time, out=emit.output(0))


def lp_normalization(emit: Emitter) -> None:
    """x by the sum of its absolute values, or by the root of the sum of its squares."""
    axis, order = emit.attribute("axis", -1), emit.attribute("p", 2)
    norm = emit.reduce("ReduceL1" if order == 1 else "ReduceL2", emit.input(0), axis)
    # ONNX Runtime gives zeros where the norm is zero
    zero = emit.constant(0, emit.dtype(emit.input(0)), "zero")
    one = emit.constant(1, emit.dtype(emit.input(0)), "one")
    safe = emit("Where", emit("Equal", norm, zero, part="empty"), one, norm, part="safe")
    emit("Div", emit.input(0), safe, out=emit.output(0))


def power(emit: Emitter) -> None:
    """TVM raises floats alone to a power, by an exponent of their type."""
    dtype, exponent = _dtype(emit), emit.dtype(emit.input(1))
    if dtype.kind in "iu":
        parts = [emit.cast(emit.input(place), "float64", part="double") for place in range(2)]
        emit.cast(emit("Pow", *parts, part="power"), dtype.name, out=emit.output(0))
    elif exponent == dtype:
        raise Declined(_STAY)
    elif exponent.kind == "f" and exponent.itemsize > dtype.itemsize:
        wide = emit.cast(emit.input(0), exponent.name, part="wide")
        raised = emit("Pow", wide, emit.input(1), part="power")
        emit.cast(raised, dtype.name, out=emit.output(0))
    else:
        given = emit.cast(emit.input(1), dtype.name, part="exponent")
        emit("Pow", emit.input(0), given, out=emit.output(0))


def difference(emit: Emitter) -> None:
    """TVM takes x - x for 0, also where x is no number or infinite."""
    x = emit.input(0)
    if x != emit.input(1) or emit.dtype(x).kind != "f":
        raise Declined(_STAY)
    half = emit.dtype(x).name == "float16"
    given = emit.cast(x, "float32", part="single") if half else x
    odd = emit("Or", emit("IsNaN", given, part="nan"), emit("IsInf", given, part="infinite"))
    missing, zero = (emit.scalar(value, x) for value in (float("nan"), 0.0))
    emit("Where", odd, missing, zero, out=emit.output(0))


def division(emit: Emitter) -> None:
    """ONNX Runtime stops at an integer's division by 0."""
    divisor = emit.facts.value(emit.input(1))
    if divisor is not None and divisor.dtype.kind in "iu" and not divisor.all():
        raise Refused("it divides integers by 0")
    raise Declined(_STAY)


def determinant(emit: Emitter) -> None:
    """By the minors of its last rows; beyond a few of them they would be too many."""
    x = emit.input(0)
    shape = emit.shape(x)
    size = shape[-1]
    if not 0 < size <= _MOST_MINORS:
        raise Declined(f"its matrices have more than {_MOST_MINORS} rows")
    rank = len(shape)
    rows = [emit.slice(x, rank - 2, row, row + 1, part="row") for row in range(size)]
    cells = [
        [emit.slice(row, rank - 1, c, c + 1, part="cell") for c in range(size)] for row in rows
    ]
    minors: dict[tuple[int, ...], str] = {(c,): cell for c, cell in enumerate(cells[-1])}
    for row in reversed(cells[:-1]):
        height = len(next(iter(minors))) + 1
        minors = {
            columns: _expanded(emit, row, columns, minors)
            for columns in combinations(range(size), height)
        }
    emit.reshape(minors[tuple(range(size))], *shape[:-2], out=emit.output(0), part="whole")


def _expanded(
    emit: Emitter, row: list[str], columns: tuple[int, ...], minors: dict[tuple[int, ...], str]
) -> str:
    """A minor by its first row."""
    result = ""
    for place, column in enumerate(columns):
        rest = minors[columns[:place] + columns[place + 1 :]]
        product = emit("Mul", row[column], rest, part="product")
        if result:
            result = emit("Sub" if place % 2 else "Add", result, product, part="minor")
        else:
            result = product
    return result


def bool_reduction(emit: Emitter) -> None:
    """ReduceMax and ReduceMin of truth values, by numbers."""
    if _dtype(emit).kind != "b":
        raise Declined(_STAY)
    numbers = emit.cast(emit.input(0), "uint8", part="numbers")
    result = emit(emit.node.op_type, numbers, *emit.node.input[1:], part="reduced")
    emit.nodes[-1].attribute.extend(emit.node.attribute)
    emit.cast(result, "bool", out=emit.output(0))


def dropout(emit: Emitter) -> None:
    """What passes everything on. TVM gives no mask, and would drop nothing while training."""
    import numpy as np

    training = emit.input(2)
    if training and emit.value(training, "its training mode").any() and _drops(emit):
        raise Refused("it is in training mode")
    emit.identity(emit.input(0), emit.output(0))
    if emit.output(1):
        mask = np.ones(emit.shape(emit.input(0)), "bool")
        emit.identity(emit.constant(mask, "bool", "mask"), emit.output(1))


def _drops(emit: Emitter) -> bool:
    ratio = emit.input(1)
    return not ratio or bool(emit.value(ratio, "its ratio").any())


def output_shape(emit: Emitter) -> None:
    """ConvTranspose that names its result's shape: by the padding which that implies."""
    wanted = emit.attribute("output_shape", None)
    if not wanted:
        raise Declined(_STAY)
    sizes = emit.shape(emit.input(0))[2:]
    kernel = emit.shape(emit.input(1))[2:]
    rank = len(sizes)
    wanted = list(wanted)[-rank:]
    strides, dilations = (emit.attribute(name, [1] * rank) for name in ("strides", "dilations"))
    extra = list(emit.attribute("output_padding", [0] * rank))
    upper = emit.attribute("auto_pad", "NOTSET") == "SAME_UPPER"
    before, after = [], []
    for place in range(rank):
        full = strides[place] * (sizes[place] - 1) + extra[place]
        full += (kernel[place] - 1) * dilations[place] + 1
        total = full - wanted[place]
        if total < 0:  # zeros behind
            extra[place] -= total
            total = 0
        if extra[place] >= strides[place]:
            raise Refused("its result is larger than its input allows")
        small, large = total // 2, total - total // 2
        before.append(small if upper else large)
        after.append(large if upper else small)
    ours = ("output_shape", "output_padding", "auto_pad", "pads")
    kept = [a for a in emit.node.attribute if a.name not in ours]
    given: dict[str, Any] = {"pads": before + after, "output_padding": extra}
    emit("ConvTranspose", *emit.node.input, out=emit.output(0), part="sized", **given)
    emit.nodes[-1].attribute.extend(kept)


def space_to_depth(emit: Emitter) -> None:
    """TVM knows one of the two orders."""
    if emit.attribute("mode", "DCR") != "CRD":
        raise Declined(_STAY)
    block = emit.attribute("blocksize", 1)
    n, c, h, w = emit.shape(emit.input(0))
    split = emit.reshape(emit.input(0), n, c, h // block, block, w // block, block, part="split")
    turned = emit("Transpose", split, perm=[0, 1, 3, 5, 2, 4], part="turned")
    shape = (n, c * block * block, h // block, w // block)
    emit.reshape(turned, *shape, out=emit.output(0), part="joined")


def roi_align(emit: Emitter) -> None:
    """TVM's maximum is not ONNX's; old operator sets have another default."""
    if emit.attribute("mode", "avg") != "avg":
        raise Refused("its mode is not avg")
    if emit.facts.opset >= 16 or emit.attribute("coordinate_transformation_mode", ""):
        raise Declined(_STAY)
    before: dict[str, Any] = {"coordinate_transformation_mode": "output_half_pixel"}
    emit("RoiAlign", *emit.node.input, out=emit.output(0), part="aligned", **before)
    emit.nodes[-1].attribute.extend(emit.node.attribute)


def grid_sample(emit: Emitter) -> None:
    """ONNX Runtime and TVM blend images by cubic curves, and no volumes."""
    if len(emit.shape(emit.input(0))) > 4 and "cubic" in emit.attribute("mode", "linear"):
        raise Refused("it is cubic in three dimensions")
    raise Declined(_STAY)


def suppression(emit: Emitter) -> None:
    """TVM fills the list of boxes up to its greatest length."""
    raise Refused("the number of its boxes depends on data")


def _dtype(emit: Emitter) -> np.dtype[Any]:
    """The type of the first input; where it is not known the operator stays."""
    if not emit.facts.type(emit.input(0)):
        raise Declined(_STAY)
    return emit.dtype(emit.input(0))
