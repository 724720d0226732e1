"""The searches that find a program's schedule, and what it is compared with."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.ios.baselines import greedy, price, sequential
from engine.ios.block_search import Mergeable
from engine.ios.cost_table import StageCosts
from engine.ios.endings import Pruning
from engine.ios.graph import OperatorGraph
from engine.ios.options import SearchOptions, Strategies, Way
from engine.ios.scheduler import Progress, Scheduler
from engine.records.schedule import IosOptions, Schedule, SearchState, Stage

# The widest first: that is where the time is best spent, and it leaves little to the others.
_SEARCHED = {
    Strategies.PARALLEL: (Way.IOS_PARALLEL,),
    Strategies.MERGE: (Way.IOS_MERGE,),
    Strategies.BOTH: (Way.IOS_BOTH, Way.IOS_PARALLEL, Way.IOS_MERGE),
}
_REPLAY_S = 2.0  # for a way that the time did not reach


@dataclass(frozen=True, slots=True)
class Look:
    """A turn of the search: the stages to measure next, how far it is, the best so far."""

    wanted: tuple[Stage, ...]
    state: SearchState
    best: Schedule | None


class ScheduleSearch:
    """One search for each way that the options ask for, over one table and in one time.

    `for look in search.looks():` measure `look.wanted` into the costs, as with a Scheduler. Leave
    the loop at any time. Not safe to share between threads.
    """

    def __init__(
        self,
        graph: OperatorGraph,
        costs: StageCosts,
        options: IosOptions,
        mergeable: Mergeable | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Without `mergeable` nothing can be merged, and no time is spent on it."""
        self._graph, self._costs, self._options = graph, costs, options
        self._mergeable, self._clock = mergeable, clock
        self._strategies = Strategies(options.strategies)
        self._schedulers: dict[Way, Scheduler] = {}
        self._began, self._is_done = clock(), False
        self.until = self._began + options.seconds

    @property
    def is_done(self) -> bool:
        """Whether every search came to its end by itself."""
        return self._is_done

    @property
    def seconds(self) -> float:
        return self._clock() - self._began

    def looks(self) -> Iterator[Look]:
        """All turns; ends where the searches are done or the time is over."""
        for way in self._ways():
            scheduler = self._scheduler(way, self.until - self._clock())
            self._schedulers[way] = scheduler
            for turn in scheduler.run():
                yield Look(turn.wanted, self._state(turn.progress), self.best())
            if self._clock() >= self.until:
                return
        self._is_done = True

    def best(self) -> Schedule | None:
        """The best schedule so far, None where not every operator was measured alone."""
        found = [scheduler.best() for scheduler in self._schedulers.values()]
        known = [schedule for schedule in found if schedule is not None]
        return min(known, key=lambda schedule: schedule.latency_s, default=None)

    def state(self) -> SearchState:
        """How far it is now: the counts are of the widest search, which comes first."""
        first = next(iter(self._schedulers.values()), None)
        return SearchState() if first is None else self._state(first.progress)

    def schedules(self) -> dict[Way, Schedule]:
        """The best schedule of each way, simplest first, without those that the table cannot tell
        or that cannot run."""
        found = {
            Way.SEQUENTIAL: price(sequential(self._graph), self._costs),
            Way.GREEDY: price(greedy(self._graph), self._costs),
        }
        for way in Way:
            if way in _SEARCHED[self._strategies]:
                found[way] = self._found(way) or found[Way.SEQUENTIAL]
        return {
            way: schedule
            for way, schedule in found.items()
            if schedule is not None and math.isfinite(schedule.latency_s)
        }

    def _ways(self) -> tuple[Way, ...]:
        """What is searched: without merging "both" is no more than side by side."""
        if self._mergeable is None:
            return (Way.IOS_PARALLEL,) if self._strategies.concurrent else (Way.IOS_MERGE,)
        return _SEARCHED[self._strategies]

    def _found(self, way: Way) -> Schedule | None:
        if self._mergeable is None and way is Way.IOS_BOTH:
            way = Way.IOS_PARALLEL
        if self._mergeable is None and way is Way.IOS_MERGE:
            return None
        if way not in self._schedulers:
            replay = self._scheduler(way, _REPLAY_S)
            for _ in replay.run():
                pass
            self._schedulers[way] = replay
        return self._schedulers[way].best()

    def _scheduler(self, way: Way, seconds: float) -> Scheduler:
        assert way.strategies is not None
        options = SearchOptions(
            Pruning(self._options.r, self._options.s), way.strategies, seconds=seconds
        )
        if self._mergeable is None:
            return Scheduler(self._graph, self._costs, options, clock=self._clock)
        return Scheduler(self._graph, self._costs, options, self._mergeable, self._clock)

    def _state(self, progress: Progress) -> SearchState:
        first = next(iter(self._schedulers.values()))
        widest = first.progress if len(self._schedulers) > 1 else progress
        before = price(sequential(self._graph), self._costs)
        best = self.best()
        return SearchState(
            states=widest.states,
            pairs=widest.pairs,
            bound=widest.bound,
            measured=sum(item.progress.measured for item in self._schedulers.values()),
            open_stages=progress.open_stages,
            sequential_s=None if before is None else before.latency_s,
            best_s=None if best is None else best.latency_s,
            floor_s=widest.floor_s,
            exact=widest.exact,
            seconds=self.seconds,
            seconds_left=max(0.0, self.until - self._clock()),
        )
