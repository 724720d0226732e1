"""Allocation policies compared live: the same model, the same seconds, several seeds.

`python -m tests.benchmarks.allocation_live [--json] [--model squeezenet] [--seconds 60] [--seeds 3]
[--policies dynatune,sequential,gradient] [--target cpu]`

Each run has a project of its own. The policies take turns within a seed, so that a machine that
slows down meets all of them. Latencies are sums of weight times best; "seconds to 5 %" is until
that sum is within 5 % of the best that any policy reached with that seed, infinite where it never
was.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engine.history.history import Curve, History
from engine.jobs.engine import Engine
from engine.project.repository import Project
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource
from tests.benchmarks.parts.report import Goal, Report

_OURS = "dynatune"
_NEAR = 1.05


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: its model curve, its trials, the measured latency of its module in seconds."""

    policy: str
    seed: int
    curve: Curve
    trials: int
    measured_s: float | None

    @property
    def final_s(self) -> float:
        """The last sum of weight times best."""
        return float(self.curve.latency_s[-1])

    def seconds_to(self, latency_s: float) -> float:
        """Tuning seconds until the model was that fast."""
        reached = np.flatnonzero(self.curve.latency_s <= latency_s)
        return float(self.curve.elapsed_s[reached[0]]) if len(reached) else math.inf

    def mean_s(self, seconds: float) -> float:
        """The mean latency over that many seconds of tuning."""
        ends = np.append(self.curve.elapsed_s[1:], seconds).clip(max=seconds)
        spans = np.maximum(0.0, ends - self.curve.elapsed_s)
        return float((spans * self.curve.latency_s).sum() / spans.sum())


def tune(model: str, target: str, policy: str, seed: int, seconds: float) -> Outcome:
    """One run in a project of its own."""
    with tempfile.TemporaryDirectory(prefix="tunewright-live-") as folder:
        path = Path(folder) / "run.tune"
        engine = Engine()
        engine.start()
        try:
            source = ModelSource("sample", model)
            engine.open_model(source, target, path).result()
            settings = RunSettings(
                budget=Budget(seconds=seconds), policy=policy, seed=seed, starter=False
            )
            engine.start_run(settings).result()
            engine.wait().result()
        finally:
            engine.shutdown(60)
        with Project.open(path, read_only=True) as project:
            snapshot = project.snapshot()
    curve = History(snapshot).model_curve()
    return Outcome(policy, seed, curve, len(snapshot.trials), snapshot.runs[0].tuned_latency_s)


def judge(outcomes: Sequence[Outcome], seconds: float) -> tuple[tuple[Goal, ...], dict[str, Any]]:
    """Goals and details: medians over seeds."""
    seeds = sorted({outcome.seed for outcome in outcomes})
    bars = {
        seed: _NEAR * min(item.final_s for item in outcomes if item.seed == seed) for seed in seeds
    }
    rows: dict[str, dict[str, Any]] = {}
    for policy in dict.fromkeys(outcome.policy for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.policy == policy]
        times = [outcome.seconds_to(bars[outcome.seed]) for outcome in own]
        measured = [outcome.measured_s for outcome in own if outcome.measured_s is not None]
        rows[policy] = {
            "seconds_to_5_percent": _finite(median(times)),
            "each": [_finite(value) for value in times],
            "final_latency_s": median(outcome.final_s for outcome in own),
            "measured_latency_s": median(measured) if measured else None,
            "mean_latency_s": median(outcome.mean_s(seconds) for outcome in own),
            "trials": median(outcome.trials for outcome in own),
        }
    goals = tuple(
        Goal(
            f"{policy}'s mean latency over dynatune's",
            row["mean_latency_s"] / rows[_OURS]["mean_latency_s"],
            1.2 if policy == "sequential" else 1.0,
            "higher",
        )
        for policy, row in rows.items()
        if policy != _OURS
    )
    return goals, {"seconds": seconds, "seeds": seeds, "policies": rows}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def text(report: Report) -> str:
    """The report, with a Markdown table of the policies."""
    lines = ["policy | s to within 5 % | final, ms | module, ms | mean, ms | trials",
             "--- | ---: | ---: | ---: | ---: | ---:"]  # fmt: skip
    for name, row in report.details["policies"].items():
        to_5, measured = row["seconds_to_5_percent"], row["measured_latency_s"]
        lines.append(
            f"{name} | {'never' if to_5 is None else f'{to_5:.1f}'} | "
            f"{row['final_latency_s'] * 1e3:.3f} | "
            f"{'' if measured is None else f'{measured * 1e3:.3f}'} | "
            f"{row['mean_latency_s'] * 1e3:.3f} | {row['trials']:.0f}"
        )
    table = "\n".join(f"| {line} |" for line in lines)
    return f"{Report(report.name, report.goals).as_table()}\n\n{table}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a short form, for a smoke test")
    parser.add_argument("--model", default="squeezenet", help="a sample's name")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--policies", default="dynatune,sequential,gradient")
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.seeds = 10.0, 1
    outcomes = []
    for seed in range(options.seeds):
        for policy in options.policies.split(","):
            found = tune(options.model, options.target, policy, seed, options.seconds)
            outcomes.append(found)
            print(
                f"seed {seed}, {policy}: {found.final_s * 1e3:.3f} ms, {found.trials} trials",
                file=sys.stderr,
                flush=True,
            )
    goals, details = judge(outcomes, options.seconds)
    report = Report("allocation_live", goals, {"model": options.model, **details})
    print(json.dumps(report.as_dict()) if options.json else text(report))


if __name__ == "__main__":
    main()
