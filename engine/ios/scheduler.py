"""The search for a program's schedule, in turns between which its caller measures stages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field

from engine.ios.baselines import greedy, sequential
from engine.ios.block_search import BlockSearch, Mergeable, start
from engine.ios.blocks import Block, cut, halve, whole
from engine.ios.cost_table import StageCosts
from engine.ios.endings import relaxed_bound
from engine.ios.graph import OperatorGraph
from engine.ios.options import SearchOptions
from engine.ios.space import Space, explore
from engine.ios.stage_floors import StageFloors
from engine.records.schedule import Schedule, Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is.

    `states` and `pairs` are explored so far, at most `bound` pairs: (n/d + 1)^(2d), summed over the
    blocks. `measured` stages were measured; at most `open_stages` may be asked for yet. `best_s`
    is the latency of the best schedule so far (None: not all operators were measured), `floor_s`
    the least that any in the search space can take. `exact`: no block was so large that it is
    searched in parts, which no stage spans.
    """

    states: int
    pairs: int
    bound: float
    measured: int
    open_stages: int
    best_s: float | None
    floor_s: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The caller's turn: to measure `wanted` (maybe nothing) and store it, to look, or to stop."""

    wanted: tuple[Stage, ...]
    progress: Progress


@dataclass(slots=True)
class _Part:
    """A block, or a part of one, that is searched by itself."""

    block: Block
    space: Space
    search: BlockSearch | None = None


@dataclass(slots=True)
class _Plan:
    """One block of the program with its parts, once they are explored."""

    block: Block
    parts: list[_Part] = field(default_factory=list)


class Scheduler:
    """Finds the schedule of least latency; `mergeable` tells which sets of operators may merge.

    `for turn in scheduler.run():` measure `turn.wanted` into the costs. Leave the loop at any time:
    `best()` is the best schedule so far, from the measured stages, and never worse than one
    operator after another. With nothing measured in the loop, it is the best that the table can
    tell. What was wanted and is not in the costs at the next turn counts as unable to run.
    """

    def __init__(
        self,
        graph: OperatorGraph,
        costs: StageCosts,
        options: SearchOptions | None = None,
        mergeable: Mergeable = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._graph, self._costs, self._mergeable = graph, costs, mergeable
        self._options = options or SearchOptions()
        blocks = cut(graph) if self._options.bounds else [whole(graph)]
        self._plans = [_Plan(block) for block in blocks if block.operators]
        self._spaces: dict[OperatorGraph, Space | None] = {}
        self._clock, self._until = clock, math.inf
        self._states = self._pairs = self._measured = 0
        self._bound: float | None = None

    def run(self) -> Iterator[Turn]:
        """The search; ends where it is done or its time is over."""
        if self._options.seconds is not None:
            self._until = self._clock() + self._options.seconds
        for turn in self._turns():
            yield turn
            self._measured += len(turn.wanted) - len(self._costs.missing(turn.wanted))
            if self._clock() >= self._until:
                return

    def best(self) -> Schedule | None:
        """The best schedule so far, None where not every operator was measured alone."""
        if self._costs.missing(sequential(self._graph)):
            return None
        found = [self._best_of(plan) for plan in self._plans]
        return Schedule(
            tuple(stage for schedule in found for stage in schedule.stages),
            math.fsum(schedule.latency_s for schedule in found),
            self._costs.table.batch,
            self._costs.table.device,
        )

    def needed(self) -> tuple[Stage, ...]:
        """All stages of the search space that were never measured: at most so many are wanted."""
        for _ in self._explore_all():
            pass
        stages = [*sequential(self._graph), *self._first_stages()]
        for part in self._parts():
            stages += self._floors(part).all_unknown()
        return self._costs.missing(stages)

    @property
    def progress(self) -> Progress:
        """How far the search is now."""
        if self._bound is None:
            graphs = [plan.block.graph for plan in self._plans if plan.block.graph.n > 1]
            self._bound = math.fsum(relaxed_bound(graph.n, graph.width()) for graph in graphs)
        best = self.best()
        searches = [part.search for part in self._parts() if part.search is not None]
        return Progress(
            self._states,
            self._pairs,
            self._bound,
            self._measured,
            sum(search.open_stages() for search in searches),
            None if best is None else best.latency_s,
            self._floor_s(),
            all(len(plan.parts) <= 1 for plan in self._plans),
        )

    def _turns(self) -> Iterator[Turn]:
        for first in (sequential(self._graph), self._first_stages()):
            if missing := self._costs.missing(first):
                yield Turn(missing, self.progress)
        if self._costs.missing(sequential(self._graph)):
            return
        for _ in self._explore_all():
            yield Turn((), self.progress)
        for part in self._parts():
            part.search = BlockSearch(
                part.block, part.space, self._costs, self._options, self._mergeable
            )
            yield Turn((), self.progress)
        while stages := self._wanted():
            yield Turn(self._costs.missing(stages), self.progress)

    def _first_stages(self) -> tuple[Stage, ...]:
        """What is measured first: the greedy schedule, which ours must not lose to."""
        return greedy(self._graph) if self._options.strategies.concurrent else ()

    def _wanted(self) -> list[Stage]:
        searches = [part.search for part in self._parts() if part.search is not None]
        return [stage for search in searches for stage in search.wanted()]

    def _parts(self) -> Iterable[_Part]:
        return [part for plan in self._plans for part in plan.parts]

    def _explore_all(self) -> Iterator[None]:
        for plan in self._plans:
            if plan.block.graph.n > 1 and not plan.parts:
                parts = yield from self._explore(plan.block)
                plan.parts = parts

    def _explore(self, block: Block) -> Generator[None, None, list[_Part]]:
        """The search space of a block, or of its halves where it is too large."""
        if block.graph not in self._spaces:
            self._spaces[block.graph] = yield from self._explore_graph(block.graph)
        space = self._spaces[block.graph]
        if space is not None:
            return [_Part(block, space)]
        parts: list[_Part] = []
        for half in halve(block):
            parts += yield from self._explore(half)
        return parts

    def _explore_graph(self, graph: OperatorGraph) -> Generator[None, None, Space | None]:
        options = self._options
        states, pairs = self._states, self._pairs
        exploring = explore(
            graph,
            options.pruning,
            sequences=not options.bounds,
            most_states=options.most_states,
            most_pairs=options.most_pairs,
        )
        while True:
            try:
                new_states, new_pairs = next(exploring)
            except StopIteration as end:
                space: Space | None = end.value
                return space
            self._states, self._pairs = states + new_states, pairs + new_pairs
            yield

    def _floors(self, part: _Part) -> StageFloors:
        return StageFloors(
            part.block, part.space.stages, self._costs, self._options, self._mergeable
        )

    def _best_of(self, plan: _Plan) -> Schedule:
        """A block's best: that of its parts together, or the one that its search began with."""
        first = start(plan.block, self._costs, self._options)
        searches = [part.search for part in plan.parts if part.search is not None]
        if not searches or len(searches) < len(plan.parts):
            return first
        seconds = math.fsum(search.best.latency_s for search in searches)
        if seconds >= first.latency_s:
            return first
        stages = tuple(stage for search in searches for stage in search.best.stages)
        return Schedule(stages, seconds, first.batch, first.device)

    def _floor_s(self) -> float:
        """A block that was not searched whole takes at least its parts' or nothing."""
        floor = 0.0
        for plan in self._plans:
            if plan.block.graph.n == 1:
                floor += self._costs.alone(plan.block.operators[0]) or 0.0
            floor += sum(part.search.floor_s for part in plan.parts if part.search is not None)
        return floor
