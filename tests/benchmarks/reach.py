"""Seconds of tuning until the whole model is as fast as in PyTorch, ours against `tune_relax`.

`python -m tests.benchmarks.reach [--target cuda] [--models squeezenet] [--limit S]
[--stock-limit S] [--latency-ms MS] [--sides starter,ours,stock] [--json] [--quick]`

The latency to reach is that of PyTorch in fp32 without TF32, cuDNN's kernels in a CUDA Graph (on a
CPU that of ONNX Runtime), measured first on the same machine, or the one that is given. All sides
have their defaults and every core; `ours` and `stock` begin with nothing, `starter` with the
library that comes with the program.

Ours is a run with that latency as its objective. The seconds are those of tuning, finalists
included, until the first measurement of the whole model that is as fast; what reading, baselines
and those measurements take is in `whole_s`. At the end it is exported.

Stock is `tvm.s_tir.meta_schedule.relax_integration.tune_relax`, counted from its call; its import
and the checks are not. What it has reached when its records were added is found afterwards, by
compiling the model with those records by `compile_relax`, untuned tasks by DLight, and running it
in TVM's virtual machine; where every task has a record, their sum counts instead if that is lower,
as if launches cost nothing. A side that does not come as far has its best and its limit in the
answer; "more than" is then the limit over ours.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.models.reference import random_inputs, reference_latency
from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.settings import Budget
from engine.records.trial import Source
from engine.workers.fresh import run_fresh
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
from tests.benchmarks.rivals import stock_tuning
from tests.benchmarks.rivals.torch_reference import Wanted, measured

if TYPE_CHECKING:
    from engine.models.readers import Prepared

TIMES = 5.0
OURS = ("starter", "ours")
_POINTS = 200
_SEED = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of tuning for each side, the latency to reach where it is given, and the sides."""

    ours_s: float = 240.0
    stock_s: float = 240.0
    latency_s: float | None = None
    sides: tuple[str, ...] = ("ours", "stock")


def run(asked: Asked, limits: Limits) -> Report:
    """Every model, one after another."""
    with Workshop(asked) as shop:
        rows = shop.each(asked.models, lambda name: measure(shop, name, limits))
        details = shop.details() | {"limits": asdict(limits), "rows": rows}
        return Report("reach", _goals(rows), details, device=shop.device)


def measure(shop: Workshop, name: str, limits: Limits) -> dict[str, Any]:
    """The sides of a model, ours first."""
    from engine.models.prepare import prepare

    paths = {side: shop.folder / f"reach-{Path(name).stem}-{side}.tune" for side in OURS}
    for path in paths.values():
        path.unlink(missing_ok=True)
        shop.create(name, path)
    with Project.open(paths["ours"], read_only=True) as project:
        source = project.source
    prepared = prepare(source)
    goal_s, rival = _to_reach(shop, prepared, limits)
    row: dict[str, Any] = {"model": Path(name).stem, "goal_s": goal_s, "rival": rival}
    for side in OURS:
        if side in limits.sides:
            row[side] = ours(shop, name, paths[side], goal_s, limits.ours_s, side == "starter")
    if "stock" in limits.sides:
        row["stock"] = _stock(shop, prepared, source, goal_s, limits.stock_s)
    return row | _ratio(row)


def ours(
    shop: Workshop, name: str, path: Path, goal_s: float, limit_s: float, starter: bool
) -> dict[str, Any]:
    """A run until the whole model is as fast, or the limit; then the export."""
    began = time.perf_counter()
    shop.say(f"tuning {Path(name).stem} to {goal_s * 1e3:.4g} ms")
    settings = shop.asked.settings(budget=Budget(seconds=limit_s, latency_s=goal_s))
    shop.carry_out(path, replace(settings, starter=starter))
    seconds, result = time.perf_counter() - began, Result(name, path)
    best_s = result.run.tuned_latency_s or float("inf")
    return {
        "reached_s": result.seconds if best_s <= goal_s else None,
        "whole_s": seconds,
        "best_s": best_s,
        "sum_s": result.latency_s,
        "untuned_s": result.snapshot.untuned_latency_s,
        "exported_s": _exported_s(shop, path),
        "trials": len(result.snapshot.trials),
        "given": sum(trial.source is Source.STARTER for trial in result.snapshot.trials),
        "curve": curve(result),
    }


def curve(result: Result) -> list[tuple[float, float]]:
    """Seconds of tuning, and the sum of weight times best latency (s) from then on."""
    found = result.history.model_curve()
    points = list(zip(found.elapsed_s.tolist(), found.latency_s.tolist(), strict=True))
    return points[:: max(1, len(points) // _POINTS)]


def _exported_s(shop: Workshop, path: Path) -> float:
    shop.say("exporting")
    shop.engine.open_project(path).result()
    try:
        manifest = shop.engine.export(shop.folder / f"export-{path.stem}").result()
    finally:
        shop.engine.close_project().result()
    return float(manifest["latency_s"])


def _stock(
    shop: Workshop, prepared: Prepared, source: Any, goal_s: float, limit_s: float
) -> dict[str, Any]:
    shop.check()
    limit_s = min(limit_s, shop.left_s())
    shop.say(f"tune_relax for {limit_s:.0f} s")
    inputs = random_inputs(prepared.inputs, _SEED)
    with tempfile.TemporaryDirectory(prefix="stock-") as folder:
        place = source, shop.spec, Path(folder)
        found = stock_tuning.search(*place, limit_s)
        shop.say(f"{found.records} records of tune_relax are compiled")
        row: dict[str, Any] = {
            "reached_s": None,
            "limit_s": found.seconds,
            "trials": found.records,
            "commits": list(found.commits),
            "best_s": None,
            "reason": found.reason,
        }
        try:
            reached_s, check = stock_tuning.first_reached(*place, found, inputs, goal_s)
        except TuningError as error:  # what it found is worth telling without
            return row | {"reason": found.reason or f"Its model does not run. {error.what}"}
    return row | {"reached_s": reached_s, "best_s": check.best_s, **asdict(check)}


def _to_reach(shop: Workshop, prepared: Any, limits: Limits) -> tuple[float, str]:
    """The latency (s) to reach, and whose it is."""
    if limits.latency_s is not None:
        return limits.latency_s, "given"
    if shop.spec.is_gpu:
        shop.say("PyTorch")
        found = measured(prepared.proto, shop.spec.device, Wanted(("float32",)))
        if (latency_s := found.get("latency_s")) is not None:
            return float(latency_s), "PyTorch, cuDNN in a CUDA Graph, fp32 without TF32"
        shop.notes.append(f"There is no latency of PyTorch: {found.get('reason', 'none agrees')}")
    inputs = random_inputs(prepared.inputs, _SEED)
    latencies = run_fresh(reference_latency, prepared.proto, inputs, shop.spec.cores)
    return statistics.median(latencies), "ONNX Runtime on the CPU"


def _ratio(row: dict[str, Any]) -> dict[str, Any]:
    """Stock's seconds over ours; `more_than` where stock's are its limit."""
    mine, theirs = row.get("ours", {}).get("reached_s"), row.get("stock", {})
    if not mine or not theirs or theirs["reason"]:
        return {"times": None, "more_than": False}
    reached_s = theirs["reached_s"]
    seconds = theirs["limit_s"] if reached_s is None else reached_s
    return {"times": seconds / mine, "more_than": reached_s is None}


def _goals(rows: Sequence[dict[str, Any]]) -> tuple[Goal, ...]:
    return tuple(
        Goal(
            f"{row['model']}: times sooner than tune_relax{', more than' * row['more_than']}",
            row["times"],
            TIMES,
            "higher",
        )
        for row in rows
        if row["times"] is not None
    )


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Both sides of each model."""
    head = ("Model, side", "to reach, ms", "reached after, s", "trials", "best, ms", "limit, s")
    lines = []
    for row in details["rows"]:
        for side in (*OURS, "stock"):
            if side in row:
                found = row[side]
                limit_s = found.get("limit_s") or details["limits"].get("ours_s")
                lines.append(
                    (
                        f"{row['model']}, {side}",
                        ms(row["goal_s"]),
                        number(found["reached_s"]),
                        str(found["trials"]),
                        ms(found["best_s"]),
                        number(limit_s),
                    )
                )
    yield markdown(head, lines)


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, ("squeezenet",))
    add = parser.add_argument
    add("--limit", type=float, default=240.0, metavar="S", help="of our tuning")
    add("--stock-limit", type=float, default=240.0, metavar="S", help="of tune_relax")
    add("--latency-ms", type=float, metavar="MS", help="to reach, instead of PyTorch's")
    add("--sides", default="ours,stock", metavar="A,B")
    options = parser.parse_args()
    limits = Limits(
        min(options.limit, 10.0) if options.quick else options.limit,
        min(options.stock_limit, 20.0) if options.quick else options.stock_limit,
        None if options.latency_ms is None else options.latency_ms / 1e3,
        tuple(options.sides.split(",")),
    )
    answer(options, lambda: run(asked_of(options), limits), tables)


if __name__ == "__main__":
    main()
