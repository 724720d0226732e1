"""Latencies of single stages of a compiled folder, measured in a process of its own."""

from __future__ import annotations

import json
import math
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.bench import usable_threads
from engine.deploy.plan import Groups, apart, groups_of
from engine.measure.sampling import Kernel, Sampler
from engine.records.errors import TuningError
from engine.records.machine import THREADS, prepare_environment
from engine.records.schedule import Stage
from engine.records.sentences import Sentence, together
from engine.records.trial import Protocol
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import error_text, exit_text, forget_log, last_words, settle
from engine.workers.fork_server import ForkServerContext

if TYPE_CHECKING:
    from engine.deploy.executor import PlanExecutor

_START_S = 300.0  # to load a folder, and to run it once
_COPIES = 8  # of a stage in one graph: between its neighbours a launch of its own costs nothing


@dataclass(frozen=True, slots=True)
class StageLatency:
    """The median latency (s) of a stage; infinite where it failed for a `reason`."""

    latency_s: float
    reason: str = ""


class StageBench:
    """Measures stages of one compiled folder, given by their groups of steps.

    A worker loads the folder, gives every buffer a storage of its own and runs the program once,
    so that each stage finds in its buffers what it would find in a run. A stage that crashes or
    hangs costs that worker; the next stage starts another. To be used by one thread at a time.
    """

    def __init__(
        self, folder: Path, device: str, threads: int, protocol: Protocol | None = None
    ) -> None:
        self._protocol = protocol or Protocol()
        self._context = ForkServerContext()
        self._logs = ArtifactFolder()
        self._args = (str(self._logs.path), folder, device, threads, self._protocol)
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> StageBench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def measure(
        self,
        stages: Sequence[Stage | Groups],
        progress: Callable[[int], None] = lambda done: None,
    ) -> list[StageLatency]:
        """The latency of each stage; `progress` hears how many are done. Blocks.

        Raises TuningError where the folder cannot be loaded and run at all.
        """
        results = []
        for stage in stages:
            results.append(self._measure(groups_of(stage)))
            progress(len(results))
        return results

    def close(self) -> None:
        """Stop the worker, whatever it does; idempotent."""
        self._drop()
        self._context.stop()
        self._logs.close()

    def _measure(self, groups: list[list[int]]) -> StageLatency:
        if self._process is None:
            self._start()
        try:
            self._pipe.send(groups)
            if not self._pipe.poll(self._protocol.timeout_s):
                self._drop()
                return StageLatency(math.inf, f"No end after {self._protocol.timeout_s:g} s.")
            reply: tuple[StageLatency, bool] = self._pipe.recv()
        except (EOFError, OSError):
            reason = self._death()
            self._drop()
            return StageLatency(math.inf, reason)
        latency, healthy = reply
        if not healthy:
            self._drop()
        return latency

    def _start(self) -> None:
        self._pipe, pipe = self._context.Pipe()
        self._process = self._context.Process(
            target=_serve, args=(pipe, *self._args), daemon=True, name="stage-bench"
        )
        self._process.start()
        pipe.close()
        try:
            refusal = (
                self._pipe.recv() if self._pipe.poll(_START_S) else Sentence("It takes too long.")
            )
        except (EOFError, OSError):
            refusal = self._death()
        if refusal:
            self._drop()
            raise TuningError(
                Sentence("The compiled module does not run. {refusal}", refusal=refusal)
            )

    def _death(self) -> str:
        self._process.join(timeout=1.0)
        words = last_words(str(self._logs.path), self._process.pid)
        died = Sentence("Its process died ({how}).", how=exit_text(self._process.exitcode))
        return together(died, Sentence("{words}", words=words) if words else "")

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None


def _serve(
    pipe: Connection, log_dir: str, folder: Path, device: str, threads: int, protocol: Protocol
) -> None:
    """Measure the stages that come through the pipe until it closes."""
    settle(log_dir)
    os.environ[THREADS] = usable_threads(threads)
    prepare_environment()
    kind = CudaStage if device.startswith("cuda") else CpuStage
    try:
        executor = _loaded(folder, device)
    except Exception as error:
        pipe.send(f"{error_text(error)}.")
        return
    pipe.send("")
    while True:
        try:
            groups = pipe.recv()
        except EOFError:
            return
        forget_log()
        pipe.send(_result(executor, partial(kind, executor, groups), protocol))


def _loaded(folder: Path, device: str) -> PlanExecutor:
    """The program after one run over random inputs, no buffer of which was written over."""
    from engine.deploy.executor import PlanExecutor

    plan = apart(json.loads((folder / "plan.json").read_text()))
    executor = PlanExecutor(folder, device, plan)
    buffers = [(item["name"], plan["buffers"][item["buffer"]]) for item in plan["inputs"]]
    executor.run({name: _values(buffer["shape"], buffer["dtype"]) for name, buffer in buffers})
    return executor


def _values(shape: list[int], dtype: str) -> Any:
    """Random values, the same ones each time: floats standard normal, all else 0 or 1."""
    import numpy as np

    random = np.random.default_rng(0)
    if "float" in dtype:
        return random.standard_normal(shape).astype(dtype)
    return random.integers(0, 2, shape).astype(dtype)


def _result(
    executor: PlanExecutor, make: Callable[[], CpuStage | CudaStage], protocol: Protocol
) -> tuple[StageLatency, bool]:
    """A stage's latency, and whether this process may measure again."""
    try:
        kernel = make()
        try:
            sampler = Sampler(kernel, protocol)
            sampler.run()
        finally:
            kernel.close()
    except Exception as error:
        return StageLatency(math.inf, f"{error_text(error)}."), _alive(executor)
    return StageLatency(statistics.median(sampler.samples)), True


def _alive(executor: PlanExecutor) -> bool:
    """Whether the device still answers: an illegal access spoils a CUDA context for good."""
    try:
        executor.execute()
        executor.outputs()
    except Exception:
        return False
    return True


class CpuStage(Kernel):
    """A stage on a CPU.

    Before each call of groups side by side, all cores run the same steps one after another,
    untimed: in a program, too, other threads have just been at work, and caches are warm.
    """

    def __init__(self, executor: PlanExecutor, groups: list[list[int]]) -> None:
        flat = [step for group in groups for step in group]
        self._stage = executor.program([groups])
        self._before = executor.program([[flat]] if len(groups) > 1 else [])

    def call(self) -> float:
        """Call once; seconds."""
        self._before()
        began = time.perf_counter()
        self._stage()
        return time.perf_counter() - began

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        """Means of `number` calls, after one unseen."""
        self.call()
        return tuple(statistics.fmean(self.call() for _ in range(number)) for _ in range(repeat))

    def close(self) -> None:
        """There is nothing to give back."""


class CudaStage(Kernel):
    """A stage on a GPU: copies of it, one after another in a CUDA Graph, by the device's clock."""

    def __init__(self, executor: PlanExecutor, groups: list[list[int]]) -> None:
        from engine.measure.units import CudaGraph

        graph = executor.program([groups] * _COPIES)
        assert isinstance(graph, CudaGraph)
        self._graph = graph

    def call(self) -> float:
        """Launch the copies once; seconds of one of them."""
        return self._graph.seconds()[0] / _COPIES

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        """Means of at least `number` calls, after some unseen."""
        launches = -(-number // _COPIES)
        self._graph.launch()
        taken = self._graph.seconds(launches, repeat)
        return tuple(seconds / (launches * _COPIES) for seconds in taken)

    def close(self) -> None:
        """Free the graph."""
        self._graph.close()
