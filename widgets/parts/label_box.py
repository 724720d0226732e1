"""The name and the note that a person gives to the project, a task or a run."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from engine.records.labels import LONGEST_NAME, NO_LABEL, Label, Subject
from widgets.look.language import tr
from widgets.parts.pieces import stacked, text_label

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
        return QSize(160, self._height(LINES))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._height(1))

    def _height(self, lines: int) -> int:
        frame = 2 * self.frameWidth() + 2 * round(self.document().documentMargin())
        return self.fontMetrics().lineSpacing() * lines + frame


class LabelBox(QWidget):
    """Shows a subject's label and tells what a person makes of it.

    `named` and `noted` carry the subject and a text, `left` says that an edit is over.
    """

    named = Signal(object, str)
    noted = Signal(object, str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._subject: Subject | None = None
        self._label = NO_LABEL
        self.heading = text_label(role="muted", wraps=False)
        self.name, self.note = QLineEdit(), NoteEdit()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.editingFinished.connect(self._name_typed)
        self.note.written.connect(self._note_typed)
        self.note.left.connect(self.left)
        self.note.setPlaceholderText(tr("Note"))
        self.note.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        stacked(self.heading, self.name, self.note, on=self, margins=0, spacing=4)
        self.show_label(None, NO_LABEL)
        self.allow(True)

    @property
    def subject(self) -> Subject | None:
        return self._subject

    def show_label(self, subject: Subject | None, label: Label, what: str = "") -> None:
        """Show what `what` is called and noted; None hides the box. What was typed of another
        subject is told first."""
        if subject != self._subject:
            self.flush()
            self._subject = None
            self.note.show_note("")
            self.name.clear()
            self._label = NO_LABEL
        self._subject = subject
        self.setVisible(subject is not None)
        self.heading.setText(what)
        self.heading.setVisible(bool(what))
        self.name.setPlaceholderText(tr("Your name for it"))
        self.name.setAccessibleName(
            tr("Your name for {what}", what=what) if what else tr("Your name")
        )
        self.note.setAccessibleName(
            tr("Your note for {what}", what=what) if what else tr("Your note")
        )
        if label.name != self._label.name or not self.name.isModified():
            self.name.setText(label.name)
        self._label = label
        self.note.show_note(label.note)

    def allow(self, allowed: bool) -> None:
        """Whether what is typed can be kept."""
        reason = "" if allowed else tr("The project cannot be written here.")
        for line in (self.name, self.note):
            line.setReadOnly(not allowed)
        self.name.setToolTip(reason)
        self.note.setToolTip(reason or tr("Kept in the project file as you type"))

    def flush(self) -> None:
        """Tell what has not been told."""
        self._name_typed()
        self.note.flush()

    def begin(self) -> None:
        """Put the keyboard on the name."""
        self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.name.selectAll()

    def keep_trying(self) -> None:
        """What was told last was not kept: tell it again at the next occasion."""
        self.note.take_back(self._label.note)

    def _name_typed(self) -> None:
        text = " ".join(self.name.text().split())
        self.name.setModified(False)
        if self._subject is not None and text != self._label.name:
            self.named.emit(self._subject, text)

    def _note_typed(self, text: str) -> None:
        if self._subject is not None:
            self.noted.emit(self._subject, text)
