"""Opens damaged and hostile things, and kills runs: by a seed, so that each can be repeated.

`python -m tests.benchmarks.torture [--json] [--seed N] [--count N] [--only KIND]`: number I of a
kind is made by the seed N + I, and a fault is repeated by that seed and a count of 1.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.torture.torturing import Tally, torture
from tests.benchmarks.torture.verdicts import FAULTS, KINDS

COUNT, QUICK = 50, 3


def report_of(tallies: dict[str, Tally]) -> Report:
    """No fault of any kind is the goal, for each kind of thing and for each kind of fault."""
    goals = [
        Goal(f"faults of {tally.ends.total()} {kind}", len(tally.faults), 0, "lower")
        for kind, tally in tallies.items()
    ]
    found = [fault.end for tally in tallies.values() for _, fault in tally.faults]
    goals += [Goal(f"{end} in all", found.count(end), 0, "lower") for end in FAULTS]
    details: dict[str, object] = {
        kind: ", ".join(f"{count} {end}" for end, count in tally.ends.most_common())
        for kind, tally in tallies.items()
    }
    details["seconds"] = sum(tally.seconds for tally in tallies.values())
    details["faults"] = [
        {"kind": kind, "seed": seed, "end": fault.end, "words": fault.words[:200]}
        for kind, tally in tallies.items()
        for seed, fault in tally.faults
    ]
    return Report("torture", tuple(goals), details)


def main() -> int:
    """Everything that was asked for; 1 where there were faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.torture")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} of each kind")
    parser.add_argument("--seed", type=int, default=0, help="that of the first of each kind")
    parser.add_argument("--count", type=int, default=COUNT, help="how many of each kind")
    parser.add_argument("--only", choices=KINDS, help="one kind")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + (QUICK if options.quick else options.count))
    tallies = {}
    for kind in [options.only] if options.only else KINDS:
        tallies[kind] = torture(kind, seeds, lambda text: print(text, file=sys.stderr, flush=True))
    report = report_of(tallies)
    print(json.dumps(report.as_dict()) if options.json else report.as_table())
    return int(any(tally.faults for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
