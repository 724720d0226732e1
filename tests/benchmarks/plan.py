"""Plans of several steps: bursts against one long search, and transfer with Droplet.

`python -m tests.benchmarks.plan [--target cpu] [--models A,B] [--donors A,B] [--burst B]
[--parts bursts,transfers] [--trials-per-task N] [--keep FOLDER] [--seconds-limit S] [--json]
[--quick]`

The long search, with N trials for each task, is the full search of the model. A plan of bursts
starts from nothing and gets the seconds that the long search took until its last trial: B trials of
search, the donors, Droplet, and again. Donors are full searches of other models; a plan without
them shows what is owed to bursts alone. Then donors before and after Droplet polished them, and
Droplet after the transfer, against transfer alone. Records are measured in turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.history.improvements import improvements
from engine.jobs.steps.steps import DropletOptions, plan_text
from engine.records.settings import Budget, Step
from tests.benchmarks.droplet import polished
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import (
    TINY,
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    ms,
    percent,
)
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.passes.pass_turns import geometric_mean, in_turns, model_s
from tests.benchmarks.transfer import transferred

MODELS = ("inception_v1",)
DONORS = ("alexnet", "resnet50", "squeezenet")
PAPER_BURST = 500
_LEAST_BURSTS = 4
_ALL = "all donors"
_PARTS = ("bursts", "transfers")


def run(
    asked: Asked,
    donors: Sequence[str] = DONORS,
    burst: int | None = None,
    per_task: int = DropletOptions().per_task,
    parts: Sequence[str] = _PARTS,
) -> Report:
    """Both comparisons, or one of them, for every model."""
    with Workshop(asked) as shop:
        found = {full.model: full for full in shop.each((*asked.models, *donors), shop.full)}
        fulls = [found[model] for model in asked.models if model in found]

        def others(full: Result) -> list[Result]:
            return [found[donor] for donor in donors if donor in found and donor != full.model]

        bursts = shop.each(
            fulls if "bursts" in parts else (),
            lambda full: compare_bursts(shop, full, others(full), burst),
        )
        combined = shop.each(
            fulls if "transfers" in parts else (),
            lambda full: compare_transfers(shop, full, others(full), per_task),
        )
        details = shop.details() | {
            "fulls": [full.as_dict() | {"model": name} for name, full in found.items()],
            "bursts": [row for rows in bursts for row in rows],
            "transfers": [row for rows in combined for row in rows],
        }
        return Report("plan", _goals(details), details, device=shop.device)


def burst_of(full: Result, asked: int | None) -> int:
    """The paper's 500 trials, or fewer so that the plan has a few rounds."""
    rounds = max(1, len(full.snapshot.trials) // _LEAST_BURSTS)
    return asked or min(PAPER_BURST, rounds)


def compare_bursts(
    shop: Workshop, full: Result, donors: Sequence[Result], burst: int | None
) -> list[dict[str, Any]]:
    """The long search, and plans with and without donors in equal seconds."""
    search = Step("search", trials=burst_of(full, burst))
    places = [str(donor.path) for donor in donors]
    transfer = Step("transfer", {"places": places, "library": False})
    plans: dict[str, tuple[Step, ...]] = {"bursts": (search, Step("droplet"))}
    if donors:
        plans["bursts-donors"] = (search, transfer, Step("droplet"))
    budget = Budget(seconds=round(max(1.0, full.search_s), 3))
    sides = [full]
    for name, steps in plans.items():
        settings = shop.asked.settings(*steps, budget=budget, repeat=True)
        keys = (full.key, *(donor.key for donor in donors if transfer in steps))
        sides.append(shop.passed(full, f"plan-{name}-{'-'.join(keys)}", settings))
    rows = in_turns(shop, sides)
    return [
        {
            "model": full.model,
            "plan": _title(side),
            "seconds": side.search_s,
            "seconds_with_finals": side.seconds,
            "trials": len(side.snapshot.trials),
            "trials_per_task": side.per_task,
            "latency_in_turns_s": model_s(rows, place),
            "over_long": model_s(rows, 0) / model_s(rows, place),
            "task_gain": geometric_mean([row.gain(0, place) for row in rows]),
            "by_source_s": _by_source(side),
            "figures": side.as_dict(),
        }
        for place, side in enumerate(sides)
    ]


def compare_transfers(
    shop: Workshop, full: Result, donors: Sequence[Result], per_task: int
) -> list[dict[str, Any]]:
    """Transfer from each donor and from all: alone, from polished donors, then polished."""
    better = [polished(shop, donor, per_task) for donor in donors]
    groups = [([plain], [fine]) for plain, fine in zip(donors, better, strict=True)]
    if len(donors) > 1:
        groups.append((list(donors), better))
    return [
        row
        for plain, fine in groups
        for row in _with_droplet(
            shop, full, plain, fine, per_task if plain == groups[-1][0] else None
        )
    ]


def _with_droplet(
    shop: Workshop,
    full: Result,
    plain: Sequence[Result],
    fine: Sequence[Result],
    per_task: int | None,
) -> list[dict[str, Any]]:
    """The rows of one group of donors; Droplet comes after the transfer where `per_task` says."""
    sides = {
        "alone": transferred(shop, full, plain),
        "from donors that Droplet polished": transferred(shop, full, fine),
    }
    if per_task is not None:
        sides["then Droplet"] = _after(shop, sides["alone"], per_task)
    rows = in_turns(shop, list(sides.values()))
    return [
        {
            "model": full.model,
            "donors": plain[0].model if len(plain) == 1 else _ALL,
            "transfer": name,
            "latency_in_turns_s": model_s(rows, place),
            "over_alone": model_s(rows, 0) / model_s(rows, place),
            "seconds": side.seconds,
            "trials": len(side.snapshot.trials),
            "by_source_s": _by_source(side),
        }
        for place, (name, side) in enumerate(sides.items())
    ]


def _after(shop: Workshop, alone: Result, per_task: int) -> Result:
    """The transferred project, polished."""
    settings = shop.asked.settings(Step("droplet", {"per_task": per_task}), budget=Budget())
    return shop.passed(alone, f"{alone.path.stem}-then-droplet", settings, start=shop.copy)


def _by_source(side: Result) -> dict[str, float]:
    """Seconds of the model's latency that each source took off."""
    totals = improvements(side.snapshot).totals
    return {source.value: gained_s for source, gained_s in totals.items()}


def _title(side: Result) -> str:
    settings = side.run.settings
    again = ", repeated" if settings.repeat else ""
    return f"{plan_text(settings.steps)}{again}"


def _goals(details: dict[str, Any]) -> tuple[Goal, ...]:
    """Neither has a goal: these say which way the answers go."""
    goals = [
        Goal(
            f"{row['model']}: {row['plan']}, over one long search", row["over_long"], 1.0, "higher"
        )
        for row in details["bursts"]
        if "repeated" in row["plan"]
    ]
    goals += [
        Goal(
            f"{row['model']}: transfer {row['transfer']} ({row['donors']}), over transfer alone",
            row["over_alone"],
            1.0,
            "higher",
        )
        for row in details["transfers"]
        if row["transfer"] != "alone"
    ]
    return tuple(goals)


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Bursts, then transfers, each with what its sources gave."""
    yield _bursts_table(details["bursts"])
    yield _transfers_table(details["transfers"])
    fulls = (f"{item['model']} {item['trials_per_task']}" for item in details["fulls"])
    yield f"Trials a task of the full searches: {', '.join(fulls)}."


def _bursts_table(rows: Sequence[dict[str, Any]]) -> str:
    head = (
        "model", "plan", "s", "with finals", "trials a task", "latency, ms", "over one long search",
        "task by task", "gained by source",
    )  # fmt: skip
    lines = [
        (
            row["model"],
            row["plan"],
            f"{row['seconds']:.0f}",
            f"{row['seconds_with_finals']:.0f}",
            str(row["trials_per_task"]),
            ms(row["latency_in_turns_s"]),
            percent(row["over_long"] - 1),
            percent(row["task_gain"] - 1),
            _sources(row["by_source_s"]),
        )
        for row in rows
    ]
    return markdown(head, lines)


def _transfers_table(rows: Sequence[dict[str, Any]]) -> str:
    head = (
        "model", "donors", "transfer", "s", "trials", "latency, ms", "over transfer alone",
        "gained by source",
    )  # fmt: skip
    lines = [
        (
            row["model"],
            row["donors"],
            row["transfer"],
            f"{row['seconds']:.0f}",
            str(row["trials"]),
            ms(row["latency_in_turns_s"]),
            percent(row["over_alone"] - 1),
            _sources(row["by_source_s"]),
        )
        for row in rows
    ]
    return markdown(head, lines)


def _sources(gained: dict[str, float]) -> str:
    """The parts of what all sources gained."""
    whole = sum(gained.values())
    parts = (f"{source} {percent(part / whole)}" for source, part in gained.items() if whole)
    return ", ".join(parts) or "nothing"


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, MODELS)
    parser.add_argument("--donors", default=",".join(DONORS), metavar="A,B")
    parser.add_argument("--burst", type=int, metavar="B", help="trials; 500, or a fourth of all")
    parser.add_argument("--per-task", type=int, default=DropletOptions().per_task, metavar="N")
    parser.add_argument("--parts", default=",".join(_PARTS), metavar="A,B")
    options = parser.parse_args()
    parts = options.parts.split(",")
    if set(parts) - set(_PARTS):
        parser.error(f"the parts are {', '.join(_PARTS)}")
    asked = asked_of(options)
    donors = TINY[1:2] if asked.quick else options.donors.split(",")
    per_task = 6 if asked.quick else options.per_task
    answer(options, lambda: run(asked, donors, options.burst, per_task, parts), tables)


if __name__ == "__main__":
    main()
