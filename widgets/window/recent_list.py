"""The recent projects on the start screen: a line of facts each, missing files said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.project.glance import Glance
from engine.records.units import format_ratio, format_seconds
from widgets.look.elided import ElidedLabel
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import plain_tip


class LineButton(QAbstractButton):
    """The title is read out as the button's name, the rest as its description."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title, self.text_label = ElidedLabel(title), ElidedLabel(text)
        self.title.setProperty("role", "title")
        self.text_label.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 5, 10, 5)
        column.setSpacing(1)
        for label in (self.title, self.text_label):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
        self.say(title, text)

    def say(self, title: str, text: str) -> None:
        self.title.setText(title)
        self.text_label.setText(text)
        self.text_label.setVisible(bool(text))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, by the style sheet; the labels draw themselves."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)

    def minimumSizeHint(self) -> QSize:
        """As high as its lines, and as narrow as it has to be."""
        return QSize(120, self.sizeHint().height())


_DAY_S = 86_400
MISSING = QT_TR_NOOP("missing: it was moved or deleted")


@dataclass(frozen=True, slots=True)
class Recent:
    """A project file that was opened lately; `facts` are None until, or unless, it was read."""

    path: str
    facts: Glance | None = None
    missing: bool = False


class RecentList(QWidget):
    """A button for each; `wanted` and `forgotten` carry a path."""

    wanted = Signal(str)
    forgotten = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[LineButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)

    def show_recents(self, recents: Sequence[Recent]) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = []
        for recent in recents:
            self._column.addWidget(self._row(recent))

    def allow(self, allowed: bool) -> None:
        """Whether one can be opened now."""
        for row in self.rows:
            row.setEnabled(allowed)

    def _row(self, recent: Recent) -> QWidget:
        path = recent.path
        row = LineButton(Path(path).name, recent_text(recent, time.time()))
        row.setAccessibleName(tr("Open {path}", path=path))
        row.setToolTip(plain_tip(path))
        row.clicked.connect(lambda: self.wanted.emit(path))
        self.rows.append(row)
        if not recent.missing:
            return row
        both = QWidget()
        line = QHBoxLayout(both)
        line.setContentsMargins(0, 0, 0, 0)
        forget = QToolButton()
        forget.setText(tr("Forget"))
        forget.setToolTip(tr("Take it out of this list"))
        forget.setAccessibleName(tr("Forget {path}", path=path))
        forget.clicked.connect(lambda: self.forgotten.emit(path))
        line.addWidget(row, 1)
        line.addWidget(forget)
        return both


def recent_text(recent: Recent, now: float) -> str:
    """Model, target, latency before and now, when."""
    folder = str(Path(recent.path).parent)
    if recent.missing:
        return f"{tr(MISSING)}  ·  {folder}"
    facts = recent.facts
    if facts is None:
        return folder
    parts = [facts.model, facts.target, _latency(facts), day_text(facts.at, now)]
    return "  ·  ".join(part for part in parts if part)


def day_text(at: float, now: float) -> str:
    """Today, yesterday, or the date."""
    try:
        day, today = time.localtime(at), time.localtime(now)
        before = time.localtime(now - _DAY_S)
    except (OverflowError, ValueError, OSError):
        return ""
    if day[:3] == today[:3]:
        return tr("today")
    return tr("yesterday") if day[:3] == before[:3] else time.strftime("%Y-%m-%d", day)


def _latency(facts: Glance) -> str:
    if facts.now_s is None:
        return tr("not tuned yet")
    if not facts.untuned_s:
        return format_seconds(facts.now_s)
    if not facts.tuned:
        return tr("{time} untuned", time=format_seconds(facts.untuned_s))
    how = [] if facts.speedup is None else [format_ratio(facts.speedup)]
    if not facts.measured:
        how.append(tr("estimate"))
    if facts.disturbed:
        how.append(tr("disturbed"))
    both = f"{format_seconds(facts.untuned_s)} → {format_seconds(facts.now_s)}"
    return f"{both} ({', '.join(how)})" if how else both
