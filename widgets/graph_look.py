"""What a node of the graph says, as plain data: texts, tint and state."""

from __future__ import annotations

import html
from dataclasses import dataclass

from engine.graph.network import Operator
from engine.history import History
from engine.tasks.task import TaskState
from widgets.states import state_label
from widgets.units import format_flops, format_seconds, format_share, format_work

LEVELS = 64
LONGEST_NAME = 30
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class NodeLook:
    """The parts of a node that change; `level` is the tint in 0..LEVELS, None for none."""

    share: str = ""
    level: int | None = None
    state: TaskState | None = None


def share_scale(history: History) -> float:
    """The share that the ramp ends at: the largest of an operator, rounded up to 1, 2 or 5.

    A rounded end keeps the tints from shifting at every result.
    """
    shares = [share for share in map(history.operator_share, _indices(history)) if share]
    largest = max(shares, default=1.0)
    return next((scale for scale in _SCALES if largest <= scale), 1.0)


def task_look(history: History, task: int, scale: float) -> NodeLook:
    """How all the nodes of a task look."""
    share = history.operator_share(task)
    level = None if share is None else round(min(share / scale, 1.0) * LEVELS)
    text = "" if share is None else format_share(share)
    return NodeLook(text, level, history.state(task))


def short_name(operator: Operator) -> str:
    """The name without "fused_", its middle left out where it is long."""
    name = operator.name.removeprefix("fused_")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 11]}…{name[-10:]}"


def shape_text(operator: Operator) -> str:
    """The output's shape, "1x64x56x56"."""
    return "x".join(map(str, operator.output.shape)) or "scalar"


def tooltip(history: History, operator: Operator) -> str:
    """Exact values, as rich text."""
    rows = [("output", str(operator.output))]
    if operator.flops:
        rows.append(("work", format_work(operator.flops, 4)))
    if operator.task is None:
        rows.append(("task", "none: nothing to tune"))
    else:
        rows += _task_rows(history, operator.task)
    cells = "".join(
        f"<tr><td>{html.escape(key)}&nbsp;&nbsp;</td><td>{html.escape(value)}</td></tr>"
        for key, value in rows
    )
    return f"<b>{html.escape(operator.name)}</b><table>{cells}</table>"


def _task_rows(history: History, task: int) -> list[tuple[str, str]]:
    now, untuned = history.now(task), history.tasks[task].untuned_latency_s
    measured = history.best(task) is not None
    rows = [
        ("state", state_label(history.state(task))),
        ("latency", f"{format_seconds(now, 5)} {'best' if measured else 'untuned'}"),
    ]
    if measured and untuned is not None:
        rows.append(("untuned", format_seconds(untuned, 5)))
    share, own = history.share(task), history.operator_share(task)
    count = history.occurrences(task)
    if own is not None:
        of_all = f", {format_share(share)} for all {count}" if count > 1 else ""
        rows.append(("share", format_share(own) + of_all))
    if measured and (speed := history.flops_per_s(task)):
        rows.append(("speed", format_flops(speed, 4)))
    errors = history.errors(task)
    failed = f", {errors:,} failed" if errors else ""
    rows.append(("trials", f"{history.trials(task):,}{failed}"))
    if common := history.commonest_error(task):
        rows.append(("errors", f"mostly {common.value}"))
    return rows


def _indices(history: History) -> list[int]:
    return [task.index for task in history.tasks]
