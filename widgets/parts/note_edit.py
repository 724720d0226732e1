"""A note that keeps itself: what was typed is told when a person pauses or goes elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from widgets.look.language import tr

PAUSE_MS = 1500
LINES = 3


class NoteEdit(QPlainTextEdit):
    """Plain text of a few lines. `written` carries it whenever it changed, `left` says that the
    person went elsewhere."""

    written = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._told = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Note"))
        self.textChanged.connect(self._pause.start)

    def show_note(self, text: str) -> None:
        """Show a note, unless it is the one that was told last: a person may have gone on since."""
        if text != self._told:
            self._told = text
            self.setPlainText(text)
        if self.toPlainText() == self._told:
            self._pause.stop()

    def flush(self) -> None:
        """Tell what has not been told."""
        self._pause.stop()
        text = self.toPlainText()
        if text.rstrip() != self._told.rstrip():
            self._told = text
            self.written.emit(text)

    def take_back(self, kept: str) -> None:
        """What was told was not kept, `kept` is; the text stays and is told again later."""
        self._told = kept

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell, and let what comes be an edit of its own."""
        super().focusOutEvent(event)
        self.flush()
        self.left.emit()

    def event(self, event: QEvent) -> bool:
        """Escape is for this text, not for a command of the window."""
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape and Ctrl+Enter leave the text for what comes next."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ctrl = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (enter and ctrl):
            self.clearFocus()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text; files are for the window."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def sizeHint(self) -> QSize:
        """A few lines."""
        return QSize(160, self._height(LINES))

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(80, self._height(1))

    def _height(self, lines: int) -> int:
        frame = 2 * self.frameWidth() + 2 * round(self.document().documentMargin())
        return self.fontMetrics().lineSpacing() * lines + frame
