"""Two GPUs beside one: a run spread over both, and two jobs of the queue with one each.

`python -m tests.benchmarks.two_gpus --json --models resnet50,bert.onnx --seconds 60
--precision float16`: each model from nothing for the same seconds, first on cuda:0, then spread
over cuda:0 and cuda:1, with a person's defaults and one seed; then the first model once more each
way with measurements of --careful-s seconds, where the device binds and not the search. The second
way takes the first one's untuned latencies, so that it begins at once. Then all models as jobs of
--trials trials each, in a fresh queue, one after another on cuda:0, and dealt out to both as the
queue's default policy has them.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from engine.records.errors import TuningError
from engine.records.machine import cuda_devices
from engine.records.settings import Budget, RunSettings
from engine.records.source import Precision
from engine.records.trial import Protocol
from engine.scheduling.registry import DEFAULT_SCHEDULING
from engine.scheduling.sequential import Sequential
from engine.targets.targets import resolve
from tests.benchmarks.gpu_throughput import figures
from tests.benchmarks.jobs import run_policy
from tests.benchmarks.parts.queue_probe import build_probe
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import Asked, answer, asked_of, make_parser, markdown
from tests.benchmarks.passes.pass_runs import Result, Workshop

WAYS = {"one": "", "two": "cuda:0,cuda:1"}
TARGETS = {"one": ("cuda:0",), "two": ("cuda:0", "cuda:1")}
POLICIES = {"one": Sequential.name, "two": DEFAULT_SCHEDULING}
_GOAL = 1.8
_NEAR = 1.05  # of the better end: the latency that both are timed to
_FIGURES = ("trials_per_s", "busy", "slot_search_s", "slot_build_s", "slot_wait_s")


def compare(
    shop: Workshop, model: str, settings: RunSettings, precision: Precision
) -> dict[str, Any]:
    """A model tuned both ways; `speedup` is of the trials a second."""
    name = f"{Path(model).stem}-{settings.protocol.max_s:g}"
    paths = {way: shop.folder / f"{name}-{way}.tune" for way in WAYS}
    for path in paths.values():
        path.unlink(missing_ok=True)
    shop.create(model, paths["one"], precision=precision)
    found: dict[str, Result] = {}
    for way, devices in WAYS.items():
        if way == "two":
            shop.blank(found["one"], paths[way].stem)
        shop.say(f"{name} on {devices or 'one GPU'}")
        shop.carry_out(paths[way], replace(settings, devices=devices))
        found[way] = Result(model, paths[way])
    best_s = min(result.history.model_curve().latency_s[-1] for result in found.values())
    sides = {way: _side(result, _NEAR * best_s) for way, result in found.items()}
    rates = [sides[way]["trials_per_s"] for way in ("two", "one")]
    return {"speedup": rates[0] / rates[1], "max_s": settings.protocol.max_s, "ways": sides}


def _side(result: Result, latency_s: float) -> dict[str, Any]:
    devices = Counter(trial.protocol.get("device", "cuda:0") for trial in result.snapshot.trials)
    return {
        **figures(result),
        "trials_by_device": dict(sorted(devices.items())),
        "seconds_to_near": result.seconds_to(latency_s),
        "near_s": latency_s,
    }


def run(
    asked: Asked, seconds: float, careful_s: float, trials: int, precision: Precision
) -> Report:
    """Every model both ways, then the first with long measurements, then the queue."""
    if len(cuda_devices()) < 2:
        raise TuningError("This benchmark needs two CUDA devices.", "Run it where there are two.")
    usual = asked.settings(budget=Budget(seconds=seconds))
    careful = Protocol(
        min_samples=1000, max_samples=100_000, max_s=careful_s, timeout_s=10 + 2 * careful_s
    )
    kinds = [(model, usual) for model in asked.models]
    kinds.append((asked.models[0], replace(usual, protocol=careful)))
    cases = {
        f"{Path(model).stem}, {kind.protocol.max_s:g} s": (model, kind) for model, kind in kinds
    }
    with Workshop(asked) as shop:

        def both(name: str) -> tuple[str, dict[str, Any]]:
            return name, compare(shop, *cases[name], precision)

        runs = dict(shop.each(tuple(cases), both))
        details = {**shop.details(), "seconds": seconds, "precision": precision}
        device = f"2 x {shop.device}"
    goals = tuple(
        Goal(f"trials a second on two GPUs over one, {name}", case["speedup"], _GOAL, "higher")
        for name, case in runs.items()
    )
    queued = {way: queue(asked, way, trials, precision) for way in TARGETS}
    spans = [queued[way]["makespan_s"] for way in TARGETS]
    goals += (Goal("makespan on one GPU over two", spans[0] / spans[1], _GOAL, "higher"),)
    return Report("two_gpus", goals, details | {"runs": runs, "queue": queued}, device=device)


def queue(asked: Asked, way: str, trials: int, precision: Precision) -> dict[str, Any]:
    """All models as jobs on the way's targets, by its policy."""
    targets = TARGETS[way]
    target = resolve(targets[0])
    settings = asked.settings(budget=Budget(trials=trials))
    with tempfile.TemporaryDirectory() as folder:
        library = build_probe(target, Path(folder))
        return run_policy(
            POLICIES[way], targets, target, asked.models, settings, library, precision=precision
        )


def tables(details: dict[str, Any]) -> Sequence[str]:
    """A row for each run."""
    rows = [
        (
            f"{name}: {way}",
            *(f"{side[key]:.3g}" for key in _FIGURES),
            "never" if side["seconds_to_near"] is None else f"{side['seconds_to_near']:.1f}",
            f"{side['sum_s'] * 1e3:.4g}",
        )
        for name, case in details["runs"].items()
        for way, side in case["ways"].items()
    ]
    jobs = [
        (
            way,
            f"{found['makespan_s']:.1f}",
            *(f"{(job['tuned_latency_s'] or 0) * 1e3:.4g}" for job in found["jobs"]),
        )
        for way, found in details["queue"].items()
    ]
    titles = [job["title"] for job in details["queue"]["one"]["jobs"]]
    return [
        markdown(("", *_FIGURES, "seconds to near", "sum, ms"), rows),
        markdown(("GPUs", "makespan, s", *(f"{title}, ms" for title in titles)), jobs),
    ]


def main() -> None:
    """Read the command line and answer."""
    parser = make_parser(__doc__, ("resnet50",))
    parser.set_defaults(target="cuda:0")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="of each search")
    parser.add_argument("--careful-s", type=float, default=2.0, metavar="S", help="a long trial")
    parser.add_argument("--trials", type=int, default=400, metavar="N", help="of each queued job")
    parser.add_argument("--precision", default="float16", choices=get_args(Precision))
    options = parser.parse_args()
    asked = asked_of(options)
    with tempfile.TemporaryDirectory() as folder:
        kept = asked if options.keep else replace(asked, keep=Path(folder))
        call = (options.seconds, options.careful_s, options.trials, options.precision)
        answer(options, lambda: run(kept, *call), tables)


if __name__ == "__main__":
    main()
