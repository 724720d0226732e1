"""What each part of the CPU recipe gives: three convolutions, and a whole model.

`python -m tests.benchmarks.cpu_steps [--trials N] [--seeds N] [--project FILE.tune] [--rounds N]
[--json] [--quick]`

A convolution is searched with everything, and with one part left out, by several seeds; each search
is a process of its own and runs the same number of trials. A project's model is compiled with its
records as it is exported, and with one part left out, and all of these run in turns.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.parts.cpu_model import whole_model
from tests.benchmarks.parts.cpu_recipe import CONVOLUTIONS, PARTS, TINY, search
from tests.benchmarks.parts.report import Report
from tests.benchmarks.passes.pass_options import markdown


def run(trials: int, seeds: int, project: Path | None, rounds: int, quick: bool) -> Report:
    """Every part of every convolution by every seed, then the project's model."""
    rows = []
    for convolution in TINY if quick else CONVOLUTIONS:
        for part in PARTS[:3] if quick else PARTS:
            found = [search(convolution, part, seed, trials) for seed in range(seeds)]
            rows.append(
                {
                    "convolution": asdict(convolution),
                    "name": str(convolution),
                    "part": part,
                    "flops_per_s": [speed for speed, _ in found],
                    "seconds": [seconds for _, seconds in found],
                }
            )
    details: dict[str, Any] = {"trials": trials, "seeds": seeds, "rows": rows}
    if project is not None:
        details |= {"project": project.name, "latencies_s": whole_model(project, rounds)}
    return Report("cpu_steps", (), details)


def tables(details: dict[str, Any]) -> Iterator[str]:
    """GFLOP/s of each part's seeds by convolution, then the whole model."""
    names = list(dict.fromkeys(row["name"] for row in details["rows"]))
    parts = list(dict.fromkeys(row["part"] for row in details["rows"]))
    cells = {(row["name"], row["part"]): _cell(row) for row in details["rows"]}
    yield markdown(("Recipe", *names), [(p, *(cells[n, p] for n in names)) for p in parts])
    if "latencies_s" in details:
        rows = [(way, f"{value * 1e3:.3g}") for way, value in details["latencies_s"].items()]
        yield markdown((f"{details['project']}, whole", "ms"), rows)


def _cell(row: dict[str, Any]) -> str:
    return ", ".join(f"{speed / 1e9:.0f}" for speed in sorted(row["flops_per_s"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a tiny convolution, for a smoke test")
    parser.add_argument("--trials", type=int, default=48, metavar="N", help="of each search")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--project", type=Path, metavar="FILE.tune", help="a tuned one, for a CPU")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of the whole model")
    asked = parser.parse_args()
    report = run(
        4 if asked.quick else asked.trials,
        1 if asked.quick else asked.seeds,
        asked.project,
        asked.rounds,
        asked.quick,
    )
    if asked.json:
        print(json.dumps(report.as_dict()))
    else:
        print(f"{report.name} on {report.device}, {report.date}")
        for table in tables(report.details):
            print(f"\n{table}")
