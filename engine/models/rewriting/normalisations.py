"""Normalisations, where TVM's own are wrong far from zero, know one type or no broadcasting."""

from __future__ import annotations

import math

from engine.models.rewriting.emit import Declined, Emitter, Refused
from engine.models.rewriting.microsoft import norms

_STAY = ""  # no reason for a person: TVM takes the operator as it is

_CENTRE_EPSILON = 1e-9  # of the operator's definition, added to the deviation


def mean_variance(emit: Emitter) -> None:
    """Centred first, twice: a difference of large squares, or a long sum, has few figures left."""
    x, dtype = _wide(emit, emit.input(0))
    axes = emit.attribute("axes", [0, 2, 3])
    nearly = emit("Sub", x, _mean(emit, x, axes), part="nearly")
    centred = emit("Sub", nearly, _mean(emit, nearly, axes), part="centred")
    variance = _mean(emit, emit("Mul", centred, centred, part="squares"), axes)
    deviation = emit("Sqrt", variance, part="deviation")
    epsilon = emit.constant(_CENTRE_EPSILON, dtype, "epsilon")
    safe = emit("Add", deviation, epsilon, part="safe")
    _narrow(emit, emit("Div", centred, safe, part="normal"), emit.output(0))


def group(emit: Emitter) -> None:
    """As many instances as there are groups; TVM's own is a difference of squares.

    Scale and bias belong to channels; in operator set 18 they belonged to groups.
    """
    import numpy as np

    shape = emit.shape(emit.input(0))
    groups = emit.attribute("num_groups", 0)
    if len(shape) < 2 or groups < 1 or shape[1] % groups:
        raise Refused("its groups do not divide the channels")
    x, dtype = _wide(emit, emit.input(0))
    joined = emit.reshape(x, shape[0], groups, -1, part="groups")
    one = emit.constant(np.ones(groups), dtype, "one")
    zero = emit.constant(np.zeros(groups), dtype, "zero")
    epsilon = emit.attribute("epsilon", 1e-5)
    normal = emit("InstanceNormalization", joined, one, zero, epsilon=epsilon, part="normal")
    normal = emit.reshape(normal, *shape, part="parted")
    normal = _narrow(emit, normal)
    around = [1] * (len(shape) - 2)
    scale, bias = (
        emit.reshape(_by_channel(emit, emit.input(place), shape[1]), shape[1], *around, part=part)
        for place, part in ((1, "scale"), (2, "bias"))
    )
    emit("Add", emit("Mul", normal, scale, part="scaled"), bias, out=emit.output(0))


def _by_channel(emit: Emitter, name: str, channels: int) -> str:
    (size,) = emit.shape(name)
    if size == channels:
        return name
    column = emit.reshape(name, size, 1, part="column")
    shape = emit.ints(size, channels // size, part="shape")
    return emit.reshape(emit("Expand", column, shape, part="each"), channels, part="channels")


def batch(emit: Emitter) -> None:
    """TVM normalises by the given statistics, whatever the mode.

    In training the batch's own count, and the given ones move towards them.
    """
    training = emit.attribute("training_mode", 0)
    if not training and not any(emit.node.output[1:]):
        raise Declined(_STAY)
    if not training:
        raise Refused("it is in training mode")
    shape = emit.shape(emit.input(0))
    axes = [0, *range(2, len(shape))]
    around = [shape[1], *[1] * (len(shape) - 2)]
    x, dtype = _wide(emit, emit.input(0))
    mean = _mean(emit, x, axes)
    centred = emit("Sub", x, mean, part="centred")
    variance = _mean(emit, emit("Mul", centred, centred, part="squares"), axes)
    normal = emit("Mul", centred, _inverse(emit, variance, dtype), part="normal")
    scale, bias = (
        emit.reshape(emit.cast(emit.input(place), dtype), *around, part=part)
        for place, part in ((1, "scale"), (2, "bias"))
    )
    scaled = emit("Mul", normal, scale, part="scaled")
    _narrow(emit, emit("Add", scaled, bias, part="result"), emit.output(0))
    for place, current in ((1, mean), (2, variance)):
        if emit.output(place):
            _moved(emit, place, current, dtype, shape[1])


def _moved(emit: Emitter, place: int, current: str, dtype: str, channels: int) -> None:
    """The mean (1) or variance (2) that was given, moved towards the batch's own."""
    momentum = emit.attribute("momentum", 0.9)
    kind = emit.dtype(emit.input(place + 2)).name
    parts = (
        (emit.cast(emit.input(place + 2), dtype), momentum),
        (emit.reshape(current, channels, part="current"), 1 - momentum),
    )
    old, new = (emit("Mul", v, emit.constant(w, dtype, "weight"), part="part") for v, w in parts)
    emit.cast(emit("Add", old, new, part="moved"), kind, out=emit.output(place))


def layer(emit: Emitter) -> None:
    """TVM gives the result alone, of float32 and float16, by a scale of all the axes' shape."""
    if emit.facts.opset < norms.LAYER:
        norms.layer(emit)
        return
    shape = emit.shape(emit.input(0))
    axis = emit.attribute("axis", -1) % len(shape)
    given = [emit.shape(name) for name in emit.node.input[1:] if name]
    usual = all(part == shape[axis:] for part in given)
    stashed = emit.dtype(emit.input(0)).name != "float64"
    if usual and stashed and not any(emit.node.output[1:]):
        raise Declined(_STAY)
    x, dtype = _wide(emit, emit.input(0))
    axes = list(range(axis, len(shape)))
    mean = _mean(emit, x, axes)
    centred = emit("Sub", x, mean, part="centred")
    variance = _mean(emit, emit("Mul", centred, centred, part="squares"), axes)
    inverse = _inverse(emit, variance, dtype)
    for value, out in ((mean, emit.output(1)), (inverse, emit.output(2))):
        if out:
            emit.cast(value, "float32", out=out, part="told")
    _scaled(emit, emit("Mul", centred, inverse, part="normal"))


def root_mean_square(emit: Emitter) -> None:
    """TVM's own takes the last axis, and a scale of its shape."""
    shape = emit.shape(emit.input(0))
    axis = emit.attribute("axis", -1) % len(shape)
    last = axis == len(shape) - 1 and emit.shape(emit.input(1)) == shape[axis:]
    if last and emit.dtype(emit.input(0)).name != "float64":
        raise Declined(_STAY)
    x, dtype = _wide(emit, emit.input(0))
    axes = list(range(axis, len(shape)))
    squares = _mean(emit, emit("Mul", x, x, part="squares"), axes)
    _scaled(emit, emit("Mul", x, _inverse(emit, squares, dtype), part="normal"))


def _inverse(emit: Emitter, variance: str, dtype: str) -> str:
    epsilon = emit.constant(emit.attribute("epsilon", 1e-5), dtype, "epsilon")
    root = emit("Sqrt", emit("Add", variance, epsilon, part="safe"), part="root")
    return emit("Reciprocal", root, part="inverse")


def _scaled(emit: Emitter, normal: str) -> None:
    """What is normalised times the scale, plus the bias where there is one."""
    normal = _narrow(emit, normal)
    bias = emit.input(2)
    result = emit("Mul", normal, emit.input(1), out="" if bias else emit.output(0), part="scaled")
    if bias:
        emit("Add", result, bias, out=emit.output(0))


def local_response(emit: Emitter) -> None:
    """x by a power of the mean of neighbouring channels' squares; TVM's knows odd windows alone."""
    size = emit.attribute("size", 1)
    if size % 2 and emit.dtype(emit.input(0)).name == "float32":
        raise Declined(_STAY)
    shape = emit.shape(emit.input(0))
    x, dtype = _wide(emit, emit.input(0))
    squares = emit("Mul", x, x, part="squares")
    flat = emit.reshape(squares, shape[0], 1, shape[1], math.prod(shape[2:]), part="flat")
    before, after = (size - 1) // 2, size // 2
    pads = [before, 0, after, 0]
    means = emit("AveragePool", flat, kernel_shape=[size, 1], pads=pads, count_include_pad=1)
    means = emit.reshape(means, *shape, part="parted")
    alpha, beta, bias = (
        emit.constant(emit.attribute(name, default), dtype, name)
        for name, default in (("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0))
    )
    base = emit("Add", emit("Mul", means, alpha, part="part"), bias, part="base")
    divisor = emit("Pow", base, beta, part="divisor")
    _narrow(emit, emit("Div", x, divisor, part="normal"), emit.output(0))


def in_single(emit: Emitter) -> None:
    """Halves in float32 from end to end: nothing between is rounded."""
    if emit.dtype(emit.input(0)).name != "float16":
        raise Declined(_STAY)
    parts = [emit.cast(name, "float32", part="single") for name in emit.node.input]
    result = emit(emit.node.op_type, *parts, part="wide")
    emit.nodes[-1].attribute.extend(emit.node.attribute)
    emit.cast(result, "float16", out=emit.output(0), part="narrow")


def hardmax(emit: Emitter) -> None:
    """1 at the first of the largest values, as ArgMax finds it."""
    import numpy as np

    x = emit.input(0)
    shape = emit.shape(x)
    old = emit.facts.opset < 13
    axis = emit.attribute("axis", 1 if old else -1) % max(len(shape), 1)
    if old:  # all axes from there on are one
        shape = (math.prod(shape[:axis]), math.prod(shape[axis:]))
        x, axis = emit.reshape(x, *shape, part="flat"), 1
    place = emit("ArgMax", x, axis=axis, keepdims=1, part="place")
    around = [1] * len(shape)
    around[axis] = shape[axis]
    places = emit.constant(np.arange(shape[axis]).reshape(around), "int64", "places")
    chosen = emit("Equal", place, places, part="chosen")
    dtype = emit.dtype(emit.input(0)).name
    if old:
        ones = emit.cast(chosen, dtype, part="ones")
        emit.reshape(ones, *emit.shape(emit.input(0)), out=emit.output(0), part="parted")
    else:
        emit.cast(chosen, dtype, out=emit.output(0), part="ones")


def _wide(emit: Emitter, x: str) -> tuple[str, str]:
    """x in the type that is computed in, and that type: float32 for halves."""
    dtype = emit.dtype(x).name
    if dtype in ("float32", "float64"):
        return x, dtype
    return emit.cast(x, "float32", part="single"), "float32"


def _narrow(emit: Emitter, x: str, out: str = "") -> str:
    """x in the type of the node's input."""
    dtype = emit.dtype(emit.input(0)).name
    if dtype in ("float32", "float64"):
        if out:
            emit.identity(x, out)
        return out or x
    return emit.cast(x, dtype, out=out, part="narrow")


def _mean(emit: Emitter, x: str, axes: list[int]) -> str:
    if emit.facts.opset < 18:
        return emit("ReduceMean", x, axes=axes, part="mean")
    return emit("ReduceMean", x, emit.ints(*axes, part="axes"), part="mean")
