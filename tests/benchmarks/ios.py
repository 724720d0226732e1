"""Operators side by side: schedules of tuned networks against all baselines.

`python -m tests.benchmarks.ios [--target cuda] [--models A,B] [--trials-per-task N] [--r 3] [--s 8]
[--transfer-from A,B] [--tune-seconds S] [--merge-trials N] [--batches 1,32,128]
[--batch-model squeezenet] [--keep FOLDER] [--seconds-limit S] [--json] [--quick]`

Kernels are tuned by a full search of N trials for each task; with donors, a model whose full search
is not kept starts from their records and searches until its tuning took S seconds. Then stages are
measured, the schedule is searched, and the whole programs are measured in turns: sequential with
and without a CUDA Graph, greedy by levels, and what the searches found. n and d are of the largest
block. On a GPU PyTorch runs the same model with cuDNN in a CUDA Graph. `--models ""` leaves the
batch sizes alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from engine.ios.blocks import cut
from engine.ios.keys import graph_of
from engine.ios.options import Way
from engine.models.prepare import prepare
from engine.project.repository import Project
from engine.records.schedule import FoundSchedule, IosOptions
from engine.records.snapshot import Snapshot
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
from tests.benchmarks.rivals.torch_reference import measured
from tests.benchmarks.stages import ios_batches
from tests.benchmarks.stages.ios_tuning import TINY, Effort, model_of, scheduled, title_of, tuned

MODELS = ("inception_v1", "inception_v2", "squeezenet", "nasnet_like", "randwire_like")
WIDE = ("inception_v1", "inception_v2", "nasnet_like", "randwire_like")
SPEEDUP, SEARCH_S = 1.3, 300.0
NEVER_SLOWER = 0.99  # a way that is not surely slower by more counts as no slower
EAGER = "sequential_eager"
_TORCH_S = 180.0
BASELINES = (EAGER, Way.SEQUENTIAL.value, Way.GREEDY.value)
SEARCHED = (Way.IOS_PARALLEL.value, Way.IOS_MERGE.value, Way.IOS_BOTH.value)


def run(
    asked: Asked,
    effort: Effort | None = None,
    batches: Sequence[int] = (),
    batch_model: str = "squeezenet",
) -> Report:
    """Every model, then the batch sizes of one of them."""
    effort = effort or Effort()
    with Workshop(asked) as shop:
        rows = shop.each(asked.models, lambda name: measure(shop, name, effort))
        tables_ = shop.each(
            [batch_model] if batches else [],
            lambda name: ios_batches.compare_batches(shop, name, batches, effort),
        )
        details = shop.details() | {
            "options": asdict(effort.options),
            "transfer_from": list(effort.donors),
            "merge_trials": effort.merge_trials,
            "rows": rows,
            "batches": tables_,
        }
        return Report("ios", _goals(rows, shop.spec.is_gpu), details, device=shop.device)


def measure(shop: Workshop, name: str, effort: Effort) -> dict[str, Any]:
    """The row of one model."""
    result = tuned(shop, model_of(shop, name), effort)
    found = scheduled(shop, result, effort.options)
    row = _figures(result, found)
    if shop.spec.is_gpu:
        shop.say(f"{row['model']} in PyTorch")
        row["torch"] = _in_torch(shop, result)
    return row


def _in_torch(shop: Workshop, result: Result) -> dict[str, Any]:
    with Project.open(result.path, read_only=True) as project:
        source = project.source
    return measured(prepare(source).proto, shop.spec.device, limit_s=min(_TORCH_S, shop.left_s()))


def _figures(result: Result, found: FoundSchedule) -> dict[str, Any]:
    snapshot = result.snapshot
    latency_s = {way.way: way.measured_s for way in found.ways if way.measured_s is not None}
    ours_s = latency_s[found.way]
    baseline = min((way for way in BASELINES if way in latency_s), key=lambda way: latency_s[way])
    searched = [latency_s[way] for way in SEARCHED if way in latency_s]
    n, d = _largest(snapshot)
    return {
        "model": title_of(result.model),
        "n": n,
        "d": d,
        "operators": len(snapshot.operators),
        "tasks": sum(task.weight > 0 for task in snapshot.tasks),
        "merged_tasks": sum(task.weight == 0 for task in snapshot.tasks),
        "trials": len(snapshot.trials),
        "tuning_s": result.seconds,
        "device": found.schedule.device,
        "batch": found.schedule.batch,
        "ways": {way.way: asdict(way) for way in found.ways},
        "way": found.way,
        "latency_s": ours_s,
        "over_sequential": latency_s[Way.SEQUENTIAL] / ours_s,
        "baseline": baseline,
        "over_baseline": latency_s[baseline] / ours_s,
        "searched_over_baseline": latency_s[baseline] / min(searched) if searched else None,
        "search": asdict(found.search),
        "ended": found.ended,
        "tradeoffs": [asdict(item) for item in found.tradeoffs],
        "stages": [asdict(stage) for stage in found.schedule.stages],
        "torch": {"reason": "It is measured on a GPU alone."},
    }


def _largest(snapshot: Snapshot) -> tuple[int, int]:
    """n and d of the block with the most operators, the wider of equal ones."""
    blocks = cut(graph_of(snapshot.operators))
    return max((block.graph.n, block.graph.width()) for block in blocks)


def _goals(rows: Sequence[dict[str, Any]], is_gpu: bool) -> tuple[Goal, ...]:
    goals = []
    for row in rows:
        model, gain = row["model"], row["over_sequential"]
        if is_gpu and model in WIDE:
            goals.append(Goal(f"{model}: over one CUDA Graph in sequence", gain, SPEEDUP, "higher"))
        elif not is_gpu:
            goals.append(Goal(f"{model}: over sequential", gain, NEVER_SLOWER, "higher"))
        over, best = row["over_baseline"], row["baseline"]
        goals.append(Goal(f"{model}: over its best baseline, {best}", over, NEVER_SLOWER, "higher"))
        seconds = row["search"]["seconds"]
        goals.append(Goal(f"{model}: search, s", seconds, SEARCH_S, "lower"))
    return tuple(goals)


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Latencies, searches, trade-offs, batch sizes."""
    rows = details["rows"]
    yield _latencies(rows)
    yield _searches(rows)
    if any(row["tradeoffs"] for row in rows):
        yield _tradeoffs(rows)
    for found in details["batches"]:
        yield from ios_batches.tables(found)


def _latencies(rows: Sequence[dict[str, Any]]) -> str:
    head = (
        "model", "n", "d", "tasks", "trials a task", "eager, ms", "sequential", "greedy",
        "parallel", "merge", "both", "ours", "its way", "over sequential", "over the best baseline",
        "PyTorch, fp32", "PyTorch, TF32",
    )  # fmt: skip
    lines = []
    for row in rows:
        ways, torch = row["ways"], row["torch"]
        lines.append(
            (
                row["model"],
                str(row["n"]),
                str(row["d"]),
                str(row["tasks"]),
                str(round(row["trials"] / row["tasks"])),
                *(ms(ways.get(way, {}).get("measured_s")) for way in (*BASELINES, *SEARCHED)),
                ms(row["latency_s"]),
                row["way"],
                number(row["over_sequential"]),
                number(row["over_baseline"]),
                ms(torch.get("latency_s")),
                ms(torch.get("tf32_latency_s")),
            )
        )
    return markdown(head, lines)


def _searches(rows: Sequence[dict[str, Any]]) -> str:
    head = (
        "model", "search, s", "stages measured", "states", "pairs", "(n/d + 1)^(2d)", "ended",
        "in one piece", "predicted, ms", "measured, ms", "stages", "peak MB, sequential", "ours",
    )  # fmt: skip
    lines = []
    for row in rows:
        search, ours = row["search"], row["ways"][row["way"]]
        lines.append(
            (
                row["model"],
                f"{search['seconds']:.1f}",
                str(search["measured"]),
                str(search["states"]),
                str(search["pairs"]),
                number(search["bound"]),
                row["ended"],
                "yes" if search["exact"] else "no",
                ms(ours["predicted_s"]),
                ms(ours["measured_s"]),
                str(ours["stages"]),
                _megabytes(row["ways"][Way.SEQUENTIAL.value]["peak_bytes"]),
                _megabytes(ours["peak_bytes"]),
            )
        )
    return markdown(head, lines)


def _tradeoffs(rows: Sequence[dict[str, Any]]) -> str:
    head = ("model", "r", "s", "predicted, ms", "stages", "states", "pairs")
    lines = [
        (
            row["model"],
            str(item["r"]),
            str(item["s"]),
            ms(item["latency_s"]),
            str(item["stages"]),
            str(item["states"]),
            str(item["pairs"]),
        )
        for row in rows
        for item in row["tradeoffs"]
    ]
    return markdown(head, lines)


def _megabytes(count: int | None) -> str:
    return "n/a" if count is None else f"{count / 1e6:.3g}"


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, MODELS)
    add = parser.add_argument
    add("--r", type=int, default=3, help="operators a group, at most")
    add("--s", type=int, default=8, help="groups a stage, at most")
    add("--strategy", default="both", help="parallel, merge, both")
    add("--search-seconds", type=float, default=SEARCH_S, metavar="S", help="of a schedule")
    add("--transfer-from", default="", metavar="A,B", help="kept models, or project files")
    add("--tune-seconds", type=float, metavar="S", help="for a model that starts from donors")
    add("--merge-trials", type=int, default=0, metavar="N", help="for each merged operator")
    add("--batches", default="", metavar="1,32,128", help="batch sizes to compare")
    add("--batch-model", default="squeezenet", help="the model that they are compared on")
    options = parser.parse_args()
    batches = tuple(map(int, _names(options.batches)))
    batch_model = TINY if options.quick else options.batch_model
    effort = Effort(
        IosOptions(options.r, options.s, options.strategy, options.search_seconds),
        _names(options.transfer_from),
        options.tune_seconds,
        options.merge_trials,
    )
    asked = asked_of(options, (TINY,))
    asked = replace(asked, models=tuple(filter(None, asked.models)))  # batch sizes alone
    answer(options, lambda: run(asked, effort, batches, batch_model), tables)


if __name__ == "__main__":
    main()
