"""Whole models on one machine: untuned, tuned, and what a person would otherwise use.

`python -m tests.benchmarks.latency [--target cpu] [--models A,B] [--tune-seconds S] [--rounds N]
[--shape FILE.onnx:NAME=1x3x640x640] [--keep FOLDER] [--seconds-limit S] [--json] [--quick]`

Models are samples with random weights, `mobilenet_like`, or files. Each is tuned for S seconds with
a person's defaults, exported, and then runs in turns with its rival: on a CPU ONNX Runtime on the
same threads, on a GPU PyTorch with cuDNN in a CUDA Graph, where PyTorch is installed. Every side
starts anew in every round, in a process of its own. The profile names the kernels that take the
exported module's time, and how far each is from the machine's peaks.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.deploy.bench import bench
from engine.jobs.settings import Budget, RunState
from engine.measure.fresh import run_fresh
from engine.models.reference import random_inputs, reference_latency
from engine.project.repository import Project
from tests.benchmarks.kernel_profile import Kernel, profile
from tests.benchmarks.mobile_network import mobilenet_like
from tests.benchmarks.pass_options import (
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    ms,
    number,
)
from tests.benchmarks.pass_runs import Result, Workshop
from tests.benchmarks.report import Goal, Report
from tests.benchmarks.torch_reference import measured

MODELS = ("squeezenet", "resnet50", "inception_v1", "mobilenet_like")
CPU_MEAN, CPU_LEAST, GPU_MEAN = 1.2, 0.95, 1.3
KERNEL_HEAD = ("Kernel", "times", "us", "share", "GFLOP/s", "GB/s", "of peak")
_SEED = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How long each model is tuned, how often sides take turns, and shapes by file."""

    tune_s: float = 900.0
    rounds: int = 5
    shapes: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)


def run(asked: Asked, plan: Plan) -> Report:
    """Every model, one after another."""
    with Workshop(asked) as shop:
        rows = shop.each(asked.models, lambda name: measure(shop, name, plan))
        details = shop.details() | {"tune_s": plan.tune_s, "rounds": plan.rounds, "rows": rows}
        return Report("latency", _goals(rows, shop.spec.is_gpu), details, device=shop.device)


def measure(shop: Workshop, name: str, plan: Plan) -> dict[str, Any]:
    """Tune a model, export it, and let both sides run in turns."""
    result = tuned(shop, name, plan)
    folder = shop.folder / f"export-{Path(name).stem}"
    shop.say(f"exporting {Path(name).stem}")
    shop.engine.open_project(result.path).result()
    try:
        manifest = shop.engine.export(folder).result()
    finally:
        shop.engine.close_project().result()
    return {
        "model": Path(name).stem,
        **result.as_dict(),
        "difference": manifest["max_abs_diff"],
        **sides(shop, result, folder, plan.rounds),
    }


def tuned(shop: Workshop, name: str, plan: Plan) -> Result:
    """The model's project after its seconds of search; a kept one goes on where it stopped."""
    path = shop.folder / f"latency-{Path(name).stem}.tune"
    if not path.exists():
        _create(shop, name, path, plan)
    runs = Result(name, path).snapshot.runs
    if not runs or runs[-1].state is not RunState.FINISHED:
        shop.say(f"tuning {Path(name).stem} for {plan.tune_s:g} s")
        shop.carry_out(path, shop.asked.settings(budget=Budget(seconds=plan.tune_s)))
    return Result(name, path)


def _create(shop: Workshop, name: str, path: Path, plan: Plan) -> None:
    if name == "mobilenet_like":
        file = shop.folder / f"{name}.onnx"
        file.write_bytes(mobilenet_like().SerializeToString(deterministic=True))
        name = str(file)
    shop.create(name, path, plan.shapes.get(name, {}))


def sides(shop: Workshop, result: Result, folder: Path, rounds: int) -> dict[str, Any]:
    """Medians and quartiles of latencies (s) over rounds in which both sides had their turn."""
    from engine.models.prepare import prepare

    with Project.open(result.path, read_only=True) as project:
        prepared = prepare(project.source)
    spec, inputs = shop.spec, random_inputs(prepared.inputs, _SEED)
    ways: dict[str, Callable[[], float]] = {
        "tuned": lambda: bench(folder, spec.device, spec.cores, inputs).latency_s
    }
    found: dict[str, Any] = {}
    if spec.is_gpu:
        found["torch"] = measured(prepared.proto, spec.device)
    else:
        call = reference_latency, prepared.proto, inputs, spec.cores
        ways["onnxruntime"] = lambda: statistics.median(run_fresh(*call))
    shop.say(f"{', '.join(ways)} in turns")
    samples: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, latency in ways.items():
            samples[way].append(latency())
    kernels = profile(result.snapshot, folder, spec, inputs)
    return found | {
        "latencies": {way: _spread(values) for way, values in samples.items()},
        "speedup": _speedup(samples, found),
        "kernels": [kernel.as_dict() for kernel in kernels],
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median_s": statistics.median(ordered),
        "least_s": ordered[0],
        "most_s": ordered[-1],
    }


def _speedup(samples: dict[str, list[float]], found: dict[str, Any]) -> float | None:
    """The rival's latency over ours; of the rounds' own ratios the median, where they had turns."""
    ours = samples["tuned"]
    if "onnxruntime" in samples:
        pairs = zip(samples["onnxruntime"], ours, strict=True)
        return statistics.median(theirs / mine for theirs, mine in pairs)
    theirs = found["torch"].get("latency_s")
    return theirs / statistics.median(ours) if theirs else None


def _goals(rows: Sequence[dict[str, Any]], is_gpu: bool) -> tuple[Goal, ...]:
    speedups = [row["speedup"] for row in rows if row["speedup"]]
    if not speedups:
        return ()
    mean = statistics.geometric_mean(speedups)
    if is_gpu:
        what = "over cuDNN in a CUDA Graph, geometric mean"
        return (Goal(what, mean, GPU_MEAN, "higher"),)
    return (
        Goal("over ONNX Runtime, geometric mean", mean, CPU_MEAN, "higher"),
        Goal("over ONNX Runtime, least", min(speedups), CPU_LEAST, "higher"),
    )


# The answer


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Models, then the kernels of each that take its time."""
    rows = [
        (
            row["model"],
            ms(row["measured_untuned_s"]),
            ms(row["latencies"]["tuned"]["median_s"]),
            ms(_rival(row)),
            number(row["speedup"]),
            str(row["trials"]),
            number(row["seconds"]),
        )
        for row in details["rows"]
    ]
    head = ("Model", "untuned", "tuned", "rival", "speedup", "trials", "seconds")
    yield markdown(head, rows)
    for row in details["rows"]:
        kernels = [Kernel.from_dict(data) for data in row["kernels"][:12]]
        yield markdown(KERNEL_HEAD, map(_cells, kernels))


def _cells(kernel: Kernel) -> tuple[str, ...]:
    return (
        kernel.name,
        str(kernel.count),
        number(kernel.seconds * 1e6),
        f"{kernel.share:.1%}",
        number(kernel.flops_per_s / 1e9),
        number(kernel.bytes_per_s / 1e9),
        "n/a" if kernel.of_peak is None else f"{kernel.of_peak:.0%}",
    )


def _rival(row: dict[str, Any]) -> float | None:
    other = row["latencies"].get("onnxruntime")
    seconds: float | None = other["median_s"] if other else row["torch"].get("latency_s")
    return seconds


def _shapes(texts: Sequence[str]) -> dict[str, dict[str, tuple[int, ...]]]:
    """FILE:NAME=1x3x4 as a person types it."""
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    for text in texts:
        file, _, rest = text.rpartition(":")
        name, _, sizes = rest.partition("=")
        try:
            found.setdefault(file, {})[name] = tuple(int(size) for size in sizes.split("x"))
        except ValueError:
            sys.exit(f"{text} is not FILE:NAME=1x3x4.")
    return found


if __name__ == "__main__":
    parser = make_parser(__doc__, MODELS)
    parser.add_argument("--tune-seconds", type=float, default=900.0, metavar="S")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--shape", action="append", default=[], metavar="FILE:NAME=1x3x4")
    asked_for = parser.parse_args()
    how = Plan(
        5.0 if asked_for.quick else asked_for.tune_seconds,
        2 if asked_for.quick else asked_for.rounds,
        _shapes(asked_for.shape),
    )
    answer(asked_for, lambda: run(asked_of(asked_for), how), tables)
