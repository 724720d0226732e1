"""Runs a plan of compiled kernels over static buffers, in one CUDA Graph on a GPU.

The groups of a stage run side by side: on streams, and on a CPU on threads that split its cores.

This file and units.py are copied into every exported folder, as plan_executor.py, and so is
kernels/cublaslt.py where a plan calls that library: they need only apache-tvm and NumPy, and
cuda-bindings on a GPU.
"""

from __future__ import annotations

import json
import queue
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, overload

import numpy as np
import tvm
import tvm_ffi

from engine.kernels.cublaslt import register_cublaslt
from engine.measure.units import (
    Crews,
    CudaGraph,
    Groups,
    Hand,
    Streams,
    cores_of_kernels,
    raise_first,
    run_calls,
    split,
    take_cores,
)

ALIGNMENT = 64  # bytes: compiled kernels load whole vectors from where a tensor begins
HOSTS, GPUS = (1, 3), (2, 13)  # kinds of DLPack's devices: plain and pinned, a GPU's and managed
_PROFILED, _PROFILED_S = 200, 1e-3  # calls in a step's graph, and what they may take together
Step = tuple[str, Any, tuple[Any, ...]]  # the name of a kernel, it, and its buffers


class PlanExecutor:
    """A loaded module. Several threads may call `run`: one waits for the other.

    `folder` holds module.so, weights.bin and plan.json, in place of which `plan` may be given.
    With `like` it has buffers of its own, and the weights of that one. `cores` are those that
    side by side groups share, by default all that TVM uses. One of several plans over the same
    weights names its `library`, and shares those `weights` that are loaded, by offset and bytes.

    Arrays are NumPy's, or whatever else speaks DLPack (PyTorch's, CuPy's). A `stream` is a GPU's:
    PyTorch's, CuPy's, or the number of a cudaStream_t. What is given one returns before it is
    done, and goes on after what the module did on other streams; without one, all waits.
    """

    def __init__(
        self,
        folder: str | Path,
        device: str = "cpu",
        plan: Any = None,
        like: PlanExecutor | None = None,
        cores: Sequence[int] = (),
        library: str = "module.so",
        weights: dict[tuple[int, int], Any] | None = None,
    ) -> None:
        self.library: Any
        self.steps: list[Step]
        self._plan: dict[str, Any]
        self._tensors: list[Any]
        self.made = folder, device
        self.device = tvm.device(device)
        self.library = like.library if like else tvm.runtime.load_module(str(Path(folder, library)))
        self._read(Path(folder), plan, like, weights)
        if self._plan.get("libraries"):
            register_cublaslt()
        # Plans of format 1 have no stages.
        self._stages = self._plan.get("stages") or [[[step]] for step in range(len(self.steps))]
        self._order = [step for groups in self._stages for group in groups for step in group]
        self.is_gpu = device.startswith("cuda")
        self._units: Streams | Crews = Streams(self.device) if self.is_gpu else Crews(cores)
        self._end = weakref.finalize(self, self._units.close)
        self._program = self.program(self._stages)
        self.lock = threading.Lock()

    def _read(
        self,
        folder: Path,
        plan: Any = None,
        like: PlanExecutor | None = None,
        weights: dict[tuple[int, int], Any] | None = None,
    ) -> None:
        """Make the plan's buffers on the device, and its steps of the library's kernels."""
        self._loaded = {} if weights is None else weights
        plan = like._plan if like else plan or json.loads((folder / "plan.json").read_text())
        self._plan = plan
        self._weights = folder / "weights.bin"
        self._storages = [self._zeros(size) for size in plan["storage_bytes"]]
        self._inputs = [self._input(plan["buffers"][item["buffer"]]) for item in plan["inputs"]]
        self._tensors = [
            like._tensors[index]
            if like and buffer and "weights" in buffer
            else buffer and self._tensor(buffer)
            for index, buffer in enumerate(plan["buffers"])
        ]
        self._outputs = [(item["name"], self._tensors[item["buffer"]]) for item in plan["outputs"]]
        self.steps = self._steps(self._tensors)

    def _steps(self, tensors: Sequence[Any]) -> list[Step]:
        """Each step's name, kernel and buffers."""
        return [
            (name, self.library[name] if args else (lambda: None), tuple(tensors[i] for i in args))
            for name, args in self._plan["steps"]
        ]

    def program(self, stages: Sequence[Sequence[Sequence[int]]]) -> Callable[..., None]:
        """What runs these stages and waits; a group is the indices of its steps."""
        return self._units.program(_groups(self.steps, stages))

    @property
    def inputs(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Name, shape and dtype of each input."""
        return [
            (item["name"], tuple(tensor.shape), str(tensor.dtype))
            for item, tensor in zip(self._plan["inputs"], self._inputs, strict=True)
        ]

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Name and shape of each output."""
        return [(name, tuple(tensor.shape)) for name, tensor in self._outputs]

    def another(self, cores: Sequence[int] = ()) -> PlanExecutor:
        """The module with buffers of its own, and these weights."""
        return PlanExecutor(*self.made, like=self, cores=cores)

    def close(self) -> None:
        """End the threads of groups; nothing runs after that. Idempotent."""
        self._end()

    def _bytes(self, data: np.ndarray) -> Any:
        return tvm.runtime.tensor(data, self.device)

    def _zeros(self, size: int) -> Any:
        # What nobody has set yet must be no index out of bounds when a GPU captures the plan.
        return self._bytes(np.zeros(max(size, 1), np.uint8))

    def _input(self, buffer: dict[str, Any]) -> Any:
        return self._zeros(buffer["bytes"])._create_view(tuple(buffer["shape"]), buffer["dtype"])

    def _tensor(self, buffer: dict[str, Any]) -> Any:
        shape, dtype = tuple(buffer["shape"]), buffer["dtype"]
        if "input" in buffer:
            return self._inputs[buffer["input"]]._create_view(shape, dtype)
        if "storage" in buffer:
            return self._storages[buffer["storage"]]._create_view(shape, dtype)
        # One by one, lest all are in memory twice
        at = buffer["weights"], buffer["bytes"]
        if at not in self._loaded:
            data = np.fromfile(self._weights, np.uint8, at[1], offset=at[0])
            self._loaded[at] = self._bytes(data if data.size else np.zeros(1, np.uint8))
        return self._loaded[at]._create_view(shape, dtype)

    @property
    def input_buffers(self) -> dict[str, Any]:
        """The module's own inputs, as tensors that speak DLPack: what is written there is read."""
        names = [item["name"] for item in self._plan["inputs"]]
        return dict(zip(names, self._inputs, strict=True))

    @property
    def output_buffers(self) -> dict[str, Any]:
        """The outputs where they lie, as tensors that speak DLPack: the next call changes them."""
        return dict(self._outputs)

    def set_inputs(self, inputs: Mapping[str, Any], stream: Any = None) -> None:
        """Copy every input of the model into its buffer; ValueError says what does not fit."""
        buffers = self.input_buffers
        if set(inputs) != set(buffers):
            raise ValueError(f"the inputs are {', '.join(buffers)}, not {', '.join(inputs)}")
        handle = self._units.begin(stream)
        for name, tensor in buffers.items():
            self._set(f"input {name}", tensor, inputs[name], handle)
        self._units.finish(stream, handle)

    def _set(self, what: str, tensor: Any, given: Any, handle: int) -> None:
        if not isinstance(given, np.ndarray) and hasattr(given, "__dlpack_device__"):
            source = self._shared(what, given, handle)
            same = source.shape == tensor.shape and source.dtype == tensor.dtype
            if _is_gpus(given) or (same and source.is_contiguous()):
                _require_like(what, source, tensor)
                self._copy(source, tensor, handle)
                return
            try:
                given = np.from_dlpack(given)
            except (BufferError, RuntimeError):  # of a type that NumPy does not know
                _require_like(what, source, tensor)
                raise
        given, dtype = np.asarray(given), np.dtype(str(tensor.dtype))
        if given.shape != tuple(tensor.shape):
            raise ValueError(f"{what} has shape {given.shape}, not {tuple(tensor.shape)}")
        if not np.can_cast(given.dtype, dtype, casting="same_kind"):
            raise ValueError(f"{what} holds {given.dtype}, not {dtype}")
        self._fill(tensor, np.asarray(given, dtype=dtype, order="C"), handle)

    def _fill(self, tensor: Any, array: np.ndarray, handle: int) -> None:
        """Copy a contiguous array of the same shape and type."""
        self._units.copy(array.ctypes.data, tensor.data_ptr(), array.nbytes, handle)

    def _copy(self, source: Any, target: Any, handle: int) -> None:
        """Between contiguous tensors of one shape and type."""
        self._units.copy(source.data_ptr(), target.data_ptr(), _size(source), handle)

    def _shared(self, what: str, array: Any, handle: int) -> Any:
        """A tensor over an array's own memory, which the stream may use once the array's own
        library is done with it; ValueError where that cannot be."""
        kind, index = map(int, array.__dlpack_device__())
        ours = kind in GPUS and self.is_gpu and index == self.device.index
        if kind not in HOSTS and not ours:
            raise ValueError(f"{what} lies on another device than the module, {self.device}")
        ask = {"stream": handle or 1} if kind in GPUS else {}  # 1 is what DLPack calls stream 0
        try:
            try:
                capsule = array.__dlpack__(max_version=(1, 0), **ask)
            except TypeError:  # of a library before DLPack 1.0
                capsule = array.__dlpack__(**ask)
            return tvm_ffi.from_dlpack(capsule)
        except Exception as error:  # each library has its own
            reason = str(error).partition("\n")[0].rstrip(".")
            raise ValueError(f"{what} does not lend its memory: {reason}") from error

    def execute(self, stream: Any = None) -> None:
        """Run every kernel once over the inputs that were set."""
        self._program(stream)

    def execute_eagerly(self) -> None:
        """The same without a graph, streams or threads of ours: one kernel after another."""
        run_calls(self.steps[step][1:] for step in self._order)
        self.device.sync()

    def outputs(self) -> dict[str, np.ndarray]:
        """The outputs of the last execution."""
        self._units.finish(None, self._units.begin(None))
        self.device.sync()
        return {name: tensor.numpy() for name, tensor in self._outputs}

    def put_outputs(self, outputs: Mapping[str, Any], stream: Any = None) -> None:
        """Copy outputs of the last execution into arrays by name, all or some; ValueError says
        which does not fit."""
        handle = self._units.begin(stream)
        for name, array in outputs.items():
            target = self._target(name, array, handle)
            self._copy(self.output_buffers[name], target, handle)
        self._units.finish(stream, handle)

    def _target(self, name: str, array: Any, handle: int) -> Any:
        """A tensor over a caller's array for an output."""
        own = self.output_buffers
        if name not in own:
            raise ValueError(f"the outputs are {', '.join(own)}, not {name}")
        if isinstance(array, np.ndarray) and not array.flags.writeable:
            raise ValueError(f"output {name} cannot be written")
        target = self._shared(f"output {name}", array, handle)
        _require_like(f"output {name}", target, own[name])
        return target

    @overload
    def run(
        self, inputs: Mapping[str, Any], outputs: None = None, stream: Any = None
    ) -> dict[str, np.ndarray]: ...
    @overload
    def run(
        self, inputs: Mapping[str, Any], outputs: Mapping[str, Any], stream: Any = None
    ) -> Mapping[str, Any]: ...
    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any] | None = None,
        stream: Any = None,
    ) -> Mapping[str, Any]:
        """Outputs for these inputs: NumPy arrays, or those of `outputs`, which are written.

        What lies on the module's GPU is copied there, and nothing through the host.
        """
        with self.lock:
            self.set_inputs(inputs, stream)
            self.execute(stream)
            if outputs is None:
                return self.outputs()
            self.put_outputs(outputs, stream)
            return outputs

    def bind(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Bound:
        """What runs the module over these very arrays, without a copy; a call may have a `stream`.

        Inputs and outputs that are not among them stay the module's own buffers. ValueError where
        an array is of another shape, type or device, not contiguous, not aligned to 64 bytes,
        or overlaps another that is written; and where an output has no memory of its own: it is an
        input, a constant, or a view of another output.
        """
        with self.lock:
            handle = self._units.begin(None)
            tensors = list(self._tensors)
            shared = self._bind_inputs(tensors, inputs, handle)
            written = self._bind_outputs(tensors, outputs, handle)
            self._units.finish(None, handle)
            _require_apart(written, shared | written)
            groups = _groups(self._steps(tensors), self._stages)
            return Bound(self, self._units.program(groups, known=True))

    def _bind_inputs(
        self, tensors: list[Any], inputs: Mapping[str, Any], handle: int
    ) -> dict[str, Any]:
        own = self.input_buffers
        shared = {}
        for name, array in inputs.items():
            what = f"input {name}"
            if name not in own:
                raise ValueError(f"the inputs are {', '.join(own)}, not {name}")
            shared[what] = given = self._shared(what, array, handle)
            _require_like(what, given, own[name])
            self._require_usable(what, array, given)
            at = list(own).index(name)
            self._replace(tensors, given, "input", at)
        return shared

    def _bind_outputs(
        self, tensors: list[Any], outputs: Mapping[str, Any], handle: int
    ) -> dict[str, Any]:
        buffers = self._plan["buffers"]
        places = {item["name"]: item["buffer"] for item in self._plan["outputs"]}
        written: dict[str, Any] = {}
        roots = set()
        for name, array in outputs.items():
            given = written[f"output {name}"] = self._target(name, array, handle)
            self._require_usable(f"output {name}", array, given)
            buffer = buffers[places[name]]
            root = buffer.get("root", places[name])
            alone = "storage" in buffer and buffers[root]["bytes"] == buffer["bytes"]
            if not alone or root in roots:
                raise ValueError(f"output {name} has no memory of its own: take it by run")
            roots.add(root)
            self._replace(tensors, given, "root", root)
        return written

    def _replace(self, tensors: list[Any], given: Any, kind: str, place: int) -> None:
        """Have all views of an input, or of the buffer that is a root, be views of a tensor."""
        for index, buffer in enumerate(self._plan["buffers"]):
            own = index if kind == "root" else None
            if buffer is not None and buffer.get(kind, own) == place:
                tensors[index] = given._create_view(tuple(buffer["shape"]), buffer["dtype"])

    def _require_usable(self, what: str, array: Any, tensor: Any) -> None:
        """Refuse what kernels cannot use where it is."""
        if _is_gpus(array) != self.is_gpu:
            raise ValueError(f"{what} lies on another device than the module, {self.device}")
        if tensor.data_ptr() % ALIGNMENT:
            raise ValueError(f"{what} does not begin at a multiple of {ALIGNMENT} bytes")

    def pool(self, size: int) -> Pool:
        """As many executors of this module, which run at the same time and share its weights."""
        return Pool(self, size)

    def time(self, seconds: float = 1.0, minimum: int = 5, eager: bool = False) -> list[float]:
        """Latencies (s) of whole executions, for about `seconds`; warm-up comes first."""
        execute = self.execute_eagerly if eager else self.execute
        begin = time.perf_counter()
        for _ in range(2):
            execute()
            self.device.sync()
            if time.perf_counter() > begin + seconds:  # what takes so long is warm
                break
        samples: list[float] = []
        end = time.perf_counter() + seconds
        while len(samples) < minimum or time.perf_counter() < end:
            start = time.perf_counter()
            execute()
            self.device.sync()
            samples.append(time.perf_counter() - start)
        return samples

    def profile(self, repeats: int = 3) -> list[tuple[str, float]]:
        """Each working step's name and median latency (s), run one after another by itself.

        Without `repeats` the round counts that else only warms up. On a GPU a step's calls follow
        each other in a CUDA Graph, as its neighbours do in the whole.
        """
        if isinstance(self._units, Streams):
            medians = {step: self._graph_s(self._units, step, repeats) for step in self._order}
        else:
            rounds = [[self._step_s(step) for step in self._order] for _ in range(1 + repeats)]
            found = np.median(rounds[1:] or rounds, axis=0)
            medians = dict(zip(self._order, map(float, found), strict=True))
        steps = enumerate(self.steps)
        return [(name, medians[step]) for step, (name, _, args) in steps if args]

    def _step_s(self, step: int) -> float:
        _, kernel, args = self.steps[step]
        start = time.perf_counter()
        kernel(*args)
        self.device.sync()
        return time.perf_counter() - start

    def _graph_s(self, units: Streams, step: int, repeats: int) -> float:
        _, kernel, args = self.steps[step]
        if not args:
            return 0.0
        calls = min(_PROFILED, max(1, int(_PROFILED_S / self._step_s(step))))
        graph = units.program([[[(kernel, args)] * calls]], known=True)
        try:
            graph.launch()
            return float(np.median(graph.seconds(1, max(1, repeats)))) / calls
        finally:
            graph.close()


class Bound:
    """A module over arrays of the caller: each call reads the inputs and writes the outputs."""

    def __init__(self, module: PlanExecutor, program: Callable[..., None]) -> None:
        self._module, self._program = module, program
        if isinstance(program, CudaGraph):
            weakref.finalize(self, program.close).atexit = False

    def __call__(self, stream: Any = None) -> None:
        """Run it, one caller of the module at a time."""
        with self._module.lock:
            self._program(stream)


class _Module(Protocol):
    """What a pool has several of: an executor, or a module of several shapes."""

    is_gpu: bool

    def run(self, inputs: Mapping[str, Any], outputs: Any = None, stream: Any = None) -> Any: ...

    def another(self, cores: Sequence[int] = ()) -> _Module: ...


class Pool:
    """Executors of one module that share its weights and answer at the same time.

    Each has a thread, and of a CPU its share of the cores that the module has alone: so they
    answer more calls in all, and each of them later.
    """

    def __init__(self, module: _Module, size: int) -> None:
        if size < 1:
            raise ValueError(f"a pool has one executor or more, not {size}")
        self._free: queue.LifoQueue[tuple[Hand, _Module]] = queue.LifoQueue()
        hands = [Hand(lambda: None) for _ in range(size)]
        self._end = weakref.finalize(self, _end_all, hands)
        # Asked in another thread, as it binds the one that asks.
        cores = [] if module.is_gpu else _in(hands[0], cores_of_kernels)
        for hand, share in zip(hands, _shares(cores, size), strict=True):
            self._free.put((hand, _in(hand, partial(_made, module, share))))

    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any] | None = None,
        stream: Any = None,
    ) -> Mapping[str, Any]:
        """What `PlanExecutor.run` does, by one that is free, or is so first."""
        hand, executor = self._free.get()
        try:
            answer: Mapping[str, Any] = _in(hand, lambda: executor.run(inputs, outputs, stream))
            return answer
        finally:
            self._free.put((hand, executor))

    def close(self) -> None:
        """End the threads; nothing runs after that. Idempotent."""
        self._end()


def _shares(cores: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """The cores of each executor; empty where kernels have no threads of their own to place."""
    if len(cores) < 2:
        return [()] * size
    if len(cores) >= size:
        return split(cores, size)
    return [(cores[index % len(cores)],) for index in range(size)]


def _made(module: _Module, cores: Sequence[int]) -> _Module:
    """Another executor of a module, for the thread that calls this."""
    if cores:
        take_cores(cores)
    return module.another(cores)


def _in(hand: Hand, work: Callable[[], Any]) -> Any:
    """What some work returns, or raises, done by a hand."""
    found: list[Any] = []
    hand.start(lambda: found.append(work()))
    raise_first([hand.wait()])
    return found[0]


def _end_all(hands: Sequence[Hand]) -> None:
    for hand in hands:
        hand.end()


def _groups(steps: Sequence[Step], stages: Sequence[Sequence[Sequence[int]]]) -> list[Groups]:
    """The calls of stages whose groups are indices of steps."""
    return [[[steps[step][1:] for step in group] for group in groups] for groups in stages]


def _is_gpus(array: Any) -> bool:
    """Whether an array that speaks DLPack lies in a GPU's memory."""
    return int(array.__dlpack_device__()[0]) in GPUS


def _size(tensor: Any) -> int:
    """Bytes of a contiguous tensor."""
    return int(-(-tensor.numel() * tensor.dtype.bits // 8))


def _require_like(what: str, given: Any, tensor: Any) -> None:
    """Refuse a tensor of another shape or type, and one that is not contiguous."""
    if given.shape != tensor.shape:
        raise ValueError(f"{what} has shape {tuple(given.shape)}, not {tuple(tensor.shape)}")
    if given.dtype != tensor.dtype:
        raise ValueError(f"{what} holds {given.dtype}, not {tensor.dtype}")
    if not given.is_contiguous():
        raise ValueError(f"{what} is not contiguous")


def _require_apart(written: Mapping[str, Any], among: Mapping[str, Any]) -> None:
    """Refuse what is written and overlaps another, which would be read or written too late."""
    ends = {what: one.data_ptr() + _size(one) for what, one in among.items()}
    for what, one in written.items():
        for other, beside in among.items():
            if what != other and one.data_ptr() < ends[other] and beside.data_ptr() < ends[what]:
                raise ValueError(f"{what} overlaps {other}")
