"""The theme's ramp as a bar, for legends."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QLinearGradient, QPainter

from widgets.look.theme import theme

RAMP_WIDTH, RAMP_HEIGHT = 120.0, 8.0
_STOPS = 16


def paint_ramp(painter: QPainter, x: float, height: float) -> float:
    """Draw the ramp at `x` in the middle of a line of this height; where it ends."""
    bar = QRectF(x, (height - RAMP_HEIGHT) / 2, RAMP_WIDTH, RAMP_HEIGHT)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for stop in range(_STOPS + 1):
        gradient.setColorAt(stop / _STOPS, theme().ramp(stop / _STOPS))
    painter.fillRect(bar, gradient)
    return bar.right()
