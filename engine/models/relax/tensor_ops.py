"""Converters that take the place of TVM's own, which cost time or are wrong in places."""

from __future__ import annotations

from typing import Any

from engine.models.relax.context import Attributes, CannotConvert, Context, Expr, built_in


def _gather(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own computes, for indices that are known, which are negative: five kernels each."""
    import numpy as np
    from tvm import ir, relax

    data, indices = inputs
    known = isinstance(indices, ir.GenericConst) and not isinstance(
        data, ir.GenericConst | relax.ShapeExpr
    )
    if not known:
        return built_in("Gather", context, inputs, attributes)
    axis = attributes.get("axis", 0)
    size = int(data.ty.shape.values[axis])
    places = indices.value.numpy()
    places = np.where(places < 0, places + size, places)
    if ((places < 0) | (places >= size)).any():
        raise CannotConvert(f"an index is outside axis {axis}, which has {size} places")
    return relax.op.take(data, relax.const(places.astype("int64"), "int64"), axis)


def axis_extent(block: Any, data: Expr, axis: int, dtype: str) -> Expr:
    """TVM's own looks the size of an axis up in a kernel, even where it is known."""
    from tvm import relax

    return relax.const(int(data.ty.shape.values[axis]), dtype)


def _is_infinite(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own ignores which of the two infinities are asked for."""
    from tvm import relax
    from tvm.relax import op

    (x,) = inputs
    found = op.isinf(x)
    zero = relax.const(0, x.ty.dtype.dtype)
    if not attributes.get("detect_negative", 1):
        found = op.logical_and(found, op.greater(x, zero))
    if not attributes.get("detect_positive", 1):
        found = op.logical_and(found, op.less(x, zero))
    return found


def _resize(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own takes no empty scales beside sizes, which ONNX asked for before its version 13."""
    from tvm import ir

    if len(inputs) > 3 and inputs[3] is not None:
        scales = inputs[2]
        if isinstance(scales, ir.GenericConst) and scales.value.numpy().size == 0:
            inputs = [*inputs[:2], None, inputs[3]]
    return built_in("Resize", context, inputs, attributes)


def _grid_sample(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own gives float32 for float16."""
    from tvm import relax

    found = context.typed(built_in("GridSample", context, inputs, attributes))
    return relax.op.astype(found, inputs[0].ty.dtype.dtype)


def _roi_align(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own takes half a pixel off before it scales the regions; ONNX means a scaled one."""
    from tvm import relax

    scale = attributes.get("spatial_scale", 1.0)
    if attributes.get("coordinate_transformation_mode", b"half_pixel") == b"half_pixel":
        x, regions, *batches = inputs
        shift = relax.const(0.5 - 0.5 / scale, regions.ty.dtype.dtype)
        inputs = [x, context.typed(relax.op.add(regions, shift)), *batches]
    return built_in("RoiAlign", context, inputs, attributes)


def _bit_cast(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """The same bits as another type of the same width."""
    from tvm import te, tirx
    from tvm.relax.frontend.onnx.onnx_frontend import get_type

    (x,) = inputs
    wanted, given = str(get_type(attributes["to"])), str(x.ty.dtype.dtype)
    if "bool" in (wanted, given):
        from tvm import relax

        return relax.op.astype(x, wanted)

    def reinterpreted(data: Any) -> Any:
        return te.compute(data.shape, lambda *at: tirx.reinterpret(wanted, data[at]), name="bits")

    return context.block.emit_te(reinterpreted, x)


FUNCTIONS = {
    "BitCast": _bit_cast,
    "Gather": _gather,
    "GridSample": _grid_sample,
    "IsInf": _is_infinite,
    "Resize": _resize,
    "RoiAlign": _roi_align,
}
