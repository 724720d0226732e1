"""The model at a glance, where nothing is selected: where its time goes, what to try next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from engine.history.figure_words import word_of
from engine.history.open_project import OpenProject
from engine.history.overview import TOP, Overview, overview
from engine.records.units import format_flops, format_ratio, format_seconds, format_share
from widgets.look.engine_words import advice_text
from widgets.look.language import tr
from widgets.look.plain_label import plain_tip
from widgets.look.theme import blend, tabular, theme
from widgets.parts.facts import Fact, FactList
from widgets.parts.pieces import stacked, text_label

_INSET, _GAP = 6, 8


class TaskLine(QPushButton):
    """A task and its share of the latency, over a bar of that length."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "line")
        self.setFont(tabular(self.font()))
        self.setAccessibleName(tr("Task"))
        self.task: int | None = None
        self._name, self._share = "", 0.0

    def show_task(self, task: int, name: str, share: float) -> None:
        self.task, self._name, self._share = task, name, share
        text = tr("{name}: {value}", name=name, value=format_share(share))
        self.setAccessibleName(text)
        self.setToolTip(plain_tip(text))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar, the frame that the style draws, and the texts."""
        super().paintEvent(event)
        painter = QPainter(self)
        room = self.rect().adjusted(_INSET, 0, -_INSET, 0)
        bar = self.rect().adjusted(2, 3, -2, -3)
        bar.setWidth(round(bar.width() * self._share))
        painter.fillRect(bar, blend(theme().surface, theme().accent, 0.28))
        painter.setPen(theme().text)
        share = format_share(self._share)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, share)
        metrics = self.fontMetrics()
        room.setWidth(room.width() - metrics.horizontalAdvance(share) - _GAP)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle | Qt.AlignmentFlag.AlignLeft, name)


class ModelSummary(QWidget):
    """Latency against what runs the file, part of the peak, the costliest tasks, one advice.

    `task_picked` carries the task that a person chose.
    """

    task_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.facts = FactList()
        self.top_title = text_label(tr("Where the time goes"), "title")
        self.lines = [TaskLine() for _ in range(TOP)]
        self.advice_title = text_label(tr("What to try next"), "title")
        self.advice = text_label()
        for line in self.lines:
            line.clicked.connect(lambda _=False, line=line: self.task_picked.emit(line.task))
        top = stacked(*self.lines, margins=0, spacing=0)
        parts = self.facts, self.top_title, top, self.advice_title, self.advice
        stacked(*parts, on=self, margins=0, spacing=4)

    def show_project(self, project: OpenProject, peak_flops: float | None) -> None:
        """What is known of the project now; `peak_flops` is its device's peak in FLOP/s."""
        found = overview(project, peak_flops)
        self.facts.show_facts(_facts(found, peak_flops))
        self.top_title.setVisible(bool(found.top))
        for place, line in enumerate(self.lines):
            line.setVisible(place < len(found.top))
            if place < len(found.top):
                task, share = found.top[place]
                line.show_task(task, project.history.name(task), share)
        self.advice.setText(advice_text(found.advice))
        for label in (self.advice_title, self.advice):
            label.setVisible(found.advice is not None)


def _facts(found: Overview, peak_flops: float | None) -> list[Fact]:
    figure = found.figure
    now = format_seconds(figure.latency_s)
    facts = [(tr("Now"), f"{now}, {tr(word_of(figure))}" if figure.latency_s else now)]
    if figure.speedup is not None:
        facts.append((tr("Gain"), format_ratio(figure.speedup)))
    facts.append((found.reference, _gap(figure.latency_s, found.reference_s)))
    if found.peak_share is not None:
        share, peak = format_share(found.peak_share), format_flops(peak_flops)
        facts.append((tr("Peak"), tr("{share} of {peak}", share=share, peak=peak)))
    return facts


def _gap(now_s: float | None, reference_s: float | None) -> str:
    """The latency of what runs the file, and the model's beside it."""
    if not now_s or not reference_s:
        return format_seconds(reference_s)
    if now_s > reference_s:
        gap = tr("now {ratio} its time", ratio=format_ratio(now_s / reference_s))
    else:
        gap = tr("now {ratio} as fast", ratio=format_ratio(reference_s / now_s))
    return f"{format_seconds(reference_s)}: {gap}"
