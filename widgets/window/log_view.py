"""The log: what happened, in order, filtered by level, ready to copy."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from engine.records.events import (
    Event,
    ExportDone,
    Failure,
    Message,
    ProjectOpened,
    ProjectSaved,
    RunChanged,
    TaskChanged,
)
from engine.records.snapshot import Snapshot
from engine.records.task import TaskState
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import theme, theme_notifier
from widgets.parts.pieces import STRETCH, beside, stacked
from widgets.window.run_story import RunStory, run_line

LINES_KEPT = 5000
LEVEL_TEXTS = (
    (QT_TR_NOOP("Everything"), "info"),
    (QT_TR_NOOP("Warnings"), "warning"),
    (QT_TR_NOOP("Errors"), "error"),
)
_LEVELS = {"info": 0, "warning": 1, "error": 2}
_WORDS = {
    "info": QT_TR_NOOP("info"),
    "warning": QT_TR_NOOP("warning"),
    "error": QT_TR_NOOP("error"),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry; `at` is seconds since the epoch."""

    at: float
    level: str
    text: str

    def __str__(self) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(self.at))
        return f"{clock}  {tr(_WORDS[self.level]):<7}  {self.text}"


def log_lines(events: Sequence[Event]) -> list[LogLine]:
    """The entries that a batch of events is worth."""
    return [LogLine(event.at, *said) for event in events if (said := _line(event))]


def _line(event: Event) -> tuple[str, str] | None:
    said: tuple[str, str] | None = None
    match event:
        case Message(level=level, text=text):
            said = (level if level in _LEVELS else "info"), told(text)
        case Failure(what=what, todo=todo):
            said = "error", f"{told(what)} {told(todo)}".strip()
        case ProjectOpened(snapshot=snapshot):
            said = "info", _opened(snapshot)
        case ProjectSaved(path=path):
            said = "info", tr("The project is now {path}.", path=path)
        case RunChanged(run=run, state=state, reason=reason):
            said = "info", run_line(run, state, reason)
        case ExportDone(dir=folder):
            said = "info", tr("Exported to {folder}.", folder=folder)
        case TaskChanged(task=task, state=TaskState.FAILED, reason=reason):
            said = "warning", tr("Task {task} failed: {reason}", task=task, reason=told(reason))
    return said


def _opened(snapshot: Snapshot) -> str:
    return tr("Opened {path}: %n tasks.", "", len(snapshot.tasks), path=snapshot.path)


class LogView(QWidget):
    """The last LINES_KEPT entries in a text box, with a level filter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: deque[LogLine] = deque(maxlen=LINES_KEPT)
        self._story = RunStory()
        self.level = QComboBox()
        self.level.setAccessibleName(tr("Least level shown in the log"))
        for text, level in LEVEL_TEXTS:
            self.level.addItem(tr(text), level)
        self.level.currentIndexChanged.connect(self._render)
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.setAccessibleName(tr("Copy the log as shown"))
        self.copy_button.clicked.connect(self.copy)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("Log"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setMaximumBlockCount(LINES_KEPT)
        self.text.setPlaceholderText(tr("Nothing yet: what the tuner does and meets is told here."))
        row = beside(
            PlainLabel(tr("Show")), self.level, STRETCH, self.copy_button, margins=(4, 4, 4, 0)
        )
        stacked(row, self.text, on=self, margins=0, spacing=4)
        theme_notifier().changed.connect(self._render)

    def apply(self, events: Sequence[Event]) -> None:
        """Append what the events are worth."""
        lines: list[LogLine] = []
        for event in events:
            lines += log_lines([event])
            lines += [LogLine(at, "info", text) for at, text in self._story.tell(event)]
        self.append(lines)

    def append(self, lines: Sequence[LogLine]) -> None:
        """Append entries; the view stays at the end if it was there."""
        self._lines.extend(lines)
        self._write([line for line in lines if self._wanted(line)])

    def lines(self) -> tuple[LogLine, ...]:
        """The entries that pass the filter, oldest first."""
        return tuple(line for line in self._lines if self._wanted(line))

    def copy(self) -> None:
        """Put the selected text, or else all entries shown, on the clipboard."""
        cursor = self.text.textCursor()
        chosen = cursor.selection().toPlainText() if cursor.hasSelection() else ""
        QGuiApplication.clipboard().setText(chosen or "\n".join(map(str, self.lines())))

    def _wanted(self, line: LogLine) -> bool:
        return _LEVELS[line.level] >= _LEVELS[self.level.currentData()]

    def _render(self) -> None:
        self.text.clear()
        self._write(self.lines())

    def _write(self, lines: Sequence[LogLine]) -> None:
        if not lines:
            return
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for line in lines:
            if not self.text.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(str(line), self._format(line.level))
        cursor.endEditBlock()
        if at_end:
            bar.setValue(bar.maximum())

    @staticmethod
    def _format(level: str) -> QTextCharFormat:
        colors = {"info": theme().text, "warning": theme().warning, "error": theme().error}
        style = QTextCharFormat()
        style.setForeground(colors[level])
        return style
