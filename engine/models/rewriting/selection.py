"""Operators that choose or place elements, where TVM knows one form of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter, Refused

if TYPE_CHECKING:
    import numpy as np

_MOST_PARTS = 16  # of a concatenation
_STAY = ""  # no reason for a person: TVM takes the operator as it is


def one_hot(emit: Emitter) -> None:
    """on where a place along the new axis is the index, counted from either end; else off."""
    import numpy as np

    depth = int(constant(emit, 1, "its depth").item())
    rank = len(emit.shape(emit.input(0)))
    axis = emit.attribute("axis", -1) % (rank + 1)
    indices = emit.cast(emit.input(0), "int64", part="indices")
    column = emit.unsqueeze(indices, axis, part="column")
    places = np.arange(depth).reshape(-1, *[1] * (rank - axis))
    hits = [
        emit("Equal", column, emit.constant(numbers, "int64", part), part=f"{part}_hit")
        for numbers, part in ((places, "from_start"), (places - depth, "from_end"))
    ]
    off, on = (
        emit("Gather", emit.input(2), emit.constant(place, "int64", f"{part}_place"), part=part)
        for place, part in ((0, "off"), (1, "on"))
    )
    emit("Where", emit("Or", *hits, part="hit"), on, off, out=emit.output(0))


def eye_like(emit: Emitter) -> None:
    """1 where the column is the row plus k, in the type of the input or the one asked for."""
    import numpy as np

    rows, columns = emit.shape(emit.input(0))
    kind = emit.attribute("dtype", 0) or emit.facts.type(emit.input(0))
    offset = emit.attribute("k", 0)
    down = emit.constant(np.arange(rows)[:, None] + offset, "int64", "rows")
    across = emit.constant(np.arange(columns), "int64", "columns")
    emit("Cast", emit("Equal", down, across), to=kind, out=emit.output(0))


def compress(emit: Emitter) -> None:
    """The places that a constant condition keeps."""
    import numpy as np

    kept = np.flatnonzero(constant(emit, 1, "its condition"))
    x, axis = emit.input(0), emit.attribute("axis", None)
    if axis is None:
        x, axis = emit.reshape(x, -1, part="flat"), 0
    emit("Gather", x, emit.ints(*kept, part="kept"), axis=axis, out=emit.output(0))


def pad(emit: Emitter) -> None:
    """TVM reads outside a tensor that is reflected, or repeated, by more than it has."""
    pads = constant(emit, 1, "its padding").reshape(2, -1)
    mode = emit.attribute("mode", "constant")
    if mode == "constant":
        raise Declined(_STAY)
    shape = emit.shape(emit.input(0))
    axes = list(range(len(shape)))
    if emit.input(3):
        axes = [int(axis) for axis in constant(emit, 3, "its choice of axes")]
    for axis, before, after in zip(axes, *pads.tolist(), strict=True):
        # What is cut off one end is not there to be reflected at the other
        left = shape[axis] + min(before, 0) + min(after, 0)
        count = max(before, after)
        if count > 0 and (left < 1 or (mode == "reflect" and count >= left)):
            verb = "reflects" if mode == "reflect" else "repeats"
            raise Refused(f"it {verb} {count} places of an axis that has {max(left, 0)}")
    raise Declined(_STAY)


def axes_list(emit: Emitter) -> None:
    """TVM reads a list of axes, and no single one."""
    if not emit.input(1):
        raise Declined(_STAY)
    axes = constant(emit, 1, "its list of axes")
    if axes.ndim == 1:
        raise Declined(_STAY)
    emit(emit.node.op_type, emit.input(0), emit.ints(*axes.reshape(-1)), out=emit.output(0))


def split(emit: Emitter) -> None:
    """TVM cuts off no empty parts."""
    sizes = constant(emit, 1, "its split") if emit.input(1) else None
    if sizes is None or sizes.all():
        raise Declined(_STAY)
    axis, start = emit.attribute("axis", 0), 0
    for size, out in zip(sizes.tolist(), emit.node.output, strict=True):
        if out:
            emit.identity(emit.slice(emit.input(0), axis, start, start + size, part="part"), out)
        start += size


def reshape(emit: Emitter) -> None:
    """TVM copies the size of an axis for which 0 is given, also where 0 is meant."""
    import numpy as np

    shape = constant(emit, 1, "its shape")
    if shape.all() or not emit.attribute("allowzero", 0):
        raise Declined(_STAY)
    empty = np.zeros(shape, emit.dtype(emit.input(0)))
    emit.identity(emit.constant(empty, empty.dtype, "empty"), emit.output(0))


def tile(emit: Emitter) -> None:
    """As concatenations, and an Expand of axes with one place.

    TVM's own counts places round by a remainder, which LLVM takes for the place itself where that
    is of a power of two: on processors with AVX-512 the kernel reads beyond the tensor.
    """
    x, repeats = emit.input(0), constant(emit, 1, "its number of repeats").tolist()
    shape = list(emit.shape(x))
    if not all(repeats) or not all(shape):
        raise Declined(_STAY)
    sizes = list(enumerate(zip(shape, repeats, strict=True)))
    steps = [(axis, count) for axis, (size, count) in sizes if size > 1 and count > 1]
    wide = any(size == 1 and count > 1 for _, (size, count) in sizes)
    if not steps and not wide:
        emit.identity(x, emit.output(0))
    for axis, count in steps:
        last = not wide and axis == steps[-1][0]
        x = _repeated(emit, x, axis, count, emit.output(0) if last else "")
    if wide:
        wanted = [size * count for _, (size, count) in sizes]
        emit("Expand", x, emit.ints(*wanted, part="shape"), out=emit.output(0))


def _repeated(emit: Emitter, x: str, axis: int, count: int, out: str) -> str:
    """x so many times behind itself; by its doubles where they are many."""
    parts = []
    while count > _MOST_PARTS:
        if count & 1:
            parts.append(x)
        x = emit.concat([x, x], axis, part="double")
        count >>= 1
    return emit.concat([*parts, *[x] * count], axis, out=out, part="parts")


def with_constants(emit: Emitter) -> None:
    """Name what decides the shape of a result, where data do."""
    places, what = _SETTINGS[emit.node.op_type]
    for place in places:
        if emit.input(place):
            constant(emit, place, what)
    raise Declined(_STAY)


_SETTINGS: dict[str, tuple[tuple[int, ...], str]] = {
    "ConstantOfShape": ((0,), "its shape"),
    "Expand": ((1,), "its shape"),
    "Range": ((0, 1, 2), "its length"),
}


def constant(emit: Emitter, place: int, what: str) -> np.ndarray:
    """A constant input; Refused, naming `what`, where it is none: TVM takes no other."""
    value = emit.facts.value(emit.input(place))
    if value is None:
        raise Refused(f"{what} is not constant")
    return value
