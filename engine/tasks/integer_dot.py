"""Products of quantized values in the shape of a processor's dot-product instruction.

AVX512-VNNI multiplies 16 times 4 bytes, unsigned by signed, and adds them to 16 sums of 32 bits.
So data stays in bytes, zero point and all, and constant weights, less theirs, are packed as
(outputs / 16, ..., inputs / 4, 16, 4). With zero point z of the data and s the sum of an output's
weights, sum((x - z) w) = sum(x w) - z s, where s is constant. Padding is by z.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.models.relax.calls import operator_name
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.dot_kernels import LANES, WIDTH, Window, convolution, product

if TYPE_CHECKING:
    import numpy as np

_log = logging.getLogger(__name__)

_SIGN = 128
Emit = Callable[[Any], Any]


def has_dot_products(target: TargetSpec) -> bool:
    """Whether a target's processor has such an instruction."""
    if target.is_gpu:
        return False
    from tvm.target import codegen

    return bool(codegen.llvm_cpu_has_features("avx512vnni", to_tvm(target)))


def with_dot_products(module: Any, target: TargetSpec) -> Any:
    """The module with its products of 8-bit data and constant weights as kernels for VNNI, where
    the target has it.

    Convolutions must be NHWC. What does not fit stays as it is: weights that do not fit in a
    signed byte, groups that do not fill 16 outputs and 4 inputs, and zero points by row.
    """
    if not has_dot_products(target):
        return module
    try:
        return _rewritten(module)
    except Exception as error:  # TVM raises whatever it does, and the model can do without
        _log.warning("Products of bytes stay as they are.", exc_info=error)
        return module


def _rewritten(module: Any) -> Any:
    from tvm import ir
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    makers = {"relax.nn.conv2d": _convolution, "relax.matmul": _product}

    @mutator
    class Dots(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Replaces calls of products."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            make = makers.get(call.op.name) if isinstance(call.op, ir.Op) else None
            made = make(_Site(self.builder_, self.lookup_binding), call) if make else None
            return call if made is None else made

    dots = Dots(module)
    main = module.get_global_var("main")
    dots.builder_.update_func(main, dots.visit_expr(module["main"]))
    return dots.builder_.get()


@dataclass(frozen=True, slots=True)
class _Data:
    """Unsigned bytes and their zero point: a number or a scalar expression of int32."""

    values: Any
    zero: Any


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a call is rewritten: what variables are bound to, and where new calls go."""

    builder: Any
    lookup: Callable[[Any], Any]

    def emit(self, expr: Any) -> Any:
        """A variable for an expression."""
        return self.builder.emit(expr)

    def bound(self, expr: Any) -> Any:
        """The expression that a variable stands for, itself where it stands for none."""
        from tvm import relax

        found = self.lookup(expr) if isinstance(expr, relax.Var) else expr
        return expr if found is None else found

    def call(self, expr: Any, *names: str) -> Any:
        """The call that a variable stands for, None where it is not of one of these operators."""
        found = self.bound(expr)
        return found if operator_name(found) in {f"relax.{each}" for each in names} else None


def _convolution(site: _Site, call: Any) -> Any:
    attrs = call.attrs
    if str(attrs.out_dtype) != "int32" or str(attrs.data_layout) != "NHWC":
        return None
    data, weights = _data(site, call.args[0]), _weights(site, call.args[1])
    if data is None or weights is None or str(attrs.kernel_layout) != "OHWI":
        return None
    groups = int(attrs.groups)
    if groups > 1 and (weights.shape[-1] % WIDTH or weights.shape[0] // groups % LANES):
        return None
    window = Window(
        outputs=weights.shape[0],
        kernel=(weights.shape[1], weights.shape[2]),
        strides=_numbers(attrs.strides),
        padding=_numbers(attrs.padding),
        dilation=_numbers(attrs.dilation),
        groups=groups,
    )
    dynamic = () if isinstance(data.zero, int) else (data.zero,)
    fill = data.zero if isinstance(data.zero, int) else None
    sums = site.builder.call_te(
        partial(convolution, window=window, fill=fill),
        data.values,
        _constant(_packed(weights)),
        *dynamic,
        primfunc_name_hint="conv2d_vnni",
        primfunc_attrs=_fusible(),
    )
    return _corrected(site, sums, data.zero, weights.sum((1, 2, 3), "int64"))


def _product(site: _Site, call: Any) -> Any:
    if str(call.attrs.out_dtype) != "int32":
        return None
    data, weights = _data(site, call.args[0]), _weights(site, call.args[1])
    if data is None or weights is None or weights.ndim != 2:
        return None
    sums = site.builder.call_te(
        partial(product, outputs=weights.shape[1]),
        data.values,
        _constant(_packed(weights.T)),
        primfunc_name_hint="matmul_vnni",
        primfunc_attrs=_fusible(),
    )
    return _corrected(site, sums, data.zero, weights.sum(0, "int64"))


def _data(site: _Site, expr: Any) -> _Data | None:
    """The bytes behind data that is centred about its zero point, perhaps in another layout."""
    from tvm.relax import op

    turned = site.call(expr, "permute_dims")
    if turned is not None:
        found = _data(site, turned.args[0])
        if found is None:
            return None
        return _Data(site.emit(op.permute_dims(found.values, turned.attrs.axes)), found.zero)
    dtype = _dtype(expr)
    if dtype in ("uint8", "int8"):
        return _unsigned(site, expr, 0)
    difference = site.call(expr, "subtract")
    wide = None if difference is None else site.call(difference.args[0], "astype")
    if wide is None or _dtype(wide.args[0]) not in ("uint8", "int8"):
        return None
    zero = _zero_point(site, difference.args[1])
    return None if zero is None else _unsigned(site, wide.args[0], zero)


def _unsigned(site: _Site, values: Any, zero: Any) -> _Data:
    from tvm import relax
    from tvm.relax import op

    if _dtype(values) == "uint8":
        return _Data(values, zero)
    wide = op.add(op.astype(values, "int16"), relax.const(_SIGN, "int16"))
    shifted = site.emit(op.astype(site.emit(wide), "uint8"))
    if isinstance(zero, int):
        return _Data(shifted, zero + _SIGN)
    return _Data(shifted, site.emit(op.add(zero, relax.const(_SIGN, "int32"))))


def _zero_point(site: _Site, expr: Any) -> Any:
    """A single zero point as a number, or in int32 where it is known only at run time."""
    from tvm.relax import op

    number = _value(site, expr)
    if number is not None:
        return int(number.item()) if number.size == 1 else None
    if len(expr.ty.shape.values) > 0:
        return None
    return site.emit(op.astype(expr, "int32"))


def _weights(site: _Site, expr: Any) -> np.ndarray | None:
    """Constant weights that fit in a signed byte."""
    found = _value(site, expr)
    if found is None or not found.size or found.dtype.kind not in "iu":
        return None
    return found.astype("int8") if found.min() >= -128 and found.max() <= 127 else None


def _value(site: _Site, expr: Any) -> np.ndarray | None:
    """A constant's value, through casts and changes of layout; None where it is no constant."""
    import numpy as np
    from tvm import ir

    found = site.bound(expr)
    if isinstance(found, ir.GenericConst):
        array: np.ndarray = found.value.numpy()
        return array
    call = site.call(expr, "permute_dims", "astype")
    inner = None if call is None else _value(site, call.args[0])
    if inner is None:
        return None
    if call.op.name == "relax.astype":
        return inner.astype(str(call.attrs.dtype))
    axes = call.attrs.axes
    return np.transpose(inner, None if axes is None else [int(axis) for axis in axes])


def _packed(weights: np.ndarray) -> np.ndarray:
    """(outputs, ..., inputs) as (outputs / 16, ..., inputs / 4, 16, 4), filled up with zeros."""
    import numpy as np

    outputs, inputs = weights.shape[0], weights.shape[-1]
    edges = [(0, 0)] * weights.ndim
    edges[0], edges[-1] = (0, -outputs % LANES), (0, -inputs % WIDTH)
    full = np.pad(weights, edges)
    split = full.reshape(
        -1, LANES, *weights.shape[1:-1], full.shape[-1] // WIDTH, WIDTH
    )  # outputs, lane, ..., inputs, byte
    return np.ascontiguousarray(np.moveaxis(split, 1, -2))


def _corrected(site: _Site, sums: Any, zero: Any, totals: np.ndarray) -> Any:
    """Sums of products less the zero point's share."""
    from tvm.relax import op

    if isinstance(zero, int):
        if not zero:
            return sums
        totals = (-zero * totals).astype("int32")
    rank = len(site.builder.normalize(sums).ty.shape.values)
    shaped = _constant(totals.astype("int32").reshape([1] * (rank - 1) + [-1]))
    if isinstance(zero, int):
        return op.add(site.emit(sums), shaped)
    return op.subtract(site.emit(sums), site.emit(op.multiply(shaped, zero)))


def _fusible() -> dict[str, Any]:
    """What FuseOps knows of a convolution: elementwise operators behind it may join it."""
    return {"op_pattern": 4}


def _constant(array: np.ndarray) -> Any:
    from tvm import relax

    return relax.const(array, str(array.dtype))


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _dtype(expr: Any) -> str:
    return str(expr.ty.dtype.dtype)
