"""Which values of a graph may be stored in 16 bits, by their range and by what reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name

SINGLE = "float32"
PRODUCTS = ("relax.matmul", "relax.nn.conv")


def _relax(*names: str) -> frozenset[str]:
    return frozenset(f"relax.{name}" for name in names)


MOVERS = _relax(
    *("reshape", "flatten", "squeeze", "expand_dims", "permute_dims", "broadcast_to", "concat"),
    *("split", "strided_slice", "take", "gather_nd", "gather_elements", "tile", "repeat", "flip"),
    *("nn.relu", "negative", "abs", "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"),
)
"""What gives numbers that it is given, up to their signs, and so computes in 16 bits as well."""

_BOUNDED = _relax(
    *("sigmoid", "tanh", "erf", "sin", "cos", "asin", "acos", "atan", "nn.softmax"),
    *("nn.layer_norm", "nn.rms_norm", "nn.group_norm", "nn.instance_norm"),
)
"""What gives numbers of moderate size, whatever it is given."""

_FOLLOWING = MOVERS | _relax(
    *("add", "subtract", "multiply", "maximum", "minimum", "where", "clip", "sqrt", "log", "sign"),
    *("floor", "ceil", "round", "nn.leakyrelu", "nn.prelu", "nn.softplus", "nn.silu", "nn.gelu"),
    *("nn.gelu_tanh", "nn.relu6", "nn.log_softmax", "nn.pad", "image.resize2d"),
    *("mean", "max", "min"),
    *(f"nn.{kind}avg_pool{rank}d" for kind in ("", "adaptive_") for rank in (1, 2, 3)),
)
"""What gives numbers of about the size of those that it is given.

So a half's exponential, square, quotient or sum of many is not among them: of a half, a square
overflows from 256 on, an exponential from 12 on.
"""

_SUMMARIES = _relax("mean", "max", "min")
"""What leaves few numbers, of which digits count more than bytes."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is known of the variables of a function: which are `bounded`, so that their numbers are
    in the range of 16 bits if those of its inputs are, and which are `stored` in 16 bits."""

    bounded: frozenset[Any]
    stored: frozenset[Any]


def ranges_of(main: Any, dtype: str) -> Ranges:
    """What may be stored as `dtype` of the float32 values that a Relax function binds.

    Operands of products are. Results of the function are not, nor its parameters.
    """
    wanted, wide = _read_by(list(bindings_of(main)))
    bounded, stored = set[Any](main.params), set[Any]()
    for binding in bindings_of(main):
        var, value = binding.var, binding.value
        if var not in wanted and not _is_bounded(value, bounded, dtype):
            continue
        bounded.add(var)
        summary = var in wide or operator_name(value) in _SUMMARIES
        if is_float(var, SINGLE) and not is_result(var) and (var in wanted or not summary):
            stored.add(var)
    return Ranges(frozenset(bounded), frozenset(stored))


def _read_by(bindings: list[Any]) -> tuple[set[Any], set[Any]]:
    """The variables that products read, and those that nothing reads but the caller; also where
    what lies between moves them only."""
    wanted, inside, outside = set[Any](), set[Any](), set[Any]()
    for binding in reversed(bindings):
        var, value = binding.var, binding.value
        result = is_result(var) or (var in outside and var not in inside)
        product = operator_name(value).startswith(PRODUCTS)
        for leaf in leaves_of(value):
            if product or (moves(value) and var in wanted and not result):
                wanted.add(leaf)
            (outside if moves(value) and result else inside).add(leaf)
    return wanted, outside - inside


def is_result(var: Any) -> bool:
    """Whether a variable is seen outside of its function."""
    from tvm import relax

    return not isinstance(var, relax.DataflowVar)


def _is_bounded(value: Any, bounded: set[Any], dtype: str) -> bool:
    name = operator_name(value)
    if name.startswith(PRODUCTS) or name in _BOUNDED:
        return True
    if name == "relax.multiply" and value.args[0].same_as(value.args[1]):
        return False  # a square
    if name == "relax.divide":
        above, below = value.args
        least = abs(below.value.numpy()).min(initial=1) if is_constant(below) else 0
        return bool(least >= 1) and above in bounded
    if name == "relax.astype":
        return is_float(value.args[0], dtype)
    if name and name not in _FOLLOWING:
        return False
    singles = [item for item in operands(value) if is_float(item, SINGLE)]
    return bool(singles) and all(
        fits(item, dtype) if is_constant(item) else item in bounded for item in singles
    )


def fits(constant: Any, dtype: str) -> bool:
    """Whether all numbers of a constant are in a type's range."""
    import ml_dtypes
    import numpy as np

    largest = float(ml_dtypes.finfo(dtype).max)  # type: ignore[no-untyped-call]
    values = constant.value.numpy()
    return bool(np.all(np.abs(values) <= largest))


def operands(value: Any) -> Iterator[Any]:
    """The tensors that a bound value reads: variables and constants, also those in tuples."""
    from tvm import relax

    if isinstance(value, relax.Call):
        items = value.args
    elif isinstance(value, relax.Tuple):
        items = value.fields
    elif isinstance(value, relax.TupleGetItem):
        items = [value.tuple_value]
    else:
        yield value
        return
    for item in items:
        yield from operands(item)


def leaves_of(value: Any) -> Iterator[Any]:
    """The variables that a bound value reads."""
    from tvm import relax

    return (item for item in operands(value) if isinstance(item, relax.Var))


def moves(value: Any) -> bool:
    """Whether a bound value only moves what it reads."""
    return operator_name(value) in MOVERS or not operator_name(value)


def is_constant(item: Any) -> bool:
    from tvm.ir import GenericConst

    return isinstance(item, GenericConst)


def is_float(item: Any, dtype: str) -> bool:
    """Whether a value is a tensor of this type, or a tuple of such."""
    from tvm import relax

    ty = getattr(item, "ty", None)
    if isinstance(ty, relax.TupleType):
        return bool(ty.fields) and all(str(field.dtype) == dtype for field in ty.fields)
    return str(getattr(ty, "dtype", "")) == dtype
