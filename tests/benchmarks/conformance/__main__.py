"""Runs ONNX's own tests of operators as a person's models, and counts what comes of them.

Each case is written to a file, opened for the CPU, compiled with TVM's default schedules, run and
compared with the right outputs, all in a worker of its own, beside ONNX Runtime. Inputs that
exporters write as constants are made initializers.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine.records.machine import prepare_environment
from engine.targets.targets import TargetSpec, resolve
from engine.workers.fork_server import ForkServerContext
from engine.workers.watched import Cause, Limits, WorkerLost, run_watched
from tests.benchmarks.conformance.cases import Case, chosen, few, folder_cases, operator_cases
from tests.benchmarks.conformance.examine import Outcome, Verdict, examine
from tests.benchmarks.conformance.results import STORED, Examined, report_of, tables

LIMITS = Limits(memory_bytes=4 << 30, seconds=60.0)
PRELOAD = ("tests.benchmarks.conformance.warm", "tests.benchmarks.conformance.examine")


def examined(
    cases: Iterable[Case], processes: int, limits: Limits = LIMITS, *, heard: bool = False
) -> list[Examined]:
    """Each case with its verdict; where it is `heard`, a line about each goes to stderr."""
    prepare_environment(1)
    target = resolve("cpu")
    context = ForkServerContext(PRELOAD)

    def one(case: Case) -> Examined:
        verdict = _examined(context, limits, case, target)
        if heard:
            words = (
                f"{verdict.outcome}{f' (skipped: {verdict.skipped})' if verdict.skipped else ''}"
            )
            print(f"{case.operator} {case.name}: {words} {verdict.reason}", file=sys.stderr)
        return case, verdict

    try:
        with ThreadPoolExecutor(processes) as pool:
            return list(pool.map(one, cases))
    finally:
        context.stop()


def _examined(
    context: ForkServerContext, limits: Limits, case: Case, target: TargetSpec
) -> Verdict:
    said = [""]
    try:
        verdict: Verdict = run_watched(context, limits, examine, case, target, say=said.append)
        return verdict
    except WorkerLost as lost:
        words = {
            Cause.TIME: f"took over {limits.seconds:.0f} s",
            Cause.MEMORY: f"took over {limits.memory_bytes / 2**30:.0f} GB",
            Cause.CRASH: f"crashed its process ({lost.words})",
            Cause.KILLED: f"was killed ({lost.words})",
        }
        skipped = [text.removeprefix("skipped:") for text in said if text.startswith("skipped:")]
        if not skipped:
            return Verdict(Outcome.OPENED, "", f"ONNX Runtime {words[lost.cause]}")
        return Verdict(Outcome.NO_SENTENCE, f"{words[lost.cause]} ({said[-1]})", skipped[0])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object; that of all cases is kept, and tests compare with it",
    )
    parser.add_argument("--quick", action="store_true", help="one case of each operator")
    parser.add_argument("--only", metavar="PATTERN", help="an operator, or part of a case's name")
    parser.add_argument("--cases", type=Path, metavar="DIR", help="a folder of .onnx and .npz")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    options = parser.parse_args()
    cases = folder_cases(options.cases) if options.cases else operator_cases()
    whole = not (options.cases or options.only or options.quick)
    cases = chosen(cases, options.only)
    if options.quick:
        cases = few(cases)
    if not cases:
        sys.exit("No case is named so.")
    rows = examined(cases, options.processes, heard=True)
    if not options.json:
        print("\n\n".join(tables(rows)))
        return
    text = json.dumps(report_of(rows).as_dict(), indent=1)
    print(text)
    if whole:
        STORED.write_text(f"{text}\n")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
