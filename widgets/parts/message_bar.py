"""Messages that lie over the lower edge of the workspace; notes leave by themselves."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import theme_notifier
from widgets.parts.pieces import text_label

MOST = 3
WIDEST, MARGIN = 760, 8  # pixels
NOTE_MS = 12_000
Action = tuple[str, Callable[[], object]]  # what its button says, and what it does
_WORDS = {
    "error": QT_TR_NOOP("✕ Error"),
    "warning": QT_TR_NOOP("▲ Warning"),
    "info": QT_TR_NOOP("● Note"),
}


class MessageRow(QFrame):
    """One message: what happened, what to do, perhaps something to press: `action` takes the
    message away, `look` leaves it. A note with nothing to press leaves, but not while it is looked
    at: under the mouse, or with the keyboard in it."""

    changed = Signal()  # it is gone, or has another text

    def __init__(
        self,
        level: str,
        what: str,
        todo: str = "",
        action: Action | None = None,
        look: Action | None = None,
    ) -> None:
        super().__init__()
        self.level, self.what, self.todo, self.kind = level, what, todo, ""
        self.count = 1
        self.setProperty("role", f"message-{level}")
        text = self.text()
        self.setAccessibleName(tr("{level}: {text}", level=tr(_WORDS[level]), text=text))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 4, 4)
        self._word = PlainLabel(tr(_WORDS[level]))
        self._word.setProperty("role", level if level != "info" else "muted")
        self._text = text_label()
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self._word)
        layout.addWidget(self._text, 1)
        self.look_button: QPushButton | None = None
        if look is not None:
            self.look_button = QPushButton(look[0])
            self.look_button.clicked.connect(look[1])
            layout.addWidget(self.look_button)
        self.action_button: QPushButton | None = None
        if action is not None:
            self.action_button = QPushButton(action[0])
            self.action_button.clicked.connect(self.dismiss)
            self.action_button.clicked.connect(action[1])
            layout.addWidget(self.action_button)
        self.copy_button = self._tool("copy", tr("Copy this message"), self.copy)
        self.dismiss_button = self._tool("close", tr("Dismiss this message"), self.dismiss)
        layout.addWidget(self.copy_button)
        layout.addWidget(self.dismiss_button)
        theme_notifier().changed.connect(self._retint)
        self._leaving = QTimer(self, interval=NOTE_MS)
        self._leaving.timeout.connect(self._leave)
        if level == "info" and action is None and look is None:
            self._leaving.start()
        self._show_text()

    def text(self) -> str:
        """What a person reads, and what Copy copies."""
        return f"{told(self.what)} {told(self.todo)}".strip()

    def again(self) -> None:
        """The same message came once more."""
        self.count += 1
        if self._leaving.isActive():
            self._leaving.start()
        self._show_text()
        self.changed.emit()

    def copy(self) -> None:
        """Put the message on the clipboard."""
        QGuiApplication.clipboard().setText(self.text())

    def dismiss(self) -> None:
        self.hide()
        self.setParent(None)
        self.changed.emit()
        self.deleteLater()

    def _leave(self) -> None:
        holder = self.focusWidget()
        if not self.underMouse() and (holder is None or not holder.hasFocus()):
            self.dismiss()

    def _show_text(self) -> None:
        text = self.text()
        if self.count > 1:
            text = tr("{text}  ({count} times)", text=text, count=self.count)
        self._text.setText(text)

    def _tool(self, name: str, tip: str, slot: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(slot)
        return button

    def _retint(self) -> None:
        self.copy_button.setIcon(icon("copy"))
        self.dismiss_button.setIcon(icon("close"))


class MessageBar(QWidget):
    """A short stack of messages, the newest on top; the oldest makes room.

    It takes no room from what it lies over: it is as large as its messages are, and hidden without.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ground: QWidget | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        self.setAccessibleName(tr("Messages"))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)

    def lie_over(self, ground: QWidget) -> None:
        """Keep to the lower edge of this widget from now on."""
        self._ground = ground
        self.setParent(ground)
        ground.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the widget below."""
        if event.type() is QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        if self._ground is None:
            return
        wide = min(WIDEST, self._ground.width() - 2 * MARGIN)
        high = self._layout.totalHeightForWidth(wide)
        left, top = (self._ground.width() - wide) // 2, self._ground.height() - high - MARGIN
        self.setGeometry(left, max(top, 0), wide, high)
        self.setVisible(bool(self.rows()))
        self.raise_()

    def rows(self) -> list[MessageRow]:
        """The messages on show, newest first."""
        items = (self._layout.itemAt(i) for i in range(self._layout.count()))
        return [row for item in items if item and isinstance(row := item.widget(), MessageRow)]

    def show_message(
        self,
        level: str,
        what: str,
        todo: str = "",
        action: Action | None = None,
        kind: str = "",
        look: Action | None = None,
    ) -> None:
        """Add a message, or count it up where it is on show already.

        One of a `kind` takes the place of the last of that kind, and leaves with its project.
        """
        for row in self.rows():
            if kind and row.kind == kind:
                row.dismiss()
        for row in self.rows():
            if (row.level, row.what, row.todo) == (level, what, todo):
                row.again()
                return
        for row in self.rows()[MOST - 1 :]:
            row.dismiss()
        made = MessageRow(level, what, todo, action, look)
        made.kind = kind
        made.changed.connect(self._soon.start)
        self._layout.insertWidget(0, made)
        self._place()
        self._soon.start()  # by then the style has been applied

    def dismiss(self, what: str) -> None:
        """Take away messages that say `what`."""
        for row in self.rows():
            if row.what == what:
                row.dismiss()

    def leave_project(self) -> None:
        """Take away what was said of the project that was closed."""
        for row in self.rows():
            if row.kind:
                row.dismiss()

    def clear(self) -> None:
        for row in self.rows():
            row.dismiss()
