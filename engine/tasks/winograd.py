"""3x3 convolutions with a fourth of the multiplications, where a CPU gains by it.

A convolution, its bias and its rectifier become three kernels: the input's tiles transformed, one
product of matrices for each point of a tile, and the result out of the products.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.models.relax.binding_names import bindings_of, leaves, name_bindings, name_joined
from engine.models.relax.calls import operator_name
from engine.tasks.winograd_kernels import CLASS, LANES, Tiling, input_kernel, output_kernel
from engine.tasks.winograd_matrices import FILTER, KERNEL


@dataclass(frozen=True, slots=True)
class _Found:
    """A convolution that gains, and the bindings whose work its last kernel does as well."""

    convolution: Any
    tiling: Tiling
    bias: Any = None
    bounded: bool = False
    last: Any = None
    """The binding that has the result."""
    names: tuple[str, ...] = ()


def with_winograd(module: Any) -> Any:
    """The module, in which convolutions have channels last and constant weights, with those that
    gain replaced.

    Weights are transformed here, once. Outputs differ by rounding: some 1e-5 of the largest one.
    """
    from tvm import relax

    module = relax.transform.FoldConstant()(module)
    found = {one.last.value: one for one in _find(module["main"])}
    if not found:
        return module
    joined = {str(one.last.var.name): one.names for one in found.values()}
    made = name_bindings(name_joined(_rewritten(module, found), joined, module))
    return relax.transform.DeadCodeElimination()(made)


def _rewritten(module: Any, found: Mapping[Any, _Found]) -> Any:
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    @mutator
    class Tiles(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Writes the three kernels where a result was computed."""

        def visit_call_(self, call: Any) -> Any:
            one = found.get(call)
            if one is None:
                return super().visit_call_(call)
            return _kernels(self.builder_, self.visit_expr(one.convolution.args[0]), one)

    rewriting = Tiles(module)
    main = module.get_global_var("main")
    rewriting.builder_.update_func(main, rewriting.visit_expr(module["main"]))
    return rewriting.builder_.get()


def _kernels(builder: Any, data: Any, one: _Found) -> Any:
    from tvm import relax

    tiling, bias = one.tiling, [] if one.bias is None else [one.bias]
    into = builder.add_func(input_kernel(tiling), f"{CLASS}_input")
    out = builder.add_func(output_kernel(tiling, bool(bias), one.bounded), f"{CLASS}_output")
    weights = relax.const(_transformed(one.convolution.args[1], tiling.m))
    spread = builder.emit(relax.call_tir(into, [data], _type(tiling.spread)))
    products = builder.emit(relax.op.matmul(spread, weights))
    return relax.call_tir(out, [products, *bias], _type(tiling.result))


def _transformed(weights: Any, m: int) -> Any:
    """G g G^T of each filter: (points, channels in, channels out)."""
    import numpy as np

    side = np.array(FILTER[m])
    filters = weights.value.numpy().astype(np.float64)
    made = np.einsum("ai,bj,oijc->abco", side, side, filters, optimize=True)
    return np.ascontiguousarray(made.reshape(-1, *made.shape[2:]), dtype=np.float32)


def _type(shape: tuple[int, ...]) -> Any:
    from tvm import relax

    return relax.TensorType(shape, "float32")


def _find(main: Any) -> Iterator[_Found]:
    """The convolutions that gain, each with what follows it."""
    bindings = list(bindings_of(main))
    reads = Counter(leaf for binding in bindings for leaf in leaves(binding.value))
    readers = {leaf: binding for binding in bindings for leaf in leaves(binding.value)}
    for binding in bindings:
        tiling = _tiling(binding.value)
        if tiling is not None:
            yield _followed(_Found(binding.value, tiling, last=binding), reads, readers)


def _followed(one: _Found, reads: Mapping[Any, int], readers: Mapping[Any, Any]) -> _Found:
    """With its bias and its rectifier, where nothing else reads what is between."""
    from tvm import relax

    one = replace(one, names=(str(one.last.var.name),))
    while isinstance(one.last.var, relax.DataflowVar) and reads[one.last.var] == 1:
        reader = readers[one.last.var]
        operator = operator_name(reader.value)
        if operator == "relax.add" and one.bias is None and not one.bounded:
            bias = _bias(reader.value, one)
            if bias is None:
                break
            one = replace(one, bias=bias)
        elif operator == "relax.nn.relu" and not one.bounded:
            one = replace(one, bounded=True)
        else:
            break
        one = replace(one, last=reader, names=(*one.names, str(reader.var.name)))
    return one


def _bias(call: Any, one: _Found) -> Any:
    """The constant that is added, one number a channel."""
    from tvm.ir import GenericConst

    for argument in call.args:
        if isinstance(argument, GenericConst) and _sizes(argument) == (
            1,
            1,
            1,
            one.tiling.channels,
        ):
            return argument
    return None


def _tiling(call: Any) -> Tiling | None:
    """How a call is best cut; None where it is no such convolution, or gains nothing."""
    from tvm.ir import GenericConst

    if operator_name(call) != "relax.nn.conv2d" or not isinstance(call.args[1], GenericConst):
        return None
    attrs, (data, weights) = call.attrs, call.args
    channels, *kernel, depth = _sizes(weights)
    layouts = str(attrs.data_layout), str(attrs.kernel_layout), str(attrs.out_layout)
    plain = [*attrs.strides, *attrs.dilation, attrs.groups]
    fits = (
        layouts == ("NHWC", "OHWI", "NHWC")
        and kernel == [KERNEL, KERNEL]
        and all(int(value) == 1 for value in plain)
        and not (channels % LANES or depth % LANES)
        and {str(item.ty.dtype) for item in (data, weights, call)} == {"float32"}
    )
    if not fits:
        return None
    top, left, *_ = map(int, attrs.padding)
    _, height, width, _ = _sizes(call)
    shape: Any = _sizes(data)
    return best_tiling(
        lambda m: Tiling(m, shape, channels, (top, left), (height, width)),
    )


def _sizes(expr: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in expr.ty.shape)


_LEAST_GAIN = 1.15
_LEAST_OF_LARGE = 1.1
"""The larger tile's weights take 2.25 times the memory."""
_PER_BYTE = 6.0
"""Operations in the time of a byte that a transform reads or writes."""
_PER_WEIGHT_BYTE = 5.5
"""The same for weights, which come from memory once."""
_SLOWER = 1.05
"""The products of small matrices against one convolution, operation by operation."""


def best_tiling(tiling_of: Callable[[int], Tiling]) -> Tiling | None:
    """The tiling (by m) that costs least; None where the convolution as it is costs less.

    The same on every machine, so that a project has the same tasks wherever it is opened.
    """
    small, large = map(tiling_of, sorted(FILTER))
    best = large if cost(large) * _LEAST_OF_LARGE < cost(small) else small
    return best if cost(best) * _LEAST_GAIN < direct_cost(best) else None


def cost(tiling: Tiling) -> float:
    moved = sum(map(math.prod, (tiling.data, tiling.spread, tiling.products, tiling.result)))
    weights = tiling.points * tiling.data[3] * tiling.channels
    return (
        _SLOWER * 2.0 * weights * tiling.tiles
        + 4 * _PER_BYTE * moved
        + 4 * _PER_WEIGHT_BYTE * weights
    )


def direct_cost(tiling: Tiling) -> float:
    """That of the convolution as it is."""
    weights = KERNEL**2 * tiling.data[3] * tiling.channels
    places = tiling.data[0] * math.prod(tiling.size)
    return 2.0 * weights * places + 4 * _PER_WEIGHT_BYTE * weights
