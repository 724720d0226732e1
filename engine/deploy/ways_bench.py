"""Whole programs that were scheduled in different ways, checked and measured in turns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from engine.deploy.bench import usable_threads
from engine.deploy.compare import Tolerance, largest_difference
from engine.deploy.plan import Plan
from engine.measure.load import steady_rounds
from engine.records.errors import ExportError, TuningError
from engine.records.machine import THREADS, prepare_environment
from engine.records.sentences import Sentence
from engine.workers.child import error_text
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np

    from engine.deploy.executor import PlanExecutor

ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to run a program: a compiled folder and its plan. `eager`: without a CUDA Graph."""

    way: str
    folder: Path
    plan: Plan
    eager: bool = False


@dataclass(frozen=True, slots=True)
class WayBench:
    """Outputs before and after the timing, and the median latency (s) of each round; or, for a
    candidate that does not run, only the reason. `load` is what other programs had meanwhile of
    the cores that all of them need."""

    outputs: tuple[dict[str, np.ndarray], ...] = ()
    rounds: tuple[float, ...] = ()
    reason: str = ""
    load: float | None = None

    @property
    def latency_s(self) -> float:
        """The median of the rounds."""
        return median(self.rounds)


def bench_ways(
    candidates: Sequence[Candidate],
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    seconds: float = 1.0,
) -> dict[str, WayBench]:
    """Run all candidates in one fresh process, in rounds that alternate. Blocks.

    Each is timed for about `seconds`. Where one fails or kills the process, each is run by itself,
    and only those that do run are measured: after an illegal access no other one works on a GPU.
    Raises TuningError where those fail together.
    """
    call = (device, threads, inputs)
    try:
        found = run_fresh(_bench, tuple(candidates), *call, seconds)
        if not any(item.reason for item in found.values()):
            return found
    except TuningError:
        pass
    reasons = {item.way: _refusal(item, *call) for item in candidates}
    alive = tuple(item for item in candidates if not reasons[item.way])
    found = run_fresh(_bench, alive, *call, seconds) if alive else {}
    return found | {way: WayBench(reason=reason) for way, reason in reasons.items() if reason}


def objection(found: WayBench, reference: WayBench, tolerance: Tolerance | None) -> str:
    """How outputs differ from the first ones of a reference, empty where they do not: by a bit,
    or by more than the tolerance."""
    expected = reference.outputs[0]
    for outputs in found.outputs:
        if tolerance is not None:
            try:
                largest_difference(outputs, expected, tolerance)
            except ExportError:
                return Sentence("its outputs differ by more than rounding")
        elif not all(_same(outputs[name], expected[name]) for name in expected):
            return Sentence("its outputs differ")
    return ""


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return (one.shape, one.dtype, one.tobytes()) == (other.shape, other.dtype, other.tobytes())


def _refusal(candidate: Candidate, device: str, threads: int, inputs: dict[str, np.ndarray]) -> str:
    """Why a candidate does not run by itself, empty where it does."""
    try:
        return run_fresh(_bench, (candidate,), device, threads, inputs, 0.0)[candidate.way].reason
    except TuningError as error:
        return error.what


def _bench(
    candidates: tuple[Candidate, ...],
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    seconds: float,
) -> dict[str, WayBench]:
    os.environ[THREADS] = usable_threads(threads)
    prepare_environment()
    from engine.deploy.executor import PlanExecutor

    executors: dict[tuple[Path, int], PlanExecutor] = {}
    able: dict[str, tuple[PlanExecutor, bool]] = {}
    before: dict[str, dict[str, np.ndarray]] = {}
    found: dict[str, WayBench] = {}
    for item in candidates:
        place = (item.folder, id(item.plan))  # eager or not, one copy of the weights will do
        try:
            if place not in executors:
                executors[place] = PlanExecutor(item.folder, device, item.plan)
            before[item.way] = executors[place].run(inputs)
            able[item.way] = executors[place], item.eager
        except Exception as error:
            found[item.way] = WayBench(reason=f"{error_text(error)}.")
    busy = threads if device.startswith("cpu") else 1
    rounds, load = steady_rounds(partial(_rounds, able, seconds), busy)
    for way, (executor, _) in able.items():
        found[way] = WayBench((before[way], executor.outputs()), tuple(rounds[way]), load=load)
    return found


def _rounds(
    ways: Mapping[str, tuple[PlanExecutor, bool]], seconds: float
) -> dict[str, list[float]]:
    """The median latency of each round by way; every other round goes backwards."""
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(ROUNDS):
        for way in ways if number % 2 == 0 else reversed(list(ways)):
            executor, eager = ways[way]
            rounds[way].append(median(executor.time(seconds / ROUNDS, 1, eager)))
    return rounds
