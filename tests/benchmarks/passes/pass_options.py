"""What the benchmarks of the passes are asked on the command line, and how they answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.records.errors import TunewrightError
from engine.records.settings import Budget, RunSettings, SearchSettings, Step
from engine.records.trial import Protocol
from tests.benchmarks.parts.report import Report

TINY = ("tiny", "tiny2", "tiny3")
_QUICK_TRIALS = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be measured: `models` by name or file, `trials` of each task of a full search.

    Without a folder to `keep` projects in, they are made in a temporary one. After `limit_s`
    seconds a benchmark ends and reports what it has. `quick` searches hardly at all.
    """

    models: tuple[str, ...]
    target: str = "auto"
    trials: int = 32
    keep: Path | None = None
    limit_s: float | None = None
    quick: bool = False
    seed: int = 0

    def settings(self, *steps: Step, budget: Budget, repeat: bool = False) -> RunSettings:
        """A run's settings: a person's defaults, the same on both sides of a comparison."""
        made = RunSettings(
            budget=budget, seed=self.seed, steps=steps or (Step(),), repeat=repeat, starter=False
        )
        if not self.quick:
            return made
        search = SearchSettings(
            population=8, iterations=1, min_unmeasured=4, batch=4, model_warmup=4
        )
        return replace(made, search=search, protocol=Protocol(sample_s=0.0005, max_s=0.02))

    @property
    def closely(self) -> Protocol:
        """The protocol by which two sides are compared, in turns."""
        if self.quick:
            return Protocol(sample_s=0.0005, min_samples=6, max_samples=8, max_s=0.05)
        return Protocol(min_samples=16, max_samples=48, max_s=1.0)


def make_parser(about: str | None, models: Sequence[str]) -> argparse.ArgumentParser:
    """A parser with the options that all of them have."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--json", action="store_true", help="print one JSON object")
    add("--quick", action="store_true", help="a tiny model and a few trials, for a smoke test")
    add("--target", default="auto", help="auto, cpu, cuda")
    add("--models", default=",".join(models), metavar="A,B", help="samples, files, tiny")
    add("--trials-per-task", type=int, default=32, metavar="N", help="of a full search")
    add("--keep", type=Path, metavar="FOLDER", help="keep projects there, and use those kept")
    add("--seconds-limit", type=float, metavar="S", help="end then, and report what there is")
    add("--seed", type=int, default=0)
    return parser


def asked_of(options: argparse.Namespace, quick_models: Sequence[str] = TINY[:1]) -> Asked:
    """What was asked; the quick form takes tiny models."""
    models = quick_models if options.quick else options.models.split(",")
    return Asked(
        models=tuple(models),
        target=options.target,
        trials=_QUICK_TRIALS if options.quick else options.trials_per_task,
        keep=options.keep,
        limit_s=options.seconds_limit,
        quick=options.quick,
        seed=options.seed,
    )


def answer(
    options: argparse.Namespace,
    run: Callable[[], Report],
    tables: Callable[[dict[str, Any]], Iterable[str]],
) -> None:
    """Run, and print one JSON object, or goals and then `tables` of the report's details."""
    try:
        report = run()
    except TunewrightError as error:
        sys.exit(str(error))
    if options.json:
        print(json.dumps(report.as_dict()))
        return
    details = report.details
    print(replace(report, details={}).as_table())
    for table in tables(details):
        print(f"\n{table}")
    print(f"\nTrials a task: {details['trials_per_task']} were asked for; seed {details['seed']}.")
    for note in details["notes"]:
        print(f"- {note}")


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all its columns but the first are numbers."""
    lines = [tuple(head), ("---", *("---:",) * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(value: float | None) -> str:
    """A share."""
    return "n/a" if value is None else f"{value:.1%}"


def number(value: float | None, digits: int = 3) -> str:
    """A figure."""
    return "n/a" if value is None else f"{value:.{digits}g}"


def ms(seconds: float | None) -> str:
    """A latency in milliseconds."""
    return "n/a" if seconds is None else f"{seconds * 1e3:.4g}"
