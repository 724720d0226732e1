"""The guide on screen: a frame round the next control and a note beside it, without focus."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from widgets.look.language import tr
from widgets.look.theme import theme
from widgets.parts.pieces import stacked, text_label
from widgets.window.guide import STEPS, GuideStep

WIDTH = 300
GAP = 10
_PEN = 2
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide,
          QEvent.Type.LayoutRequest)  # fmt: skip


class _Outline(QWidget):
    """A frame over a control that lets everything through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().accent, _PEN))
        painter.drawRoundedRect(self.rect().adjusted(_PEN, _PEN, -_PEN, -_PEN), 4, 4)


class GuideBubble(QFrame):
    """A note inside `window` that points at a control; it can be left at any time."""

    next_wanted = Signal()
    leave_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setProperty("role", "message-info")
        self.setAccessibleName(tr("Guided first run"))
        self.setFixedWidth(WIDTH)
        self._window = window
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        self._outline = _Outline(window)
        self.title = text_label(role="title", wraps=False)
        self.text = text_label()
        self.count = text_label(role="muted", wraps=False)
        self.next_button = QPushButton(tr("Next"))
        self.leave_button = QPushButton(tr("Leave the tour"))
        self.next_button.clicked.connect(self.next_wanted)
        self.leave_button.clicked.connect(self.leave_wanted)
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.count)
        foot.addWidget(self.leave_button)
        foot.addStretch(1)
        foot.addWidget(self.next_button)
        stacked(head, self.text, foot, on=self, margins=(12, 8, 12, 8))
        window.installEventFilter(self)
        self.hide()
        self._outline.hide()

    def show_step(self, step: GuideStep, number: int, target: QWidget | None) -> None:
        """Point at `target`, or stand in the corner where that is not to be seen."""
        self._watch(target)
        title, text = tr(step.title), tr(step.text)
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(tr("{number} of {count}", number=number, count=len(STEPS)))
        self.next_button.setText(tr(step.next_text) if step.next_text else "")
        self.next_button.setVisible(bool(step.next_text))
        self.leave_button.setVisible(number < len(STEPS))
        self.setAccessibleDescription(f"{title}. {text}")
        self.show()
        self.place()

    def put_away(self) -> None:
        self._watch(None)
        self._outline.hide()
        self.hide()

    @property
    def points_at(self) -> QWidget | None:
        """The control in the frame, None where it is not on screen."""
        target = self._target
        if target is None or not target.isVisibleTo(self._window):
            return None
        shown = self._window.isVisible()
        return None if shown and target.visibleRegion().isEmpty() else target

    def place(self) -> None:
        """Stand beside the control as it is now."""
        target = self.points_at
        room = self._window.rect()
        self.resize(QSize(WIDTH, self.heightForWidth(WIDTH) or self.sizeHint().height()))
        self.adjustSize()
        self._outline.setVisible(target is not None and not self.isHidden())
        if target is None:
            corner = room.bottomRight() - QPoint(self.width() + 24, self.height() + 48)
            self.move(corner)
        else:
            around = QRect(target.mapTo(self._window, QPoint(0, 0)), target.size())
            self._outline.setGeometry(around.adjusted(-4, -4, 4, 4).intersected(room))
            self.move(beside(around, self.size(), room))
        self._outline.raise_()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and self._lives() and not self.isHidden():
            self.place()
        return False

    def _lives(self) -> bool:
        """Whether none of it is being destroyed: what a window destroys it hides before."""
        target = self._target
        return all(part is None or shiboken6.isValid(part) for part in (self, self._window, target))

    def _watch(self, target: QWidget | None) -> None:
        """Follow the control and all that it is in: any of it may move or be hidden."""
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._watched = []
        self._target = target
        while target is not None and target is not self._window:
            target.installEventFilter(self)
            self._watched.append(target)
            target = target.parentWidget()
        if self._target is not None:
            self._target.destroyed.connect(self._lost)

    def _lost(self) -> None:
        self._target, self._watched = None, []


def beside(control: QRect, size: QSize, room: QRect) -> QPoint:
    """Where a note of `size` stands: below a control, above it, beside it, or over its middle."""
    width, height = size.width(), size.height()
    x = min(max(control.left(), room.left() + GAP), room.right() - width - GAP)
    below, above = control.bottom() + GAP, control.top() - GAP - height
    if below + height <= room.bottom():
        return QPoint(x, below)
    if above >= room.top():
        return QPoint(x, above)
    y = min(max(control.top(), room.top() + GAP), room.bottom() - height - GAP)
    if control.right() + GAP + width <= room.right():
        return QPoint(control.right() + GAP, y)
    if control.left() - GAP - width >= room.left():
        return QPoint(control.left() - GAP - width, y)
    middle = control.center() - QPoint(width // 2, height // 2)
    return QPoint(max(GAP, middle.x()), max(GAP, middle.y()))
