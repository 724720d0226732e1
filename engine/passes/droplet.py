"""Droplet: coordinate descent from a task's best record through the decisions of its schedule."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from engine.measure.significance import compare, holm
from engine.passes.decisions import (
    Choice,
    Coordinate,
    Location,
    Tile,
    Value,
    changed,
    read_decisions,
    shown,
)
from engine.passes.factors import divisors, prime_powers
from engine.records.sentences import Sentence
from engine.records.trial import typical_latency
from engine.search.trace_text import TraceText, parse

_CONTESTS = 2  # for a contender that wins without being significantly faster
_MOMENTUM = 2  # how large a step along the line of the last success is tried before others

Locations = Callable[[str], Mapping[int, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Point:
    """Where Droplet stands: a trial, its trace, its latency."""

    trial: int
    trace: str
    latency_s: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """A trace to be replayed, built and measured: one step along `axis` (for a person) from the
    trial `start`. `line` and `size` are the step's."""

    trace: str
    axis: str
    start: int
    line: Hashable
    size: int


@dataclass(frozen=True, slots=True)
class Contender:
    """A proposal that was measured faster than the point, and how often it met it since."""

    proposal: Proposal
    trial: int
    trace: str
    latency_s: float
    contests: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison of the trials `start` and `contender` in turns gave.

    `gain` is start's median latency over the contender's, less 1; `p_value` is corrected for the
    number of contenders; `note` says why there was no test.
    """

    start: int
    contender: Contender
    gain: float
    p_value: float
    accepted: bool
    note: str = ""


class Droplet:
    """The descent of one task. It measures nothing: it proposes, observes and decides.

    The caller replays what `propose` gives, measures it and says so by `observe`, once for each
    proposal; measures the `contenders` again, in turns with the point, and has them `settle`d;
    and goes on until `done`. A step is accepted where it is the fastest of those that are
    significantly faster: if none of them is faster, the chance that one is accepted in a
    comparison is at most `alpha`. All it needs to go on after a break is the best trial and the
    keys (`decisions.point_key`) of those that were tried.
    """

    def __init__(
        self,
        trial: int,
        trace: str,
        latency_s: float,
        known: Iterable[str] = (),
        locations: Locations | None = None,
        alpha: float = 0.05,
        least_gain: float = 0.01,
        reach: int = 1,
    ) -> None:
        """Start at a trial. `locations` gives the valid compute locations of a trace
        (`Replayer.locations`), which are left alone without it. A single measurement that is
        faster by less than `least_gain` makes no contender. With a `reach` above 1, larger steps
        (up to 3) are tried before it gives up. ValueError where `trace` is none.
        """
        self._known = set(known)
        self._locations = locations
        self._alpha = alpha
        self._least_gain = least_gain
        self._open: set[Proposal] = set()
        self._rivals: list[Contender] = []
        self._gains: dict[Hashable, float] = {}
        self._reach = reach
        self._passed: dict[Hashable, int] = {}
        self._momentum: Hashable = None
        self._tried = 0
        self._moves = 0
        self._unsettled = 0
        self._point = Point(trial, trace, latency_s)
        self._stand(self._point)

    @property
    def point(self) -> Point:
        """The fastest point so far."""
        return self._point

    @property
    def done(self) -> bool:
        """Whether every neighbour of the point was tried and none is faster."""
        return not (self._near_left or self._open or self.contenders(1))

    @property
    def reason(self) -> Sentence:
        """Why it is done, for a person; empty while it is not."""
        if not self.done:
            return Sentence("")
        if self._moves:
            return Sentence("no neighbour is better")
        if not self._has_axes:
            return Sentence("no improvement found: the schedule leaves nothing to decide")
        if not self._tried:
            return Sentence("no improvement found: every neighbour was tried before")
        if self._unsettled:
            return Sentence(
                "no improvement found: {count} could not be compared well enough",
                count=self._unsettled,
            )
        return Sentence(
            "no improvement found: none of {count} schedules nearby is faster", count=self._tried
        )

    def restate(self, latency_s: float) -> None:
        """Take a new measurement of the point: the best of many is often a lucky one."""
        if math.isfinite(latency_s) and latency_s > 0:
            self._point = replace(self._point, latency_s=latency_s)

    def propose(self, limit: int) -> list[Proposal]:
        """Up to `limit` steps from the point that nobody tried; none while it waits or is done.

        The line of the last success comes first, then what helped at the last point, then one
        step along each axis in turn. Larger steps fill up what neighbours leave of a batch.
        """
        if not self._near_left:
            return []
        made: list[Proposal] = []
        for step in sorted(filter(self._is_worth, self._steps), key=self._rank):
            if len(made) == limit:
                break
            self._steps.remove(step)
            if (trace := self._fresh(step)) is not None:
                made.append(self._proposal(step, trace))
        self._open.update(made)
        return made

    def observe(
        self, proposal: Proposal, latency_s: float | None, trial: int = 0, trace: str = ""
    ) -> None:
        """Take in a proposal's measurement; None where it failed, or was not worth one.

        `trace` is the replayed one, of which locations may differ from the proposed.
        """
        self._open.discard(proposal)
        self._tried += 1
        valid = latency_s is not None and math.isfinite(latency_s) and latency_s > 0
        gain = self._point.latency_s / latency_s - 1 if valid and latency_s else -1.0
        self._learn(proposal, gain)
        if trace:
            self._known.add(parse(trace).key)
        if valid and latency_s and trial:
            self._rivals.append(Contender(proposal, trial, trace or proposal.trace, latency_s))

    def skip(self, proposal: Proposal) -> None:
        """Leave out a proposal whose code is that of a schedule tried before.

        The next step along its line, which may change the code, takes its place.
        """
        self._open.discard(proposal)
        self._passed[proposal.line] = max(self._passed.get(proposal.line, 0), proposal.size)

    def contenders(self, limit: int) -> list[Contender]:
        """The fastest of those that were measured faster than the point and not settled."""
        bar = self._point.latency_s / (1 + self._least_gain)
        self._rivals = sorted(
            (rival for rival in self._rivals if rival.latency_s < bar),
            key=lambda rival: rival.latency_s,
        )
        return self._rivals[:limit]

    def settle(
        self, point: Sequence[float], results: Sequence[tuple[Contender, Sequence[float]]]
    ) -> list[Verdict]:
        """Decide by the samples, in seconds, of the point and of contenders, taken in turns.

        At most one is accepted, and becomes the point. What failed has no samples.
        """
        compared = [compare(point, samples) for _, samples in results]
        p_values = holm([found.p_value for found in compared])
        better = [
            (found.gain, index)
            for index, found in enumerate(compared)
            if p_values[index] <= self._alpha and found.gain > 0
        ]
        winner = max(better)[1] if better else None
        start = self._point.trial
        verdicts = [
            Verdict(start, rival, found.gain, p_value, index == winner, found.note)
            for index, ((rival, _), found, p_value) in enumerate(
                zip(results, compared, p_values, strict=True)
            )
        ]
        self.restate(typical_latency(point))
        self._rivals = [rival for rival in self._rivals if rival not in dict(results)]
        for verdict, (_, samples) in zip(verdicts, results, strict=True):
            self._close(verdict, typical_latency(samples))
        return verdicts

    def _close(self, verdict: Verdict, latency_s: float) -> None:
        rival = verdict.contender
        self._learn(rival.proposal, verdict.gain)
        if verdict.accepted:
            self._move(rival, latency_s)
        elif verdict.note:
            self._unsettled += 1
        elif rival.contests + 1 < _CONTESTS:
            again = replace(rival, latency_s=latency_s, contests=rival.contests + 1)
            self._rivals.append(again)

    def _move(self, rival: Contender, latency_s: float) -> None:
        self._moves += 1
        self._momentum = rival.proposal.line
        self._stand(Point(rival.trial, rival.trace, latency_s))

    def _stand(self, point: Point) -> None:
        self._point = point
        self._parsed: TraceText = parse(point.trace)
        self._known.add(self._parsed.key)
        self._passed = {}
        places = self._locations(point.trace) if self._locations else None
        found = around(read_decisions(point.trace, places))
        self._has_axes = bool(found)
        self._steps = [step for step in found if step.size > 1 or self._fresh(step) is not None]

    @property
    def _near_left(self) -> bool:
        return any(step.size <= self._reach or self._is_next(step) for step in self._steps)

    def _is_next(self, step: Step) -> bool:
        """Whether nothing that might change the code lies between the point and the step."""
        return step.size <= 1 + self._passed.get(step.line, 0)

    def _fresh(self, step: Step) -> TraceText | None:
        """The trace that a step leads to, unless it is known."""
        trace = changed(self._parsed, step.coordinate, step.value)
        return None if trace.key in self._known else trace

    def _proposal(self, step: Step, trace: TraceText) -> Proposal:
        self._known.add(trace.key)
        return Proposal(trace.text, step.axis, self._point.trial, step.line, step.size)

    def _is_worth(self, step: Step) -> bool:
        return step.size <= SPECULATION or self._is_next(step)

    def _rank(self, step: Step) -> tuple[int, float, int]:
        gain = self._gains.get(step.line, 0.0)
        wanted = 0.0 if abs(gain) < self._least_gain else -gain
        if step.line == self._momentum and step.size <= _MOMENTUM:
            return 0, wanted, step.size
        return (1 if self._is_next(step) else 2), wanted, step.size

    def _learn(self, proposal: Proposal, gain: float) -> None:
        """Remember what a line gave; a larger step that fails says little of a smaller one."""
        if proposal.size == 1 or gain > self._gains.get(proposal.line, 0.0):
            self._gains[proposal.line] = gain


SPECULATION = 3  # factors or places that a larger step moves at once


@dataclass(frozen=True, slots=True)
class Step:
    """A change of one coordinate to `value`.

    `line` is the direction, the same for each step along it from wherever; `size` counts the
    prime factors or places that it moves: 1 leads to a neighbour, more is speculation.
    """

    coordinate: Coordinate
    value: Value
    line: Hashable
    size: int

    @property
    def axis(self) -> str:
        """For a person: the coordinate, what it was, what it becomes."""
        now = self.coordinate
        before = now.factors if isinstance(now, Tile) else now.chosen
        return f"{now.name}: {shown(now, before)} to {shown(now, self.value)}"


def steps(coordinate: Coordinate, largest: int = SPECULATION) -> tuple[Step, ...]:
    """All steps along a coordinate, neighbours first.

    A tile moves factors from one level to another, as far as the innermost level's limit allows. A
    choice goes along its values by their size, and one that is written in the trace to the end of
    them. A location goes along its valid places.
    """
    if largest > 1 and isinstance(coordinate, Choice) and coordinate.written:
        largest = len(coordinate.values)
    found = _moves(coordinate, largest) if isinstance(coordinate, Tile) else _walk(coordinate)
    return tuple(sorted((s for s in found if s.size <= largest), key=lambda step: step.size))


def neighbours(coordinate: Coordinate) -> tuple[Step, ...]:
    """The steps of size 1; a neighbour's neighbours contain the point."""
    return steps(coordinate, 1)


def around(coordinates: tuple[Coordinate, ...]) -> tuple[Step, ...]:
    """The steps along all coordinates, one of each in turn, neighbours before larger ones."""
    by_axis = [steps(coordinate) for coordinate in coordinates]
    turns = chain.from_iterable(zip_longest(*by_axis))
    return tuple(sorted((step for step in turns if step), key=lambda step: step.size))


def _moves(tile: Tile, largest: int) -> Iterator[Step]:
    levels = range(len(tile.factors))
    pairs = [(source, to) for source in levels for to in levels if source != to]
    for source, to in sorted(pairs, key=lambda pair: abs(pair[0] - pair[1])):
        for part, size in _parts(tile.factors[source], largest):
            factors = list(tile.factors)
            factors[source] //= part
            factors[to] *= part
            if to < levels[-1] or not tile.limit or factors[to] <= tile.limit:
                yield Step(tile, tuple(factors), (tile.at, source, to), size)


def _parts(factor: int, largest: int) -> list[tuple[int, int]]:
    """The divisors of at most `largest` prime factors, each with their count."""
    counted = ((part, _count(part)) for part in divisors(factor))
    return [(part, count) for part, count in counted if 0 < count <= largest]


def _count(number: int) -> int:
    return sum(power for _, power in prime_powers(number))


def _walk(coordinate: Choice | Location) -> Iterator[Step]:
    if isinstance(coordinate, Choice):
        by_size = range(len(coordinate.values))
        order = sorted(by_size, key=lambda index: coordinate.values[index])
    else:
        order = list(coordinate.valid)
    if coordinate.chosen not in order:
        return
    here = order.index(coordinate.chosen)
    for place, value in enumerate(order):
        if place != here:
            ahead = place > here
            yield Step(coordinate, value, (coordinate.at, ahead), abs(place - here))
