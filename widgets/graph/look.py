"""What a node of the graph says, as plain data: texts, tint and state."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QColor

from engine.graph.shown import ShownNode
from engine.history.history import History
from engine.records.network import Operator
from engine.records.task import TaskState
from engine.records.units import format_flops, format_seconds, format_share, format_work
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.states import state_color, state_label
from widgets.look.theme import blend, theme

LEVELS = 64
LONGEST_NAME = 30
_SCALES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_PALER = 0.3


class ColorBy(StrEnum):
    """What the colour of a node tells; the value is its title."""

    SHARE = QT_TR_NOOP("share of latency")
    STATE = QT_TR_NOOP("state of tuning")
    CLUSTER = QT_TR_NOOP("cluster")
    STAGE = QT_TR_NOOP("stage")
    KIND = QT_TR_NOOP("operator type")


@dataclass(frozen=True, slots=True)
class NodeLook:
    """The parts of a node that change. `mark` is the word for its colour.

    `level` is a tint of the ramp in 0..LEVELS, `category` one of the palette; both None: no tint.
    """

    mark: str = ""
    level: int | None = None
    category: int | None = None
    state: TaskState | None = None
    by_state: bool = False

    def tint(self) -> QColor:
        """The colour of the body in the theme in force."""
        colors = theme()
        if self.level is not None:
            return colors.ramp(self.level / LEVELS)
        if self.by_state and self.state is not None:
            return blend(state_color(self.state), colors.surface, _PALER)
        if self.category is not None:
            return blend(colors.category(self.category), colors.surface, _PALER)
        return colors.raised

    @property
    def is_tinted(self) -> bool:
        """Whether the colour tells anything."""
        return self.level is not None or self.category is not None or self.by_state


def share_scale(shares: Iterable[float | None]) -> float:
    """The share that the ramp ends at: the largest, rounded up to 1, 2 or 5.

    A rounded end keeps the tints from shifting at every result.
    """
    largest = max((share for share in shares if share), default=1.0)
    return next((scale for scale in _SCALES if largest <= scale), 1.0)


def share_look(share: float | None, scale: float, state: TaskState | None) -> NodeLook:
    """A node tinted by its share of the latency."""
    if share is None:
        return NodeLook(state=state)
    level = round(min(share / scale, 1.0) * LEVELS)
    return NodeLook(format_share(share), level, state=state)


def short_name(name: str) -> str:
    """The name without "fused_", its middle left out where it is long."""
    name = name.removeprefix("fused_")
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 11]}…{name[-10:]}"


def shape_text(node: ShownNode) -> str:
    """The output's shape, "1x64x56x56"."""
    if node.output is None:
        return tr("shape not known")
    return "x".join(map(str, node.output.shape)) or tr("scalar")


def table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Exact values as rich text."""
    cells = "".join(
        f"<tr><td>{html.escape(key)}&nbsp;&nbsp;</td><td>{html.escape(value)}</td></tr>"
        for key, value in rows
    )
    return f"<b>{html.escape(title)}</b><table>{cells}</table>"


def tooltip(history: History, operator: Operator, origin: str = "") -> str:
    """An operator's exact values, and where it comes from, as rich text."""
    rows = [(tr("output"), str(operator.output))]
    if origin:
        rows.append((tr("from"), origin))
    if operator.task is None:
        rows.append((tr("task"), tr("none: nothing to tune")))
    else:
        rows += task_rows(history, operator.task, operator.flops)
    return table(operator.name, rows)


def task_rows(history: History, task: int, flops: float = 0.0) -> list[tuple[str, str]]:
    """What there is to say of a task."""
    rows = [(tr("work"), format_work(flops, 4))] if flops else []
    now, untuned = history.now(task), history.tasks[task].untuned_latency_s
    measured = history.best(task) is not None
    latency = format_seconds(now, 5)
    rows += [
        (tr("state"), state_label(history.state(task))),
        (
            tr("latency"),
            tr("{time} best", time=latency) if measured else tr("{time} untuned", time=latency),
        ),
    ]
    if measured and untuned is not None:
        rows.append((tr("untuned"), format_seconds(untuned, 5)))
    share, own = history.share(task), history.operator_share(task)
    count = history.occurrences(task)
    if own is not None:
        text = format_share(own)
        if count > 1:
            all_ = format_share(share)
            text = tr("{share}, {all} for all {count}", share=text, all=all_, count=count)
        rows.append((tr("share"), text))
    if measured and (speed := history.flops_per_s(task)):
        rows.append((tr("speed"), format_flops(speed, 4)))
    errors, trials = history.errors(task), f"{history.trials(task):,}"
    if errors:
        trials = tr("{trials}, {errors} failed", trials=trials, errors=f"{errors:,}")
    rows.append((tr("trials"), trials))
    if common := history.commonest_error(task):
        rows.append((tr("errors"), tr("mostly {error}", error=tr(common.value))))
    return rows
