"""Rows of equal parts in a network, found by its structure and never by names."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.graph.shown import ShownNode

COMPARED_INPUTS = 4
WINDOWS = (4, 16, 64)  # nodes in a row that are looked for again
PERIODS = 48
PHASES = 8
FAR = 16
_MIXING = np.uint64(0x9E3779B97F4A7C15)
_DEEPEST = 3  # rows in parts of rows in parts


@dataclass(frozen=True, slots=True)
class Row:
    """`count` parts of `period` nodes each from `start` on; `inner` are the rows in the first part,
    and as far into each other part."""

    start: int
    period: int
    count: int
    inner: tuple[Row, ...] = ()

    @property
    def stop(self) -> int:
        """The place after the last part."""
        return self.start + self.period * self.count


def gathered(nodes: Sequence[ShownNode]) -> tuple[ShownNode, ...]:
    """The nodes in an order that stays topological, in which what later parts read in common, such
    as a mask, stands where its inputs are ready, and not among the nodes of its first reader."""
    place_of = {node.id: place for place, node in enumerate(nodes)}
    last = {place_of[i]: place for place, node in enumerate(nodes) for i in node.inputs}
    anchors: list[int] = []
    for place, node in enumerate(nodes):
        ready = max((place_of[i] for i in node.inputs), default=-1)
        shared = place - ready > 1 and last.get(place, place) - place > FAR
        anchors.append((anchors[ready] if ready >= 0 else -1) if shared else place)
    order = sorted(range(len(nodes)), key=lambda place: (anchors[place], place))
    return tuple(nodes[place] for place in order)


def find_rows(nodes: Sequence[ShownNode]) -> tuple[Row, ...]:
    """The rows of nodes in topological order; none overlap.

    Parts are equal where their nodes are, in order: operator, shape, and whence each input comes,
    weights apart. That is a like place of the same part, a like place before each part, or one node
    that all parts read. Takes a time in proportion to n log n for n nodes.
    """
    network = _Network(nodes)
    return network.rows(0, len(nodes), _DEEPEST)


def _least(period: int) -> int:
    """How many parts make a row that is worth folding."""
    return {1: 6, 2: 3, 3: 3}.get(period, 2)


class _Network:
    """Nodes as numbers: `labels` are equal for nodes that may be equal, `sources` are the places of
    the first inputs (-1 for none), `crossing` how many values pass before each place."""

    def __init__(self, nodes: Sequence[ShownNode]) -> None:
        place_of = {node.id: place for place, node in enumerate(nodes)}
        weights = {node.id for node in nodes if node.constant}
        self.inputs = [
            tuple(place_of[i] for i in node.inputs if i in place_of and i not in weights)
            for node in nodes
        ]
        numbers: dict[object, int] = {}
        count = len(nodes)
        self.labels = np.empty(count, np.int64)
        self.sources = np.full((count, COMPARED_INPUTS), -1, np.int64)
        for place, (node, inputs) in enumerate(zip(nodes, self.inputs, strict=True)):
            further = tuple(place - i for i in inputs[COMPARED_INPUTS:])
            key = (node.kind, node.output, len(inputs), further)
            self.labels[place] = numbers.setdefault(key, len(numbers))
            first = inputs[:COMPARED_INPUTS]
            self.sources[place, : len(first)] = first
        self.crossing = self._crossing()

    def rows(self, start: int, stop: int, depth: int) -> tuple[Row, ...]:
        """The rows between two places, those that save most nodes first where they overlap."""
        taken = np.zeros(stop - start, bool)
        waiting = [
            (-((end - begin) // period - 1) * period, period, begin, end)
            for begin, end, period in self._periodic(start, stop)
        ]
        heapq.heapify(waiting)
        found: list[Row] = []
        while waiting:
            _, period, begin, end = heapq.heappop(waiting)
            free = list(_free(taken, begin - start, end - start))
            if free != [(begin - start, end - start)]:
                for a, b in free:
                    count = (b - a) // period
                    if count >= _least(period):
                        saved = -(count - 1) * period
                        heapq.heappush(waiting, (saved, period, a + start, b + start))
                continue
            begin, end = self._aligned(begin, end, period, taken, start)
            if (end - begin) // period < _least(period):
                continue
            taken[begin - start : end - start] = True
            inner = self.rows(begin, begin + period, depth - 1) if depth > 1 else ()
            found.append(Row(begin, period, (end - begin) // period, inner))
        return tuple(sorted(found, key=lambda row: row.start))

    def _periodic(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """All stretches in which each node equals the one a period before, with that period."""
        labels, sources = self.labels[start:stop], self.sources[start:stop]
        places = np.arange(start, stop)[:, None]
        back = np.where(sources >= 0, places - sources, 0)
        for period in _periods(labels):
            same = labels[:-period] == labels[period:]
            least = period * (_least(period) - 1)
            if not any(b - a >= least for a, b in _runs(same)):
                continue
            near, far = back[:-period] == back[period:], sources[:-period] == sources[period:]
            for a, b in _runs(same & (near | far).all(axis=1)):
                if b - a >= least:
                    yield start + a, start + b + period, period

    def _aligned(
        self, start: int, stop: int, period: int, taken: np.ndarray, offset: int
    ) -> tuple[int, int]:
        """Start and end of the most whole parts in a stretch, cut where fewest values pass.

        A first part that reads its inputs from elsewhere than the others joins them, as long as
        what it reads is told apart as they tell it; so does a last one.
        """
        cuts = self.crossing[start : start + period]
        phases = (start + np.flatnonzero(cuts == cuts.min())[:PHASES]).tolist()
        found = [self._grown(begin, stop, period, taken, offset) for begin in phases]
        return max(found, key=lambda ends: (ends[1] - ends[0], -ends[0]))

    def _grown(
        self, start: int, stop: int, period: int, taken: np.ndarray, offset: int
    ) -> tuple[int, int]:
        stop = start + (stop - start) // period * period
        lowest, highest = offset, offset + len(taken)
        while start - period >= lowest and self._joins(start - period, start, period):
            if taken[start - period - offset : start - offset].any():
                break
            start -= period
        while stop + period <= highest and self._joins(stop, stop - period, period):
            if taken[stop - offset : stop + period - offset].any():
                break
            stop += period
        return start, stop

    def _joins(self, part: int, other: int, period: int) -> bool:
        """Whether two parts are equal but for where their inputs from outside come from."""
        if (self.labels[part : part + period] != self.labels[other : other + period]).any():
            return False
        ports: dict[int, int] = {}
        back: dict[int, int] = {}
        for step in range(period):
            pairs = zip(self.inputs[part + step], self.inputs[other + step], strict=True)
            for ours, theirs in pairs:
                inside = ours >= part, theirs >= other
                if inside == (True, True):
                    if ours - part != theirs - other:
                        return False
                elif any(inside) or (
                    ports.setdefault(ours, theirs) != theirs
                    or back.setdefault(theirs, ours) != ours
                ):
                    return False
        return True

    def _crossing(self) -> np.ndarray:
        change = np.zeros(len(self.inputs) + 1, np.int64)
        last: dict[int, int] = {}
        for place, inputs in enumerate(self.inputs):
            last.update(dict.fromkeys(inputs, place))
        for source, reader in last.items():
            change[source + 1] += 1
            change[reader + 1] -= 1
        return np.cumsum(change)


def _periods(labels: np.ndarray) -> list[int]:
    """How far equal stretches of labels are from one another, those distances that promise most.

    Of a stretch that comes once in each part of a row the last like one is a period away.
    """
    found: set[int] = set()
    hashes, length = labels.astype(np.uint64) * _MIXING + np.uint64(1), 1
    while length < WINDOWS[-1] and len(hashes) > length:
        hashes = (hashes[:-length] ^ (hashes[:-length] >> np.uint64(29))) * _MIXING + hashes[
            length:
        ]
        length *= 2
        if length in WINDOWS:
            order = np.argsort(hashes, kind="stable")
            again = hashes[order][1:] == hashes[order][:-1]
            far, times = np.unique(np.diff(order)[again], return_counts=True)
            best = np.argsort(-far * times, kind="stable")[:PERIODS]
            found.update(far[best].tolist())
    return sorted(period for period in found if period <= len(labels) // 2)


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Start and end of each stretch of true ones."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _free(taken: np.ndarray, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The stretches between two places that nothing has taken."""
    for a, b in _runs(~taken[start:stop]):
        yield start + a, start + b
