"""One export and PyTorch's model in turns, in one process: seconds of a replay of each."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from engine.records.machine import prepare_environment

_ROUNDS = 7
_REPLAYS = 100


def measured(folder: str, name: str, precision: str, compiled: bool) -> dict[str, Any]:
    """Medians (ms) over rounds of replays that follow each other, and of one that is waited for."""
    import torch

    from engine.deploy.executor import PlanExecutor
    from tests.benchmarks.halves.zoo import graphs_of

    executor = PlanExecutor(folder, "cuda:0")
    ours: Any = executor._program
    sides: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "ours": (ours.launch, executor.device.sync)
    }
    try:
        for layout, replay in graphs_of(name, precision, compiled).items():
            sides[f"torch {layout}".strip()] = (replay, torch.cuda.synchronize)
    except Exception as error:
        sides["torch"] = sides["ours"]
        return {"error": f"{type(error).__name__}: {str(error)[:200]}"} | _timed(
            {"ours": sides["ours"]}
        )
    return _timed(sides) | {"device": torch.cuda.get_device_name()}


def _timed(sides: dict[str, tuple[Callable[[], Any], Callable[[], Any]]]) -> dict[str, Any]:
    found: dict[str, list[float]] = {side: [] for side in sides}
    single: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(_ROUNDS):
        for side, (launch, wait) in sides.items():
            for _ in range(10):
                launch()
            wait()
            began = time.perf_counter()
            for _ in range(_REPLAYS):
                launch()
            wait()
            found[side].append((time.perf_counter() - began) / _REPLAYS)
            for _ in range(20):
                began = time.perf_counter()
                launch()
                wait()
                single[side].append(time.perf_counter() - began)
    return {
        "ms": {side: statistics.median(values) * 1e3 for side, values in found.items()},
        "single_ms": {side: statistics.median(values) * 1e3 for side, values in single.items()},
    }


if __name__ == "__main__":
    prepare_environment()
    made, model, precision, *more = sys.argv[1:]
    print(json.dumps(measured(made, model, precision, compiled="compile" in more)))
