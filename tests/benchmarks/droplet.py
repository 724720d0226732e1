"""Droplet after a full search, and TVM's own post-optimisation on the same records.

`python -m tests.benchmarks.droplet [--target cpu] [--models A,B] [--trials-per-task N]
[--keep FOLDER] [--seconds-limit S] [--per-task N] [--tvm-tasks N] [--json] [--quick]`

Droplet polishes a copy of each full search, which has N trials for each task. Each task's record
before and after is then measured in turns, apart from the measurements that chose it: those of
tasks that kept their record count as a gain of nothing. TVM's gets the first records, the dearest
tasks of each model, with as many trials a task, once for each of its build limits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.history.before_after import before_after
from engine.history.history import History
from engine.jobs.steps.steps import DropletOptions
from engine.measure.significance import compare
from engine.project.repository import Project
from engine.records.settings import Budget, Step
from engine.records.trial import Source, Trial, typical_latency
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import (
    Asked,
    answer,
    asked_of,
    make_parser,
    markdown,
    number,
    percent,
)
from tests.benchmarks.passes.pass_runs import OutOfTime, Result, Workshop
from tests.benchmarks.passes.pass_turns import Row, Turns, geometric_mean, in_turns, model_s, worse
from tests.benchmarks.rivals.tvm_post_opt import Outcome, post_optimise

MODELS = ("resnet50", "densenet121", "squeezenet", "inception_v1")
GAIN = 1.05
_TVM_LIMITS_S = (10.0, 60.0)  # its own, and one that survives the import of the intrinsics


@dataclass(frozen=True, slots=True)
class Effort:
    """Neighbours that a task tries at most; tasks of a model that TVM's gets, with each of its
    limits of seconds a build, and the seconds it may take for one."""

    per_task: int = DropletOptions().per_task
    tvm_tasks: int = 2
    tvm_limits_s: tuple[float, ...] = _TVM_LIMITS_S
    tvm_task_s: float = 600.0


def run(asked: Asked, effort: Effort | None = None) -> Report:
    """Polish every model."""
    effort = effort or Effort()
    with Workshop(asked) as shop:
        rows = shop.each(asked.models, lambda model: measure(shop, model, effort))
        details = shop.details() | {"per_task": effort.per_task, "rows": rows}
        return Report("droplet", _goals(rows), details, device=shop.device)


def polished(shop: Workshop, full: Result, per_task: int) -> Result:
    """A copy of a full search after Droplet."""
    settings = shop.asked.settings(Step("droplet", {"per_task": per_task}), budget=Budget())
    return shop.passed(full, f"droplet-{full.key}", settings, start=shop.copy)


def measure(shop: Workshop, model: str, effort: Effort) -> dict[str, Any]:
    """One model's figures."""
    full = shop.full(model)
    side = polished(shop, full, effort.per_task)
    rows = in_turns(shop, (full, side))
    started = [row for row in rows if full.history.record(row.task.index) is not None]
    changed = [
        row
        for row in started
        if full.history.record(row.task.index) != side.history.record(row.task.index)
    ]
    gains = [row.gain(0, 1) for row in started]
    tried = [trial for trial in side.snapshot.trials if trial.run == side.run.id]
    moves = [move for move in side.snapshot.moves if move.run == side.run.id]
    known = before_after(side.snapshot, side.run.id).rows
    by_finals = [1 + row.gain for row in known if row.gain is not None and row.trials]
    return {
        "model": model,
        "tasks": len(rows),
        "with_record": len(started),
        "changed": len(changed),
        "gain": geometric_mean(gains),
        "gain_of_changed": geometric_mean([row.gain(0, 1) for row in changed]),
        "gain_by_finals": geometric_mean(by_finals),
        "best_gain": max(gains, default=1.0),
        "least_gain": min(gains, default=1.0),
        "model_gain": model_s(rows, 0) / model_s(rows, 1),
        "worse": [row.task.name for row in worse(rows, 0, 1)],
        "trials": len(tried),
        "valid": sum(trial.error is None for trial in tried),
        "moves": sum(move.accepted for move in moves),
        "compared": len(moves),
        "seconds": side.run.elapsed_s,
        "full": full.as_dict(),
        "task_gains": {row.task.name: row.gain(0, 1) for row in started},
        "tvm": against_tvm(shop, full, side, started, effort),
    }


def against_tvm(
    shop: Workshop, full: Result, side: Result, started: Sequence[Row], effort: Effort
) -> list[dict[str, Any]]:
    """TVM's post-optimisation of the records of the dearest tasks; what the limit leaves of it."""
    history = full.history
    dear = sorted(started, key=lambda row: -(history.share(row.task.index) or 0.0))
    made: list[dict[str, Any]] = []
    for row in dear[: effort.tvm_tasks]:
        for limit_s in effort.tvm_limits_s:
            try:
                shop.check()
            except OutOfTime as end:
                shop.notes.append(f"{end} came before TVM's side of {full.model} was done.")
                return made
            made.append(_versus(shop, full, side, row, limit_s, effort))
    return made


def _versus(
    shop: Workshop, full: Result, side: Result, row: Row, limit_s: float, effort: Effort
) -> dict[str, Any]:
    """One task: what both tried, and the record, ours and TVM's in turns."""
    record, ours = _record(full, row.task.index), _record(side, row.task.index)
    with Project.open(full.path, read_only=True) as project:
        target = project.target
    shop.say(f"TVM's post-optimisation of {row.task.name}, {limit_s:g} s a build")
    with tempfile.TemporaryDirectory() as folder:
        theirs = post_optimise(
            Path(folder) / "records",
            row.task.workload,
            record.trace,
            record.confirmed or record.samples,
            target,
            effort.per_task,
            limit_s,
            min(effort.tvm_task_s, max(30.0, shop.left_s())),
        )
    with Turns(shop.spec, shop.asked.closely) as turns:
        traces = [record.trace, ours.trace, theirs.trace or record.trace]
        before, after, other = turns.measure([(row.task, traces)])[0]
    tried = [
        trial
        for trial in side.snapshot.trials
        if trial.task == row.task.index and trial.source is Source.DROPLET
    ]
    return {
        "task": row.task.name,
        "build_limit_s": limit_s,
        "tvm": theirs.as_dict(),
        "tvm_gain": _gain(before, other) if theirs.trace else 1.0,
        "tvm_worse": bool(theirs.trace) and compare(other, before).p_value <= 0.05,
        "tvm_claims": _claims(record, theirs),
        "ours_tried": len(tried),
        "ours_valid": sum(trial.error is None for trial in tried),
        "ours_gain": _gain(before, after) if ours.number != record.number else 1.0,
        # All tasks were polished at once: a task's seconds are its part of the run's trials.
        "ours_s": side.run.elapsed_s * len(tried) / max(1, side.run.trials),
    }


def _gain(before: Sequence[float], after: Sequence[float]) -> float | None:
    """The latency before over the one after; None where one could not be measured."""
    return typical_latency(before) / typical_latency(after) if before and after else None


def _claims(record: Trial, theirs: Outcome) -> float | None:
    return None if theirs.best_s is None else record.latency_s / theirs.best_s


def _record(side: Result, task: int) -> Trial:
    found: History = side.history
    with Project.open(side.path, read_only=True) as project:
        return project.trial(found.record(task) or 0)


def _goals(rows: Sequence[dict[str, Any]]) -> tuple[Goal, ...]:
    if not rows:
        return ()
    every = [gain for row in rows for gain in row["task_gains"].values()]
    worse_tasks = sum(len(row["worse"]) for row in rows)
    mean = Goal(
        f"gain, geometric mean of {len(every)} tasks", geometric_mean(every), GAIN, "higher"
    )
    return mean, Goal("tasks that are significantly slower", worse_tasks, 0, "lower")


def tables(details: dict[str, Any]) -> Iterator[str]:
    """What Droplet gave, and TVM's beside it."""
    head = (
        "model", "tasks with a record", "trials a task, full", "changed", "gain, geometric mean",
        "of those changed", "least", "best", "the model's", "by its own finals", "worse",
        "valid of tried", "moves of compared", "Droplet, s", "full search, s",
    )  # fmt: skip
    yield markdown(head, map(_cells, details["rows"]))
    versus = [(row["model"], item) for row in details["rows"] for item in row["tvm"]]
    if versus:
        yield _versus_table(versus)


def _versus_table(versus: Sequence[tuple[str, dict[str, Any]]]) -> str:
    head = (
        "model", "task", "ours: valid of tried", "gain", "s", "s a valid one",
        "TVM's: build limit, s", "valid of tried", "timeouts", "gain", "it claims", "s",
        "s a valid one", "note",
    )  # fmt: skip
    return markdown(head, [_versus_cells(model, item) for model, item in versus])


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["model"],
        f"{row['with_record']} of {row['tasks']}",
        str(row["full"]["trials_per_task"]),
        str(row["changed"]),
        percent(row["gain"] - 1),
        percent(row["gain_of_changed"] - 1),
        percent(row["least_gain"] - 1),
        percent(row["best_gain"] - 1),
        percent(row["model_gain"] - 1),
        percent(row["gain_by_finals"] - 1),
        ", ".join(row["worse"]) or "none",
        f"{row['valid']} of {row['trials']}",
        f"{row['moves']} of {row['compared']}",
        f"{row['seconds']:.0f}",
        f"{row['full']['seconds']:.0f}",
    )


def _versus_cells(model: str, item: dict[str, Any]) -> tuple[str, ...]:
    theirs = item["tvm"]
    gain = item["tvm_gain"]
    return (
        model,
        item["task"],
        f"{item['ours_valid']} of {item['ours_tried']}",
        percent(None if item["ours_gain"] is None else item["ours_gain"] - 1),
        f"{item['ours_s']:.1f}",
        number(_each(item["ours_s"], item["ours_valid"])),
        f"{item['build_limit_s']:g}",
        f"{theirs['ran']} of {theirs['tried']}",
        str(theirs["timeouts"]),
        percent(None if gain is None else gain - 1) + (", worse" if item["tvm_worse"] else ""),
        number(item["tvm_claims"]),
        f"{theirs['seconds']:.0f}",
        number(_each(theirs["seconds"], theirs["ran"])),
        theirs["note"],
    )


def _each(seconds: float, count: int) -> float | None:
    return seconds / count if count else None


def main() -> None:
    """The command line."""
    parser = make_parser(__doc__, MODELS)
    default = Effort()
    parser.add_argument("--per-task", type=int, default=default.per_task, help="neighbours")
    parser.add_argument("--tvm-tasks", type=int, default=default.tvm_tasks, help="0: leave it out")
    limits = ",".join(f"{limit:g}" for limit in default.tvm_limits_s)
    parser.add_argument("--tvm-build-limits", default=limits, metavar="S,S")
    parser.add_argument("--tvm-task-seconds", type=float, default=default.tvm_task_s, metavar="S")
    options = parser.parse_args()
    limits_s = tuple(float(limit) for limit in options.tvm_build_limits.split(","))
    effort = Effort(options.per_task, options.tvm_tasks, limits_s, options.tvm_task_seconds)
    if options.quick:
        effort = Effort(6, min(1, options.tvm_tasks), limits_s[-1:], options.tvm_task_seconds)
    answer(options, lambda: run(asked_of(options), effort), tables)


if __name__ == "__main__":
    main()
