"""What runs in a measuring worker: loads libraries and takes their latencies on one device."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from engine.kernels.cublaslt import register_cublaslt
from engine.measure.checking import compared, failure
from engine.measure.comparing import Comparison
from engine.measure.kernels import MOST_CALLS, GraphKernel, TvmKernel
from engine.measure.load import steadily
from engine.measure.runner import RunRequest, RunResult
from engine.measure.sampling import Kernel, Sampler
from engine.records.machine import THREADS, prepare_environment
from engine.records.task import TensorSpec, byte_size
from engine.records.trial import ErrorKind, typical_latency
from engine.workers.child import error_text, forget_log, settle

if TYPE_CHECKING:
    from engine.measure.units import Streams

_log = logging.getLogger(__name__)

NO_TIME = (
    "Its calls took no time by the device's clock: it does nothing, or the clock is too coarse."
)
_ARGS_BYTES = 256 << 20  # arguments that stay allocated for the next measurement
_WEIGHT_BYTES = 256 << 20  # copies of weights: several times what any GPU's cache holds
_TRIES = 5  # that a job has where it is halted each time
_BLOCK = 1 << 16  # random elements; longer arguments repeat them

Args = tuple[TensorSpec, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Libraries to measure, one after another or `in_turns`, where none is cut short.

    With a `comparison` they are not measured, but compared with the first.
    """

    requests: tuple[RunRequest, ...]
    in_turns: bool = False
    comparison: Comparison | None = None

    def only(self, *requests: RunRequest) -> Job:
        """The job with fewer libraries."""
        return replace(self, requests=requests, in_turns=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """The results of a job, in order; `healthy`: whether the process may measure again."""

    results: tuple[RunResult, ...]
    healthy: bool = True


def serve(pipe: Connection, log_dir: str, device: str) -> None:
    """Measure what comes through the pipe until it closes. The first answer is an error or ''."""
    settle(log_dir)
    prepare_environment()
    try:
        bench = Bench(device)
    except Exception as error:
        pipe.send(error_text(error))
        return
    halts: list[int] = []
    signal.signal(signal.SIGCONT, lambda number, _: halts.append(number))
    pipe.send("")
    while True:
        try:
            job: Job = pipe.recv()
        except EOFError:
            return
        forget_log()
        pipe.send(_unhalted(bench, job, halts))


def _unhalted(bench: Bench, job: Job, halts: list[int]) -> Reply:
    """The reply to a job during which this process was not stopped and let go on, as far as that
    can be had: such a halt is in the samples."""
    for _ in range(_TRIES):
        halts.clear()
        reply = bench.run(job)
        if not halts:
            break
    return reply


class Bench:
    """One device with its loaded libraries and cached arguments.

    `threads` are those of this machine that its kernels keep busy, 0 on a device elsewhere.
    """

    threads = 0
    _streams: Streams | None = None

    def __init__(self, device: str) -> None:
        import tvm

        self._tvm = tvm
        self._device = tvm.device(device)
        if not self._device.exist:
            raise RuntimeError(f"There is no device {device} on this machine")
        self._args: OrderedDict[Args, list[Any]] = OrderedDict()
        self.threads = int(os.environ.get(THREADS) or 1) if device.startswith("cpu") else 1
        self._copied: object = None
        self._copies: list[list[Any]] = []
        if device.startswith("cuda"):
            self._streams = _streams(self._device)
        register_cublaslt(exact=True)

    def run(self, job: Job) -> Reply:
        if job.comparison is not None:
            results = self._check(job.requests, job.comparison)
        elif job.in_turns:
            results = self._confirm(job.requests)
        else:
            results = tuple(map(self._measure, job.requests))
        failed = any(result.error is not None for result in results)
        return Reply(results, healthy=not failed or self._alive())

    def _measure(self, request: RunRequest) -> RunResult:
        began = time.perf_counter()
        with ExitStack() as stack:
            try:
                sampler = self._sampler(request, stack)
                cut = sampler.run()
            except Exception as error:
                return failure(error, began)
            return _result(sampler, time.perf_counter() - began, cut)

    def _confirm(self, requests: tuple[RunRequest, ...]) -> tuple[RunResult, ...]:
        began = time.perf_counter()
        samplers: dict[int, Sampler] = {}
        failures: dict[int, RunResult] = {}
        with ExitStack() as stack:
            for index, request in enumerate(requests):
                try:
                    samplers[index] = self._sampler(request, stack, cut=False)
                    samplers[index].warm_up()
                except Exception as error:
                    samplers.pop(index, None)
                    failures[index] = failure(error, began)
            load = steadily(list(samplers.values()), self.threads)
            seconds = (time.perf_counter() - began) / len(requests)
            return tuple(
                failures.get(index) or replace(_result(samplers[index], seconds), load=load)
                for index in range(len(requests))
            )

    def _check(
        self, requests: tuple[RunRequest, ...], comparison: Comparison
    ) -> tuple[RunResult, ...]:
        loads = [partial(self._kernel, request.artifact) for request in requests]
        put = partial(self._tvm.runtime.tensor, device=self._device)
        return compared(loads, requests[0].args, comparison, put)

    def _sampler(self, request: RunRequest, stack: ExitStack, cut: bool = True) -> Sampler:
        """A sampler of a kernel that is closed with the stack."""
        args = self._arguments(request.args)
        others = self._others(request, args) if self._streams else []
        kernel = self._kernel(request.artifact, args, others)
        stack.callback(kernel.close)
        return Sampler(kernel, request.protocol, request.best_s if cut else None)

    def _kernel(self, artifact: str, args: list[Any], others: Sequence[list[Any]] = ()) -> Kernel:
        module = self._tvm.runtime.load_module(artifact)
        if self._streams is None:
            return TvmKernel(module, self._device, args)
        return GraphKernel(module, self._device, args, self._streams, others)

    def _others(self, request: RunRequest, args: list[Any]) -> list[list[Any]]:
        """The arguments with further copies of the weights, as many as the model reads of weights
        before it comes to the same ones again. Those of a kernel before stay where they fit."""
        own = sum(byte_size(request.args[place]) for place in request.weights)
        count = min(request.model_bytes, _WEIGHT_BYTES) // own if own else 0
        key = (request.args, request.weights, count)
        if key != self._copied:
            self._copied, self._copies = key, []
            self._copies = [
                [
                    self._copy(one) if place in request.weights else one
                    for place, one in enumerate(args)
                ]
                for _ in range(min(count, MOST_CALLS) - 1)
            ]
        return self._copies

    def _copy(self, tensor: Any) -> Any:
        made = self._tvm.runtime.empty(tensor.shape, str(tensor.dtype), self._device)
        tensor.copyto(made)
        return made

    def _arguments(self, args: Args) -> list[Any]:
        """Tensors for `args`, the same ones as last time where they are still there."""
        if args not in self._args:
            self._args[args] = [self._tensor(spec, seed) for seed, spec in enumerate(args)]
        self._args.move_to_end(args)
        while len(self._args) > 1 and sum(map(_bytes, self._args)) > _ARGS_BYTES:
            self._args.popitem(last=False)
        return self._args[args]

    def _tensor(self, spec: TensorSpec, seed: int) -> Any:
        return self._tvm.runtime.tensor(values_of(spec, seed), device=self._device)

    def _alive(self) -> bool:
        """Whether the device still answers: an illegal access spoils a CUDA context for good."""
        try:
            self._tensor(TensorSpec((1,), "float32"), 0).numpy()
            self._device.sync()
        except Exception:
            return False
        return True


def _streams(device: Any) -> Streams | None:
    """A GPU's streams, None where kernels cannot be captured, as without cuda-bindings."""
    try:
        from engine.measure.units import Streams

        return Streams(device)
    except (ImportError, RuntimeError) as error:
        _log.warning("Kernels are timed without graphs: %s", error)
        return None


def _result(sampler: Sampler, seconds: float, cut: bool = False) -> RunResult:
    """What was sampled; a latency of 0 s would be the best of all, and is none."""
    if typical_latency(sampler.samples) > 0:
        return RunResult(tuple(sampler.samples), seconds, cut, in_graph=sampler.kernel.in_graph)
    return RunResult((), seconds, False, ErrorKind.RUN_ERROR, NO_TIME)


def values_of(spec: TensorSpec, seed: int) -> Any:
    """The same values for the same tensor: floats in [0, 1), zeros for all other types."""
    import ml_dtypes
    import numpy

    named = getattr(ml_dtypes, spec.dtype, None)
    dtype = numpy.dtype(named or spec.dtype)
    if "float" not in spec.dtype:
        return numpy.zeros(spec.shape, dtype)
    block = numpy.random.default_rng(seed).random(_BLOCK, numpy.float32).astype(dtype)
    return numpy.resize(block, spec.shape)


def _bytes(args: Args) -> int:
    import numpy

    return sum(int(numpy.prod(spec.shape, dtype=numpy.int64)) * 8 for spec in args)
