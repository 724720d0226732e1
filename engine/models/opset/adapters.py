"""The newer forms of operators whose settings moved or whose meaning changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.models.rewriting.emit import Declined, Emitter

Adapter = Callable[[Emitter, int], None]
"""Adds the nodes that take an older node's place in an operator set; Declined says why not."""


def _again(emit: Emitter, *inputs: str, without: tuple[str, ...] = (), **attributes: Any) -> None:
    """The node with other inputs and attributes."""
    outputs = list(emit.node.output)
    emit(emit.node.op_type, *inputs, out=outputs, part="newer", **attributes)
    kept = [a for a in emit.node.attribute if a.name not in (*without, *attributes)]
    emit.nodes[-1].attribute.extend(kept)


def _moved(name: str, emit: Emitter, newest: int) -> None:
    """A list of int64 in an attribute becomes the second input."""
    if len(emit.node.input) > 1 or emit.attribute(name, None) is None:
        raise Declined("")
    values = emit.attribute(name, [])
    values = values if isinstance(values, list) else [values]
    _again(emit, emit.input(0), emit.ints(*values, part=name), without=(name,))


def _split(emit: Emitter, newest: int) -> None:
    inputs = [name for name in emit.node.input if name]
    if (sizes := emit.attribute("split", None)) is not None:
        inputs.append(emit.ints(*sizes, part="split"))
    count = len(emit.node.output)
    more = {"num_outputs": count} if newest >= 18 and len(inputs) == 1 else {}
    _again(emit, *inputs, without=("split",), **more)


def _slice(emit: Emitter, newest: int) -> None:
    starts, ends = emit.attribute("starts", []), emit.attribute("ends", [])
    axes = emit.attribute("axes", None) or range(len(starts))
    parts = [("starts", starts), ("ends", ends), ("axes", axes)]
    inputs = [emit.ints(*values, part=part) for part, values in parts]
    _again(emit, emit.input(0), *inputs, without=("starts", "ends", "axes"))


def _clip(emit: Emitter, newest: int) -> None:
    dtype = emit.dtype(emit.input(0))
    bounds = []
    for name in ("min", "max"):
        bound = emit.attribute(name, None)
        bounds.append("" if bound is None else emit.constant(bound, dtype, name))
    while bounds and not bounds[-1]:
        bounds.pop()
    _again(emit, emit.input(0), *bounds, without=("min", "max"))


def _pad(emit: Emitter, newest: int) -> None:
    pads = emit.attribute("pads", None) or emit.attribute("paddings", [])
    fill = emit.constant(emit.attribute("value", 0.0), emit.dtype(emit.input(0)), "value")
    pads = emit.ints(*pads, part="pads")
    _again(emit, emit.input(0), pads, fill, without=("pads", "paddings", "value"))


def _dropout(emit: Emitter, newest: int) -> None:
    if emit.attribute("is_test", 1) == 0:
        raise Declined("it is in training mode")
    _again(emit, emit.input(0), without=("ratio", "is_test"))


def _softmax(emit: Emitter, newest: int) -> None:
    """Until operator set 13 all axes from `axis` on were normalised together."""
    x, axis = emit.input(0), emit.attribute("axis", 1)
    shape = emit.facts.shape(x)
    if axis == -1 or (shape is not None and axis == len(shape) - 1):
        _again(emit, x, axis=-1)
        return
    if shape is not None:
        axis %= len(shape)
    flat = emit("Flatten", x, axis=axis)
    made = emit(emit.node.op_type, flat, axis=-1, part="flat")
    emit("Reshape", made, emit("Shape", x), out=emit.output(0))


def _upsample(emit: Emitter, newest: int) -> None:
    scales = emit.input(1)
    if not scales:
        sides = [emit.attribute(f"{side}_scale", 1.0) for side in ("height", "width")]
        factors = emit.attribute("scales", None) or [1.0, 1.0, *sides]
        scales = emit.constant(factors, "float32", "scales")
    mode = emit.attribute("mode", "nearest")
    _stretch(emit, emit.input(0), scales, "linear" if mode == "bilinear" else mode, "floor")


def _resize(emit: Emitter, newest: int) -> None:
    """The first Resize rounded down to a place where it enlarged, and up where it reduced."""
    import numpy as np

    mode = emit.attribute("mode", "nearest")
    x, scales = emit.input(0), emit.input(1)
    if mode != "nearest":
        _stretch(emit, x, scales, mode, "floor")
        return
    factors = emit.value(scales, "its scales")
    larger, smaller = np.maximum(factors, 1), np.minimum(factors, 1)
    if (smaller == 1).all():
        _stretch(emit, x, scales, mode, "floor")
    elif (larger == 1).all():
        _stretch(emit, x, scales, mode, "ceil")
    else:
        grown = emit.constant(larger, "float32", "larger")
        x = _stretch(emit, x, grown, mode, "floor", inner=True)
        _stretch(emit, x, emit.constant(smaller, "float32", "smaller"), mode, "ceil")


def _stretch(
    emit: Emitter, x: str, scales: str, mode: str, rounding: str, *, inner: bool = False
) -> str:
    return emit(
        "Resize",
        x,
        "",
        scales,
        out="" if inner else emit.output(0),
        mode=mode,
        coordinate_transformation_mode="asymmetric",
        nearest_mode=rounding,
    )


def _scatter(emit: Emitter, newest: int) -> None:
    emit("ScatterElements", *emit.node.input, out=emit.output(0))
    emit.nodes[-1].attribute.extend(emit.node.attribute)


def _tile(emit: Emitter, newest: int) -> None:
    """Until operator set 6 one axis was repeated, which an input named."""
    if len(emit.node.input) < 3:
        raise Declined("")
    times, axis = (emit.value(emit.input(place), "its tiles and axis") for place in (1, 2))
    repeats = [1] * len(emit.shape(emit.input(0)))
    repeats[int(axis.item())] = int(times.item())
    _again(emit, emit.input(0), emit.ints(*repeats, part="repeats"))


def _cast(emit: Emitter, newest: int) -> None:
    """Until operator set 6 the type was a text."""
    from onnx import TensorProto

    kind = emit.attribute("to", None)
    if not isinstance(kind, str):
        raise Declined("")
    _again(emit, emit.input(0), to=TensorProto.DataType.Value(kind.upper()))


def _joined(emit: Emitter, newest: int) -> None:
    _again(emit, *emit.node.input, axis=emit.attribute("axis", 1))


def _broadcast(emit: Emitter, newest: int) -> None:
    """Until operator set 7 the second operand's axes began at `axis` of the first."""
    a, b = emit.input(0), emit.input(1)
    axis = emit.attribute("axis", None)
    if axis is not None and emit.attribute("broadcast", 0):
        rank, shape = len(emit.shape(a)), emit.shape(b)
        after = rank - axis % rank - len(shape)
        b = emit.reshape(b, *shape, *[1] * after, part="aligned")
    _again(emit, a, b, without=("axis", "broadcast", "consumed_inputs"))


def _prelu(emit: Emitter, newest: int) -> None:
    """Until operator set 7 the slopes were one for each channel."""
    rank = len(emit.shape(emit.input(0)))
    slopes = emit.shape(emit.input(1))
    if len(slopes) != 1 or rank < 2:
        raise Declined("")
    shape = [slopes[0], *[1] * (rank - 2)]
    _again(emit, emit.input(0), emit.reshape(emit.input(1), *shape, part="slopes"))


def _gemm(emit: Emitter, newest: int) -> None:
    _again(emit, *emit.node.input, without=("broadcast",))


def _group_normalization(emit: Emitter, newest: int) -> None:
    """Until operator set 21 scale and bias were one for each group, not for each channel."""
    groups = emit.attribute("num_groups", 1)
    channels = emit("Shape", emit.input(0), start=1, end=2, part="channels")
    each = emit("Div", channels, emit.ints(groups, part="groups"), part="each")
    spread = emit("Concat", emit.ints(groups, part="count"), each, axis=0, part="spread")
    parts = []
    for place, part in ((1, "scale"), (2, "bias")):
        column = emit.reshape(emit.input(place), groups, 1, part=f"{part}_column")
        rows = emit("Expand", column, spread, part=f"{part}_rows")
        parts.append(emit.reshape(rows, -1, part=part))
    _again(emit, emit.input(0), *parts)


def _fourier(emit: Emitter, newest: int) -> None:
    axis = emit.constant(emit.attribute("axis", 1), "int64", "axis")
    _again(emit, emit.input(0), emit.input(1), axis, without=("axis",))


def _grid_sample(emit: Emitter, newest: int) -> None:
    mode = emit.attribute("mode", "bilinear")
    _again(emit, *emit.node.input, mode={"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode))


def _scan(emit: Emitter, newest: int) -> None:
    raise Declined("its inputs were in batches then")


_BROADCASTING = ("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor")
_REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "SumSquare")

ADAPTERS: dict[str, tuple[Adapter, tuple[int, ...]]] = {
    "Cast": (_cast, (6,)),
    "Clip": (_clip, (11,)),
    "Concat": (_joined, (4,)),
    "DFT": (_fourier, (20,)),
    "Dropout": (_dropout, (12,)),
    "Gemm": (_gemm, (7,)),
    "GridSample": (_grid_sample, (20,)),
    "GroupNormalization": (_group_normalization, (21,)),
    "Hardmax": (_softmax, (13,)),
    "LogSoftmax": (_softmax, (13,)),
    "PRelu": (_prelu, (7,)),
    "Pad": (_pad, (11,)),
    "ReduceSum": (partial(_moved, "axes"), (13,)),
    "Reshape": (partial(_moved, "shape"), (5,)),
    "Resize": (_resize, (11,)),
    "Scan": (_scan, (9,)),
    "Scatter": (_scatter, (11,)),
    "Slice": (_slice, (10,)),
    "Softmax": (_softmax, (13,)),
    "Split": (_split, (13, 18)),
    "Squeeze": (partial(_moved, "axes"), (13,)),
    "Tile": (_tile, (6,)),
    "TopK": (partial(_moved, "k"), (10,)),
    "Unsqueeze": (partial(_moved, "axes"), (13,)),
    "Upsample": (_upsample, (10,)),
    **dict.fromkeys(_BROADCASTING, (_broadcast, (7,))),
    **{f"Reduce{name}": (partial(_moved, "axes"), (18,)) for name in _REDUCTIONS},
}
"""By operator, the adapter and the operator sets from which on the node needs it if it is older."""
