"""Seconds of a processor that opening takes, by nodes, and the power of the nodes that they are."""

from __future__ import annotations

import gc
import math
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from onnx import ModelProto

from engine.jobs.opening.open_worker import open_here
from engine.records.machine import prepare_environment
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.benchmarks.open_scale.graphs import KINDS
from tests.benchmarks.parts.report import Goal, Report, main

SIZES = (100, 300, 1000, 3000, 10_000)
QUICK_SIZES = (30, 100)
_WARM_UP = 8  # nodes of a model that is opened before, for what is loaded once
_MOST = 1.2


def seconds_of(proto: ModelProto, folder: Path) -> float:
    """Seconds of a processor from the file to its tasks: others on the machine do not count."""
    path = folder / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    gc.collect()
    begun = time.process_time()
    open_here(ModelSource("file", str(path)), resolve("cpu"))
    return time.process_time() - begun


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> list[float]:
    """The exponents between neighbouring sizes: 1 where the time grows as the nodes do."""
    return [
        math.log(after / before) / math.log(larger / smaller)
        for (smaller, larger), (before, after) in zip(
            pairwise(sizes), pairwise(seconds), strict=True
        )
    ]


def measured(make: Callable[[int], ModelProto], sizes: Sequence[int]) -> list[float]:
    """The seconds of each size of a kind of network."""
    with tempfile.TemporaryDirectory() as folder:
        seconds_of(make(_WARM_UP), Path(folder))
        return [seconds_of(make(size), Path(folder)) for size in sizes]


def run(quick: bool) -> Report:
    """Open networks of each kind and size."""
    prepare_environment()
    sizes = QUICK_SIZES if quick else SIZES
    seconds = {kind: measured(make, sizes) for kind, make in KINDS.items()}
    exponents = {kind: growth(sizes, taken) for kind, taken in seconds.items()}
    goals = tuple(
        Goal(f"{kind}: largest exponent of growth", max(found), _MOST, "lower")
        for kind, found in exponents.items()
    )
    details: dict[str, list[float]] = {"nodes": list(sizes)}
    for kind in KINDS:
        details[f"{kind}, seconds"] = [round(value, 2) for value in seconds[kind]]
        details[f"{kind}, exponents"] = [round(value, 2) for value in exponents[kind]]
    return Report("open_scale", goals, details)


if __name__ == "__main__":
    main(run)
