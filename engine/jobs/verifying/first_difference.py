"""Looking for the first node of a file that differs, each compile in a worker of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.remote_bench import bench_target
from engine.jobs.cancelling import Cancelled, Stopped
from engine.jobs.opening.isolation import isolated
from engine.judge import watching
from engine.judge.halving import FileGraph, halve
from engine.judge.worst import Worst
from engine.records.formats import ONNX, format_of
from engine.records.machine import prepare_environment
from engine.records.network import FirstDifference
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.targets.targets import TargetSpec
from engine.workers.artifacts import scratch
from engine.workers.watched import Limits

if TYPE_CHECKING:
    import numpy as np


def find_first_difference(
    source: ModelSource,
    target: TargetSpec,
    inputs: Mapping[str, np.ndarray],
    say: Say = lambda *said: None,
    *,
    limits: Limits | None = None,
    stopped: Stopped = lambda: False,
) -> FirstDifference | None:
    """As `first_difference`, of a stranger's file. Blocks for a few compiles.

    Each compile has the time and the memory of `limits`, and runs on the target's device in a
    process of its own; where it is beyond them, or crashes, its values are not watched. Raises
    ModelError, ExportError or TuningError where the model as it is fails, Cancelled where it is
    `stopped`.
    """
    if format_of(source) is not ONNX:
        return None
    say(Doing.READING)
    apart = partial(isolated, source, limits=limits, stopped=stopped)

    def probe(names: Sequence[str]) -> dict[str, Worst | None]:
        with scratch() as path:
            watched: watching.Watched = apart(_compile, target, dict(inputs), names, path)
            if stopped():
                raise Cancelled
            ours = bench_target(path, target, dict(inputs), seconds=0.0).outputs
        return watching.compared(ours, watched)

    graph: FileGraph = apart(_read)
    return halve(graph, probe, lambda left: say(Doing.HALVING, f"{left:,}"))


def _read(say: Say, source: ModelSource) -> FileGraph:
    say(Doing.READING)
    return watching.read_graph(source)


def _compile(
    say: Say,
    source: ModelSource,
    target: TargetSpec,
    inputs: Mapping[str, np.ndarray],
    names: Sequence[str],
    folder: Path,
) -> watching.Watched:
    prepare_environment()
    say(Doing.LOWERING)
    return watching.compile_watched(source, target, inputs, names, folder)
