"""What a compiled folder gives and takes, found out in a process of its own."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.measure.load import Watch, steady_rounds, watched
from engine.records.machine import THREADS, prepare_environment
from engine.records.trial import BoardState, Measured, measured_of, typical_latency
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np

    from engine.deploy.executor import PlanExecutor


Others = Sequence[dict[str, "np.ndarray"]]
Kernels = tuple[tuple[int, float], ...]  # by the operator's id
_STEPS = "steps"
_ANSWER_S = 60.0
_LONG_S = 0.2  # of one execution: further inputs are answered side by side
_BUFFER_BYTES = 1 << 30  # that those may have
_FEWEST = 3  # samples of a module that takes longer than it is measured


class Profiling(Protocol):
    """An executor that times its steps."""

    def profile(self, repeats: int) -> list[tuple[str, float]]:
        """Each step's kernel and latency (s)."""


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Outputs by name; latencies of whole executions (s); each step's kernel and latency (s).

    `others` are the outputs for further inputs, as many as there was time for. `load` is what
    other programs had meanwhile of the cores that the module needs, None where nobody watched.
    `board` is what a board said of itself afterwards.
    """

    outputs: dict[str, np.ndarray]
    samples: tuple[float, ...]
    steps: tuple[tuple[str, float], ...]
    others: tuple[dict[str, np.ndarray], ...] = ()
    load: float | None = None
    board: BoardState | None = None

    @property
    def latency_s(self) -> float:
        return typical_latency(self.samples)

    def measured(self, sum_s: float | None = None, kernels: Kernels = ()) -> Measured:
        """The latency as a record of now; `sum_s` is what the kernels take together by their
        trials, `kernels` what each took here."""
        found = measured_of(self.samples, self.load, sum_s=sum_s, at=time.time())
        throttled = self.board is not None and bool(self.board.throttled)
        return replace(found, kernels=kernels, throttled=throttled)


def bench(
    folder: Path,
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    *,
    seconds: float = 1.0,
    profile: bool = False,
    others: Others = (),
    untuned: bool = False,
) -> BenchResult:
    """Load the folder, run it once for its outputs, then for its latency, then on further inputs.
    Blocks. The latency is taken again where the machine did other work. Without `seconds` none is
    taken: an untuned module may need ten for each run. One that is `untuned`, and takes long, has
    further inputs answered side by side, on fewer threads each than it will run on.

    Raises TuningError where the module crashes or hangs.
    """
    given = (inputs, seconds, profile, others, untuned)
    return run_fresh(_bench, folder, device, threads, *given)


def usable_threads(wanted: int) -> str:
    """The value of TVM_NUM_THREADS for a target's threads: no more than what is set already.

    What is set came from the person or, as the number of all cores, from the engine.
    """
    return str(min(wanted, int(os.environ.get(THREADS) or wanted)))


def _bench(
    folder: Path,
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    seconds: float,
    profile: bool,
    others: Others,
    untuned: bool,
) -> BenchResult:
    os.environ[THREADS] = usable_threads(threads)
    prepare_environment()
    from engine.deploy.executor import PlanExecutor

    executor = PlanExecutor(folder, device)
    began = time.monotonic()
    outputs = executor.run(inputs)
    run_s = time.monotonic() - began
    slow = run_s > seconds  # an untuned one may be: what is known of it then must do
    busy = threads if device.partition(":")[0] == "cpu" else 1
    timed = partial(executor.time, seconds, _FEWEST) if slow else partial(executor.time, seconds)
    samples, load = watched(timed, busy) if seconds else ((), None)
    steps = profiled(executor, 0 if slow else 3, busy) if profile else []
    long = untuned and run_s > _LONG_S
    at_once = min(busy, len(others), _most_at_once(folder)) if long else 1
    found = answers(executor, others) if at_once < 2 else _side_by_side(executor, others, at_once)
    return BenchResult(outputs, samples, tuple(steps), found, load)


def profiled(
    executor: Profiling, repeats: int, threads: int, watch: Watch | None = None
) -> list[tuple[str, float]]:
    """Each step's kernel and latency (s), taken again where others had the cores meanwhile."""
    names: list[str] = []

    def take() -> dict[str, list[float]]:
        steps = executor.profile(repeats)
        names[:] = [name for name, _ in steps]
        return {_STEPS: [seconds for _, seconds in steps]}

    rounds, _ = steady_rounds(take, threads, watch)
    return list(zip(names, rounds[_STEPS], strict=True))


def answers(executor: PlanExecutor, others: Others) -> tuple[dict[str, np.ndarray], ...]:
    """The outputs for each of these inputs, until a minute is over."""
    end = time.monotonic() + _ANSWER_S
    return tuple(executor.run(inputs) for inputs in others if time.monotonic() < end)


def _side_by_side(
    executor: PlanExecutor, others: Others, at_once: int
) -> tuple[dict[str, np.ndarray], ...]:
    """The same, so many at once: an untuned module's kernels use a core each."""
    end = time.monotonic() + _ANSWER_S
    pool = executor.pool(at_once)

    def answer(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return dict(pool.run(inputs)) if time.monotonic() < end else {}

    try:
        with ThreadPoolExecutor(at_once) as threads:
            found = list(threads.map(answer, others))
    finally:
        pool.close()
    return tuple(takewhile(bool, found))


def _most_at_once(folder: Path) -> int:
    """How many executors' buffers may be in memory."""
    from engine.deploy.plan import peak_bytes

    plan = json.loads((folder / "plan.json").read_text())
    return max(1, _BUFFER_BYTES // max(1, peak_bytes(plan)))
