"""Where the parts of the timeline of an inference are: seconds and rows in pixels, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF

from engine.history.inference import Inference, KernelRun
from widgets.plots.axes import latency_text
from widgets.plots.ticks import ticks
from widgets.plots.time_axis import AXIS, TimePlaces

GUTTER, TOP, BETWEEN = 84.0, 6.0, 8.0
WHOLE, LEAST_KERNELS, MOST_KERNELS = 18.0, 18.0, 40.0
LEAST_PEAK, MOST_PEAK = 30.0, 400.0
KERNELS_SHARE = 0.3  # of what the two lower rows have
NARROWEST = 1.5


@dataclass(frozen=True, slots=True)
class Places(TimePlaces):
    """Three rows: the whole, the kernels, and how near to a peak each is."""

    found: Inference
    left: ClassVar[float] = GUTTER

    @property
    def area(self) -> QRectF:
        """All between the names of the rows, the edge and the axis."""
        return QRectF(self.left, 0.0, self.time_width, self.bottom)

    @property
    def bottom(self) -> float:
        """Where the rows end and the axis is."""
        return self.peaks_top + self.peaks_height

    @property
    def kernels_top(self) -> float:
        return TOP + WHOLE + BETWEEN

    @property
    def kernels_height(self) -> float:
        return min(max(KERNELS_SHARE * self._room, LEAST_KERNELS), MOST_KERNELS)

    @property
    def peaks_top(self) -> float:
        """Where a kernel at its peak reaches."""
        return self.kernels_top + self.kernels_height + BETWEEN

    @property
    def peaks_height(self) -> float:
        return min(max(self._room - self.kernels_height, LEAST_PEAK), MOST_PEAK)

    @property
    def _room(self) -> float:
        return self.height - (TOP + WHOLE + 2 * BETWEEN + AXIS)

    def ticks(self) -> list[tuple[float, str]]:
        """Round latencies in sight."""
        low, high = self.range
        values = ticks(low, high, self.room_for_ticks)
        return [(value, latency_text(value, high)) for value in values]

    def whole_rect(self) -> QRectF:
        """The bar of the whole."""
        return self._rect(0.0, self.found.measured.latency_s, TOP, WHOLE)

    def gap_rect(self) -> QRectF:
        """What no kernel takes, behind the last of them; empty where there is nothing."""
        if self.found.gap_s <= 0:
            return QRectF()
        end_s = self.found.measured.latency_s
        return self._rect(self.found.sum_s, end_s, self.kernels_top, self.kernels_height)

    def rect(self, run: KernelRun) -> QRectF:
        """The bar of a kernel."""
        return self._rect(run.start_s, run.end_s, self.kernels_top, self.kernels_height)

    def share_rect(self, run: KernelRun) -> QRectF:
        """The bar of its part of the peak, full at the peak and above; empty where unknown."""
        if run.share is None:
            return QRectF()
        high = min(run.share, 1.0) * self.peaks_height
        return self._rect(run.start_s, run.end_s, self.bottom - high, high)

    def in_sight(self, run: KernelRun) -> bool:
        """Whether any of it is within the seconds shown."""
        low, high = self.range
        return run.end_s >= low and run.start_s <= high

    def run_at(self, at: QPointF) -> KernelRun | None:
        """The kernel under a point of the lower two rows, a narrow one also a pixel beside it."""
        if not self.area.contains(at) or at.y() < self.kernels_top:
            return None
        near = [run for run in self.found.kernels if self._column(run).contains(at)]
        return near[-1] if near else None

    def _column(self, run: KernelRun) -> QRectF:
        rect = self.rect(run).adjusted(-1, 0, 2, 0)
        rect.setBottom(self.bottom)
        return rect

    def _rect(self, start_s: float, end_s: float, top: float, high: float) -> QRectF:
        left, right = self.x(start_s), self.x(end_s)
        return QRectF(left, top, max(NARROWEST, right - left - 1.0), high)


def least_height() -> int:
    """What the three rows need."""
    return round(TOP + WHOLE + LEAST_KERNELS + LEAST_PEAK + 2 * BETWEEN + AXIS)
