"""Tasks with a matrix product, and a stand-in for the library that computes them by NumPy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from engine.kernels.cublaslt import FUNCTION, Matmul
from engine.measure.cuda_compiler import use_lean_compiler
from engine.records.machine import TargetSpec
from engine.targets.targets import to_tvm

Array = NDArray[Any]


def numpy_type(dtype: str) -> np.dtype[Any]:
    """NumPy's, or that of ml_dtypes."""
    return np.dtype(getattr(ml_dtypes, dtype, None) or dtype)


def product(
    left: str = "mk",
    right: str = "kn",
    output: str = "mn",
    dtype: str = "float16",
    behind: Callable[[Any, dict[str, Any]], Sequence[Any]] | None = None,
    sizes: dict[str, int] | None = None,
    given: str = "",
    stride: int = 1,
) -> Any:
    """A PrimFunc that sums products of operands whose axes the letters name, in their order.

    `behind` makes of the sum the further tensors, each of which reads the one before; what it puts
    into the dictionary is a parameter, too. Where a type is `given`, the left operand is a copy of
    a parameter of that; of its rows every one of `stride` is read, as a convolution does.
    """
    from tvm import te

    counts = {"m": 6, "n": 8, "k": 4, "b": 3, "h": 2, "p": 1} | (sizes or {})
    extents = {axis: wide(count) for axis, count in counts.items()}
    steps = {axis: wide(stride if axis in "bm" else 1) for axis in left}
    shape = [extents[axis] * steps[axis] for axis in left]
    source = a = te.placeholder(shape, given or dtype, "a")
    if given:
        a = te.compute(source.shape, lambda *at: source(*at).astype(dtype), "copy")
    b = te.placeholder([extents[axis] for axis in right], dtype, "b")
    sums = {
        axis: te.reduce_axis((wide(0), extents[axis]), axis)
        for axis in dict.fromkeys(left + right)
        if axis not in output
    }

    def one(*places: Any) -> Any:
        at = dict(zip(output, places, strict=True)) | sums
        x, y = a(*[at[axis] * steps[axis] for axis in left]), b(*[at[axis] for axis in right])
        return te.sum(x.astype("float32") * y.astype("float32"), list(sums.values()))

    made = te.compute([extents[axis] for axis in output], one, "matmul")
    more: dict[str, Any] = {}
    tensors = [made, *(behind(made, more) if behind else [])]
    return te.create_prim_func([source, b, *more.values(), tensors[-1]])


def wide(number: int) -> Any:
    """As extents of tasks are."""
    from tvm import tirx

    return tirx.const(number, "int64")


@contextmanager
def numpy_library() -> Iterator[list[Matmul]]:
    """Computes what programs ask of cuBLASLt while the block runs; it lists the calls."""
    import tvm_ffi

    calls: list[Matmul] = []

    def matmul(text: str, *addresses: Any) -> None:
        calls.append(Matmul.of(text))
        compute(calls[-1], [one.value for one in addresses])

    tvm_ffi.register_global_func(FUNCTION, matmul, override=True)
    try:
        yield calls
    finally:
        tvm_ffi.registry.remove_global_func(FUNCTION)


def compute(what: Matmul, addresses: Sequence[int]) -> None:
    """The product as cuBLASLt's manual has it, all matrices by columns."""
    m, n, k = what.rows, what.columns, what.depth
    at_a, at_b, at_c, at_bias, at_d = addresses
    a_shape, b_shape = (
        (k, m) if what.a_transposed else (m, k),
        (n, k) if what.b_transposed else (k, n),
    )
    for one in range(what.batch):
        a = _matrix(at_a, what.operands, a_shape, what.a_ld, one * what.a_step)
        b = _matrix(at_b, what.operands, b_shape, what.b_ld, one * what.b_step)
        d = _matrix(at_d, what.output, (m, n), what.d_ld, one * what.d_step)
        x = (a.T if what.a_transposed else a).astype(np.float64) @ (b.T if what.b_transposed else b)
        x = x * what.scale
        if what.added:
            x = x + _matrix(at_c, what.output, (m, n), what.d_ld, one * what.d_step)
        if what.bias:
            x = x + _matrix(at_bias, what.output, (m, 1), m, 0).astype(np.float64)
        d[...] = _ACTIVATIONS[what.activation](x).astype(d.dtype)


_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))),
}


def _matrix(address: int, dtype: str, shape: tuple[int, int], ld: int, start: int) -> Array:
    kind, (rows, columns) = numpy_type(dtype), shape
    assert ld >= rows
    count = start + ld * (columns - 1) + rows
    data = (ctypes.c_ubyte * (count * kind.itemsize)).from_address(address)
    flat = np.ctypeslib.as_array(data).view(kind)[start:]
    strides = (kind.itemsize, ld * kind.itemsize)
    return np.lib.stride_tricks.as_strided(flat, shape, strides, writeable=True)


def run(function: Any, target: TargetSpec | None = None) -> Array:
    """What a PrimFunc gives for random arguments, on a CPU or on a GPU of this machine, as
    float64."""
    import tvm

    module = tvm.IRModule({"main": function.with_attr("global_symbol", "main")})
    if target is None:
        library, device = tvm.compile(module, "llvm"), tvm.cpu()
    else:
        use_lean_compiler()  # with it a power of a negative number is what it is on a CPU
        with to_tvm(target):
            library, device = tvm.tirx.build(module, target=to_tvm(target)), tvm.cuda(0)
    draw = np.random.default_rng(0)
    arrays = [
        draw.standard_normal([int(n) for n in one.ty.shape]).astype(numpy_type(str(one.ty.dtype)))
        for one in function.params
    ]
    tensors = [tvm.runtime.tensor(array, device) for array in arrays]
    library["main"](*tensors)
    found: Array = tensors[-1].numpy().astype(np.float64)
    return found
