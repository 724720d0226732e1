"""Schedules made for some batch sizes, each executed at all of them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.deploy.plan import with_stages
from engine.deploy.staged import compile_with
from engine.deploy.ways_bench import Candidate, WayBench, bench_ways
from engine.ios.keys import graph_of
from engine.jobs.opening.opening import open_source
from engine.jobs.records import Records
from engine.models.reference import random_inputs
from engine.project.repository import Project
from engine.records.errors import UsageError
from engine.records.schedule import FoundSchedule
from tests.benchmarks.passes.pass_options import markdown, ms, number
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.stages.ios_tuning import Effort, model_of, scheduled, title_of, tuned

_SECONDS = 1.0  # of timing, for each schedule at each batch size
_SEQUENTIAL = "sequential"


@dataclass(frozen=True, slots=True)
class Made:
    """A batch size with its tuned project and the schedule that was made for it."""

    batch: int
    result: Result
    found: FoundSchedule


def compare_batches(
    shop: Workshop, name: str, batches: Sequence[int], effort: Effort
) -> dict[str, Any]:
    """Latencies (s) by the batch size that runs and the one that the schedule was made for.

    Groups side by side alone: merged operators would need kernels tuned at each batch size. The
    smallest batch size's records are donors for the others.
    """
    made: list[Made] = []
    others = tuple(donor for donor in effort.donors if donor != name)
    options = replace(effort.options, strategies="parallel")
    plain = replace(effort, options=options, merge_trials=0)
    for batch in sorted(batches):
        donors = tuple(str(first.result.path) for first in made[:1])
        mine = replace(plain, donors=(*donors, *others))
        result = _copy(shop, tuned(shop, model_of(shop, name, batch), mine))
        made.append(Made(batch, result, scheduled(shop, result, options)))
    _require_one_graph(made)
    return {
        "model": title_of(name),
        "batches": [item.batch for item in made],
        "rows": [_row(shop, item, made) for item in made],
    }


def _copy(shop: Workshop, result: Result) -> Result:
    """The project under another name: it keeps one schedule, and this is not the model's best."""
    name = f"parallel-{title_of(result.model)}"
    path = shop.folder / f"{name}.tune"
    known = Result(result.model, path) if path.exists() else None
    if known is not None and len(known.snapshot.trials) == len(result.snapshot.trials):
        return known
    return Result(result.model, shop.copy(result, name))


def _require_one_graph(made: Sequence[Made]) -> None:
    graphs = {graph_of(item.result.snapshot.operators) for item in made}
    if len(graphs) > 1:
        raise UsageError(
            "The model's operators differ between these batch sizes.", "Choose other batch sizes."
        )


def _row(shop: Workshop, here: Made, made: Sequence[Made]) -> dict[str, Any]:
    shop.check()
    shop.say(f"schedules at batch size {here.batch}")
    found = _executed(shop, here.result, {str(item.batch): item.found for item in made})
    sequential = found.pop(_SEQUENTIAL)
    return {
        "batch": here.batch,
        "trials": len(here.result.snapshot.trials),
        "search": here.found.ended,
        "way": here.found.way,
        "stages": len(here.found.schedule.stages),
        "sequential_s": sequential.latency_s,
        "latency_s": {batch: item.latency_s for batch, item in found.items()},
        "identical": all(_same(item, sequential) for item in found.values()),
    }


def _executed(
    shop: Workshop, result: Result, schedules: dict[str, FoundSchedule]
) -> dict[str, WayBench]:
    """The program of a project in each schedule, and sequentially, in turns."""
    with Project.open(result.path, read_only=True) as project:
        source, traces = project.source, Records.of(project).by_fingerprint
    model = open_source(source, shop.spec)
    names = tuple(name for name, _ in model.prepared.outputs)
    with tempfile.TemporaryDirectory(prefix="ios-batches-") as temporary:
        folder = Path(temporary)
        plan = compile_with(model.program, traces, names, folder)
        candidates = [
            Candidate(_SEQUENTIAL, folder, plan),
            *(
                Candidate(batch, folder, with_stages(plan, found.schedule.stages))
                for batch, found in schedules.items()
            ),
        ]
        inputs = random_inputs(model.prepared.inputs)
        seconds = 0.05 if shop.asked.quick else _SECONDS
        return bench_ways(candidates, shop.spec.device, shop.spec.cores, inputs, seconds)


def _same(one: WayBench, other: WayBench) -> bool:
    """Whether outputs are equal bit for bit, before the timing and after it."""
    import numpy as np

    return all(
        np.array_equal(outputs[name], other.outputs[0][name], equal_nan=True)
        for outputs in one.outputs
        for name in outputs
    )


def tables(found: dict[str, Any]) -> Iterator[str]:
    """Latencies, and the same over that of the batch size's own schedule."""
    batches = [str(batch) for batch in found["batches"]]
    head = ("executed at", *(f"made for {batch}" for batch in batches), _SEQUENTIAL)
    yield f"{found['model']}, ms:\n\n" + markdown(
        head,
        [
            (
                str(row["batch"]),
                *(ms(row["latency_s"][batch]) for batch in batches),
                ms(row["sequential_s"]),
            )
            for row in found["rows"]
        ],
    )
    yield f"{found['model']}, over the batch size's own schedule:\n\n" + markdown(
        head,
        [
            (
                str(row["batch"]),
                *(
                    number(row["latency_s"][batch] / row["latency_s"][str(row["batch"])], 4)
                    for batch in batches
                ),
                number(row["sequential_s"] / row["latency_s"][str(row["batch"])], 4),
            )
            for row in found["rows"]
        ],
    )
