"""Sharing against a full search: what part of its performance, in what part of its time.

`python -m tests.benchmarks.sharing [--target cpu] [--models A,B] [--trials-per-task N]
[--keep FOLDER] [--seconds-limit S] [--json] [--quick]`

A full search has N trials for each task; sharing starts from nothing and gets --share of the
full search's tuning time, finals of both included. "plain" tunes representatives with N trials
each at most; "weak" has no limit of trials and spends what is left on weak dependants. In the end
the records of all sides are measured in turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from engine.jobs.steps.steps import ShareOptions
from engine.passes.clusters import cluster
from engine.passes.sharing import predicted_cost
from engine.records.settings import Budget, Step
from engine.records.trial import Source
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import (
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    ms,
    percent,
)
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.passes.pass_turns import in_turns, model_s

MODELS = ("resnet50", "densenet121", "squeezenet", "inception_v1")
VARIANTS = ("plain", "weak")
SHARE = 0.28
PERFORMANCE = 0.95
_LEAST = 0.5  # of the time that sharing gets, where finals would take most of it
_LEAST_S = 1.0


def run(asked: Asked, variants: Sequence[str] = VARIANTS, share: float = SHARE) -> Report:
    """Compare on every model."""
    with Workshop(asked) as shop:
        found = shop.each(asked.models, lambda model: measure(shop, model, variants, share))
        rows = [row for model in found for row in model]
        details = shop.details() | {"rows": rows, "share": share, "means": _means(rows)}
        return Report("sharing", _goals(rows, share), details, device=shop.device)


def measure(
    shop: Workshop, model: str, variants: Sequence[str], share: float
) -> list[dict[str, Any]]:
    """One model's rows, a row for each variant."""
    full = shop.full(model)
    snapshot = shop.find_spaces(full)
    clusters = cluster(snapshot.tasks, snapshot.spaces)
    top_k = ShareOptions().top_k
    cost = predicted_cost(clusters, full.per_task, top_k, 0.0)
    finals_s = full.seconds - full.search_s
    seconds = max(share * full.seconds - finals_s, _LEAST * share * full.seconds, _LEAST_S)
    sides = [full]
    for variant in variants:
        weak = variant == "weak"
        step = Step("share", {"top_k": top_k, "tune_weak": weak})
        budget = Budget(trials=None if weak else cost.trials, seconds=round(seconds, 3))
        settings = shop.asked.settings(step, budget=budget)
        sides.append(shop.passed(full, f"share-{variant}-{full.key}", settings))
    rows = in_turns(shop, sides)
    return [
        _row(full, side, variant, model_s(rows, 0), model_s(rows, place))
        for place, (variant, side) in enumerate(zip(variants, sides[1:], strict=True), start=1)
    ]


def _row(
    full: Result, side: Result, variant: str, full_in_turns_s: float, latency_s: float
) -> dict[str, Any]:
    trials, clustering = side.snapshot.trials, side.snapshot.clustering
    searched = [trial for trial in trials if trial.source is Source.SEARCH]
    tuned = len({trial.task for trial in searched})
    full_s, side_s = full.run.tuned_latency_s, side.run.tuned_latency_s
    return {
        "model": full.model,
        "variant": variant,
        "clusters": len(clustering.clusters) if clustering else None,
        "tasks_tuned": tuned,
        "trials_per_task_tuned": round(len(searched) / max(1, tuned), 1),
        "performance": full_in_turns_s / latency_s,
        "performance_by_finals": full.latency_s / side.latency_s,
        "performance_end_to_end": full_s / side_s if full_s and side_s else None,
        "time": side.seconds / full.seconds,
        "time_without_finals": side.search_s / full.search_s,
        "full_in_turns_s": full_in_turns_s,
        "latency_in_turns_s": latency_s,
        "full": full.as_dict(),
        "shared": side.as_dict(),
    }


def _means(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    return {
        variant: {
            name: fmean(row[name] for row in rows if row["variant"] == variant)
            for name in ("performance", "time")
        }
        for variant in {row["variant"]: None for row in rows}
    }


def _goals(rows: Sequence[dict[str, Any]], share: float) -> tuple[Goal, ...]:
    goals = []
    for row in rows:
        what = f"{row['model']}, {row['variant']}"
        goals.append(Goal(f"{what}: of the performance", row["performance"], PERFORMANCE, "higher"))
        goals.append(Goal(f"{what}: of the time", row["time"], share, "lower"))
    return tuple(goals)


def tables(details: dict[str, Any]) -> Iterator[str]:
    """The rows, and their means beside the published ones."""
    head = (
        "model", "sharing", "tasks", "clusters", "tuned", "trials a task, full", "shared",
        "full, s", "shared, s", "of the time", "of it without finals",
        "full, ms", "shared, ms", "of the performance", "end to end", "ended",
    )  # fmt: skip
    yield markdown(head, map(_cells, details["rows"]))
    lines = [
        (variant, percent(mean["performance"]), percent(mean["time"]))
        for variant, mean in details["means"].items()
    ]
    yield markdown(
        ("mean over models", "of the performance", "of the time"),
        [*lines, ("published, V100, seven models", "84 %", "28 %")],
    )


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    full, shared = row["full"], row["shared"]
    return (
        row["model"],
        row["variant"],
        str(full["tasks"]),
        str(row["clusters"]),
        str(row["tasks_tuned"]),
        str(full["trials_per_task"]),
        str(row["trials_per_task_tuned"]),
        f"{full['seconds']:.0f}",
        f"{shared['seconds']:.0f}",
        percent(row["time"]),
        percent(row["time_without_finals"]),
        ms(row["full_in_turns_s"]),
        ms(row["latency_in_turns_s"]),
        percent(row["performance"]),
        percent(row["performance_end_to_end"]),
        shared["ended"],
    )


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, MODELS)
    parser.add_argument("--share", type=float, default=SHARE, help="of the full search's time")
    parser.add_argument("--variants", default=",".join(VARIANTS), metavar="A,B")
    options = parser.parse_args()
    variants = options.variants.split(",")
    if set(variants) - set(VARIANTS):
        parser.error(f"the variants are {', '.join(VARIANTS)}")
    answer(options, lambda: run(asked_of(options), variants, options.share), tables)


if __name__ == "__main__":
    main()
