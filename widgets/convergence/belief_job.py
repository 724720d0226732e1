"""Works out beliefs in a thread, keeps them, and puts them on the plot's axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.allocation.belief_series import (
    BeliefQuestion,
    BeliefSeries,
    build_belief_series,
    build_chain_series,
)
from engine.history.history import Floats, History
from engine.history.slot_log import SlotSpan
from engine.records.units import format_seconds, format_share
from widgets.look.language import tr
from widgets.parts.background import Background
from widgets.plots.convergence_series import Across, progress_end


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBelief:
    """Places on the axis: x by seconds or trials of the project, y in seconds.

    The fitted curve, the band ahead (all of one length), and where segments begin.
    """

    fit_x: Floats
    fit_y: Floats
    ahead_x: Floats
    mean_y: Floats
    fast_y: Floats
    slow_y: Floats
    starts_x: Floats


def place_belief(
    history: History, series: BeliefSeries, across: Across, pace: float
) -> PlacedBelief:
    """Put a belief on the axis: the past where its trials were, the future from now on.

    `pace` is how much of the axis one more trial of this task takes.
    """
    log = history.log(series.task)
    column = log.elapsed_s if across is Across.SECONDS else log.numbers
    x = np.asarray(column, np.float64)
    end, own = progress_end(history, across), np.arange(1.0, len(x) + 1)
    fit_x, fit_y = series.fit_at, series.fit_s
    if len(fit_x):
        fit_x = np.append(np.interp(fit_x, own, x), end)
        fit_y = np.append(fit_y, fit_y[-1])
    return PlacedBelief(
        fit_x=fit_x,
        fit_y=fit_y,
        ahead_x=end + (series.ahead_at - series.ahead_at[0]) * pace,
        mean_y=series.mean_s,
        fast_y=series.fast_s,
        slow_y=series.slow_s,
        starts_x=x[np.minimum(series.starts, len(x)) - 1],
    )


def pace_of(history: History, task: int, spans: Sequence[SlotSpan], across: Across) -> float:
    """How much of the axis a trial of a task takes: 1, or the mean seconds in its slots.

    Where it had no slots, the mean over all trials of the project.
    """
    if across is Across.TRIALS:
        return 1.0
    own = [span for span in spans if span.info.task == task and span.trials]
    if own:
        return sum(span.seconds for span in own) / sum(span.trials for span in own)
    return history.last_elapsed_s / max(1, history.trial_count)


def belief_text(series: BeliefSeries | None) -> str:
    """A belief in one line."""
    if series is None:
        return tr("no belief before the first latency")
    gain, spread = format_seconds(series.gain_s), format_seconds(series.spread_s, 2)
    if not series.curves:
        return tr(
            "next slot: {gain} expected off the model ± {spread} (80 %: {low} to {high})",
            gain=gain,
            spread=spread,
            low=format_seconds(series.low_s, 2) if series.low_s > 0 else "0",
            high=format_seconds(series.high_s, 2),
        )
    how = series.why or tr(
        "{family}, acceptance {share}",
        family=series.family,
        share=format_share(series.acceptance),
    )
    return tr(
        "next slot: {gain} expected off the model ± {spread} ({how})",
        gain=gain,
        spread=spread,
        how=how,
    )


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
