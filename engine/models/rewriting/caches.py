"""Running products, and caches into which a sequence is written."""

from __future__ import annotations

from engine.models.rewriting.emit import Emitter


def running_product(emit: Emitter) -> None:
    """CumProd: for each place the product of those up to it, or from it on."""
    import numpy as np

    x = emit.input(0)
    shape = emit.shape(x)
    axis = int(emit.value(emit.input(1), "its axis").item()) % len(shape)
    count = shape[axis]
    taken = np.tri(count, k=-1 if emit.attribute("exclusive", 0) else 0, dtype="bool")
    if emit.attribute("reverse", 0):
        taken = taken[::-1, ::-1]
    table = taken.reshape(count, count, *[1] * (len(shape) - axis - 1))
    rows = emit.unsqueeze(x, axis, part="rows")
    chosen = emit.constant(table, "bool", "taken")
    factors = emit("Where", chosen, rows, emit.scalar(1, x), part="factors")
    emit.reduce("ReduceProd", factors, axis + 1, keep=False, out=emit.output(0))


def write_sequence(emit: Emitter) -> None:
    """TensorScatter: an update takes the place of a stretch of the cache, for each batch its own.

    In the mode "circular" it goes on at the cache's start.
    """
    import numpy as np

    cache, update, starts = (emit.input(place) for place in range(3))
    shape = emit.shape(cache)
    axis = emit.attribute("axis", -2) % len(shape)
    length = emit.shape(update)[axis]
    along = [1] * len(shape)
    along[axis] = shape[axis]
    place = emit.constant(np.arange(shape[axis]).reshape(along), "int64", "places")
    if starts:
        first = emit.reshape(starts, shape[0], *[1] * (len(shape) - 1), part="starts")
        place = emit("Sub", place, first, part="since_start")
    if emit.attribute("mode", "linear") == "circular":
        size = emit.constant(shape[axis], "int64", "size")
        place = emit("Mod", emit("Add", place, size, part="ahead"), size, part="round")
    zero, last, end = (emit.constant(n, "int64", "bound") for n in (0, length - 1, length))
    begun = emit("GreaterOrEqual", place, zero, part="begun")
    written = emit("And", begun, emit("Less", place, end, part="going"), part="written")
    inside = emit("Min", emit("Max", place, zero, part="from_first"), last, part="inside")
    whole = emit("Expand", inside, emit.ints(*shape, part="shape"), part="all_places")
    values = emit("GatherElements", update, whole, axis=axis, part="values")
    emit("Where", written, values, cache, out=emit.output(0))
