"""Brings windows forward, and back where nobody could grasp them: off every screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

# What of a title bar must be in sight to drag the window by it.
GRIP_WIDTH, GRIP_HEIGHT = 80, 24
INSET = 24


def graspable(frame: QRect, screens: Sequence[QRect]) -> bool:
    """Whether enough of the window's top edge is on one of the screens, and none is too small."""
    top = QRect(frame.topLeft(), QSize(frame.width(), GRIP_HEIGHT))
    width, height = min(GRIP_WIDTH, frame.width()), GRIP_HEIGHT // 2
    seen = [top.intersected(screen) for screen in screens]
    whole = QRect()
    for screen in screens:
        whole = whole.united(screen)
    fits = frame.width() <= whole.width() and frame.height() <= whole.height()
    return fits and any(part.width() >= width and part.height() >= height for part in seen)


def brought_in(frame: QRect, screen: QRect) -> QRect:
    """The frame within `screen`, no larger than that, and as near to its old place as may be."""
    size = frame.size().boundedTo(screen.size())
    if not screen.intersects(frame):
        corner = screen.topLeft() + QPoint(INSET, INSET)
        frame = QRect(corner, size)
    last = screen.bottomRight() - QPoint(size.width() - 1, size.height() - 1)
    x = max(screen.left(), min(frame.x(), last.x()))
    y = max(screen.top(), min(frame.y(), last.y()))
    return QRect(QPoint(x, y), size)


def rescue(window: QWidget) -> bool:
    """Move a window into sight where it is not; whether that was needed."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    frame = window.frameGeometry()
    if not screens or window.isMaximized() or window.isFullScreen() or graspable(frame, screens):
        return False
    over = frame.size() - window.size()  # the frame's own edges
    target = window.parentWidget()
    screen = (target or window).screen() or QGuiApplication.primaryScreen()
    goal = brought_in(frame, screen.availableGeometry())
    window.resize(goal.size() - over)
    window.move(goal.topLeft())
    return True


def come_forward(window: QWidget) -> None:
    """Show a window before all others."""
    window.showNormal() if window.isMinimized() else window.show()
    window.raise_()
    window.activateWindow()
