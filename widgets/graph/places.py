"""Where a person has looked: back and forward through places, as in a browser."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """The middle of what is in sight, in the scene, and the zoom."""

    x: float
    y: float
    zoom: float


class Places:
    """The places that jumps led away from, and those that "back" led away from."""

    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier place."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether a place was left by going back."""
        return bool(self._forward)

    def leave(self, here: Place) -> None:
        """A jump leads away from here."""
        if not self._back or self._back[-1] != here:
            self._back = [*self._back[1 - MOST :], here]
        self._forward.clear()

    def back(self, here: Place) -> Place | None:
        """The place before, None at the first."""
        return self._move(self._back, self._forward, here)

    def forward(self, here: Place) -> Place | None:
        """The place that was left by going back."""
        return self._move(self._forward, self._back, here)

    def clear(self) -> None:
        """Forget all: another drawing."""
        self._back.clear()
        self._forward.clear()

    def _move(self, source: list[Place], other: list[Place], here: Place) -> Place | None:
        if not source:
            return None
        other.append(here)
        return source.pop()
