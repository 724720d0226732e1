"""The part of an axis of time that is in sight: all of it until a person zooms."""

from __future__ import annotations

AHEAD = 1.03


class TimeSpan:
    """Seconds in sight, of 0 to a little more than `end_s`.

    What a person zoomed to stays whatever becomes of `end_s`; only `fit` shows all again.
    """

    def __init__(self, closest_s: float) -> None:
        """`closest_s`: it never shows fewer seconds than these."""
        self.end_s = 0.0
        self.closest_s = closest_s
        self._range: tuple[float, float] | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The seconds in sight."""
        return self._range or (0.0, self._whole)

    def fit(self) -> None:
        """All of the time in sight."""
        self._range = None

    def zoom(self, factor: float, around_s: float) -> None:
        """Show `factor` times as many seconds; `around_s` stays where it is."""
        low, high = self.range
        width = min(max((high - low) * factor, self.closest_s), self._whole)
        start = around_s - (around_s - low) / (high - low) * width
        self.look_at(start, width)

    def move(self, share: float) -> None:
        """Go on by a share of what is in sight; all of it stays."""
        if self._range is not None:
            low, high = self._range
            self.look_at(low + share * (high - low), high - low)

    def look_at(self, start: float, width: float) -> None:
        """Show so many seconds from `start` on, or from as near as there are so many."""
        start = min(max(start, 0.0), max(0.0, self._whole - width))
        self._range = None if width >= self._whole * 0.999 else (start, start + width)

    def show(self, at_s: float) -> None:
        """Bring a moment into sight, in the middle where it was not."""
        low, high = self.range
        if not low <= at_s <= high:
            self.look_at(at_s - (high - low) / 2, high - low)

    @property
    def _whole(self) -> float:
        return max(self.end_s * AHEAD, self.closest_s)
