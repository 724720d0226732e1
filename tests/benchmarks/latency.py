"""Whole models on one machine: untuned, tuned, and what a person would otherwise use.

`python -m tests.benchmarks.latency [--target cpu] [--models A,B] [--tune-seconds S] [--rounds N]
[--precision float32] [--stages-seconds S] [--transfer-from A,B] [--max-autotune-seconds S]
[--shape FILE.onnx:NAME=1x3x640x640] [--keep FOLDER] [--seconds-limit S] [--json] [--quick]`

Models are samples with random weights, `mobilenet_like`, or files. Each is tuned for S seconds with
a person's defaults, donors first where some are named, and stages are searched for where that is
asked. It is exported, and then runs in turns with its rivals, with and without its stages: on a CPU
ONNX Runtime, and OpenVINO where it is installed, on the same threads; on a GPU PyTorch with cuDNN
in a CUDA Graph in the same precision, where it is installed. The better one counts. On a GPU
`torch.compile(mode="max-autotune")` is another rival, within a
limit. Every side starts anew in every round, in a process of its own. The profile names the kernels
that take the exported module's time, how far each is from the machine's peaks, and what bounds it.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.records.errors import TuningError
from engine.records.precision import PRECISIONS
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunState, Step
from engine.records.source import Precision
from engine.targets.targets import resolve
from tests.benchmarks.networks.mobile_network import mobilenet_like
from tests.benchmarks.parts.kernel_profile import Kernel
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import (
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    ms,
    number,
)
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.rivals.latency_sides import MAX_AUTOTUNE, STAGED, TUNED, sides
from tests.benchmarks.stages.ios_tuning import kept_projects, scheduled

MODELS = ("squeezenet", "resnet50", "inception_v1", "mobilenet_like")
GPU_MODELS = ("squeezenet", "resnet50", "inception_v1", "alexnet", "densenet121")
CPU_MEAN, CPU_LEAST, GPU_MEAN = 1.2, 1.0, 1.3
KERNEL_HEAD = ("Kernel", "times", "us", "share", "GFLOP/s", "GB/s", "of peak", "bytes", "bound by")
_AUTOTUNE_S = 240.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How long each model is tuned and stages are searched for, from which donors, how often sides
    take turns, for how long max-autotune may compile, and shapes by file."""

    tune_s: float = 900.0
    rounds: int = 5
    shapes: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)
    precision: Precision = "float32"
    stages_s: float = 0.0
    donors: tuple[str, ...] = ()
    autotune_s: float | None = None

    @property
    def suffix(self) -> str:
        """What tells projects of other precisions apart."""
        return "" if self.precision == "float32" else f"-{self.precision}"


def run(asked: Asked, plan: Plan) -> Report:
    """Every model, one after another."""
    with Workshop(asked) as shop:
        rows = shop.each(asked.models, lambda name: measure(shop, name, plan))
        details = shop.details() | {
            "tune_s": plan.tune_s,
            "rounds": plan.rounds,
            "precision": plan.precision,
            "stages_s": plan.stages_s,
            "transfer_from": list(plan.donors),
            "rows": rows,
        }
        goals = _goals(rows, shop.spec.is_gpu, plan.precision)
        return Report("latency", goals, details, device=shop.device)


def measure(shop: Workshop, name: str, plan: Plan) -> dict[str, Any]:
    """Tune a model, find its stages, export it, and let all sides run in turns."""
    result = tuned(shop, name, plan)
    if plan.stages_s > 0:
        try:
            scheduled(shop, result, IosOptions(seconds=plan.stages_s))
        except TuningError as error:
            shop.notes.append(f"{result.model} has no stages. {error.what}")
        result = Result(name, result.path)
    folder = shop.folder / f"export-{Path(name).stem}{plan.suffix}"
    shop.say(f"exporting {Path(name).stem}")
    shop.engine.open_project(result.path).result()
    try:
        manifest = shop.engine.export(folder).result()
    finally:
        shop.engine.close_project().result()
    limit_s = plan.autotune_s
    if limit_s is None:
        limit_s = _AUTOTUNE_S if shop.spec.is_gpu else 0.0
    return {
        "model": Path(name).stem,
        "precision": plan.precision,
        **result.as_dict(),
        "difference": manifest["max_abs_diff"],
        **sides(
            shop,
            result,
            folder,
            manifest,
            rounds=plan.rounds,
            precision=plan.precision,
            autotune_s=limit_s,
        ),
    }


def tuned(shop: Workshop, name: str, plan: Plan) -> Result:
    """The model's project after its seconds of search; a kept one goes on where it stopped."""
    path = shop.folder / f"latency-{Path(name).stem}{plan.suffix}.tune"
    if not path.exists():
        _create(shop, name, path, plan)
    runs = Result(name, path).snapshot.runs
    if not runs or runs[-1].state is not RunState.FINISHED:
        shop.say(f"tuning {Path(name).stem} for {plan.tune_s:g} s")
        donors = [str(donor.absolute()) for donor in kept_projects(shop, plan.donors)]
        steps = [Step("transfer", {"places": donors, "library": False})] if donors else []
        budget = Budget(seconds=plan.tune_s)
        shop.carry_out(path, shop.asked.settings(*steps, Step(), budget=budget))
    return Result(name, path)


def _create(shop: Workshop, name: str, path: Path, plan: Plan) -> None:
    if name == "mobilenet_like":
        file = shop.folder / f"{name}.onnx"
        file.write_bytes(mobilenet_like().SerializeToString(deterministic=True))
        name = str(file)
    shop.create(name, path, plan.shapes.get(name, {}), plan.precision)


def _goals(rows: Sequence[dict[str, Any]], is_gpu: bool, precision: str) -> tuple[Goal, ...]:
    speedups = [row["speedup"] for row in rows if row["speedup"]]
    compiled = [row["over_max_autotune"] for row in rows if row["over_max_autotune"]]
    goals = []
    if speedups and not is_gpu:
        mean = statistics.geometric_mean(speedups)
        goals.append(Goal("over the better rival, geometric mean", mean, CPU_MEAN, "higher"))
        goals.append(Goal("over the better rival, least", min(speedups), CPU_LEAST, "higher"))
    elif speedups:
        what = f"over cuDNN in a CUDA Graph, {precision}, geometric mean of {len(speedups)}"
        goals.append(Goal(what, statistics.geometric_mean(speedups), GPU_MEAN, "higher"))
    if compiled and is_gpu:
        what = f"over max-autotune, {precision}, geometric mean of {len(compiled)}"
        goals.append(Goal(what, statistics.geometric_mean(compiled), GPU_MEAN, "higher"))
    return tuple(goals)


# The answer


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Models, what each as a whole is made of, then the kernels that take its time."""
    rows = [
        (
            row["model"],
            ms(row["measured_untuned_s"]),
            ms(_median(row, TUNED)),
            ms(_median(row, STAGED)),
            ms(_median(row, "onnxruntime")),
            ms(_median(row, "openvino")),
            ms(_median(row, "torch")),
            number(row["speedup"]),
            _compiled(row),
            number(row["over_max_autotune"]),
            str(row["trials"]),
            number(row["seconds"]),
            number(row["difference"], 2),
        )
        for row in details["rows"]
    ]
    head = ("Model", "untuned", "tuned", "in stages", "ONNX Runtime", "OpenVINO", "PyTorch",
            "speedup", "max-autotune", "speedup over it", "trials", "seconds",
            "difference")  # fmt: skip
    yield markdown(head, rows)
    yield _wholes(details["rows"])
    for row in details["rows"]:
        kernels = [Kernel.from_dict(data) for data in row["kernels"][:12]]
        yield markdown(KERNEL_HEAD, map(_cells, kernels))


def _wholes(rows: Sequence[dict[str, Any]]) -> str:
    head = ("In sequence", "ms", "its kernels", "launches", "so many launches", "at the peaks",
            "bound by")  # fmt: skip
    lines = []
    for row in rows:
        if (whole := row["profile"]) is None:
            continue
        kernels_s = whole["kernels_s"]
        shares = [f"{what} {s / kernels_s:.0%}" for what, s in whole["by_bound"].items()]
        lines.append(
            (
                row["model"],
                ms(whole["whole_s"]),
                ms(kernels_s),
                str(whole["launches"]),
                ms(whole["launches_s"]),
                ms(whole["floor_s"]),
                ", ".join(shares),
            )
        )
    return markdown(head, lines)


def _cells(kernel: Kernel) -> tuple[str, ...]:
    return (
        kernel.name,
        str(kernel.count),
        number(kernel.seconds * 1e6),
        f"{kernel.share:.1%}",
        number(kernel.flops_per_s / 1e9),
        number(kernel.bytes_per_s / 1e9),
        "n/a" if kernel.of_peak is None else f"{kernel.of_peak:.0%}",
        "n/a" if kernel.bytes_of_peak is None else f"{kernel.bytes_of_peak:.0%}",
        kernel.bound or "n/a",
    )


def _median(row: dict[str, Any], way: str) -> float | None:
    found = row["latencies"].get(way)
    return found and float(found["median_s"])


def _compiled(row: dict[str, Any]) -> str:
    """Its latency, or why there is none."""
    known = _median(row, MAX_AUTOTUNE)
    reason: str = row.get(MAX_AUTOTUNE, {}).get("reason", "n/a")
    return reason if known is None else ms(known)


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


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, ())
    parser.set_defaults(models="")
    add = parser.add_argument
    add("--tune-seconds", type=float, default=900.0, metavar="S")
    add("--rounds", type=int, default=5, metavar="N")
    add("--precision", default="float32", choices=PRECISIONS)
    add("--stages-seconds", type=float, default=0.0, metavar="S", help="to search for stages")
    add("--transfer-from", default="", metavar="A,B", help="kept models, or project files")
    add("--max-autotune-seconds", type=float, metavar="S", help="that it may compile for; 0: none")
    add("--shape", action="append", default=[], metavar="FILE:NAME=1x3x4")
    options = parser.parse_args()
    if not options.models:
        is_gpu = options.target != "cpu" and resolve(options.target).is_gpu
        options.models = ",".join(GPU_MODELS if is_gpu else MODELS)
    how = Plan(
        5.0 if options.quick else options.tune_seconds,
        2 if options.quick else options.rounds,
        _shapes(options.shape),
        options.precision,
        min(options.stages_seconds, 20.0) if options.quick else options.stages_seconds,
        tuple(filter(None, options.transfer_from.split(","))),
        options.max_autotune_seconds,
    )
    answer(options, lambda: run(asked_of(options), how), tables)


if __name__ == "__main__":
    main()
