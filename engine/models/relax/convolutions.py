"""Convolutions whose sums are of another type than their operands."""

from __future__ import annotations

from engine.models.relax.context import Attributes, Context, Expr, built_in


def _conv(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own adds float16 up in float16, and loses digits with every channel."""
    from tvm.relax import op

    x, w, bias = (*inputs, None)[:3]
    if x.ty.dtype.dtype != "float16":
        return built_in("Conv", context, inputs, attributes)
    sums = convolved(context, x, w, attributes, "float32")
    if bias is not None:
        around = [1, -1] + [1] * (len(sums.ty.shape.values) - 2)
        sums = op.add(sums, op.astype(op.reshape(bias, around), "float32"))
    return op.astype(sums, "float16")


def _conv_transpose(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """As `_conv`; operands are wider, too."""
    from tvm.relax import op

    if inputs[0].ty.dtype.dtype != "float16":
        return built_in("ConvTranspose", context, inputs, attributes)
    given = [None if x is None else context.typed(op.astype(x, "float32")) for x in inputs]
    return op.astype(built_in("ConvTranspose", context, given, attributes), "float16")


def convolved(
    context: Context, data: Expr, weight: Expr, attributes: Attributes, dtype: str
) -> Expr:
    """The convolution's sums in another type."""
    from tvm.relax import op

    data, weight = context.typed(data), context.typed(weight)
    rank = len(data.ty.shape.values) - 2
    convolve, letters = {
        1: (op.nn.conv1d, "W"),
        2: (op.nn.conv2d, "HW"),
        3: (op.nn.conv3d, "DHW"),
    }[rank]
    kernel = [int(size) for size in weight.ty.shape.values[2:]]
    strides = list(attributes.get("strides", [1] * rank))
    dilations = list(attributes.get("dilations", [1] * rank))
    sizes = [int(size) for size in data.ty.shape.values[2:]]
    sums = convolve(
        data,
        weight,
        strides=strides,
        padding=_pads(attributes, sizes, kernel, strides, dilations),
        dilation=dilations,
        groups=attributes.get("group", 1),
        data_layout=f"NC{letters}",
        kernel_layout=f"OI{letters}",
        out_dtype=dtype,
    )
    return context.typed(sums)


def _pads(
    attributes: Attributes,
    sizes: list[int],
    kernel: list[int],
    strides: list[int],
    dilations: list[int],
) -> list[int]:
    """Padding before all axes, then after; ONNX's "same" puts an odd one where its name says."""
    rank = len(sizes)
    mode = attributes.get("auto_pad", b"NOTSET").decode()
    if mode == "NOTSET":
        return list(attributes.get("pads", [0] * 2 * rank))
    if mode == "VALID":
        return [0] * 2 * rank
    before, after = [], []
    for size, width, stride, dilation in zip(sizes, kernel, strides, dilations, strict=True):
        reach = (-(-size // stride) - 1) * stride + (width - 1) * dilation + 1
        total = max(reach - size, 0)
        small, large = total // 2, total - total // 2
        before.append(small if mode == "SAME_UPPER" else large)
        after.append(large if mode == "SAME_UPPER" else small)
    return before + after


FUNCTIONS = {"Conv": _conv, "ConvTranspose": _conv_transpose}
