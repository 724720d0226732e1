"""Resize and Upsample: TVM's kernel for images where that is right, else axis after axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from engine.models.rewriting.emit import Declined, Emitter, Refused
from engine.models.rewriting.spatial.interpolation import Axis, Sampling

if TYPE_CHECKING:
    import numpy as np

_FLOATS = ("float16", "float32")
_SMALL = (*_FLOATS, "int8", "uint8")
"""TVM reads everything as float32."""

_STAY = ""

_MAX_TAPS = 2**24


def resize(emit: Emitter) -> None:
    """Resize of any rank along any axes."""
    sampling, axes = _sampling(emit), _axes(emit)
    moved = [place for place, axis in enumerate(axes) if not axis.stays]
    if all(axis.size == axis.target for axis in axes):  # ONNX Runtime then looks at no scale
        emit.identity(emit.input(0), emit.output(0))
    elif _is_tvms(emit, sampling, axes):
        _as_image(emit, axes, moved)
    else:
        _axis_by_axis(emit, sampling, axes, moved)


def _sampling(emit: Emitter) -> Sampling:
    mode = emit.attribute("mode", "nearest")
    old = emit.node.op_type == "Upsample" or emit.facts.opset < 11
    return Sampling(
        mode="linear" if mode == "bilinear" else mode,
        coordinates="asymmetric"
        if old
        else emit.attribute("coordinate_transformation_mode", "half_pixel"),
        nearest="simple" if old else emit.attribute("nearest_mode", "round_prefer_floor"),
        cubic_a=emit.attribute("cubic_coeff_a", -0.75),
        exclude_outside=bool(emit.attribute("exclude_outside", 0)),
        antialias=bool(emit.attribute("antialias", 0)) and mode != "nearest",
    )


def _axes(emit: Emitter) -> list[Axis]:
    """All axes of the input, as they are resized."""
    shape = emit.shape(emit.input(0))
    named = [place % len(shape) for place in emit.attribute("axes", range(len(shape)))]
    region = _region(emit, len(named))
    axes = [Axis(size, size, 1.0) for size in shape]
    for place, (target, scale), start, end in zip(
        named, _targets(emit, [shape[place] for place in named]), *region, strict=True
    ):
        axes[place] = Axis(shape[place], target, scale, start, end)
    return axes


def _targets(emit: Emitter, sizes: list[int]) -> list[tuple[int, float]]:
    """Size and scale of each axis that is resized."""
    import numpy as np

    scales = _scales(emit)
    if scales is not None:
        one_by_one = zip(sizes, scales, strict=True)
        return [(int(np.float32(size) * scale), float(scale)) for size, scale in one_by_one]
    targets = [int(size) for size in _constant(emit, 3, "its sizes")]
    ratios = [np.float32(to) / np.float32(size) for to, size in zip(targets, sizes, strict=True)]
    policy = emit.attribute("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return [(to, float(ratio)) for to, ratio in zip(targets, ratios, strict=True)]
    ratio = min(ratios) if policy == "not_larger" else max(ratios)
    return [(math.floor(float(ratio * np.float32(size)) + 0.5), float(ratio)) for size in sizes]


def _scales(emit: Emitter) -> np.ndarray | None:
    """The scales that a node gives, None where it gives sizes."""
    import numpy as np

    attribute = emit.attribute("scales", None)
    if attribute is not None:  # Upsample before operator set 9
        return np.asarray(attribute, np.float32)
    place = 1 if emit.node.op_type == "Upsample" or emit.facts.opset < 11 else 2
    if not emit.input(place):
        return None
    scales = _constant(emit, place, "its scales")
    return scales if scales.size else None


def _region(emit: Emitter, rank: int) -> tuple[list[float], list[float]]:
    """Starts and ends of the region of interest, which one mode alone looks at."""
    if emit.attribute("coordinate_transformation_mode", "") != "tf_crop_and_resize":
        return [0.0] * rank, [1.0] * rank
    region = [float(share) for share in _constant(emit, 1, "its region of interest")]
    return region[:rank], region[rank:]


def _constant(emit: Emitter, place: int, what: str) -> np.ndarray:
    value = emit.facts.value(emit.input(place))
    if value is None:
        raise Refused(f"{what} must be constant")
    return value


def _is_tvms(emit: Emitter, sampling: Sampling, axes: list[Axis]) -> bool:
    """Whether TVM's kernel for images, channels first or last, computes the same."""
    kinds = _SMALL if sampling.mode == "nearest" else _FLOATS
    if len(axes) != 4 or emit.facts.opset < 11 or emit.dtype(emit.input(0)).name not in kinds:
        return False
    image = (2, 3) if axes[1].stays else (1, 2)
    return all(
        sampling.tvm_reads_so(axis) if place in image else axis.stays
        for place, axis in enumerate(axes)
    )


def _as_image(emit: Emitter, axes: list[Axis], moved: list[int]) -> None:
    """A Resize of the last two axes by sizes."""
    import numpy as np

    plain = not {"axes", "keep_aspect_ratio_policy"} & {a.name for a in emit.node.attribute}
    last = 1 not in moved
    if plain and last:
        raise Declined(_STAY)
    x = emit.input(0)
    if not last:
        x = emit("Transpose", x, perm=[0, 3, 1, 2], part="channels_first")
        axes = [axes[place] for place in (0, 3, 1, 2)]
    none = emit.constant(np.zeros(0), "float32", "none")
    sizes = emit.ints(*(axis.target for axis in axes), part="sizes")
    resized = emit(
        "Resize", x, none, none, sizes, out=emit.output(0) if last else "", part="resized"
    )
    dropped = ("axes", "keep_aspect_ratio_policy")
    emit.nodes[-1].attribute.extend(a for a in emit.node.attribute if a.name not in dropped)
    if not last:
        emit("Transpose", resized, perm=[0, 2, 3, 1], out=emit.output(0), part="channels_last")


def _axis_by_axis(emit: Emitter, sampling: Sampling, axes: list[Axis], moved: list[int]) -> None:
    """Gathers where one value is taken; else products with weights, and their sums."""
    x, dtype = emit.input(0), emit.dtype(emit.input(0))
    blended = sampling.mode != "nearest"
    wide = dtype.name if dtype.name == "float64" or not blended else "float32"
    if dtype.name != wide:
        x = emit.cast(x, wide, part="wide")
    rounded = dtype.kind in "iu" and sampling.antialias
    for place in _order(axes, moved, rounded):
        x = _resized(emit, x, wide, place, len(axes), *sampling.taps(axes[place]))
        if rounded:
            x = _whole(emit, x, dtype, wide)
    x = _filled(emit, x, sampling, axes, wide)
    emit.cast(x, dtype.name, out=emit.output(0), part="narrow")


def _order(axes: list[Axis], moved: list[int], rounded: bool) -> list[int]:
    """ONNX Runtime's order where each step rounds; else what leaves least for the next step."""
    if rounded:
        return moved[::-1]
    return sorted(moved, key=lambda place: axes[place].target / axes[place].size)


def _resized(
    emit: Emitter,
    x: str,
    dtype: str,
    place: int,
    rank: int,
    places: np.ndarray,
    weights: np.ndarray,
) -> str:
    """x with one axis made anew."""
    count = places.shape[1]
    if places.size > _MAX_TAPS:
        raise Refused(f"it would need a table of {places.size} numbers")
    if count == 1:
        return emit("Gather", x, emit.ints(*places[:, 0]), axis=place, part="taken")
    at = emit.constant(places, "int64", "places")
    around = (*places.shape, *[1] * (rank - 1 - place))
    factors = emit.constant(weights.reshape(around), dtype, "weights")
    taken = emit("Gather", x, at, axis=place, part="taken")
    return emit.reduce(
        "ReduceSum", emit("Mul", taken, factors, part="weighted"), place + 1, keep=False
    )


def _filled(emit: Emitter, x: str, sampling: Sampling, axes: list[Axis], dtype: str) -> str:
    """x with the value that stands for what lies outside the input."""
    import numpy as np

    outside = np.zeros([1] * len(axes), bool)
    for place, axis in enumerate(axes):
        around = [1] * len(axes)
        around[place] = -1
        outside = outside | sampling.outside(axis).reshape(around)
    if not outside.any():
        return x
    value = emit.constant(emit.attribute("extrapolation_value", 0.0), dtype, "outside_value")
    return emit("Where", emit.constant(outside, "bool", "outside"), value, x, part="filled")


def _whole(emit: Emitter, x: str, dtype: np.dtype[Any], wide: str) -> str:
    """x rounded, halves away from 0, within the range of integers of a type."""
    import numpy as np

    limits = np.iinfo(dtype)
    half, low, high = (emit.constant(end, wide) for end in (0.5, limits.min, limits.max))
    size = emit("Add", emit("Abs", x, part="size"), half, part="shifted")
    x = emit("Mul", emit("Floor", size, part="rounded"), emit("Sign", x, part="sign"), part="whole")
    return emit("Min", emit("Max", x, low, part="above"), high, part="below")
