"""Where the tuning time goes: slots over time, each task's terms, why this task now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from engine.allocation.scores import (
    DecisionCost,
    Terms,
    decision_cost,
    stuck_tasks,
    terms_of,
)
from engine.history.open_project import OpenProject
from engine.history.run_profile import RunProfile, SlotParts
from engine.history.slot_log import SlotSpan
from engine.records.events import Event, SlotStarted, TaskChanged
from engine.records.snapshot import SlotInfo
from engine.records.units import format_duration, format_share
from widgets.allocation.series import (
    TERM_KEYS,
    Standing,
    allocation_columns,
    build_bars,
    cost_text,
    describe_slot,
    finish_after,
    known_terms,
    why_now,
)
from widgets.allocation.slot_timeline import SlotTimeline
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.task_colors import TaskColors
from widgets.look.theme import theme, theme_notifier
from widgets.look.units import clock, known
from widgets.parts.column_model import Column, ColumnModel, latency_column, whole
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import pages, stacked, surface, text_label
from widgets.parts.table import Table
from widgets.parts.view import View

NO_SLOTS = QT_TR_NOOP(
    "No slots yet: press Start, and each slot of tuning time appears here with its reason."
)

LOW = 320  # pixels


class AllocationView(View):
    """Follows the slots."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._log, self._profiles = project.slot_log, project.profiles
        self._spans: tuple[SlotSpan, ...] = ()
        self._by_number: dict[int, SlotSpan] = {}
        self._terms: dict[int, Terms] = {}
        self._stuck: frozenset[int] | None = None
        self._run = 0
        self._reasons: dict[int, str] = {}
        self.why = text_label(name=tr("Why this task"))
        self.cost = text_label(role="muted")
        self.profile = ProfileBar()
        self.timeline = SlotTimeline(self._describe, self)
        self.model = AllocationModel(self)
        self.table = AllocationTable(self.model, tr(NO_SLOTS))
        self.notice = Notice()
        self._pages = QStackedWidget()
        self._arrange()

    # The view protocol

    def show_project(self) -> None:
        self._log, self._profiles = self.project.slot_log, self.project.profiles
        self._spans, self._run, self._reasons = (), 0, {}
        self._terms, self._stuck = {}, None
        for slot in self.project.slots:
            self._weigh(slot)
        self.timeline.forget()
        tasks = self.project.head.tasks
        self.model.colors = TaskColors(tasks)
        ids = np.array([task.index for task in tasks], np.int64)
        self.model.reset_columns(ids, self._columns())
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch; what is not in sight is drawn when it is."""
        for event in events:
            self._take(event)
        if self.project.slots_changed or any(isinstance(e, TaskChanged) for e in events):
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Accent a task's slots and mark its row."""
        self.timeline.select(task)
        self.table.select(task)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.profile.set_compact(self.height() < LOW)

    # How it is kept up

    def _take(self, event: Event) -> None:
        match event:
            case SlotStarted(slot=slot):
                self._weigh(slot)
            case TaskChanged(task=task, reason=reason):
                self._reasons[task] = reason

    def _weigh(self, slot: SlotInfo) -> None:
        """Keep what a decision says; another run may have another policy."""
        if slot.run != self._run:
            self._run, self._terms, self._stuck = slot.run, {}, None
        self._terms.update(terms_of(slot.scores))
        stuck = stuck_tasks(slot.scores)
        self._stuck = self._stuck if stuck is None else stuck

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        self._spans = self._log.spans()
        self._by_number = {span.info.number: span for span in self._spans}
        known = bool(self._history.tasks)
        self.notice.offer(tr(NO_SLOTS if known else NO_MODEL), "start" if known else OPEN)
        self._pages.setCurrentIndex(1 if self._spans else 0)
        if not self._spans:
            return
        last = max(self._spans, key=lambda span: span.info.number)
        self.why.setText(why_now(last, self._task_name))
        self.cost.setText(cost_text(self._cost(last.info.run)))
        self.cost.setVisible(bool(self.cost.text()))
        self.profile.show_profile(self._profiles.profile(last.info.run))
        bars = build_bars(self._spans, self._task_name)
        self.timeline.show_bars(bars, self.model.colors, self._log.now_s)
        self._show_rows()

    def _show_rows(self) -> None:
        if len(self._history.tasks) != len(self.model.ids):
            return
        self.model.update_columns(self._columns())
        self.table.show_terms(known_terms(self._terms))

    def _columns(self) -> dict[str, Any]:
        settings = self.project.settings_of(self._spans[-1].info.run) if self._spans else None
        limit = finish_after(settings) if settings else 0
        standing = Standing(self._spans, self._terms, self._reasons, self._stuck, limit)
        return allocation_columns(self._history, standing)

    def _cost(self, run: int) -> DecisionCost | None:
        spans = [span for span in self._spans if span.info.run == run]
        start_s = min(span.info.elapsed_s for span in spans)
        end_s = max(span.end_s for span in spans)
        return decision_cost([span.info for span in spans], end_s - start_s)

    def _describe(self, number: int) -> str:
        span = self._by_number.get(number)
        return "" if span is None else describe_slot(span, self._task_name)

    def _pick_slot(self, number: int | None) -> None:
        span = None if number is None else self._by_number.get(number)
        task = None if span is None else span.info.task
        self.table.select(task)
        self.task_picked.emit(task)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Allocation"))
        head = stacked(self.why, self.cost, self.profile, margins=(12, 8, 12, 4), spacing=2)
        page = surface(stacked(head, self.timeline, (self.table, 1), margins=0, spacing=0))
        pages(self._pages, self.notice, page, on=self)
        self.timeline.picked.connect(self._pick_slot)
        self.table.row_picked.connect(self.timeline.select)
        self.table.row_picked.connect(self.task_picked)


Role = Qt.ItemDataRole


def _number(value: float) -> str:
    return f"{value:.3g}"


COLUMNS = (
    Column("name", QT_TR_NOOP("Task"), QT_TR_NOOP("The task, in the colour of its slots"), str,
           numeric=False),
    Column("condition", QT_TR_NOOP("Condition"),
           QT_TR_NOOP("Whether the task may get a slot, and if not why"), str, numeric=False),
    Column("slots", QT_TR_NOOP("Slots"), QT_TR_NOOP("Slots so far"), whole),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates tried"),
           whole),
    latency_column("gain_s", QT_TR_NOOP("Predicted gain"),
          QT_TR_NOOP("What one more slot is expected to take off the model's latency")),
    latency_column("spread_s", QT_TR_NOOP("Give or take"),
          QT_TR_NOOP("How unsure the predicted gain is: its standard deviation")),
    Column("bonus", QT_TR_NOOP("Bonus"),
           QT_TR_NOOP("What being unsure adds: the task may turn out better"), known(_number)),
    Column("ucb", QT_TR_NOOP("Sum (UCB)"),
           QT_TR_NOOP("Gain and bonus, the upper confidence bound: the largest gets the slot"),
           known(_number)),
    Column("probability", QT_TR_NOOP("Probability"),
           QT_TR_NOOP("How likely the task was to be drawn"), known(format_share)),
    latency_column("gradient_s", QT_TR_NOOP("Gradient"),
          QT_TR_NOOP("What the rule expects a slot to take off; the largest gets it")),
    Column("slot_s", QT_TR_NOOP("Slot takes"), QT_TR_NOOP("Mean seconds of a slot of this task"),
           known(clock)),
    Column("seconds", QT_TR_NOOP("Time"), QT_TR_NOOP("Tuning time of all its slots"),
           known(format_duration)),
    latency_column("gained", QT_TR_NOOP("Gained"),
          QT_TR_NOOP("What its slots took off the model's latency so far")),
)  # fmt: skip
WIDTHS = (190, 110, 48, 56, 112, 96, 80, 80, 88, 80, 80, 64, 80)


class AllocationTable(Table):
    """Shows the columns that `show_terms` names beside those that every policy has."""

    def __init__(self, model: AllocationModel, empty: str) -> None:
        super().__init__(model, tr("Allocation by task"), empty, WIDTHS)
        self.show_terms(frozenset())

    def show_terms(self, known: frozenset[str]) -> None:
        """Leave out what the policy does not have."""
        for place, column in enumerate(COLUMNS):
            lacking = column.key in TERM_KEYS and column.key not in known
            if self.isColumnHidden(place) != lacking:
                self.setColumnHidden(place, lacking)


class AllocationModel(ColumnModel):
    """Rows of tasks with the colours of their slots."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)
        self.colors = TaskColors()

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the name has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            return self.colors.of(self.id_at(index.row()))
        return super().data(index, role)


BAR_PIXELS = 8
TIP = QT_TR_NOOP(
    "The time of this run's slots, from the start of each to its last result; slots overlap.\n"
    "Stored are when each result came, and the seconds that its building and measuring took.\n"
    "The rest is worked out: a build is taken to end where its measuring begins; the search\n"
    "lasts until the first build, on this machine's CPU without what other slots measured\n"
    "meanwhile; waiting is what is left. Learning comes after the last result and is not in it."
)


def profile_texts(profile: RunProfile) -> list[str]:
    """A text for each part in the order of the bar, and one for the clock."""
    seconds, whole = _seconds(profile.parts), profile.parts.total_s
    times = [clock(part_s) for part_s in seconds]
    shares = [format_share(part_s / whole if whole else 0.0) for part_s in seconds]
    return [
        tr("search {time} ({share})", time=times[0], share=shares[0]),
        tr("build {time} ({share})", time=times[1], share=shares[1]),
        tr("waiting {time} ({share})", time=times[2], share=shares[2]),
        tr("measuring {time} ({share})", time=times[3], share=shares[3]),
        tr("something was measured {share} of the run", share=format_share(profile.measured_share)),
    ]


def _seconds(parts: SlotParts) -> tuple[float, float, float, float]:
    return parts.search_s, parts.build_s, parts.wait_s, parts.measure_s


class ProfileBar(QWidget):
    """Hidden while there is nothing to show."""

    def __init__(self) -> None:
        super().__init__()
        self.legend = text_label(role="muted")
        self.bar = _Bar()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self._profile: RunProfile | None = None
        stacked(self.bar, self.legend, on=self, margins=(0, 4, 0, 0), spacing=2)
        self.hide()
        theme_notifier().changed.connect(self._write)

    def show_profile(self, profile: RunProfile | None) -> None:
        """Show these parts, or nothing."""
        self._profile = profile
        self.setVisible(profile is not None)
        self._write()

    def set_compact(self, compact: bool) -> None:
        """Leave the legend to the tip."""
        self.legend.setHidden(compact)

    def _write(self) -> None:
        if self._profile is None:
            return
        self.bar.show_parts(self._profile.parts)
        texts = profile_texts(self._profile)
        self.setAccessibleName(tr("What the slots took: {parts}", parts=", ".join(texts)))
        self.setToolTip("\n".join([*texts, "", tr(TIP)]))
        marked = [
            f'<span style="color: {theme().category(place).name()}">■</span>&nbsp;'
            + text.replace(" ", "&nbsp;")
            for place, text in enumerate(texts[:-1])
        ]
        self.legend.setText(" &nbsp; ".join([*marked, texts[-1]]))


class _Bar(QWidget):
    """The parts side by side, a gap between them."""

    def __init__(self) -> None:
        super().__init__()
        self._parts = SlotParts()
        self.setFixedHeight(BAR_PIXELS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: SlotParts) -> None:
        self._parts = parts
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), theme()
        whole, left = self._parts.total_s, 0.0
        for place, part_s in enumerate(_seconds(self._parts)):
            wide = self.width() * part_s / whole if whole else 0.0
            painter.fillRect(
                QRectF(left, 0, max(0.0, wide - 1), self.height()), colors.category(place)
            )
            left += wide
