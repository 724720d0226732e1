"""Runs a plan whose kernels and buffers are a server's; for what is done here, not exported."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engine.deploy.executor import PlanExecutor
from engine.measure.units import Crews
from engine.records.devices import device_parts

_FILE = "module.so"
_REPEATS, _SAMPLE_S = 3, 0.002


class RemoteExecutor(PlanExecutor):
    """One kernel after another: graphs and threads cannot be driven from here."""

    def __init__(self, session: Any, folder: Path, device: str) -> None:
        self.device = session.device(*device_parts(device))
        session.upload(str(folder / _FILE), target=_FILE)
        self.library = session.load_module(_FILE)
        self._read(folder)
        self._order = list(range(len(self.steps)))
        self._units = Crews()
        self.is_gpu, self.lock = False, threading.Lock()

    def _fill(self, tensor: Any, array: np.ndarray, handle: int) -> None:
        tensor.copyfrom(array)  # there are no addresses of this process

    def execute(self, stream: Any = None) -> None:
        """Run every kernel once over the inputs that were set."""
        self.execute_eagerly()

    def latencies(self) -> list[tuple[str, float]]:
        """Each working step's kernel and its median seconds by the server's clock."""
        return [(name, self._latency(name, args)) for name, _, args in self.steps if args]

    def _latency(self, name: str, args: tuple[Any, ...]) -> float:
        (once_s,) = self._measure(name, args, 1, 1)
        number = max(1, math.ceil(_SAMPLE_S / max(once_s, 1e-9)))
        return median(self._measure(name, args, number, _REPEATS))

    def _measure(self, name: str, args: tuple[Any, ...], number: int, repeat: int) -> list[float]:
        timer = self.library.time_evaluator(name, self.device, number=number, repeat=repeat)
        return list(timer(*args).results)
