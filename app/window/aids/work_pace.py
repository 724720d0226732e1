"""How long work takes, learned from the last times it was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.process.settings import Settings

KEY = "work/paces"
KINDS_KEPT = 24
_LEAST_S = 1.0  # before that nothing is said of the time left


@dataclass(slots=True)
class _Step:
    """A step under way: since when, and the first count of what it has done."""

    text: str
    since: float
    first: tuple[float, int] | None = None
    done: int = 0
    total: int = 0


class Pace:
    """Follows one piece of work after another; keeps what each step took in the settings.

    A later piece of the same title is expected to take as long, scaled by how its first steps
    compare with the last time's. A step that counts its parts is read ahead from those.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._known: dict[str, dict[str, float]] = settings.get(KEY, {})
        self._title = ""
        self._began = 0.0
        self._taken: dict[str, float] = {}
        self._step: _Step | None = None

    def begin(self, title: str) -> None:
        """Work begins."""
        self._title, self._began = title, self._clock()
        self._taken, self._step = {}, None

    def step(self, text: str, done: int = 0, total: int = 0) -> None:
        """The work is at this step, and has done so many of its parts."""
        now = self._clock()
        if self._step is None or self._step.text != text:
            self._end_step(now)
            self._step = _Step(text, now) if text else None
        if self._step is not None and total:
            self._step.first = self._step.first or (now, done)
            self._step.done, self._step.total = done, total

    def end(self, whole: bool) -> float:
        """The work is over; its seconds. Only what was carried out `whole` is remembered."""
        now = self._clock()
        self._end_step(now)
        self._step = None
        if whole and self._taken and self._title:
            self._known.pop(self._title, None)
            self._known[self._title] = {text: round(s, 3) for text, s in self._taken.items()}
            for title in list(self._known)[:-KINDS_KEPT]:
                del self._known[title]
            self._settings.set(KEY, self._known)
        return now - self._began

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return self._clock() - self._began

    @property
    def step_seconds(self) -> float:
        """Since its step began."""
        return self._clock() - (self._step.since if self._step else self._began)

    def usual(self) -> float | None:
        """What the present step took the last time."""
        text = self._step.text if self._step else ""
        return self._times().get(text)

    def left(self) -> float | None:
        """Seconds to the end, None where nothing is known of them."""
        step = self._step
        if step is None or self.seconds < _LEAST_S:
            return None
        counted, times = self._counted(step), self._times()
        if counted is None and step.text not in times:
            return None
        scale = self._scale(times)
        here = scale * times.get(step.text, 0.0) - self.step_seconds
        rest = [text for text in times if text not in self._taken and text != step.text]
        return max(0.0, here if counted is None else counted) + scale * sum(
            times[text] for text in rest
        )

    def _counted(self, step: _Step) -> float | None:
        """What is left of a step that counts, by its own pace."""
        if step.first is None or step.done <= step.first[1]:
            return None
        since, first = step.first
        return (self._clock() - since) / (step.done - first) * (step.total - step.done)

    def _scale(self, times: dict[str, float]) -> float:
        known = sum(times.get(text, 0.0) for text in self._taken)
        taken = sum(seconds for text, seconds in self._taken.items() if text in times)
        return taken / known if known > 0 and taken > 0 else 1.0

    def _times(self) -> dict[str, float]:
        """The steps of the last time, with whatever the settings hold that makes sense."""
        found = self._known.get(self._title)
        items = found.items() if isinstance(found, dict) else ()
        return {text: float(s) for text, s in items if isinstance(s, int | float) and s >= 0}

    def _end_step(self, now: float) -> None:
        if self._step is not None:
            before = self._taken.get(self._step.text, 0.0)
            self._taken[self._step.text] = before + now - self._step.since
