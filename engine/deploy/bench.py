"""What a compiled folder gives and takes, found out in a process of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.records.machine import THREADS, prepare_environment
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Outputs by name; latencies of whole executions (s); each step's kernel and latency (s)."""

    outputs: dict[str, np.ndarray]
    samples: tuple[float, ...]
    steps: tuple[tuple[str, float], ...]

    @property
    def latency_s(self) -> float:
        ordered = sorted(self.samples)
        return ordered[len(ordered) // 2]


def bench(
    folder: Path,
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    *,
    seconds: float = 1.0,
    profile: bool = False,
) -> BenchResult:
    """Load the folder, run it once for its outputs, then for its latency. Blocks.

    Raises TuningError where the module crashes or hangs.
    """
    return run_fresh(_bench, folder, device, threads, inputs, seconds, profile)


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
) -> BenchResult:
    os.environ[THREADS] = usable_threads(threads)
    prepare_environment()
    from engine.deploy.executor import PlanExecutor

    executor = PlanExecutor(folder, device)
    outputs = executor.run(inputs)
    samples = executor.time(seconds)
    steps = executor.profile(1 if samples[0] > seconds else 3) if profile else []
    return BenchResult(outputs, tuple(samples), tuple(steps))
