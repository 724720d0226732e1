"""Where the lanes of the queue's timeline are: seconds and cores in pixels, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF

from widgets.jobs.spans import CORES, Lane
from widgets.plots.time_axis import AXIS, TimePlaces

GUTTER, TOP, GAP = 96.0, 4.0, 4.0
DEVICE, LEAST_DEVICE = 22.0, 14.0
LEAST_CORES, MOST_CORE = 26.0, 26.0
NARROWEST = 1.0
ROOM_BETWEEN = 4.0  # pixels a core has where bars can leave a pixel between them


@dataclass(frozen=True, slots=True)
class JobPlaces(TimePlaces):
    """Where the lanes are."""

    lanes: Sequence[Lane]
    left: ClassVar[float] = GUTTER

    def lane_rect(self, place: int) -> QRectF:
        """The band of a lane, from its first second in sight to the last."""
        top = TOP + sum(self._high(lane) + GAP for lane in self.lanes[:place])
        return QRectF(self.left, top, self.time_width, self._high(self.lanes[place]))

    def rect(self, place: int, start_s: float, end_s: float, top: int, high: int) -> QRectF:
        """A bar of a lane: so many cores from `top` on."""
        band, cores = self.lane_rect(place), self.lanes[place].cores
        left, right = self.x(start_s), self.x(end_s)
        core = band.height() / cores
        gap = 1.0 if core > ROOM_BETWEEN else 0.0
        return QRectF(
            left, band.top() + top * core, max(NARROWEST, right - left), max(1.0, high * core - gap)
        )

    def lane_at(self, y: float) -> tuple[int, int] | None:
        """The lane at a height, and which of its cores."""
        for place, lane in enumerate(self.lanes):
            band = self.lane_rect(place)
            if band.top() <= y < band.bottom():
                row = int((y - band.top()) / band.height() * lane.cores)
                return place, min(row, lane.cores - 1)
        return None

    def _high(self, lane: Lane) -> float:
        devices = sum(lane.name != CORES for lane in self.lanes)
        room = self.height - TOP - AXIS - GAP * len(self.lanes)
        device = DEVICE if room >= LEAST_CORES + devices * DEVICE else LEAST_DEVICE
        if lane.name != CORES:
            return device
        return min(
            max(LEAST_CORES, room - devices * device), max(LEAST_CORES, lane.cores * MOST_CORE)
        )


def least_height(lanes: Sequence[Lane]) -> int:
    devices = sum(lane.name != CORES for lane in lanes)
    cores = LEAST_CORES if devices < len(lanes) or not lanes else 0.0
    return round(TOP + AXIS + cores + devices * LEAST_DEVICE + GAP * max(1, len(lanes)))
