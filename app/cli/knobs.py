"""The command `knobs`: which choices of the schedules the trials' latencies depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.options import AsJson, ProjectFile
from app.cli.output import Reply, table
from engine.records.errors import UsageError
from engine.records.units import format_seconds, format_share

if TYPE_CHECKING:
    from engine.passes.knobs import KnobColumn, KnobStudy

_SHOWN = 3  # knobs of each task where all tasks are asked for
_HEAD = ("knob", "importance", "values", "best", "median with it")


def knobs(
    project: ProjectFile,
    task: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One task, as `info` names it, with all its knobs."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Say which knobs of the schedules explain the latencies of each task's trials.

    Works while another process tunes the project. The tasks are in the order of their share.
    """
    from engine.history.history import History
    from engine.passes.knobs import study
    from engine.project.repository import Project

    with Project.open(project, read_only=True) as opened:
        history = History(opened.snapshot())
        tasks = [each for each in history.tasks if task is None or each.name == task]
        if not tasks:
            raise UsageError(f"The project has no task {task}.", "`tunewright info` lists them.")
        tasks.sort(key=lambda each: -(history.share(each.index) or 0.0))
        found = [(each.name, study(opened.trials_of(each.index))) for each in tasks]
    data = {
        "project": str(project),
        "tasks": [{"task": name, **_data(each)} for name, each in found],
    }
    return Reply(data, "\n\n".join(_text(*each, task is not None) for each in found))


def _data(found: KnobStudy) -> dict[str, Any]:
    return {
        "trials": len(found.numbers),
        "failed": found.failed,
        "steady_knobs": found.steady,
        "knobs": [
            {
                "knob": knob.name,
                "importance": knob.importance,
                "best": found.best_text(knob) or None,
                "values": [
                    {"value": text, "trials": int((knob.codes == code).sum()), "median_s": median_s}
                    for code, (text, median_s) in enumerate(
                        zip(knob.texts, found.medians_s(knob).tolist(), strict=True)
                    )
                ],
            }
            for knob in found.knobs
        ],
    }


def _text(name: str, found: KnobStudy, whole: bool) -> str:
    failed = f", {found.failed} failed" if found.failed else ""
    title = f"{name}: {len(found.numbers)} trials with a latency{failed}"
    if not found.knobs:
        return f"{title}; no knob has two values"
    shown = found.knobs if whole else found.knobs[:_SHOWN]
    return f"{title}\n{table([_HEAD, *(_row(found, knob) for knob in shown)], frozenset({1, 2}))}"


def _row(found: KnobStudy, knob: KnobColumn) -> tuple[str, ...]:
    best = found.best_text(knob)
    median_s = found.medians_s(knob)[knob.texts.index(best)] if best else None
    share = format_share(knob.importance)
    return knob.name, share, str(len(knob.texts)), best, format_seconds(median_s)
