"""What the colours and marks of the graph mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.records.task import TaskState
from engine.records.units import format_share
from widgets.graph.look import ColorBy, NodeLook
from widgets.graph.looks import Entry
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.ramp import RAMP_WIDTH, paint_ramp
from widgets.look.states import state_color, state_label
from widgets.look.theme import TEXT_PIXELS, tabular, theme, theme_notifier

PADDING, GAP, LINE, SPOT = 8.0, 12.0, 16.0, 10.0
MARGIN = 16
NONE = QT_TR_NOOP("none")
NOTHING = {
    ColorBy.CLUSTER: QT_TR_NOOP("none yet: Share groups tasks that can use one schedule"),
    ColorBy.STAGE: QT_TR_NOOP("none yet: Find stages"),
}


class GraphLegend(QWidget):
    """One line: the ramp with its end, or the categories, then the states where there is room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._by = ColorBy.SHARE
        self._end = 1.0
        self._entries: list[Entry] = []
        self._words: list[tuple[str, NodeLook | TaskState | None]] = []
        self._font = tabular(self.font(), TEXT_PIXELS - 1)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme_notifier().changed.connect(self.update)
        self.hide()

    def show_scale(self, by: ColorBy, end: float, entries: Sequence[Entry]) -> None:
        """What colours tell: shares up to `end`, or these categories."""
        if (by, end, list(entries)) != (self._by, self._end, self._entries):
            self._by, self._end, self._entries = by, end, list(entries)
            self.setAccessibleName(self.text())
            self.update()

    @property
    def _title(self) -> str:
        return tr(self._by.value)

    def text(self) -> str:
        if self._by is ColorBy.SHARE:
            return tr("{what}: 0 % to {share}", what=self._title, share=format_share(self._end))
        words = ", ".join(entry.word for entry in self._entries)
        return tr(
            "{what}: {words}", what=self._title, words=words or tr(NOTHING.get(self._by, NONE))
        )

    def wanted_size(self, room: QSize) -> QSize:
        """The size for a graph view of this size; what has no place is left out and counted."""
        widest = room.width() - 2 * MARGIN
        width = 2 * PADDING + self._head_width()
        self._words = []
        entries: list[tuple[str, NodeLook | TaskState | None]]
        entries = [(entry.word, entry.look) for entry in self._entries]
        if self._by is not ColorBy.STATE:
            states = [(state_label(state), state) for state in TaskState]
            own = sum(GAP + SPOT + 4 + self._advance(word) for word, _ in entries)
            all_states = sum(GAP + self._advance(word) for word, _ in states)
            if width + own + all_states <= widest:
                entries += states
        if not self._entries and self._by in NOTHING:
            entries.insert(0, (tr(NOTHING[self._by]), None))
        for place, (word, look) in enumerate(entries):
            more = tr("+ {count} more", count=len(entries) - place)
            room_for_more = GAP + self._advance(more) if place + 1 < len(entries) else 0
            step = GAP + self._advance(word) + (SPOT + 4 if isinstance(look, NodeLook) else 0)
            if width + step + room_for_more > widest:
                self._words.append((more, None))
                width += GAP + self._advance(more)
                break
            self._words.append((word, look))
            width += step
        return QSize(min(round(width), max(0, widest)), round(LINE + PADDING))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colors = theme()
        painter.setFont(self._font)
        painter.setPen(colors.border)
        painter.setBrush(colors.surface)
        painter.drawRect(QRectF(self.rect()).adjusted(0, 0, -1, -1))
        x = self._paint_head(painter)
        for word, look in self._words:
            x += GAP
            if isinstance(look, NodeLook):
                painter.setPen(colors.border)
                painter.setBrush(look.tint())
                painter.drawRect(QRectF(x, (self.height() - SPOT) / 2, SPOT, SPOT))
                x += SPOT + 4
            painter.setPen(state_color(look) if isinstance(look, TaskState) else colors.muted)
            x = self._text(painter, x, word)

    def _paint_head(self, painter: QPainter) -> float:
        colors = theme()
        painter.setPen(colors.muted)
        if self._by is not ColorBy.SHARE:
            return self._text(painter, PADDING, self._title)
        x = self._text(painter, PADDING, f"{self._title}  0 % ")
        x = paint_ramp(painter, x, self.height())
        return self._text(painter, x, f" {format_share(self._end)}")

    def _head_width(self) -> float:
        if self._by is not ColorBy.SHARE:
            return self._advance(self._title)
        texts = self._advance(f"{self._title}  0 % ") + self._advance(f" {format_share(self._end)}")
        return texts + RAMP_WIDTH

    def _text(self, painter: QPainter, x: float, text: str) -> float:
        width = self._advance(text)
        room = QRectF(x, 0, width + 2, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def _advance(self, text: str) -> float:
        return QFontMetricsF(self._font).horizontalAdvance(text)
