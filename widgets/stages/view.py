"""Stages: which operators run side by side, against the sequential program, and what that gains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QWidget

from engine.history.open_project import OpenProject
from engine.records.events import (
    Event,
    Progress,
    RunChanged,
    ScheduleFound,
    StageSearch,
)
from engine.records.network import Operator
from engine.records.schedule import FoundSchedule, WayResult
from engine.records.units import format_bytes, format_ratio
from engine.records.words import way_name
from widgets.look.engine_words import progress_text
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.task_colors import TaskColors
from widgets.look.theme import theme
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel, latency_column, whole
from widgets.parts.notice import NO_MODEL
from widgets.parts.table import Table
from widgets.parts.view import View, identity
from widgets.stages.layout import Part, StageLayout
from widgets.stages.series import StageBar, StageColumn, Timeline, build_timeline
from widgets.stages.timeline import StageTimeline
from widgets.stages.words import (
    describe_bar,
    describe_stage,
    end_sentence,
    lane_word,
    schedule_sentence,
)

if TYPE_CHECKING:
    from widgets.stages.tradeoff import TradeOffPlot


class StageView(View):
    """Shows a project's schedule, and the search for one while it goes on.

    `operators_picked` carries the operators that a person chose, as a frozenset; `find_wanted` asks
    for the sheet of the search, `stop_wanted` for the end of one.
    """

    operators_picked = Signal(object)
    find_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._identity: tuple[str, ...] = ()
        self._operators: dict[int, Operator] = {}
        self._colors = TaskColors()
        self._series = Timeline()
        self._searching = self._allowed = False
        self._made: TradeOffPlot | None = None
        self.found: FoundSchedule | None = None
        self.timeline = StageTimeline(self)
        self.model = ColumnModel(COLUMNS, self)
        self.table = ways_table(self.model)
        self.parts = StageLayout(self.timeline, self.table)
        self.progress, self.notice = self.parts.progress, self.parts.notice
        self._arrange()
        self._refresh()

    @property
    def plot(self) -> TradeOffPlot:
        """The plot, made at the first call: its library takes long to load."""
        if self._made is None:
            from widgets.stages.tradeoff import TradeOffPlot

            self._made = TradeOffPlot()
            self.parts.add_plot(self._made)
        return self._made

    def first_part(self) -> QWidget:
        """What takes the keyboard: the timeline, or the button that has stages found."""
        if self.found is not None:
            return self.timeline
        button = self.progress.stop_button if self._searching else self.notice.button
        return button if button.isEnabled() and not button.isHidden() else self

    # The view protocol

    def show_project(self) -> None:
        """Show this project's schedule; where it is the same project a zoom stays."""
        head, before = self.project.head, self._identity
        self._identity = identity(head)
        if self._identity != before:
            self.timeline.forget()
            self._searching = False
        self.found = head.schedule
        self._operators = {operator.id: operator for operator in head.operators}
        self._colors = TaskColors(head.tasks)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Follow a search and what it finds; trials only change what is said of other kernels."""
        changed = False
        for event in events:
            changed |= self._take(event)
        if changed:
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Accent all the operators of a task."""
        operators = self._operators.values()
        self.timeline.select(
            frozenset(o.id for o in operators if task is not None and o.task == task)
        )

    def select_operators(self, operators: frozenset[int]) -> None:
        self.timeline.select(operators)

    def show_searching(self, searching: bool) -> None:
        """Say whether a search was asked for that has not ended."""
        if searching != self._searching:
            self._searching = searching
            if searching:
                self.progress.begin()
            self._refresh()

    def allow_find(self, allowed: bool) -> None:
        """Say whether a search can begin now."""
        self._allowed = allowed
        self.parts.again_button.setEnabled(allowed)
        self.notice.button.setEnabled(allowed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room one part is shown at a time."""
        super().resizeEvent(event)
        self.parts.fit(self.size())

    # How it is kept up

    def _take(self, event: Event) -> bool:
        """Whether what is shown changes by this event."""
        match event:
            case ScheduleFound(found=found):
                self.found = found
            case StageSearch(state=state, best=best, running=running):
                self.show_searching(running)
                if running:
                    self.progress.show_state(state, best)
                return False
            case Progress() if self._searching:
                self.progress.say(progress_text(event))
                return False
            case RunChanged(state=state):
                return self.found is not None and not state.active
            case _:
                return False
        return True

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        self.parts.show_searching(self._searching)
        if self.found is None:
            self._show_notice()
            self.parts.show_found(False)
        else:
            self._show_found(self.found)
            self.parts.show_found(True)

    def _show_notice(self) -> None:
        head = self.project.head
        if not head.operators:
            self.notice.put(tr(NO_MODEL), False, False)
        elif self._searching:
            self.notice.put(tr(SEARCHING), False, False)
        elif not head.path:
            self.notice.put(tr(REPLAYED), False, False)
        else:
            text = tr(NO_SCHEDULE)
            if not self._history.trial_count:
                text += f" {tr(UNTUNED)}"
            self.notice.put(text, True, self._allowed)

    def _show_found(self, found: FoundSchedule) -> None:
        self._series = build_timeline(found)
        self.timeline.lane_word = lane_word(found.schedule.device)
        self.timeline.show_timeline(self._series)
        stale = stale_text(found, self.project)
        self.parts.say(schedule_sentence(found), end_sentence(found), stale)
        self.model.reset_columns(*ways_columns(found))
        self.parts.show_parts(bool(found.ways), len(found.tradeoffs) > 1)
        if len(found.tradeoffs) > 1:
            self.plot.show_points(found.tradeoffs, found.options)

    def _color(self, operator: int) -> QColor:
        task = self._operators[operator].task if operator in self._operators else None
        return theme().muted if task is None else self._colors.of(task)

    def _name(self, operator: int) -> str:
        known = self._operators.get(operator)
        return known.name if known else tr("operator {number}", number=operator)

    def _full_name(self, operator: int) -> str:
        """Operators of one task have one name; their number tells them apart."""
        return f"{self._name(operator)} #{operator}"

    def _describe_bar(self, bar: StageBar) -> str:
        if self.found is None:
            return ""
        return describe_bar(self._series, bar, self._full_name, self.found)

    def _describe_stage(self, column: StageColumn) -> str:
        if self.found is None:
            return ""
        return describe_stage(column, self._series, self._full_name, self.found)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Stages"))
        timeline = self.timeline
        timeline.color_of, timeline.name_of = self._color, self._name
        timeline.describe_bar, timeline.describe_stage = self._describe_bar, self._describe_stage
        timeline.picked.connect(self.operators_picked)
        self.progress.stop_wanted.connect(self.stop_wanted)
        self.notice.find_wanted.connect(self.find_wanted)
        self.parts.again_button.clicked.connect(self.find_wanted)
        self.parts.fill(self)
        self.parts.choose(Part.TIMELINE)


NO_SCHEDULE = QT_TR_NOOP(
    "No stages yet: Find stages runs operators that do not wait for each other side by side, "
    "where that is faster."
)
UNTUNED = QT_TR_NOOP("It measures the kernels as they are: press Start to tune them first.")
SEARCHING = QT_TR_NOOP("The schedule will be here when the search has ended.")
REPLAYED = QT_TR_NOOP(
    "A replay has no kernels to put into stages. Open the model or its project for that."
)


EMPTY = QT_TR_NOOP("No way was measured end to end: press Find stages.")
CHOSEN, OTHER = QT_TR_NOOP("● chosen"), ""
_WIDTHS = (150, 76, 76, 76, 62, 56, 76)


def _speed_color(value: Any) -> QColor | None:
    return theme().warning if value < 0.995 else None


def _mark(value: Any) -> str:
    return tr(value) if value else ""


COLUMNS = (
    Column("way", QT_TR_NOOP("Way"), QT_TR_NOOP("How the operators are put into stages"), tr,
           plain=str, numeric=False),
    Column("chosen", "", QT_TR_NOOP("What an export runs"), _mark, plain=str,
           numeric=False, color=lambda _: theme().good),
    latency_column("measured", QT_TR_NOOP("Measured"),
                   QT_TR_NOOP("The whole program, end to end, in turns with all other ways")),
    latency_column("predicted", QT_TR_NOOP("Predicted"),
                   QT_TR_NOOP("The sum of its stages' latencies")),
    Column("speed", QT_TR_NOOP("Speed"),
           QT_TR_NOOP("Latency of sequential / latency of this way: measured where both are, "
                      "else predicted"),
           known(format_ratio),
           exact=known(lambda r: f"{r:.5f}x"), color=_speed_color),
    Column("stages", QT_TR_NOOP("Stages"),
           QT_TR_NOOP("Steps between which all groups wait for each other"),
           known(whole)),
    Column("peak", QT_TR_NOOP("Memory"),
           QT_TR_NOOP("What the tensors between operators take at most"), known(format_bytes),
           exact=known(lambda n: f"{int(n):,} B")),
)  # fmt: skip


def ways_table(model: ColumnModel) -> Table:
    """The table, in the order of the ways."""
    table = Table(model, tr("Ways to schedule"), tr(EMPTY), _WIDTHS)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    return table


def ways_columns(found: FoundSchedule) -> tuple[Array, dict[str, Array]]:
    """Identities and columns of the rows, one a way."""
    ways = found.ways
    before = next((each for each in ways if each.way == "sequential"), None)
    names = [way_name(each.way) for each in ways]
    marks = [CHOSEN if each.way == found.way else OTHER for each in ways]
    return np.arange(len(ways), dtype=np.int64), {
        "way": np.array(names, object),
        "chosen": np.array(marks, object),
        "measured": _floats([each.measured_s for each in ways]),
        "predicted": _floats([each.predicted_s for each in ways]),
        "speed": _floats([speed(each, before) for each in ways]),
        "stages": _floats([each.stages for each in ways]),
        "peak": _floats([each.peak_bytes for each in ways]),
    }


def speed(way: WayResult, before: WayResult | None) -> float | None:
    """How many times faster than the sequential program, None where it cannot be told."""
    if before is None:
        return None
    if before.measured_s and way.measured_s:
        return before.measured_s / way.measured_s
    if before.predicted_s and way.predicted_s:
        return before.predicted_s / way.predicted_s
    return None


def _floats(values: Sequence[float | None]) -> Array:
    return np.array([math.nan if value is None else value for value in values], np.float64)


ADVICE = QT_TR_NOOP("Find stages again.")
NAMES_SHOWN = 2


def stale_text(found: FoundSchedule, project: OpenProject) -> str:
    """What a schedule was made for that is different now, empty where nothing is."""
    reasons = []
    device, wanted = found.schedule.device, project.head.hardware.device
    if wanted and device != wanted:
        reasons.append(
            tr("It was measured on {device}, not on {target}.", device=device, target=wanted)
        )
    changed = renewed(found, project)
    if changed:
        names = ", ".join(name.removeprefix("fused_") for name in changed[:NAMES_SHOWN])
        more = len(changed) - NAMES_SHOWN
        text = tr("{names} and {count} more", names=names, count=f"{more:,}") if more > 0 else names
        reasons.append(tr("Since then other kernels are best: {names}.", names=text))
    return " ".join([*reasons, tr(ADVICE)]) if reasons else ""


def renewed(found: FoundSchedule, project: OpenProject) -> list[str]:
    """The names of the tasks whose best schedule was measured after the stages were found."""
    used = {operator.task for operator in project.head.operators}
    records = {
        task.name: project.trial(project.history.record(task.index))
        for task in project.head.tasks
        if task.index in used
    }
    return [name for name, best in records.items() if best and best.at > found.created_at]
