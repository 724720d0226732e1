"""The plot of p-values."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFont

from engine.history.history import Floats
from widgets.droplet.neighbours import LEVEL
from widgets.look.language import tr
from widgets.look.theme import Theme
from widgets.plots.items import AxisPlot

SURE = 1e-4
STEPS_HEIGHT = 36
_NEAR = 0.3  # decades: ticks that are nearer to the level than this would hide it
_PIXELS_A_TICK = 14


class PValueAxis(pg.AxisItem):  # type: ignore[misc]
    """p-values by their logarithms; surer ones are further down."""

    level = LEVEL

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """The level, and round values apart from it."""
        shown = [math.log10(self.level)]
        near = max(_NEAR, abs(high - low) * _PIXELS_A_TICK / max(size, 1.0))
        for value in (0.0, math.log10(SURE), math.log10(0.01)):
            if all(abs(value - other) > near for other in shown):
                shown.append(value)
        return [(1.0, shown)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Each as a plain number."""
        return [f"{10.0**value:.4g}" for value in values]


class PValuePlot(AxisPlot):
    """p-values over steps, with the level that counts as significant as a line."""

    def __init__(self) -> None:
        super().__init__(PValueAxis("left"))
        self.progress.trials = True
        self.progress.setHeight(STEPS_HEIGHT)
        self.vb.setMouseEnabled(y=False)
        self.vb.setYRange(math.log10(SURE) - 0.4, 0.4, padding=0)
        self._level = pg.InfiniteLine(math.log10(LEVEL), angle=0)
        self.addItem(self._level)

    def show_level(self, level: float) -> None:
        """Up to which p-value a gain is significant."""
        self.upwards.level = max(level, SURE)
        self.upwards.picture = None
        self._level.setValue(math.log10(self.upwards.level))

    def up(self, p_values: Floats) -> Floats:
        """Where p-values are on the axis; the surest are on its last tick."""
        return np.log10(np.maximum(p_values, SURE))

    def recolor(self, colors: Theme, font: QFont) -> None:
        """Axes, grid and the level in the theme's colours."""
        super().recolor(colors, font)
        self.name_axis(self.upwards, tr("p-value"), colors)
        self.name_axis(self.progress, tr("step"), colors)
        self._level.setPen(pg.mkPen(colors.warning, width=1, dash=[4, 4]))
