"""The passes from the command line: one run each, and a table of what it gave."""

from __future__ import annotations

import time
from pathlib import Path

from app.cli_driver import driving
from app.cli_output import Reply, table
from app.cli_progress import make_progress
from app.cli_reports import run_reply
from engine.history.before_after import Row, before_after
from engine.interface import work
from engine.jobs.steps.steps import options_of, plan_text
from engine.records.settings import Budget, Step
from engine.records.snapshot import Snapshot
from engine.records.units import UNKNOWN, format_ratio, format_seconds


def run_pass(path: Path, steps: tuple[Step, ...], budget: Budget, repeat: bool = False) -> Reply:
    """Carry a plan out on a project; what each task gained."""
    began = time.monotonic()
    for step in steps:
        options_of(step)  # refused before the model is read
    with driving(make_progress()) as driver:
        work.carry_out(driver, path, steps, budget, repeat)
    return _reply(work.read_project(path), time.monotonic() - began)


def _reply(snapshot: Snapshot, wall_s: float) -> Reply:
    run = snapshot.runs[-1]
    changes = before_after(snapshot, run.id)
    reply = run_reply(snapshot, wall_s)
    data = {
        **reply.data,
        "plan": plan_text(run.settings.steps),
        "tasks_changed": [
            {
                "task": snapshot.tasks[change.task].name,
                "before_s": change.before_s,
                "after_s": change.after_s,
                "trials": change.trials,
                "source": None if change.source is None else change.source.value,
            }
            for change in changes.rows
        ],
        "before_latency_s": changes.before_s,
        "after_latency_s": changes.after_s,
        "moves": [
            {
                "task": snapshot.tasks[move.task].name,
                "axis": move.axis,
                "gain": move.gain,
                "p_value": move.p_value,
                "accepted": move.accepted,
            }
            for move in snapshot.moves
            if move.run == run.id
        ],
    }
    return Reply(data, f"{_table(snapshot, changes.rows)}\n\n{reply.text}")


def _table(snapshot: Snapshot, changes: tuple[Row, ...]) -> str:
    rows = [("task", "before", "after", "gain", "trials", "source")]
    for change in changes:
        if change.trials:
            rows.append(
                (
                    snapshot.tasks[change.task].name,
                    format_seconds(change.before_s),
                    format_seconds(change.after_s),
                    UNKNOWN if change.gain is None else format_ratio(1 + change.gain),
                    str(change.trials),
                    "" if change.source is None else change.source.value,
                )
            )
    return table(rows) if len(rows) > 1 else "No task had a trial."
