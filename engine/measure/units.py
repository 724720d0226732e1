"""What runs kernels side by side: threads that split a CPU's cores, or streams of a GPU.

It stands before executor.py in the plan_executor.py of an export, and needs no more than that.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import tvm
import tvm_ffi

Call = tuple[Any, tuple[Any, ...]]  # a kernel and its buffers
Groups = Sequence[Sequence[Call]]  # of one stage


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
        raise_first([self.wait()])

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
            work = self._work = None  # lest what it was done with is kept until the next
            self._busy = False
            done.release()


class Crews:
    """Threads that split the cores of this process, as many as a stage has groups."""

    def __init__(self, cores: Sequence[int] = ()) -> None:
        self._cores = list(cores)
        self._hands: dict[int, list[Hand]] = {}

    def begin(self, stream: Any) -> int:
        """Refuse a stream."""
        if stream is not None:
            raise ValueError("a stream is a GPU's, and the module runs on a CPU")
        return 0

    def finish(self, stream: Any, handle: int) -> None:
        """All is done when it is begun."""

    def copy(self, source: int, target: int, size: int, handle: int) -> None:
        """Bytes from address to address."""
        ctypes.memmove(target, source, size)

    def program(self, stages: Sequence[Groups], known: bool = False) -> Callable[..., None]:
        """Stages in turn; those of one group run in the caller's thread, on all cores."""
        calls: list[Call] = []
        for groups in stages:
            if len(groups) > 1 and (hands := self._of(len(groups))):
                calls.append((_side_by_side, (hands, groups)))
            else:
                calls += (call for group in groups for call in group)

        def run(stream: Any = None) -> None:
            if stream is not None:
                self.begin(stream)
            run_calls(calls)

        return run

    def close(self) -> None:
        """End the threads."""
        for hands in self._hands.values():
            for hand in hands:
                hand.end()

    def _of(self, groups: int) -> list[Hand]:
        """A thread for each group, at most one a core; none where there is one core."""
        self._cores = self._cores or cores_of_kernels()
        count = min(groups, len(self._cores))
        if count > 1 and count not in self._hands:
            shares = split(self._cores, count)
            self._hands[count] = [Hand(partial(take_cores, share)) for share in shares]
        return self._hands.get(count, [])


class Streams:
    """Streams of a GPU: the main one, and a lane for each further group of a stage."""

    def __init__(self, device: Any) -> None:
        from cuda.bindings import runtime

        self.cudart, self.device, self._use = runtime, device, tvm_ffi.use_raw_stream
        checked(runtime.cudaSetDevice(device.index))
        self.main = checked(runtime.cudaStreamCreate())
        self._fork = checked(runtime.cudaEventCreateWithFlags(runtime.cudaEventDisableTiming))
        self.last = checked(runtime.cudaEventCreateWithFlags(runtime.cudaEventDisableTiming))
        self._goes_on = False  # on a stream of the caller's, until `_last`
        self._lanes: list[_Lane] = []

    def begin(self, stream: Any) -> int:
        """The number of a stream, ours by default, that goes on after all that went before."""
        handle = int(self.main) if stream is None else _number_of(stream)
        if self._goes_on:
            checked(self.cudart.cudaStreamWaitEvent(handle, self.last, 0))
        return handle

    def finish(self, stream: Any, handle: int) -> None:
        """What was begun is all there is to do: wait for it, unless the stream is the caller's."""
        if stream is None:
            checked(self.cudart.cudaStreamSynchronize(handle))
        else:
            checked(self.cudart.cudaEventRecord(self.last, handle))
        self._goes_on = stream is not None

    def copy(self, source: int, target: int, size: int, handle: int) -> None:
        """Bytes from address to address, host's or GPU's, on a stream."""
        kind = self.cudart.cudaMemcpyKind.cudaMemcpyDefault
        checked(self.cudart.cudaMemcpyAsync(target, source, size, kind, handle))

    def program(self, stages: Sequence[Groups], known: bool = False) -> CudaGraph:
        """The stages captured in one CUDA Graph; the kernels ran before where they are `known`."""
        cudart = self.cudart
        if not known:
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
                raise_first([lane.hand.wait()])
            self._launch(first, self.main)
            for lane in lanes:
                checked(cudart.cudaStreamWaitEvent(self.main, lane.joined, 0))

    def _branch(self, lane: _Lane, group: Sequence[Call]) -> None:
        checked(self.cudart.cudaStreamWaitEvent(lane.stream, self._fork, 0))
        self._launch(group, lane.stream)
        checked(self.cudart.cudaEventRecord(lane.joined, lane.stream))

    def _launch(self, group: Sequence[Call], stream: Any) -> None:
        with self._use(self.device, int(stream)):
            run_calls(group)


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

    def __call__(self, stream: Any = None) -> None:
        """Run the graph and wait for it, unless it goes on a stream of the caller's."""
        handle = self.streams.begin(stream)
        checked(self.streams.cudart.cudaGraphLaunch(self._executable, handle))
        self.streams.finish(stream, handle)

    def launch(self) -> None:
        """Start it."""
        checked(self.streams.cudart.cudaGraphLaunch(self._executable, self.streams.main))

    def seconds(self, launches: int = 1, repeat: int = 1) -> list[float]:
        """What so many launches take by the GPU's clock, `repeat` times, one right behind another.

        Where it was launched just before, the host is ahead of the GPU, and not in the first one.
        """
        cudart, stream = self.streams.cudart, self.streams.main
        marks = [checked(cudart.cudaEventCreate()) for _ in range(repeat + 1)]
        try:
            checked(cudart.cudaEventRecord(marks[0], stream))
            for mark in marks[1:]:
                for _ in range(launches):
                    self.launch()
                checked(cudart.cudaEventRecord(mark, stream))
            checked(cudart.cudaEventSynchronize(marks[-1]))
            return [checked(cudart.cudaEventElapsedTime(*two)) / 1e3 for two in pairwise(marks)]
        finally:
            for mark in marks:
                cudart.cudaEventDestroy(mark)

    def close(self) -> None:
        """Free the graph, once nothing runs any more on a stream of the caller's."""
        checked(self.streams.cudart.cudaEventSynchronize(self.streams.last))
        checked(self.streams.cudart.cudaGraphExecDestroy(self._executable))


def checked(result: tuple[Any, ...]) -> Any:
    """What a call to the CUDA runtime gives; RuntimeError with the name of its error."""
    code, *values = result
    if int(code) != 0:
        raise RuntimeError(f"CUDA failed: {code.name}")
    return values[0] if values else None


def _number_of(stream: Any) -> int:
    """The cudaStream_t of PyTorch's, CuPy's or CUDA's own stream, or of a number."""
    for name in ("cuda_stream", "ptr"):
        stream = getattr(stream, name, stream)
    return int(stream)


def _taken() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def run_calls(calls: Iterable[Call]) -> None:
    """Call kernels in order."""
    for kernel, args in calls:
        kernel(*args)


def _side_by_side(hands: Sequence[Hand], groups: Groups) -> None:
    """Each group on a thread; those that are left go to the threads that end first."""
    left = iter(groups[len(hands) :])
    for hand, group in zip(hands, groups, strict=False):
        hand.start(partial(_run_some, group, left))
    raise_first([hand.wait() for hand in hands])


def raise_first(errors: Sequence[BaseException | None]) -> None:
    """Raise the first error, where there is one."""
    for error in errors:
        if error is not None:
            raise error


def _run_some(group: Sequence[Call], left: Iterator[Sequence[Call]]) -> None:
    run_calls(group)
    for other in left:
        run_calls(other)


def cores_of_kernels() -> list[int]:
    """The cores that TVM's kernels use when this thread calls them."""
    if os.environ.get("TVM_NUM_THREADS") == "1":
        return [0]
    threads = int(tvm.get_global_func("runtime.NumThreads")())  # binds this thread to them
    cores = sorted(os.sched_getaffinity(0))
    return [cores[index % len(cores)] for index in range(threads)]


def split(cores: Sequence[int], parts: int) -> list[tuple[int, ...]]:
    """The cores in shares; the first are larger by one where the number does not divide."""
    size, larger = divmod(len(cores), parts)
    bounds = [part * size + min(part, larger) for part in range(parts + 1)]
    return [tuple(cores[start:end]) for start, end in pairwise(bounds)]


def take_cores(share: Sequence[int]) -> None:
    """Give the calling thread's kernels these cores, one a thread."""
    configure = tvm.get_global_func("runtime.config_threadpool")
    configure(-2, len(share), [str(core) for core in share])  # which is: one core a thread
