"""A recorded run in columns: enough to replay its curves, too little to replay its kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RecordedTask:
    """One task's trials in the order they were proposed.

    All columns have one entry a trial. `latency_s` is infinite after an error; `build_s`, `run_s`
    and `search_s` are the seconds that the trial took in each stage (a batch's search is spread
    evenly over its trials). `exhausted` is whether the search had nothing left to propose.
    """

    name: str
    op_class: str
    weight: int
    flops: float
    untuned_s: float
    latency_s: Floats
    build_s: Floats
    run_s: Floats
    search_s: Floats
    exhausted: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """A model's recorded tasks on one device.

    `device` names the hardware, `target` the TVM target's title, `date` is ISO 8601, `protocol`
    the measurement protocol's parameters, `peak_flops` the device's peak in FLOP/s, `seed` that
    of the search, `batch` its trials a slot, `cores` how many builds went on at once.
    """

    model: str
    target: str
    device: str
    date: str
    engine_version: str
    seed: int
    batch: int
    cores: int
    peak_flops: float
    protocol: dict[str, float]
    tasks: tuple[RecordedTask, ...]

    @property
    def is_gpu(self) -> bool:
        """Whether measurements left the CPU to builds: every target but a CPU's is a GPU."""
        return not self.target.startswith("cpu")
