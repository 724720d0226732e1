"""Operators of ONNX Runtime's own that move values, and the few that measure between them."""

from __future__ import annotations

from engine.models.rewriting.emit import Declined, Emitter


def gather_nd(emit: Emitter) -> None:
    """The standard's operator without batches."""
    places = emit.cast(emit.input(1), "int64", part="places")
    emit("GatherND", emit.input(0), places, out=emit.output(0))


def expand_dims(emit: Emitter) -> None:
    """An axis of size 1 put in."""
    axis = int(emit.value(emit.input(1), "its axis").item())
    if axis < 0:
        axis += len(emit.shape(emit.input(0))) + 1
    emit.unsqueeze(emit.input(0), axis, out=emit.output(0))


def trilu(emit: Emitter) -> None:
    """Zero below or above a diagonal."""
    import numpy as np

    x = emit.input(0)
    diagonal = int(emit.value(emit.input(1), "its diagonal").item()) if emit.input(1) else 0
    keep = (np.triu if emit.attribute("upper", 1) else np.tril)(
        np.ones(emit.shape(x)[-2:], "bool"), diagonal
    )
    kept = emit.constant(keep, "bool", "kept")
    emit("Where", kept, x, emit.scalar(0, x), out=emit.output(0))


def pad(emit: Emitter) -> None:
    """The standard's operator; its numbers may lie in a row of a matrix."""
    x, pads, value = (emit.input(place) for place in range(3))
    flat = emit.reshape(pads, -1, part="pads")
    more = [emit.reshape(value, part="value")] if value else []
    emit("Pad", x, flat, *more, mode=emit.attribute("mode", "constant"), out=emit.output(0))


def span(emit: Emitter) -> None:
    """Range, in steps of 1 where there is no third input; its numbers may be lists of one."""
    step = emit.input(2) or emit.scalar(1, emit.input(0))
    ends = [emit.reshape(x, part="scalar") for x in (emit.input(0), emit.input(1), step)]
    emit("Range", *ends, out=emit.output(0))


def unique(emit: Emitter) -> None:
    """A list as long as data make it."""
    raise Declined("the number of its results depends on data")


def unfold(emit: Emitter) -> None:
    """Windows along an axis, which become a last axis."""
    import numpy as np

    shape = emit.shape(emit.input(0))
    axis = emit.attribute("dim", -1) % len(shape)
    size, step = emit.attribute("size", 1), emit.attribute("step", 1)
    starts = np.arange(0, shape[axis] - size + 1, step)
    places = emit.constant(starts[:, None] + np.arange(size), "int64", "windows")
    windows = emit("Gather", emit.input(0), places, axis=axis, part="taken")
    axes = [place for place in range(len(shape) + 1) if place != axis + 1]
    emit("Transpose", windows, perm=[*axes, axis + 1], out=emit.output(0))


def distances(emit: Emitter) -> None:
    """Between each row of A and each of B."""
    metric = emit.attribute("metric", "sqeuclidean")
    if metric not in ("euclidean", "sqeuclidean"):
        raise Declined(f"its metric is {metric}")
    a, b = emit.unsqueeze(emit.input(0), 1), emit.unsqueeze(emit.input(1), 0)
    apart = emit("Sub", a, b, part="apart")
    squares = emit("Mul", apart, apart, part="squares")
    root = metric == "euclidean"
    total = emit.reduce("ReduceSum", squares, 2, keep=False, out="" if root else emit.output(0))
    if root:
        emit("Sqrt", total, out=emit.output(0))


def grid_sample(emit: Emitter) -> None:
    """The standard's operator, whose modes had other names."""
    if emit.facts.opset < 16:
        raise Declined("it needs operator set 16")
    mode = emit.attribute("mode", "bilinear")
    if emit.facts.opset >= 20:
        mode = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    emit(
        "GridSample",
        *emit.node.input,
        out=emit.output(0),
        mode=mode,
        padding_mode=emit.attribute("padding_mode", "zeros"),
        align_corners=emit.attribute("align_corners", 0),
    )
