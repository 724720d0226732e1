"""Moves and zooms a plot by the keyboard, as the mouse does."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

STEP, ZOOM = 0.1, 0.8
_MOVES = {Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}
_ZOOMS = {
    Qt.Key.Key_Plus: ZOOM,
    Qt.Key.Key_Equal: ZOOM,
    Qt.Key.Key_Minus: 1 / ZOOM,
}


class PlotKeys(QObject):
    """Left and right move along the axis, + and - zoom, 0 shows all again.

    `holder` is what has the keyboard; the first plot of `view` is moved, those linked to it follow.
    """

    def __init__(self, view: pg.GraphicsLayoutWidget, holder: QWidget) -> None:
        super().__init__(view)
        self._view = view
        holder.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that are ours, where no other key is held with them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            held = event.modifiers() & ~(
                Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
            )
            if not held and self._view.isVisible() and self._press(event.key()):
                return True
        return super().eventFilter(watched, event)

    def _press(self, key: int) -> bool:
        box = self._box()
        if box is None:
            return False
        if key in _MOVES:
            low, high = box.viewRange()[0]
            self._by_hand(box)
            box.translateBy(x=_MOVES[Qt.Key(key)] * (high - low))
        elif key in _ZOOMS:
            self._by_hand(box)
            box.scaleBy(x=_ZOOMS[Qt.Key(key)])
        elif key == Qt.Key.Key_0 and hasattr(self._view, "fit"):
            self._view.fit()
        else:
            return False
        return True

    def _by_hand(self, box: pg.ViewBox) -> None:
        """Say what the mouse says: what follows new results stops following."""
        box.sigRangeChangedManually.emit(box.state["mouseEnabled"])

    def _box(self) -> pg.ViewBox | None:
        plots = [item for item in self._view.ci.items if isinstance(item, pg.PlotItem)]
        return plots[0].vb if plots else None
