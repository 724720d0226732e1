"""Runs beside other programs, and the same schedules measured again when it is quiet.

A round is three runs of the command line, each tune and export in a project of its own: quiet, with
load all the time, and with load that comes and goes. After each the load ends, and a copy of the
project is measured and exported again: that has the same schedules, so what differs is the machine.
A figure of a run is within 5 % of the quiet one's, or marked as disturbed, or neither: that is a
fault. The quiet run's own figures say how far the machine alone makes them differ.

The sum of the kernels is compared with the kernels as they are timed in the measured model, which
is not the same; the quiet run's ratio of both is divided out.

python -m tests.benchmarks.busy --rounds 3 --trials 200; nothing else may run beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from engine.project.repository import Project
from engine.records.machine import usable_cores
from engine.records.snapshot import Snapshot
from tests.benchmarks.busy.figures import (
    EXPORT,
    SUM,
    Answer,
    Shown,
    answer,
    exported,
    kernels_s,
    shown,
)
from tests.benchmarks.busy.load import GUSTY, STEADY, loaded
from tests.benchmarks.parts.report import Goal, Report

QUIET = "quiet"


def main() -> None:
    """Print a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="squeezenet", help="a sample or a file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--processes", type=int, default=usable_cores(), help="of load")
    parser.add_argument("--quick", action="store_true", help="one round of few trials")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    rounds, trials = (1, 16) if options.quick else (options.rounds, options.trials)
    rows: list[dict[str, Any]] = []
    for number in range(rounds):
        ratio = 1.0  # of the sum to the kernels in the model, when it is quiet
        for kind in (QUIET, STEADY, GUSTY):
            with tempfile.TemporaryDirectory() as folder:
                run, again = both(Path(folder), options.model, trials, kind, options.processes)
            found, ratio = compared(run, again, kind, ratio)
            rows += [{"round": number, "load": kind, **row} for row in found]
            print(*(f"{row['load']} {row['figure']}: {row['told']}" for row in rows[-len(found) :]),
                  sep="\n", file=sys.stderr)  # fmt: skip
    report = report_of(rows)
    print(json.dumps(report.as_dict()) if options.json else report.as_table())


Figures = tuple[Snapshot, Shown]


def both(
    folder: Path, model: str, trials: int, kind: str, processes: int
) -> tuple[Figures, Figures]:
    """What a run beside this load shows, and what its schedules show once that is over."""
    project, copy = folder / "run.tune", folder / "again.tune"
    with loaded("" if kind == QUIET else kind, processes):
        command("tune", model, "-o", project, "--target", "cpu", "--trials", trials)
        before = _snapshot(project)
        command("export", project, "-o", folder / "run")
    shutil.copyfile(project, copy)
    command("measure", copy)
    after = _snapshot(copy)
    command("export", copy, "-o", folder / "again")
    return (before, _export(folder / "run")), (after, _export(folder / "again"))


def compared(
    run: Figures, again: Figures, kind: str, ratio: float
) -> tuple[list[dict[str, Any]], float]:
    """A row for each figure, and the ratio of sums for the runs beside load."""
    busy, quiet = shown(run[0]), shown(again[0])
    busy[EXPORT], quiet[EXPORT] = run[1], again[1]
    timed = kernels_s(again[0])
    if timed is None or SUM not in busy:
        quiet.pop(SUM, None)
    else:
        ratio = busy[SUM].latency_s / timed if kind == QUIET else ratio
        quiet[SUM] = Shown(timed * ratio, quiet[SUM].marked)
    rows = []
    for name, found in busy.items():
        other = quiet.get(name)
        verdict = answer(found, other)
        difference = found.latency_s / other.latency_s - 1 if other else None
        told = f"{verdict} ({difference:+.1%})" if difference is not None else str(verdict)
        rows.append({
            "figure": name, "seconds": found.latency_s, "marked": found.marked,
            "quiet_seconds": other.latency_s if other else None,
            "answer": verdict.value, "told": told,
        })  # fmt: skip
    return rows, ratio


def report_of(rows: list[dict[str, Any]]) -> Report:
    """How many figures of runs beside load were neither near nor marked."""
    beside = [row for row in rows if row["load"] != QUIET]
    counts = {each.value: sum(row["answer"] == each for row in beside) for each in Answer}
    quiet = [row for row in rows if row["load"] == QUIET and row["figure"] != SUM]
    off = sum(row["answer"] == Answer.NEITHER for row in quiet)
    goals = (
        Goal("figures beside load that are neither near nor marked",
             counts[Answer.NEITHER.value], 0, "lower"),
        Goal("the same of quiet runs: what the machine does by itself", off, 0, "lower"),
    )  # fmt: skip
    told = {f"{row['round']} {row['load']} {row['figure']}": row["told"] for row in rows}
    return Report("busy", goals, {**counts, **told, "rows": rows} if rows else {})


def command(*arguments: object) -> None:
    """One command of Tunewright's, which must end well."""
    words = [str(argument) for argument in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "app", *words, "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"tunewright {' '.join(words)} failed: {done.stdout}{done.stderr[-2000:]}")


def _snapshot(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def _export(folder: Path) -> Shown:
    return exported(json.loads((folder / "manifest.json").read_text()))


if __name__ == "__main__":
    main()
