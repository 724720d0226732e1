"""Runs a plan of compiled kernels over static buffers, in one CUDA Graph on a GPU.

The groups of a stage run side by side: on streams, and on a CPU on threads that split its cores.

This file is copied as it is into every exported folder, as plan_executor.py: it needs only
apache-tvm and NumPy, and cuda-bindings on a GPU.
"""

from __future__ import annotations

import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import tvm

Call = tuple[Any, tuple[Any, ...]]  # a kernel and its buffers
Groups = Sequence[Sequence[Call]]  # of one stage


class PlanExecutor:
    """A loaded module. Inputs and outputs are NumPy arrays by name. One caller at a time.

    `folder` holds module.so, weights.bin and plan.json, in place of which `plan` may be given.
    """

    def __init__(self, folder: str | Path, device: str = "cpu", plan: Any = None) -> None:
        self.device = tvm.device(device)
        self.library = tvm.runtime.load_module(str(Path(folder, "module.so")))
        self._read(Path(folder), plan)
        # Plans of format 1 have no stages.
        stages = self._plan.get("stages") or [[[step]] for step in range(len(self.steps))]
        self._order = [step for groups in stages for group in groups for step in group]
        self._is_gpu = device.startswith("cuda")
        self._units: Streams | Crews = Streams(self.device) if self._is_gpu else Crews()
        self._end = weakref.finalize(self, self._units.close)
        self._program = self.program(stages)

    def _read(self, folder: Path, plan: Any = None) -> None:
        """Make the plan's buffers on the device, and its steps of the library's kernels."""
        self._plan = plan = plan or json.loads((folder / "plan.json").read_text())
        self._weights = folder / "weights.bin"
        self._storages = [self._zeros(size) for size in plan["storage_bytes"]]
        self._inputs = [self._input(plan["buffers"][item["buffer"]]) for item in plan["inputs"]]
        tensors = [buffer and self._tensor(buffer) for buffer in plan["buffers"]]
        self._outputs = [(item["name"], tensors[item["buffer"]]) for item in plan["outputs"]]
        self.steps = [
            (name, self.library[name] if args else (lambda: None), tuple(tensors[i] for i in args))
            for name, args in plan["steps"]
        ]

    def program(self, stages: Sequence[Sequence[Sequence[int]]]) -> Callable[[], None]:
        """What runs these stages and waits; a group is the indices of its steps."""
        return self._units.program(
            [[[self.steps[step][1:] for step in group] for group in groups] for groups in stages]
        )

    @property
    def inputs(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Name, shape and dtype of each input."""
        return [
            (item["name"], tuple(tensor.shape), str(tensor.dtype))
            for item, tensor in zip(self._plan["inputs"], self._inputs, strict=True)
        ]

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
        data = np.fromfile(self._weights, np.uint8, buffer["bytes"], offset=buffer["weights"])
        return self._bytes(data if data.size else np.zeros(1, np.uint8))._create_view(shape, dtype)

    def set_inputs(self, inputs: dict[str, np.ndarray]) -> None:
        """Copy every input of the model into its buffer; ValueError says what does not fit."""
        names = [item["name"] for item in self._plan["inputs"]]
        if set(inputs) != set(names):
            raise ValueError(f"the inputs are {', '.join(names)}, not {', '.join(inputs)}")
        for name, tensor in zip(names, self._inputs, strict=True):
            given, dtype = np.asarray(inputs[name]), np.dtype(str(tensor.dtype))
            if given.shape != tuple(tensor.shape):
                raise ValueError(f"input {name} has shape {given.shape}, not {tuple(tensor.shape)}")
            if not np.can_cast(given.dtype, dtype, casting="same_kind"):
                raise ValueError(f"input {name} holds {given.dtype}, not {dtype}")
            tensor.copyfrom(np.asarray(given, dtype=dtype, order="C"))

    def execute(self) -> None:
        """Run every kernel once over the inputs that were set."""
        self._program()

    def execute_eagerly(self) -> None:
        """The same without a graph, streams or threads of ours: one kernel after another."""
        _run(self.steps[step][1:] for step in self._order)
        self.device.sync()

    def outputs(self) -> dict[str, np.ndarray]:
        """The outputs of the last execution."""
        self.device.sync()
        return {name: tensor.numpy() for name, tensor in self._outputs}

    def run(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Outputs for these inputs."""
        self.set_inputs(inputs)
        self.execute()
        return self.outputs()

    def time(self, seconds: float = 1.0, minimum: int = 5, eager: bool = False) -> list[float]:
        """Latencies (s) of whole executions, for about `seconds`; warm-up comes first."""
        execute = self.execute_eagerly if eager else self.execute
        for _ in range(2):
            execute()
        self.device.sync()
        samples: list[float] = []
        end = time.perf_counter() + seconds
        while len(samples) < minimum or time.perf_counter() < end:
            start = time.perf_counter()
            execute()
            self.device.sync()
            samples.append(time.perf_counter() - start)
        return samples

    def profile(self, repeats: int = 3) -> list[tuple[str, float]]:
        """Each working step's name and median latency (s), run one after another by itself."""
        # A GPU's launch and wait take longer than a small kernel: many calls share one wait.
        calls = 20 if self._is_gpu else 1
        rounds = [[self._step_s(step, calls) for step in self._order] for _ in range(1 + repeats)]
        medians = dict(zip(self._order, np.median(rounds[1:], axis=0), strict=True))
        steps = enumerate(self.steps)
        return [(name, float(medians[step])) for step, (name, _, args) in steps if args]

    def _step_s(self, step: int, calls: int) -> float:
        _, kernel, args = self.steps[step]
        start = time.perf_counter()
        for _ in range(calls):
            kernel(*args)
        self.device.sync()
        return (time.perf_counter() - start) / calls


class Hand:
    """A thread that waits for work, one piece at a time; `setup` is its first.

    It sleeps meanwhile: to look for work in a loop was measured to cost more than to wake up, as
    it takes cores and the interpreter's lock from those who work.
    """

    def __init__(self, setup: Callable[[], object]) -> None:
        self._turn = _taken()
        self._done = _taken()
        self._busy = False
        self._work: Callable[[], object] | None = None  # which ends the thread
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, name="stage", daemon=True)
        self._thread.start()
        self.start(setup)
        _raise_first([self.wait()])

    def start(self, work: Callable[[], object]) -> None:
        """Have it do something; the next call is `wait`."""
        if self._busy or not self._thread.is_alive():
            raise RuntimeError("the executor is closed, or still at work after an interrupt")
        self._work, self._error, self._busy = work, None, True
        self._done = _taken()  # an interrupted wait may have left the last one either way
        self._turn.release()

    def wait(self) -> BaseException | None:
        """Wait until that is done; what it raised."""
        try:
            self._done.acquire()
        except BaseException as error:  # Ctrl+C: what runs still uses the buffers
            while self._busy:
                time.sleep(0.001)
            return error
        return self._error

    def end(self) -> None:
        """End the thread; idempotent."""
        self._work = None
        if self._thread.is_alive():
            self._turn.release()
            self._thread.join()

    def _serve(self) -> None:
        while True:
            self._turn.acquire()
            work, done = self._work, self._done
            if work is None:
                return
            try:
                work()
            except BaseException as error:
                self._error = error
            self._busy = False
            done.release()


class Crews:
    """Threads that split the cores of this process, as many as a stage has groups."""

    def __init__(self) -> None:
        self._cores: list[int] = []
        self._hands: dict[int, list[Hand]] = {}

    def program(self, stages: Sequence[Groups]) -> Callable[[], None]:
        """Stages in turn; those of one group run in the caller's thread, on all cores."""
        calls: list[Call] = []
        for groups in stages:
            if len(groups) > 1 and (hands := self._of(len(groups))):
                calls.append((_side_by_side, (hands, groups)))
            else:
                calls += (call for group in groups for call in group)
        return partial(_run, calls)

    def close(self) -> None:
        """End the threads."""
        for hands in self._hands.values():
            for hand in hands:
                hand.end()

    def _of(self, groups: int) -> list[Hand]:
        """A thread for each group, at most one a core; none where there is one core."""
        self._cores = self._cores or _cores()
        count = min(groups, len(self._cores))
        if count > 1 and count not in self._hands:
            shares = _split(self._cores, count)
            self._hands[count] = [Hand(partial(_take_cores, share)) for share in shares]
        return self._hands.get(count, [])


class Streams:
    """Streams of a GPU: the main one, and a lane for each further group of a stage."""

    def __init__(self, device: Any) -> None:
        import tvm_ffi
        from cuda.bindings import runtime

        self.cudart, self.device, self._use = runtime, device, tvm_ffi.use_raw_stream
        checked(runtime.cudaSetDevice(device.index))
        self.main = checked(runtime.cudaStreamCreate())
        self._fork = checked(runtime.cudaEventCreateWithFlags(runtime.cudaEventDisableTiming))
        self._lanes: list[_Lane] = []

    def program(self, stages: Sequence[Groups]) -> CudaGraph:
        """The stages captured in one CUDA Graph."""
        cudart = self.cudart
        self._issue(stages)  # loads the modules, which a capture forbids
        checked(cudart.cudaStreamSynchronize(self.main))
        relaxed = cudart.cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed
        checked(cudart.cudaStreamBeginCapture(self.main, relaxed))
        try:
            self._issue(stages)
        except BaseException:
            cudart.cudaStreamEndCapture(self.main)  # else the stream is of no further use
            raise
        graph = checked(cudart.cudaStreamEndCapture(self.main))
        executable = checked(cudart.cudaGraphInstantiate(graph, 0))
        checked(cudart.cudaGraphDestroy(graph))
        return CudaGraph(self, executable)

    def close(self) -> None:
        """End the lanes' threads."""
        for lane in self._lanes:
            lane.hand.end()

    def _issue(self, stages: Sequence[Groups]) -> None:
        """Launch all kernels: the first group of a stage on the main stream, which forks into
        the lanes of the others and joins them again."""
        cudart = self.cudart
        for first, *others in stages:
            while len(self._lanes) < len(others):
                self._lanes.append(_Lane(self))
            lanes = self._lanes[: len(others)]
            if lanes:
                checked(cudart.cudaEventRecord(self._fork, self.main))
            for lane, group in zip(lanes, others, strict=True):
                lane.hand.start(partial(self._branch, lane, group))
                _raise_first([lane.hand.wait()])
            self._launch(first, self.main)
            for lane in lanes:
                checked(cudart.cudaStreamWaitEvent(self.main, lane.joined, 0))

    def _branch(self, lane: _Lane, group: Sequence[Call]) -> None:
        checked(self.cudart.cudaStreamWaitEvent(lane.stream, self._fork, 0))
        self._launch(group, lane.stream)
        checked(self.cudart.cudaEventRecord(lane.joined, lane.stream))

    def _launch(self, group: Sequence[Call], stream: Any) -> None:
        with self._use(self.device, int(stream)):
            _run(group)


class _Lane:
    """A stream, and a thread that launches its kernels.

    TVM keeps the workspaces of kernels for each thread, and gives one out again as soon as the
    kernel that had it is launched: in order on one stream, but a race on two.
    """

    def __init__(self, streams: Streams) -> None:
        cudart = streams.cudart
        self.stream = checked(cudart.cudaStreamCreate())
        self.joined = checked(cudart.cudaEventCreateWithFlags(cudart.cudaEventDisableTiming))
        self.hand = Hand(lambda: checked(cudart.cudaSetDevice(streams.device.index)))


class CudaGraph:
    """Kernels captured once and launched as one."""

    def __init__(self, streams: Streams, executable: Any) -> None:
        self.streams = streams
        self._executable = executable

    def __call__(self) -> None:
        """Run the graph and wait for it."""
        self.launch()
        checked(self.streams.cudart.cudaStreamSynchronize(self.streams.main))

    def launch(self) -> None:
        """Start it."""
        checked(self.streams.cudart.cudaGraphLaunch(self._executable, self.streams.main))

    def close(self) -> None:
        """Free the graph, which must not be running."""
        checked(self.streams.cudart.cudaGraphExecDestroy(self._executable))


def checked(result: tuple[Any, ...]) -> Any:
    """What a call to the CUDA runtime gives; RuntimeError with the name of its error."""
    code, *values = result
    if int(code) != 0:
        raise RuntimeError(f"CUDA failed: {code.name}")
    return values[0] if values else None


def _taken() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def _run(calls: Iterable[Call]) -> None:
    for kernel, args in calls:
        kernel(*args)


def _side_by_side(hands: Sequence[Hand], groups: Groups) -> None:
    """Each group on a thread; those that are left go to the threads that end first."""
    left = iter(groups[len(hands) :])
    for hand, group in zip(hands, groups, strict=False):
        hand.start(partial(_run_some, group, left))
    _raise_first([hand.wait() for hand in hands])


def _raise_first(errors: Sequence[BaseException | None]) -> None:
    for error in errors:
        if error is not None:
            raise error


def _run_some(group: Sequence[Call], left: Iterator[Sequence[Call]]) -> None:
    _run(group)
    for other in left:
        _run(other)


def _cores() -> list[int]:
    """The cores that TVM's kernels use when this thread calls them."""
    if os.environ.get("TVM_NUM_THREADS") == "1":
        return [0]
    threads = int(tvm.get_global_func("runtime.NumThreads")())  # binds this thread to them
    cores = sorted(os.sched_getaffinity(0))
    return [cores[index % len(cores)] for index in range(threads)]


def _split(cores: Sequence[int], parts: int) -> list[tuple[int, ...]]:
    """The cores in shares; the first are larger by one where the number does not divide."""
    size, larger = divmod(len(cores), parts)
    bounds = [part * size + min(part, larger) for part in range(parts + 1)]
    return [tuple(cores[start:end]) for start, end in pairwise(bounds)]


def _take_cores(share: Sequence[int]) -> None:
    """Give the calling thread's kernels these cores, one a thread."""
    configure = tvm.get_global_func("runtime.config_threadpool")
    configure(-2, len(share), [str(core) for core in share])  # which is: one core a thread
