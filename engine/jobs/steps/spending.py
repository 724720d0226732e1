"""What a run may still spend, and when it must end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from engine.jobs.context import RunContext
from engine.jobs.together import beside, end
from engine.records.trial import Measured
from engine.records.words import RunEnd

_WATCH_EVERY_S = 0.05
_MOST_ENDING = 0.3  # of a run's seconds that may be kept for its end
GRACE_S = 1.0  # most of what is in flight ends by itself in this time, and counts
ENDLESS = 1 << 30


@dataclass(frozen=True, slots=True)
class _Limit:
    """Trials of the run, and seconds of its clock, at which a part of it ends."""

    trials: float
    seconds: float


class Search(Protocol):
    """Searches all tasks but those in `leave`; `weights` stand for the tasks' own, and `batch` for
    the settings' trials of a slot."""

    def __call__(
        self,
        weights: Mapping[int, float] | None = None,
        leave: frozenset[int] = frozenset(),
        batch: int | None = None,
    ) -> Awaitable[None]:
        """Until the spending is over or nothing is left to try."""
        ...


class Spending:
    """The trials and seconds of one run; parts of it may have limits of their own.

    `reason` says in a few words why the run ends, and is empty while it goes on. `latency_s` is
    the whole model's, measured or expected; `ending_s` is how long the finals would take now, for
    which a run's seconds must do, too.
    """

    def __init__(
        self,
        context: RunContext,
        trials: int,
        latency_s: Callable[[], float | None],
        ending_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._context = context
        self._latency_s = latency_s
        self._ending_s = ending_s
        self._budget = context.settings.budget
        self.trials = trials
        self._earlier = context.history.trial_count - trials
        self.reason = ""
        self._limits: list[_Limit] = []

    @contextmanager
    def within(
        self, trials: int | None = None, seconds: float | None = None, since: int | None = None
    ) -> Iterator[None]:
        """Limit what is spent inside: trials counted from `since` (now), seconds from now."""
        start = self.trials if since is None else since
        run_s = self._context.clock.run_s
        limit = _Limit(
            ENDLESS if trials is None else start + trials,
            float("inf") if seconds is None else run_s + seconds,
        )
        self._limits.append(limit)
        try:
            yield
        finally:
            self._limits.remove(limit)

    @property
    def over(self) -> bool:
        """Whether nothing more may be started here: the run ends, or a limit is reached."""
        return self.left() <= 0

    def left(self) -> int:
        """Trials that may still be started."""
        if self.reason:
            return 0
        now = self._context.clock.run_s
        if any(now >= limit.seconds for limit in self._limits):
            return 0
        ends = [limit.trials for limit in self._limits]
        if self._budget.trials is not None:
            ends.append(self._budget.trials)
        return int(min(ends, default=ENDLESS)) - self.trials if ends else ENDLESS

    def seconds_left(self) -> float | None:
        """Seconds until the finals must begin, None where the budget says nothing of them."""
        seconds = self._budget.seconds
        if seconds is None:
            return None
        ending_s = min(_MOST_ENDING * seconds, self._ending_s())
        return max(0.0, seconds - ending_s - self._context.clock.run_s)

    def trials_left(self) -> int | None:
        """Trials that the run has left, None where its budget says nothing of them."""
        return None if self._budget.trials is None else max(0, self._budget.trials - self.trials)

    def reserve(self, wanted: int) -> int:
        """Take up to so many trials."""
        granted = max(0, min(wanted, self.left()))
        self.trials += granted
        return granted

    def give_back(self, trials: int) -> None:
        """Return trials that gave no result."""
        self.trials -= trials

    def expected_s(self) -> float | None:
        """The whole model's latency by now, measured or expected."""
        return self._latency_s()

    def end_by_known(self) -> None:
        """End the run as one whose objective known schedules meet, where it is met now."""
        wanted_s, now_s = self._budget.latency_s, self._latency_s()
        met = wanted_s is not None and now_s is not None and now_s <= wanted_s
        if met and self.reason in ("", RunEnd.OBJECTIVE):
            self.reason = RunEnd.KNOWN

    def missed(self, measured: Measured) -> bool:
        """Whether the run ended for an objective that the model as a whole has not come to; it
        goes on then, if it may. A disturbed measurement proves nothing, which the reason says."""
        wanted_s = self._budget.latency_s
        ended = self.reason in (RunEnd.OBJECTIVE, RunEnd.KNOWN)
        if not ended or wanted_s is None or measured.latency_s <= wanted_s:
            return False
        if measured.disturbed:
            self.reason = RunEnd.DISTURBED
            return False
        self.reason = ""
        return True

    async def until_over(self, steps: Coroutine[Any, Any, None]) -> None:
        """Take the steps, and end what is still in flight a moment after the run must end."""
        taking = asyncio.create_task(steps)
        try:
            async with beside(self._over_at_last(taking)):
                await asyncio.wait([taking])
        finally:
            await end(taking)
        if not (taking.cancelled() and self.reason):
            await taking

    async def _over_at_last(self, taking: asyncio.Task[None]) -> None:
        await self._watch()
        await asyncio.wait([taking], timeout=GRACE_S)
        taking.cancel()

    def _done(self) -> int:
        return self._context.history.trial_count - self._earlier

    async def _watch(self) -> None:
        """Wait until the run's time is spent, its objective met, or its last trial done: a search
        that still looks for candidates would have them tried by nobody."""
        budget, clock = self._budget, self._context.clock
        soon_s = None if budget.seconds is None else (1 - _MOST_ENDING) * budget.seconds
        while not self.reason:
            await asyncio.sleep(_WATCH_EVERY_S)
            if self.reason:  # which the steps gave meanwhile
                return
            now_s = self._latency_s()
            if soon_s is not None and clock.run_s >= soon_s and self.seconds_left() == 0:
                self.reason = RunEnd.TIME
            elif budget.latency_s is not None and now_s is not None and now_s <= budget.latency_s:
                self.reason = RunEnd.OBJECTIVE
            elif budget.trials is not None and self._done() >= budget.trials:
                self.reason = RunEnd.TRIALS
