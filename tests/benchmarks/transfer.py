"""Transfer between every ordered pair of models, against a full search of the heir.

`python -m tests.benchmarks.transfer [--target cpu] [--models A,B] [--trials-per-task N]
[--heirs A,B] [--apart] [--keep FOLDER] [--seconds-limit S] [--json] [--quick]`

Donors are the records of full searches, with N trials for each task. An heir starts from nothing,
tries the donors of one other model, and searches nothing itself. "of the gain" is (untuned -
transferred) / (untuned - full); what it says of records was measured in turns. "times as long" is
how long the heir's own full search took to come as far, over the time of the transfer. --apart
leaves out all donors at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean, median
from typing import Any

from engine.records.settings import Budget, Step
from engine.records.trial import ErrorKind
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import (
    TINY,
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    ms,
    number,
    percent,
)
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.passes.pass_turns import in_turns, model_s

MODELS = ("alexnet", "inception_v1", "resnet50", "squeezenet")
GAIN, TIMES = 0.70, 10.0
_ALL = "all others"


@dataclass(frozen=True, slots=True)
class Pair:
    """An heir and the models whose records it tries."""

    heir: str
    donors: tuple[str, ...]

    @property
    def title(self) -> str:
        """The donors in a few words."""
        return self.donors[0] if len(self.donors) == 1 else _ALL


def run(asked: Asked, heirs: Sequence[str] = (), apart: bool = False) -> Report:
    """Every ordered pair, and for each model all others at once, for some heirs or all models."""
    with Workshop(asked) as shop:
        fulls = {full.model: full for full in shop.each(asked.models, shop.full)}
        chosen = [model for model in fulls if model in heirs or not heirs]
        found = shop.each(chosen, lambda heir: inherit(shop, fulls, heir, apart))
        rows = [row for heir in found for row in heir]
        pairs = [row for row in rows if row["donors"] != _ALL]
        details = shop.details() | {"rows": rows, "models": list(fulls), "means": _means(pairs)}
        return Report("transfer", _goals(pairs), details, device=shop.device)


def pairs_of(heir: str, models: Sequence[str]) -> list[Pair]:
    """Each other model as the donor, and all of them where there are several."""
    others = [donor for first, donor in permutations(models, 2) if first == heir]
    pairs = [Pair(heir, (donor,)) for donor in others]
    return [*pairs, Pair(heir, tuple(others))] if len(others) > 1 else pairs


def transferred(shop: Workshop, full: Result, donors: Sequence[Result]) -> Result:
    """A fresh project of `full`'s model after it tried the records of the donors."""
    places = tuple(str(donor.path) for donor in donors)
    step = Step("transfer", {"places": list(places), "library": False})
    keys = (f"{donor.path.stem}-{donor.per_task}" for donor in donors)
    name = f"transfer-{full.key}-from-{'-'.join(keys)}"
    return shop.passed(full, name, shop.asked.settings(step, budget=Budget()))


def inherit(
    shop: Workshop, fulls: dict[str, Result], heir: str, apart: bool = False
) -> list[dict[str, Any]]:
    """The rows of one heir."""
    full, pairs = fulls[heir], pairs_of(heir, tuple(fulls))
    pairs = [pair for pair in pairs if len(pair.donors) == 1 or not apart]
    sides = [transferred(shop, full, [fulls[donor] for donor in pair.donors]) for pair in pairs]
    rows = in_turns(shop, [full, *sides])
    full_s = model_s(rows, 0)
    return [
        _row(full, pair, side, full_s, model_s(rows, place))
        for place, (pair, side) in enumerate(zip(pairs, sides, strict=True), start=1)
    ]


def _row(full: Result, pair: Pair, side: Result, full_s: float, latency_s: float) -> dict[str, Any]:
    trials = side.snapshot.trials
    # At the level of its own finals: the curve that it is looked up in is not of the same hour.
    match_s = full.seconds_to(side.latency_s)
    failed = [trial.error for trial in trials if isinstance(trial.error, ErrorKind)]
    return {
        "heir": full.model,
        "donors": pair.title,
        "gain": (full.untuned_s - latency_s) / (full.untuned_s - full_s),
        "gain_by_finals": (full.untuned_s - side.latency_s) / (full.untuned_s - full.latency_s),
        "time": side.seconds / full.seconds,
        "match_s": match_s,
        "times": (full.search_s if match_s is None else match_s) / side.seconds,
        "matched": match_s is not None,
        "trials": len(trials),
        "failed": len(failed),
        "tasks_served": len({trial.task for trial in trials}),
        "latency_in_turns_s": latency_s,
        "full_in_turns_s": full_s,
        "full": full.as_dict(),
        "transferred": side.as_dict(),
    }


def _means(pairs: Sequence[dict[str, Any]]) -> dict[str, float]:
    if not pairs:
        return {}
    gains, times = ([row[name] for row in pairs] for name in ("gain", "times"))
    return {
        "gain": fmean(gains),
        "median_gain": median(gains),
        "least_gain": min(gains),
        "times": fmean(times),
        "median_times": median(times),
        "time": fmean(row["time"] for row in pairs),
    }


def _goals(pairs: Sequence[dict[str, Any]]) -> tuple[Goal, ...]:
    if not pairs:
        return ()
    means, count = _means(pairs), f"mean of {len(pairs)} pairs"
    return (
        Goal(f"of the full gain, {count}", means["gain"], GAIN, "higher"),
        Goal(f"a full search takes times as long, {count}", means["times"], TIMES, "higher"),
    )


def tables(details: dict[str, Any]) -> Iterator[str]:
    """The matrix, the pairs, the means beside the published ones."""
    rows, models = details["rows"], details["models"]
    gains = {(row["heir"], row["donors"]): percent(row["gain"]) for row in rows}
    columns = [*models, *([_ALL] if len(models) > 2 else [])]
    yield "Part of the full gain; rows are heirs, columns donors.\n\n" + markdown(
        ("heir", *columns),
        [(heir, *(gains.get((heir, donor), "") for donor in columns)) for heir in models],
    )
    head = (
        "heir", "donors", "tasks", "served", "trials", "failed", "trials a task, full",
        "untuned, ms", "full, ms", "transferred, ms", "of the gain",
        "full, s", "transfer, s", "of the time", "full search to match, s", "times as long",
    )  # fmt: skip
    yield markdown(head, map(_cells, rows))
    if details["means"]:
        yield _means_table(details["means"])


def _means_table(means: dict[str, float]) -> str:
    head = (
        "", "of the gain", "its median", "its least", "of the time", "times as long", "its median",
    )  # fmt: skip
    line = (
        "all pairs",
        percent(means["gain"]),
        percent(means["median_gain"]),
        percent(means["least_gain"]),
        percent(means["time"]),
        number(means["times"]),
        number(means["median_times"]),
    )
    return markdown(head, [line, ("published", "49 %", "", "", "", "6.5", "")])


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    full, side = row["full"], row["transferred"]
    more = "" if row["matched"] else "over "
    return (
        row["heir"],
        row["donors"],
        str(full["tasks"]),
        str(row["tasks_served"]),
        str(row["trials"]),
        str(row["failed"]),
        str(full["trials_per_task"]),
        ms(full["untuned_s"]),
        ms(row["full_in_turns_s"]),
        ms(row["latency_in_turns_s"]),
        percent(row["gain"]),
        f"{full['seconds']:.0f}",
        f"{side['seconds']:.1f}",
        percent(row["time"]),
        f"{more}{full['seconds_without_finals'] if row['match_s'] is None else row['match_s']:.1f}",
        f"{more}{number(row['times'])}",
    )


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, MODELS)
    parser.add_argument("--heirs", default="", metavar="A,B", help="all models by default")
    parser.add_argument("--apart", action="store_true", help="one donor model at a time only")
    options = parser.parse_args()
    heirs = [heir for heir in options.heirs.split(",") if heir]
    answer(options, lambda: run(asked_of(options, TINY[:2]), heirs, options.apart), tables)


if __name__ == "__main__":
    main()
