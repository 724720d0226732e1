"""What all our views of plots have: a menu, the text beside the pointer, clicks and colours."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QWidget

from widgets.look.theme import TEXT_PIXELS, Theme, tabular, theme, theme_notifier
from widgets.parts.exporting import Sheet
from widgets.plots.items import AxisPlot
from widgets.plots.readout import Readout
from widgets.plots.tools import PlotTools, fit_action, follow_action

NOWHERE = QPointF(-1.0, -1.0)


class PlotView(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Plots one below another. All is in sight until a person pans or zooms; a double click, or
    "Follow", shows all again. Heirs say what is at a place and what a click on it does.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: list[AxisPlot] = []
        self.readout = Readout(self)
        self.follow = follow_action(self, self.fit)
        self.ci.layout.setContentsMargins(4, 4, 12, 4)
        self.ci.layout.setSpacing(4)
        self.scene().sigMouseMoved.connect(self._hover)
        self.scene().sigMouseClicked.connect(self._click)
        theme_notifier().changed.connect(self._recolor)
        self.setAccessibleName(name)

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        self.follow.setChecked(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under a pointer that has left."""
        super().leaveEvent(event)
        self._hover(NOWHERE)

    def _add_plot(self, plot: AxisPlot, height: int = 1) -> None:
        """Put a plot below the others; `height` is its share."""
        self.addItem(plot, row=len(self._shown), col=0)
        self.ci.layout.setRowStretchFactor(len(self._shown), height)
        self._shown.append(plot)
        plot.give_menu_to(self)
        plot.vb.sigRangeChangedManually.connect(self._touch)

    def _offer(self, name: str, sheet: Callable[[], Sheet], *more: QAction) -> None:
        """Give it the menu of every plot."""
        fit = fit_action(self, self.fit)
        self.tools = PlotTools(self, name, sheet, lambda: [self.follow, *more, fit])

    def _text_at(self, scene: QPointF) -> str:
        """What is told of a place."""
        return ""

    def _pick_at(self, scene: QPointF) -> None:
        """A click on a place."""

    def _dress(self, colors: Theme, font: QFont) -> None:
        """Give what heirs draw the theme's colours."""

    def _touch(self, *_: object) -> None:
        self.follow.setChecked(False)

    def _recolor(self) -> None:
        colors, font = theme(), tabular(self.font(), TEXT_PIXELS - 1)
        self.setBackground(colors.surface)
        for plot in self._shown:
            plot.recolor(colors, font)
        self.readout.recolor()
        self._dress(colors, font)

    def _place_of(self, x: float, y: float) -> QPointF:
        """A place of the scene in coordinates of this widget."""
        return QPointF(self.mapFromScene(QPointF(x, y)))

    def _hover(self, scene: QPointF) -> None:
        self.readout.say(self._text_at(scene), self.mapFromScene(scene))

    def _click(self, event: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if event.double():
            self.fit()
        else:
            self._pick_at(event.scenePos())
