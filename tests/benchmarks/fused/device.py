"""The driver's side: instances on the device, their launches, and times in CUDA Graphs."""

from __future__ import annotations

import ctypes
import importlib
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.benchmarks.fused.kernels import ENTRY, Attention, Kernel, LayerNorm, Product

LATE = 2  # flags of a launch: the next kernel may start at once (1), or after this one's sums (2)
_CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_*
_PROGRAMMATIC_STREAM_SERIALIZATION = 6
_DEFAULT_SMEM = 48 << 10
_PORTABLE_CLUSTER = 8

Grid = tuple[int, int, int]


class Device:
    """PyTorch's device, with compiled instances and a stream of its own."""

    def __init__(self, cubins: Mapping[Kernel, bytes]) -> None:
        from cuda.bindings import driver

        self.torch = torch = importlib.import_module("torch")
        self.driver, self.cubins = driver, cubins
        self.lib = ctypes.CDLL("libcuda.so.1")
        self._functions: dict[Kernel, tuple[Any, Any]] = {}
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.manual_seed(0)
        torch.zeros(1, device="cuda")
        self.stream = torch.cuda.Stream()
        a = self.randn(4096, 4096)
        for _ in range(60):
            a @ a  # clocks up
        torch.cuda.synchronize()

    def randn(self, *shape: int) -> Any:
        """Random float16 values."""
        return self.torch.randn(*shape, device="cuda", dtype=self.torch.float16)

    def zeros(self, *shape: int) -> Any:
        """Zeros in float16."""
        return self.torch.zeros(*shape, device="cuda", dtype=self.torch.float16)

    def empty(self, *shape: int) -> Any:
        """Room for float16 values."""
        return self.torch.empty(*shape, device="cuda", dtype=self.torch.float16)

    def function(self, kernel: Kernel, cluster: int) -> Any:
        """What the driver launches for an instance in clusters of so many blocks."""
        if kernel not in self._functions:
            driver, attribute = self.driver, self.driver.CUfunction_attribute
            module = checked(driver.cuModuleLoadData(self.cubins[kernel]))
            found = checked(driver.cuModuleGetFunction(module, ENTRY.encode()))
            if kernel.smem > _DEFAULT_SMEM:
                name = attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                checked(driver.cuFuncSetAttribute(found, name, kernel.smem))
            if cluster > _PORTABLE_CLUSTER:
                name = attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
                checked(driver.cuFuncSetAttribute(found, name, 1))
            self._functions[kernel] = (module, found)
        return self._functions[kernel][1]

    def timed(self, execute: Callable[[], object], reps: int = 40, replays: int = 15) -> float:
        """Microseconds of one `execute()`, a median over replays of a graph of `reps` of them."""
        torch = self.torch
        with torch.no_grad(), torch.cuda.stream(self.stream):
            for _ in range(3):
                execute()
            self.stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                for _ in range(reps):
                    execute()
            finally:
                graph.capture_end()
            for _ in range(4):
                graph.replay()
            pairs = [
                [torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(replays)
            ]
            for begin, end in pairs:
                begin.record()
                graph.replay()
                end.record()
            self.stream.synchronize()
            median_ms: float = statistics.median(begin.elapsed_time(end) for begin, end in pairs)
            return round(median_ms * 1000 / reps, 3)


def checked(answer: Sequence[Any]) -> Any:
    """What a call to the driver gives; RuntimeError with the name of its error."""
    status, *values = answer
    if int(status):
        raise RuntimeError(f"driver: {status.name}")
    return values[0] if values else None


class _Attribute(ctypes.Structure):  # CUlaunchAttribute
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class _Config(ctypes.Structure):
    """CUlaunchConfig: cuda.bindings 13.0's own frees its attributes twice if they are set anew."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("smem", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("count", ctypes.c_uint),
    ]


class Op:
    """One launch of an instance, again and again with the same arguments."""

    def __init__(
        self,
        device: Device,
        kernel: Kernel,
        grid: Grid,
        arguments: Sequence[Any] = (),
        cluster: Grid = (1, 1, 1),
        threads: int = 0,
    ) -> None:
        self._device, self._kernel, self.grid = device, kernel, grid
        self._arguments, self._cluster = arguments, cluster
        self._threads = threads or kernel.threads
        self._function = ctypes.c_void_p(int(device.function(kernel, math.prod(cluster))))
        self._ready: dict[int, tuple[Any, ...]] = {}

    def launch(self, pdl: int = 0) -> None:
        """Launch it on the device's stream; `pdl` 0 is without programmatic dependent launch, 1
        lets the next kernel start at once, LATE after this one's sums."""
        if pdl not in self._ready:
            self._ready[pdl] = self._prepared(pdl)
        config, pointers, *_ = self._ready[pdl]
        status = self._device.lib.cuLaunchKernelEx(
            ctypes.byref(config), self._function, pointers, None
        )
        if status:
            name = self._device.driver.CUresult(status).name
            raise RuntimeError(f"cuLaunchKernelEx: {name}")

    def _prepared(self, pdl: int) -> tuple[Any, ...]:
        """The launch's structures, and what they point to."""
        values = [value.__class__(value.value) for value in self._arguments]
        values.append(ctypes.c_int(pdl))
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        attributes, count = (_Attribute * 2)(), 0
        if math.prod(self._cluster) > 1:
            attributes[count].id = _CLUSTER_DIMENSION
            attributes[count].value[0:3] = self._cluster
            count += 1
        if pdl:
            attributes[count].id = _PROGRAMMATIC_STREAM_SERIALIZATION
            attributes[count].value[0] = 1
            count += 1
        config = _Config(
            (ctypes.c_uint * 3)(*self.grid),
            (ctypes.c_uint * 3)(self._threads, 1, 1),
            self._kernel.smem,
            self._device.stream.cuda_stream,
            ctypes.addressof(attributes),
            count,
        )
        return config, pointers, values, attributes


def pointer(tensor: Any) -> ctypes.c_void_p:
    """A tensor's address, or null."""
    return ctypes.c_void_p(0 if tensor is None else tensor.data_ptr())


def product_op(
    device: Device,
    made: Product,
    a: Any,
    weight: Any,
    bias: Any,
    residual: Any,
    gamma: Any,
    beta: Any,
    out: Any,
) -> Op:
    """out = epilogue(a weight^T)."""
    m, (n, k) = a.shape[0], weight.shape
    tensors = map(pointer, (a, weight, bias, residual, gamma, beta, out))
    arguments = [*tensors, *map(ctypes.c_int, (m, n, k))]
    grid = (n // made.bn, -(-m // made.bm), made.split)
    return Op(device, made, grid, arguments, (made.cluster, 1, made.split))


def attention_op(
    device: Device,
    made: Attention,
    qkv: Any,
    mask: Any,
    out: Any,
    tokens: int,
    heads: int,
    key_heads: int,
) -> Op:
    """The attention of a fused product's rows of queries, keys and values."""
    dim, queries = made.dim, qkv.data_ptr()
    starts = (0, heads, heads + key_heads)
    tensors = [ctypes.c_void_p(queries + start * dim * 2) for start in starts]
    sizes = tokens, (heads + 2 * key_heads) * dim, heads * dim, heads // key_heads
    scale = ctypes.c_float(1.44269504 / math.sqrt(dim))
    arguments = [*tensors, pointer(mask), pointer(out), *map(ctypes.c_int, sizes), scale]
    return Op(device, made, (-(-tokens // (16 * made.qw)), heads, 1), arguments)


def norm_op(device: Device, n: int, x: Any, gamma: Any, beta: Any, out: Any) -> Op:
    """The layer norm by itself."""
    rows = x.shape[0]
    arguments = [*map(pointer, (x, gamma, beta, out)), ctypes.c_int(rows)]
    return Op(device, LayerNorm(n), (-(-rows // 4), 1, 1), arguments)


def difference(a: Any, b: Any) -> float:
    """The largest, and 1e9 where one is no number."""
    found: float = (a.float() - b.float()).abs().max().item()
    return found if found == found else 1e9  # noqa: PLR0124
