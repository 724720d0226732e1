"""The best schedule of one block by dynamic programming, with as few measurements as it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from engine.ios.baselines import greedy, price, sequential
from engine.ios.blocks import Block
from engine.ios.cost_table import StageCosts
from engine.ios.options import SearchOptions
from engine.ios.space import Space
from engine.ios.stage_floors import StageFloors
from engine.records.schedule import Schedule, Stage

Mergeable = Callable[[tuple[int, ...]], bool]


class BlockSearch:
    """Asks for the stages of the schedule that could be best, until none could be better.

    Every stage has a floor: its latency where that is known, else what it takes at least. The
    schedule of least floors is optimistic: once all of its stages are measured, none is better.
    Pairs that no schedule better than the best so far can hold are dropped on the way.
    """

    def __init__(
        self,
        block: Block,
        space: Space,
        costs: StageCosts,
        options: SearchOptions,
        mergeable: Mergeable,
    ) -> None:
        self._options = options
        self._floors = StageFloors(block, space.stages, costs, options, mergeable)
        self._rest, self._state, self._stage = space.rest, space.state, space.stage
        self._sizes = np.array([state.bit_count() for state in space.states], np.int32)
        self._best = start(block, costs, options)
        self._floor_s = 0.0
        self._done = False

    @property
    def best(self) -> Schedule:
        """The best schedule of measured stages so far; no worse than one after another."""
        return self._best

    @property
    def floor_s(self) -> float:
        """No schedule in the search space takes less than so many seconds."""
        return min(self._floor_s, self._best.latency_s)

    def open_stages(self) -> int:
        """How many stages may still be asked for, at most."""
        if self._done:
            return 0
        return self._floors.count_unknown(np.unique(self._stage))

    def wanted(self) -> tuple[Stage, ...]:
        """The stages to measure next, none where the search is over.

        Those that were wanted before and are not in the costs by now count as unable to run.
        """
        self._floors.update()
        while not self._done:
            if not self._options.bounds:
                stages = self._floors.all_unknown()
                if not stages:
                    self._solve()
                    self._done = True
                return stages
            self._solve()
            promising = self._drop_hopeless()
            if promising is None:
                self._done = True
            elif stages := self._floors.ask(promising):
                return stages
        return ()

    def _solve(self) -> None:
        """Take the best schedule of measured stages, where it is better than the best so far."""
        known = self._floors.known()
        seconds, path = self._shortest(known, self._forward(known))
        if seconds < self._best.latency_s:
            stages = tuple(self._floors.stage(place) for place in path)
            self._best = Schedule(stages, seconds, self._best.batch, self._best.device)

    def _drop_hopeless(self) -> list[int] | None:
        """The stages of the most optimistic schedule, None where it cannot be better."""
        floors = self._floors.floors()
        enough = self._best.latency_s * (1 - self._options.tolerance)
        forward, backward = self._forward(floors), self._backward(floors)
        seconds, path = self._shortest(floors, forward)
        self._floor_s = max(self._floor_s, min(seconds, enough))
        if seconds >= enough or self._floors.are_known(path):
            return None
        through = forward[self._rest] + floors[self._stage] + backward[self._state]
        kept = np.flatnonzero(through < enough)
        if 10 * len(kept) < 9 * len(self._stage):
            self._rest, self._state = self._rest[kept], self._state[kept]
            self._stage = self._stage[kept]
        return path

    def _levels(self) -> list[slice]:
        """The ranges of pairs whose states are of one size, ascending."""
        sizes = self._sizes[self._state]
        ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
        return [slice(first, last) for first, last in pairwise(ends)]

    def _forward(self, latencies: np.ndarray) -> np.ndarray:
        """cost[S] of every state: the least time in which its operators can run."""
        cost = np.full(len(self._sizes), math.inf)
        cost[0] = 0.0
        of_pairs = latencies[self._stage]
        for level in self._levels():
            np.minimum.at(cost, self._state[level], cost[self._rest[level]] + of_pairs[level])
        return cost

    def _backward(self, latencies: np.ndarray) -> np.ndarray:
        """The least time in which all operators that are not in a state can run after it."""
        cost = np.full(len(self._sizes), math.inf)
        cost[-1] = 0.0
        of_pairs = latencies[self._stage]
        for level in reversed(self._levels()):
            np.minimum.at(cost, self._rest[level], cost[self._state[level]] + of_pairs[level])
        return cost

    def _shortest(self, latencies: np.ndarray, cost: np.ndarray) -> tuple[float, list[int]]:
        """Seconds and stages, first to last, of the schedule that `cost` came from."""
        seconds = float(cost[-1])
        path: list[int] = []
        state = len(cost) - 1
        while state and math.isfinite(seconds):
            first, last = np.searchsorted(self._state, [state, state + 1])
            rests, stages = self._rest[first:last], self._stage[first:last]
            pick = int(np.argmin(cost[rests] + latencies[stages]))
            path.append(int(stages[pick]))
            state = int(rests[pick])
        return seconds, path[::-1]


def start(block: Block, costs: StageCosts, options: SearchOptions) -> Schedule:
    """Where a search of a block begins: its operators one after another, or level by level where
    that is allowed.

    The operators must have been measured, each alone.
    """
    found = price(numbered(sequential(block.graph), block), costs)
    assert found is not None
    levels, most = greedy(block.graph), options.pruning.s
    fits = most is None or all(len(level.groups) <= most for level in levels)
    if options.strategies.concurrent and (fits or options.wide_greedy):
        other = price(numbered(levels, block), costs)
        if other is not None and other.latency_s < found.latency_s:
            return other
    return found


def numbered(stages: Sequence[Stage], block: Block) -> tuple[Stage, ...]:
    """Stages over a block's own numbers, over the program's."""
    return tuple(
        Stage(
            stage.strategy,
            tuple(tuple(block.operators[place] for place in group) for group in stage.groups),
        )
        for stage in stages
    )
