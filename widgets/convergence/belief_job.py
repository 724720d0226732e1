"""Works out beliefs in a thread; keeps what was worked out."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.allocation.belief_series import (
    BeliefQuestion,
    BeliefSeries,
    build_belief_series,
    build_chain_series,
)
from widgets.parts.background import Background

KEPT = 64


class BeliefJob(QObject):
    """One question at a time. `ready` carries the question and its answer, None for no belief."""

    ready = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._known: dict[tuple[object, ...], BeliefSeries | None] = {}
        self._asked: BeliefQuestion | None = None
        self._background = Background(self)
        self._background.done.connect(self._keep)
        self._background.failed.connect(lambda *_: self._give_up())

    def ask(self, question: BeliefQuestion) -> None:
        """Answer at once what is known, else when it is worked out."""
        if question.key in self._known:
            self._background.cancel()
            self._asked = None
            self.ready.emit(question, self._known[question.key])
        elif self._asked is None or self._asked.key != question.key:
            self._asked = question
            self._background.start(lambda _: (question, build_belief_series(question)))

    def forget(self) -> None:
        """Another project: nothing that is known holds."""
        self._background.cancel()
        self._asked = None
        self._known.clear()

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()

    def _keep(self, answer: tuple[BeliefQuestion, BeliefSeries | None]) -> None:
        question, series = answer
        self._asked = None
        while len(self._known) >= KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[question.key] = series
        self.ready.emit(question, series)

    def _give_up(self) -> None:
        question, self._asked = self._asked, None
        if question is not None:
            self.ready.emit(question, None)


class ChainJob(QObject):
    """Works out the chain behind one belief."""

    ready = Signal(object)
    failed = Signal(str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._background.done.connect(self.ready)
        self._background.failed.connect(self.failed)

    def ask(self, question: BeliefQuestion) -> None:
        """Begin; `ready` carries a ChainSeries, or None where there is no curve."""
        self._background.start(lambda _: build_chain_series(question))

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()
