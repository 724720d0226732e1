"""The guided first run: its steps, and which of them is next as things stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from widgets.look.language import QT_TR_NOOP


@dataclass(frozen=True, slots=True)
class GuideStep:
    """What to do, and the name of the control to do it with. `next_text` is the button of a step
    that a person ends; others end when what they say was done."""

    id: str
    title: str
    text: str
    target: str
    next_text: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the steps depend on."""

    is_open: bool = False
    was_run: bool = False
    is_running: bool = False
    exports: int = 0


STEPS = (
    GuideStep(
        "open",
        QT_TR_NOOP("Open a sample"),
        QT_TR_NOOP(
            "Press SqueezeNet, a small network. Its operators and tasks are found in a few seconds."
        ),
        "sample",
    ),
    GuideStep(
        "start",
        QT_TR_NOOP("Start tuning"),
        QT_TR_NOOP(
            "Press Start. The run ends when its budget is spent; every result is kept as it comes."
        ),
        "start",
    ),
    GuideStep(
        "watch",
        QT_TR_NOOP("Watch the curve"),
        QT_TR_NOOP(
            "The bold line is the latency of the whole model. Each step down is a faster schedule."
        ),
        "convergence",
        QT_TR_NOOP("Next"),
    ),
    GuideStep(
        "end",
        QT_TR_NOOP("End the run"),
        QT_TR_NOOP(
            "Wait until the budget is spent, or press Stop when the curve is flat enough for you."
        ),
        "stop",
    ),
    GuideStep(
        "export",
        QT_TR_NOOP("Export"),
        QT_TR_NOOP(
            "Press Export and choose a folder. The module in it is checked against ONNX Runtime, "
            "and runs without Tunewright."
        ),
        "export",
    ),
    GuideStep(
        "done",
        QT_TR_NOOP("That is all it takes"),
        QT_TR_NOOP(
            "Your own models open in the same way. F1 opens the help at the part of the window "
            "that has the keyboard."
        ),
        "",
        QT_TR_NOOP("Done"),
    ),
)


class Guide(QObject):
    """Goes from step to step. `changed` comes with every other step, `ended` with True where the
    last one was reached and False where a person left."""

    changed = Signal()
    ended = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place: int | None = None
        self._exports = 0

    @property
    def step(self) -> GuideStep | None:
        """The step that is next, None where no guide goes on."""
        return None if self._place is None else STEPS[self._place]

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return (self._place or 0) + 1

    def begin(self, now: Situation) -> None:
        """Begin with the first step that is not done."""
        self._place, self._exports = 0, now.exports
        self._skip(now)
        self.changed.emit()

    def follow(self, now: Situation) -> None:
        """Go on where the step's doing is done."""
        before = self._place
        if before is None:
            return
        if not now.is_open and self._place:
            self._place = 0
        self._skip(now)
        if self._place != before:
            self.changed.emit()

    def next(self, now: Situation) -> None:
        """The person has seen enough of this step."""
        if self._place is None:
            return
        if self._place == len(STEPS) - 1:
            self._end(True)
            return
        self._place += 1
        self._skip(now)
        self.changed.emit()

    def leave(self) -> None:
        """The person wants no guide."""
        if self._place is not None:
            self._end(False)

    def _end(self, whole: bool) -> None:
        self._place = None
        self.changed.emit()
        self.ended.emit(whole)

    def _skip(self, now: Situation) -> None:
        assert self._place is not None
        while self._is_done(STEPS[self._place].id, now):
            self._place += 1

    def _is_done(self, step: str, now: Situation) -> bool:
        over = now.was_run and not now.is_running
        return {
            "open": now.is_open,
            "start": now.was_run,
            "watch": over,
            "end": over,
            "export": now.exports > self._exports,
        }.get(step, False)
