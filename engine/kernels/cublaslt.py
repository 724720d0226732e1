"""Matrix products by NVIDIA's cuBLASLt, as a function that compiled programs call by name.

It is part of the plan_executor.py of an export that uses it, and needs no more than that and the
library itself, which comes with nvidia-cublas, PyTorch or the CUDA toolkit.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FUNCTION = "tunewright.cublaslt.matmul"
RANKS = 8  # algorithms that the library's heuristic is asked for
WORKSPACE_BYTES = 32 << 20  # what NVIDIA advises for Hopper; an algorithm may want less

_SONAMES = ("libcublasLt.so.13", "libcublasLt.so.12")
_IN_WHEELS = ("nvidia/cu13/lib", "nvidia/cublas/lib")
_TOOLKITS = ("lib64", "targets/x86_64-linux/lib", "lib")
_SYSTEM = ("/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64")
_BEGINNING = 64  # bytes: every tensor of a program begins at a multiple of them
# Of cublasLt.h and library_types.h.
_TYPES = {"float32": 0, "float16": 2, "bfloat16": 14}
_COMPUTE_32F, _COMPUTE_TF32 = 68, 77
_TRANSA, _TRANSB, _EPILOGUE, _BIAS_POINTER = 3, 4, 7, 8  # of a product's description
_BATCH, _STEP = 5, 6  # of a matrix's layout
_ROOM, _ALIGNMENTS = 1, (5, 6, 7, 8)  # of a preference
_DEFAULT, _RELU, _BIAS, _GELU = 1, 2, 4, 32  # epilogues
_ACTIVATIONS = {"none": 0, "relu": _RELU, "gelu_tanh": _GELU}


class Matmul(NamedTuple):
    """D = activation(scale * op(A) op(B) + C + bias), in the library's terms: by columns.

    D has `rows` and `columns`, the sum `depth` terms; `a_ld` and its like are elements from one
    column to the next, `a_step` and its like from one of `batch` matrices to the next. `bias` has
    an element for each row of D; C, where there is one (`added`), has D's layout and type. `tf32`
    rounds float32 to TF32. `rank` is that of the algorithm in the library's own heuristic.
    """

    rank: int
    operands: str
    output: str
    tf32: bool
    rows: int
    columns: int
    depth: int
    a_transposed: bool
    a_ld: int
    b_transposed: bool
    b_ld: int
    d_ld: int
    batch: int = 1
    a_step: int = 0
    b_step: int = 0
    d_step: int = 0
    bias: bool = False
    added: bool = False
    activation: str = "none"
    scale: float = 1.0

    @property
    def text(self) -> str:
        """The fields in order, as a compiled program holds them: a list in JSON."""
        return json.dumps(self, separators=(",", ":"))

    @staticmethod
    def of(text: str) -> Matmul:
        """What a text says."""
        return Matmul(*json.loads(text))


def find_library() -> Path | None:
    """Where the library lies here, the newest that is known; None where nowhere."""
    places = [*_folders()]
    found = (folder / name for name in _SONAMES for folder in places)
    return next((path for path in found if path.is_file()), None)


def _folders() -> Iterator[Path]:
    """Wheels beside our own packages, toolkits that variables name, the system's folders."""
    for root in map(Path, sys.path):
        if root.name in ("site-packages", "dist-packages"):
            yield from (root / folder for folder in _IN_WHEELS)
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if toolkit := os.environ.get(name):
            yield from (Path(toolkit, folder) for folder in _TOOLKITS)
    yield from map(Path, filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":")))
    yield from map(Path, _SYSTEM)


class CublasLt:
    """The loaded library. RuntimeError says what it refuses."""

    def __init__(self, path: Path) -> None:
        self._calls = ctypes.CDLL(str(path))
        self._calls.cublasLtGetVersion.restype = ctypes.c_size_t
        number = int(self._calls.cublasLtGetVersion())  # 131000 of 13.10.0
        self.version = f"{number // 10_000}.{number // 100 % 100}.{number % 100}"
        self.matmul = self._calls.cublasLtMatmul
        address = ctypes.c_void_p
        self.matmul.argtypes = [*[address] * 14, ctypes.c_size_t, address]

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function that returns a status."""
        if status := getattr(self._calls, name)(*arguments):
            raise RuntimeError(f"{name} failed with status {status}")

    def made(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        """The handle of a new object."""
        handle = ctypes.c_void_p()
        self.call(f"cublasLt{name}Create", ctypes.byref(handle), *arguments)
        return handle

    def put(
        self, name: str, handle: ctypes.c_void_p, attribute: int, form: str, value: Any
    ) -> None:
        """Set an attribute, packed as `struct` does it."""
        data = struct.pack(form, value)
        size = ctypes.c_size_t(len(data))
        self.call(f"cublasLt{name}SetAttribute", handle, attribute, data, size)


class _Algorithm(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""

    _fields_ = (
        ("algorithm", ctypes.c_uint64 * 8),
        ("workspace_bytes", ctypes.c_size_t),
        ("state", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    )


class ReadyMatmul:
    """A product made ready on a device: a call of it only launches."""

    def __init__(
        self, library: CublasLt, handle: ctypes.c_void_p, what: Matmul, exact: bool
    ) -> None:
        self._library, self._handle, self._what = library, handle, what
        compute = _COMPUTE_TF32 if what.tf32 else _COMPUTE_32F
        self._product = library.made("MatmulDesc", compute, _TYPES["float32"])
        for attribute, transposed in ((_TRANSA, what.a_transposed), (_TRANSB, what.b_transposed)):
            library.put("MatmulDesc", self._product, attribute, "i", int(transposed))
        epilogue = _BIAS * what.bias | _ACTIVATIONS[what.activation] or _DEFAULT
        library.put("MatmulDesc", self._product, _EPILOGUE, "I", epilogue)
        m, n, k = what.rows, what.columns, what.depth
        a = (k, m) if what.a_transposed else (m, k)
        b = (n, k) if what.b_transposed else (k, n)
        self._a = self._layout(what.operands, a, what.a_ld, what.a_step)
        self._b = self._layout(what.operands, b, what.b_ld, what.b_step)
        self._d = self._layout(what.output, (m, n), what.d_ld, what.d_step)
        self._scales = [ctypes.c_float(what.scale), ctypes.c_float(what.added)]
        found = self._algorithms()
        if exact and what.rank >= len(found):
            raise RuntimeError(f"cuBLASLt has {len(found)} algorithms for this product")
        self._chosen = found[what.rank if what.rank < len(found) else 0]
        self.workspace_bytes = int(self._chosen.workspace_bytes)

    def _layout(self, dtype: str, shape: tuple[int, int], ld: int, step: int) -> ctypes.c_void_p:
        library, counts = self._library, map(ctypes.c_uint64, shape)
        made = library.made("MatrixLayout", _TYPES[dtype], *counts, ctypes.c_int64(ld))
        if self._what.batch > 1:
            library.put("MatrixLayout", made, _BATCH, "i", self._what.batch)
            library.put("MatrixLayout", made, _STEP, "q", step)
        return made

    def _algorithms(self) -> list[_Algorithm]:
        """What the heuristic finds, the best first; RuntimeError where that is nothing."""
        library = self._library
        wish = library.made("MatmulPreference")
        library.put("MatmulPreference", wish, _ROOM, "Q", WORKSPACE_BYTES)
        for attribute in _ALIGNMENTS:
            library.put("MatmulPreference", wish, attribute, "I", _BEGINNING)
        found, count = (_Algorithm * RANKS)(), ctypes.c_int()
        layouts = (self._a, self._b, self._d, self._d)
        several = (wish, RANKS, found, ctypes.byref(count))
        library.call(
            "cublasLtMatmulAlgoGetHeuristic", self._handle, self._product, *layouts, *several
        )
        library.call("cublasLtMatmulPreferenceDestroy", wish)
        able = [one for one in found[: count.value] if one.state == 0]
        if not able:
            raise RuntimeError("cuBLASLt has no algorithm for this product")
        return able

    def launch(self, tensors: Sequence[int], workspace: int, stream: int) -> None:
        """Put it on a stream, with the addresses of A, B, C, bias and D. One thread at a time."""
        a, b, c, bias, d = tensors
        if self._what.bias:
            self._library.put("MatmulDesc", self._product, _BIAS_POINTER, "Q", bias)
        alpha, beta = map(ctypes.addressof, self._scales)
        added = c if self._what.added else d
        terms = (alpha, a, self._a, b, self._b, beta, added, self._d, d, self._d)
        how = (ctypes.addressof(self._chosen), workspace, self.workspace_bytes, stream)
        status = self._library.matmul(self._handle, self._product, *terms, *how)
        if status:
            raise RuntimeError(f"cublasLtMatmul failed with status {status}")


class Matmuls:
    """What compiled programs call: plans by device and text, a workspace for each stream.

    Two streams may run at the same time, so they share no workspace. One that is too small stays
    beside the larger one, as captured graphs use it.
    """

    def __init__(self, exact: bool) -> None:
        self._exact = exact
        self._lock = threading.Lock()
        self._library: CublasLt | None = None
        self._handles: dict[int, ctypes.c_void_p] = {}
        self._plans: dict[tuple[int, str], ReadyMatmul] = {}
        self._workspaces: dict[tuple[int, int], list[Any]] = {}

    def __call__(self, text: str, a: Any, b: Any, c: Any, bias: Any, d: Any) -> None:
        """Launch the product that `text` says on the current device and TVM's stream."""
        import tvm
        import tvm_ffi

        device = _current_device()
        with self._lock:
            plan = self._plans.get((device, text)) or self._planned(device, text)
            stream = tvm_ffi.get_raw_stream(tvm.cuda(device))
            room = self._room(device, stream, plan.workspace_bytes)
            plan.launch([_address(one) for one in (a, b, c, bias, d)], room, stream)

    def _planned(self, device: int, text: str) -> ReadyMatmul:
        if self._library is None:
            path = find_library()
            if path is None:
                raise RuntimeError("cuBLASLt is not installed here")
            self._library = CublasLt(path)
        if device not in self._handles:
            self._handles[device] = self._library.made("")
        plan = ReadyMatmul(self._library, self._handles[device], Matmul.of(text), self._exact)
        self._plans[device, text] = plan
        return plan

    def _room(self, device: int, stream: int, size: int) -> int:
        import tvm

        if not size:
            return 0
        made = self._workspaces.setdefault((device, stream), [])
        if not made or made[-1].shape[0] < size:
            made.append(tvm.runtime.empty((size,), "uint8", tvm.cuda(device)))
        return int(made[-1].data_ptr())


def _address(pointer: Any) -> int:
    return (pointer.value if isinstance(pointer, ctypes.c_void_p) else pointer) or 0


def _current_device() -> int:
    from cuda.bindings import runtime

    code, device = runtime.cudaGetDevice()
    if int(code):
        raise RuntimeError(f"CUDA failed: {code.name}")
    return int(device)


def library_version() -> str:
    """The version of the library that is found here; empty where there is none that loads."""
    path = find_library()
    try:
        return CublasLt(path).version if path else ""
    except (OSError, AttributeError):
        return ""


def register_cublaslt(exact: bool = False) -> None:
    """Let compiled programs of this process call the library.

    A rank that this version of the library does not have is an error if `exact`, else the best
    takes its place. The first call counts: captured graphs use what it keeps.
    """
    import tvm_ffi

    if tvm_ffi.get_global_func(FUNCTION, allow_missing=True) is None:
        tvm_ffi.register_global_func(FUNCTION, Matmuls(exact))
