"""What is known of each stage of a block: its latency, or the least that it can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np

from engine.ios.blocks import Block
from engine.ios.cost_table import StageCosts
from engine.ios.graph import bits
from engine.ios.options import SearchOptions
from engine.records.schedule import Stage, Strategy

CONCURRENT, MERGE = 0, 1


class StageFloors:
    """Floors in seconds of stages by number, side by side and merged (rows 0 and 1).

    A floor is infinite where a strategy is not allowed or cannot run. It rises as stages are
    measured: a stage takes no less than any that has one operator less.
    """

    def __init__(
        self,
        block: Block,
        stages: Sequence[tuple[int, ...]],
        costs: StageCosts,
        options: SearchOptions,
        mergeable: Callable[[tuple[int, ...]], bool],
    ) -> None:
        self._block, self._groups, self._costs = block, stages, costs
        self._stages = [sum(groups) for groups in stages]
        self._floor = np.full((2, len(stages)), math.inf)
        self._is_known = np.ones((2, len(stages)), bool)
        self._asked: list[tuple[int, int]] = []
        self._names: dict[int, tuple[int, ...]] = {}
        alone = [costs.alone(operator) for operator in block.operators]
        self._alone = [math.inf if seconds is None else seconds for seconds in alone]
        sums: dict[int, float] = {}
        for place, groups in enumerate(stages):
            for group in groups:
                if group not in sums:
                    sums[group] = math.fsum(self._alone[operator] for operator in bits(group))
            self._begin(place, max(sums[group] for group in groups), options, mergeable)
        self._parents, self._parts = self._links() if options.bounds else _no_links()
        self._raise()

    def _begin(
        self,
        place: int,
        floor: float,
        options: SearchOptions,
        mergeable: Callable[[tuple[int, ...]], bool],
    ) -> None:
        """The first floors of a stage, or its latencies where they are in the costs."""
        stage = self._stages[place]
        if stage & (stage - 1) == 0:
            self._floor[CONCURRENT, place] = floor
            return
        if options.strategies.concurrent:
            self._open(CONCURRENT, place, floor)
        independent = len(self._groups[place]) == stage.bit_count()
        if options.strategies.merge and independent and mergeable(self._named(stage)):
            self._open(MERGE, place, floor)

    def _open(self, strategy: int, place: int, floor: float) -> None:
        self._is_known[strategy, place] = False
        self._floor[strategy, place] = floor
        self._look_up(strategy, place)

    def _look_up(self, strategy: int, place: int) -> None:
        latency = self._costs.get(self._stage(strategy, place))
        if latency is not None:
            self._floor[strategy, place] = latency
            self._is_known[strategy, place] = True

    def _links(self) -> tuple[np.ndarray, np.ndarray]:
        """Stages with ones that lack one operator of theirs, ascending in size."""
        place_of = {stage: place for place, stage in enumerate(self._stages)}
        found = []
        for place in sorted(
            range(len(self._stages)), key=lambda place: self._stages[place].bit_count()
        ):
            stage = self._stages[place]
            for operator in bits(stage):
                part = place_of.get(stage ^ (1 << operator))
                if part is not None:
                    found.append((place, part))
        if not found:
            return _no_links()
        pairs = np.array(found, np.int32)
        return pairs[:, 0], pairs[:, 1]

    def _raise(self) -> None:
        """Let the floors rise to those of smaller stages, one size after another."""
        floor, known = self._floor[CONCURRENT], self._is_known[CONCURRENT]
        sizes = np.array([stage.bit_count() for stage in self._stages], np.int32)[self._parents]
        ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
        for first, last in pairwise(ends):
            parents, parts = self._parents[first:last], self._parts[first:last]
            rising = ~known[parents] & np.isfinite(floor[parts])
            np.maximum.at(floor, parents[rising], floor[parts[rising]])

    def floors(self) -> np.ndarray:
        """The least that each stage can take, whatever the strategy."""
        return np.asarray(self._floor.min(axis=0))

    def known(self) -> np.ndarray:
        """The latency of each stage by the best strategy that was measured, infinite if none."""
        return np.asarray(np.where(self._is_known, self._floor, math.inf).min(axis=0))

    def stage(self, place: int) -> Stage:
        """A stage by the best strategy that was measured."""
        latencies = np.where(self._is_known[:, place], self._floor[:, place], math.inf)
        return self._stage(int(np.argmin(latencies)), place)

    def are_known(self, places: Iterable[int]) -> bool:
        """Whether the most promising strategy of each of these stages was measured."""
        return all(self._is_known[self._promising(place), place] for place in places)

    def ask(self, places: Iterable[int]) -> tuple[Stage, ...]:
        """Those of these stages that are not known, by their most promising strategy.

        None where all of those turned up in the costs meanwhile.
        """
        unknown = [(self._promising(place), place) for place in places]
        unknown = [item for item in unknown if not self._is_known[item]]
        for item in unknown:
            self._look_up(*item)
        self._asked = [item for item in unknown if not self._is_known[item]]
        if not self._asked:
            self._raise()
        return tuple(self._stage(*item) for item in self._asked)

    def all_unknown(self) -> tuple[Stage, ...]:
        """Every stage that is not known, by every strategy that it allows."""
        items = [(int(row), int(place)) for place, row in np.argwhere(~self._is_known.T)]
        self._asked = items
        return tuple(self._stage(*item) for item in items)

    def count_unknown(self, places: np.ndarray) -> int:
        """How many of these are not known; a stage with two strategies counts twice."""
        return int((~self._is_known[:, places]).sum())

    def update(self) -> None:
        """Look up what was asked for; what is not there cannot run."""
        for strategy, place in self._asked:
            self._look_up(strategy, place)
            if not self._is_known[strategy, place]:
                self._floor[strategy, place] = math.inf
                self._is_known[strategy, place] = True
        if self._asked:
            self._raise()
        self._asked = []

    def _promising(self, place: int) -> int:
        return int(np.argmin(self._floor[:, place]))

    def _stage(self, strategy: int, place: int) -> Stage:
        if strategy == MERGE:
            return Stage(Strategy.MERGE, (self._named(self._stages[place]),))
        return Stage(Strategy.CONCURRENT, tuple(map(self._named, self._groups[place])))

    def _named(self, group: int) -> tuple[int, ...]:
        """The program's operators of a set of the block's."""
        if group not in self._names:
            self._names[group] = tuple(self._block.operators[place] for place in bits(group))
        return self._names[group]


def _no_links() -> tuple[np.ndarray, np.ndarray]:
    none = np.zeros(0, np.int32)
    return none, none
