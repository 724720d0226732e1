"""What three simplifiers make of the survey's files, before TVM sees them.

`python -m tests.benchmarks.survey.simplifiers --peers PYTHON [--packages A,B] [--keep FOLDER]`

onnxslim is what the product uses. onnxsim is a peer that some other environment has installed,
whose interpreter is named. ONNX Runtime writes what its offline optimiser made, at the level that
keeps to ONNX's own operators, and at the one that fuses. Each takes onnxslim's place in the
product's preparation; what it made is run in ONNX Runtime beside the file, and goes on to TVM.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from engine.jobs.opening.open_worker import PRELOAD
from engine.records.errors import TunewrightError
from engine.records.machine import prepare_environment
from engine.workers.fork_server import ForkServerContext
from engine.workers.watched import Limits, WorkerLost, run_watched
from tests.benchmarks.import_survey import add_choice, chosen, markdown
from tests.benchmarks.parts.report import Report
from tests.benchmarks.survey.simplifiers_worker import (
    BASIC,
    EXTENDED,
    NONE,
    SIM,
    SLIM,
    Row,
    examine,
)
from tests.benchmarks.survey.survey_models import Found

LIMITS = Limits(memory_bytes=8 << 30, seconds=300.0)


def compare(models: Iterable[Found], peers: str, limits: Limits = LIMITS) -> list[Row]:
    """A row for each ONNX file and simplifier; without `peers` onnxsim is left out."""
    prepare_environment()
    context = ForkServerContext((*PRELOAD, "tests.benchmarks.survey.simplifiers_worker"))
    names = [NONE, SLIM, *([SIM] if peers else []), BASIC, EXTENDED]
    rows = []
    try:
        for model in models:
            for name in names:
                row = _compared(context, limits, model, name, peers)
                rows.append(row)
                word = row.reason or f"{row.nodes} nodes, {row.seconds:.1f} s"
                print(f"{model.file}: {name}: {word}", file=sys.stderr, flush=True)
    finally:
        context.stop()
    return rows


def _compared(
    context: ForkServerContext, limits: Limits, model: Found, name: str, peers: str
) -> Row:
    try:
        row: Row = run_watched(
            context, limits, examine, model.source, model.told, name, peers, say=lambda text: None
        )
    except (WorkerLost, TunewrightError) as error:
        row = Row("", "", name, reason=getattr(error, "what", "") or str(error.args[0]))
    return Row(**asdict(row) | {"package": model.package, "file": model.file})


def table(rows: list[Row]) -> str:
    """A line for each simplifier, over the files that each of them was given."""
    lines = []
    for name in dict.fromkeys(row.simplifier for row in rows):
        own = [row for row in rows if row.simplifier == name]
        kept = [row for row in own if row.runs]
        lines.append(
            (
                name,
                str(len(own)),
                str(len(kept)),
                str(sum(row.opens for row in own)),
                str(sum(row.nodes for row in own)),
                f"{sum(row.seconds for row in own):.0f}",
                f"{max((row.difference for row in kept), default=0.0):.1g}",
            )
        )
    head = ("Simplifier", "Files", "Still run", "TVM imports", "Nodes", "Seconds", "Difference")
    return markdown(head, lines)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_choice(parser)
    parser.add_argument("--peers", default="", metavar="PYTHON", help="what has onnxsim installed")
    options = parser.parse_args()
    with ExitStack() as stack:
        keep = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rows = compare(chosen(options.packages, keep), options.peers)
    report = Report("simplifiers", (), {"rows": [asdict(row) for row in rows]})
    print(json.dumps(report.as_dict()) if options.json else table(rows))


if __name__ == "__main__":
    main()
