"""Normalisations of ONNX Runtime's own, with the sums and tables that it puts before them."""

from __future__ import annotations

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.microsoft.fused import channels_first, channels_last

LAYER = 17
"""The first operator set with LayerNormalization."""


def skip_layer(emit: Emitter) -> None:
    """LayerNormalization of a sum, which is the fourth output."""
    x = _sum(emit, (0, 1, 4))
    layer_norm(emit, x, emit.input(2), emit.input(3), emit.output(0))


def skip_simplified(emit: Emitter) -> None:
    """The same, by the root of the mean square."""
    x = _sum(emit, (0, 1, 3))
    root_mean_square(emit, x, emit.input(2), emit.output(0))


def layer(emit: Emitter) -> None:
    """LayerNormalization, as ONNX Runtime writes it into models of operator sets before 17."""
    _refuse_statistics(emit)
    _refuse_axis(emit)
    layer_norm(emit, emit.input(0), emit.input(1), emit.input(2), emit.output(0))


def simplified(emit: Emitter) -> None:
    """Normalisation by the root of the mean square."""
    _refuse_statistics(emit)
    _refuse_axis(emit)
    root_mean_square(emit, emit.input(0), emit.input(1), emit.output(0))


def _refuse_statistics(emit: Emitter) -> None:
    if emit.output(1) or emit.output(2):
        raise Declined("its mean or deviation is read")


def _refuse_axis(emit: Emitter) -> None:
    axis = emit.attribute("axis", -1)
    if axis != -1 and axis != len(emit.shape(emit.input(0))) - 1:
        raise Declined("its axis is not the last one")


def _sum(emit: Emitter, places: tuple[int, ...]) -> str:
    """The inputs at these places added, which is the fourth output."""
    _refuse_statistics(emit)
    x, *others = [emit.input(place) for place in places if emit.input(place)]
    for left, other in reversed(list(enumerate(reversed(others)))):
        x = emit("Add", x, other, out="" if left else emit.output(3), part="sum")
    return x


def layer_norm(emit: Emitter, x: str, gamma: str, beta: str, out: str) -> None:
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta along the last axis."""
    epsilon = _epsilon(emit)
    if emit.facts.opset >= LAYER:
        inputs = [x, gamma, *([beta] if beta else [])]
        emit("LayerNormalization", *inputs, axis=-1, epsilon=epsilon, out=out)
        return
    centred = emit("Sub", x, emit.reduce("ReduceMean", x, -1), part="centred")
    normal = _by_root(emit, centred, epsilon, emit.dtype(gamma).name)
    scaled = emit("Mul", normal, gamma, out="" if beta else out)
    if beta:
        emit("Add", scaled, beta, out=out, part="shifted")


def root_mean_square(emit: Emitter, x: str, gamma: str, out: str) -> None:
    """x / sqrt(mean(x^2) + epsilon) * gamma along the last axis."""
    dtype = emit.dtype(gamma).name
    half = dtype == "float16"
    wide = emit.cast(x, "float32", part="wide") if half else x
    normal = _by_root(emit, wide, _epsilon(emit), "float32" if half else dtype)
    if half:
        normal = emit.cast(normal, "float16", part="narrow")
    emit("Mul", normal, gamma, out=out, part="scaled")


def _epsilon(emit: Emitter) -> float:
    fused = emit.node.op_type.startswith(("Skip", "Embed"))
    epsilon: float = emit.attribute("epsilon", 1e-12 if fused else 1e-5)
    return epsilon


def _by_root(emit: Emitter, x: str, epsilon: float, dtype: str) -> str:
    """x, of the type `dtype`, by the root of its mean square."""
    mean = emit.reduce("ReduceMean", emit("Mul", x, x, part="square"), -1)
    small = emit.constant(epsilon, dtype, "epsilon")
    return emit("Div", x, emit("Sqrt", emit("Add", mean, small), part="root"), part="normal")


def embed_layer(emit: Emitter) -> None:
    """Words, places and segments looked up, added and normalised; how many words the mask has."""
    words, segments, word_table, place_table, segment_table = (emit.input(n) for n in range(5))
    given = emit("Gather", word_table, words, axis=0, part="words")
    if emit.input(8):
        places = emit("Gather", place_table, emit.input(8), axis=0, part="places")
    else:
        length = emit.shape(words)[1]
        places = emit.slice(place_table, 0, 0, length, part="places")
    second = segments and segment_table
    total = emit("Add", given, places, out="" if second else emit.output(2), part="sum")
    if second:
        kinds = emit("Gather", segment_table, segments, axis=0, part="segments")
        total = emit("Add", total, kinds, out=emit.output(2), part="sum")
    layer_norm(emit, total, emit.input(5), emit.input(6), emit.output(0))
    if emit.output(1):
        _mask_index(emit)


def _mask_index(emit: Emitter) -> None:
    """How many ones each row of the mask has; none without a mask."""
    import numpy as np

    if not emit.input(7):
        zeros = np.zeros(emit.shape(emit.input(0))[0])
        emit.identity(emit.constant(zeros, "int32", "none"), emit.output(1))
        return
    ones = emit("Equal", emit.input(7), emit.scalar(1, emit.input(7)), part="ones")
    numbers = emit.cast(ones, "int32", part="numbers")
    emit.reduce("ReduceSum", numbers, 1, keep=False, out=emit.output(1))


def group(emit: Emitter) -> None:
    """GroupNorm and SkipGroupNorm: normalised by groups of channels, perhaps bent."""
    import numpy as np

    x = emit.input(0)
    shape = list(emit.shape(x))
    last = emit.attribute("channels_last", 1)
    if emit.node.op_type == "SkipGroupNorm":
        x = _skipped(emit, x, shape)
    if last:
        x = channels_first(emit, x, len(shape))
        shape.insert(1, shape.pop())
    groups = emit.attribute("groups", 1)
    rows = emit.reshape(x, shape[0], groups, -1, part="groups")
    dtype = emit.dtype(emit.input(0))
    one, zero = (emit.constant(np.full(groups, n), dtype, "unit") for n in (1, 0))
    epsilon = emit.attribute("epsilon", 1e-5)
    rows = emit("InstanceNormalization", rows, one, zero, epsilon=epsilon, part="normal")
    x = emit.reshape(rows, *shape, part="channels")
    gamma, beta = (_by_channel(emit, emit.input(n), shape, dtype.name) for n in (1, 2))
    x = emit("Add", emit("Mul", x, gamma, part="scaled"), beta, part="shifted")
    if emit.attribute("activation", 0):
        x = emit("Mul", x, emit("Sigmoid", x), part="bent")
    if last:
        channels_last(emit, x, len(shape), emit.output(0))
    else:
        emit.identity(x, emit.output(0))


def _skipped(emit: Emitter, x: str, shape: list[int]) -> str:
    """The sum of data, skip and bias, which is the second output."""
    if not emit.attribute("channels_last", 1):
        raise Declined("its channels do not come last")
    skip, bias = emit.input(3), emit.input(4)
    if len(emit.shape(skip)) == 2:
        skip = emit.reshape(skip, shape[0], 1, 1, shape[-1], part="skip")
    total = emit("Add", x, skip, out="" if bias else emit.output(1), part="sum")
    return emit("Add", total, bias, out=emit.output(1), part="sum") if bias else total


def _by_channel(emit: Emitter, name: str, shape: list[int], dtype: str) -> str:
    """A number for each channel, in the type of the data."""
    column = emit.reshape(name, shape[1], *[1] * (len(shape) - 2), part="by_channel")
    return column if emit.dtype(name) == dtype else emit.cast(column, dtype, part="typed")
