"""Repeated blocks of a network, and the smaller network that shows each of them once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engine.graph.repeats import Row, find_rows
from engine.graph.shown import ShownNode


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes [start, stop) of the sequence. `id` is negative; `parent` is the block it lies in.

    A row of `count` equal blocks is one, too; it lies in no block, or in one of another row.
    `number` is a block's place in its row, from 1.
    """

    id: int
    start: int
    stop: int
    count: int = 1
    parent: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Repeat:
    """What is shown of the row with this id: its one block that stands for `count` equal ones, or
    all of them where the row `is_open`."""

    row: int
    count: int
    members: tuple[int, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Folding:
    """The nodes that are shown, and which of them are repeated."""

    nodes: tuple[ShownNode, ...]
    repeats: tuple[Repeat, ...] = ()


def find_blocks(nodes: Sequence[ShownNode]) -> tuple[Block, ...]:
    """Rows of equal blocks, each row followed by its blocks, and each of these by the rows in it.

    The nodes are in topological order. A row of single nodes has no blocks.
    """
    found: list[Block] = []

    def add(row: Row, shift: int, parent: int | None) -> None:
        start = row.start + shift
        whole = Block(-1 - len(found), start, row.stop + shift, row.count, parent)
        found.append(whole)
        if row.period == 1:
            return
        for turn in range(row.count):
            begin = start + turn * row.period
            part = Block(
                -1 - len(found), begin, begin + row.period, parent=whole.id, number=turn + 1
            )
            found.append(part)
            for inner in row.inner:
                add(inner, shift + turn * row.period, part.id)

    for row in find_rows(nodes):
        add(row, 0, None)
    return tuple(found)


def fold(nodes: Sequence[ShownNode], blocks: Sequence[Block], opened: Collection[int]) -> Folding:
    """The nodes with each row that is not `opened`, by id, as its first block, whose nodes stand
    for those at the like places of the others; in an opened row each block that is not opened is
    one node. The order stays topological, so there is never a cycle.

    A node that stands for several has the id `stands_at` gives for its place.
    """
    where = _Where(nodes, blocks, frozenset(opened))
    place_of = {node.id: place for place, node in enumerate(nodes)}
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place, shown in enumerate(where.shown):
        members[shown].append(place)
    found = []
    for shown, places in members.items():
        reads = (
            source
            for place in places
            for source in (place_of[i] for i in nodes[place].inputs)
            if where.first[place] == place or source < where.outermost[place]
        )
        inputs = tuple(dict.fromkeys(where.shown[s] for s in reads if where.shown[s] != shown))
        found.append(_shown(shown, [nodes[p] for p in places], inputs, where))
    return Folding(tuple(found), where.repeats())


def stands_at(blocks: Sequence[Block], node: int) -> int | None:
    """The place of the first of the nodes that a shown node stands for, None for other nodes."""
    place = -1 - len(blocks) - node
    return place if place >= 0 else None


def row_to_open(blocks: Sequence[Block], place: int, opened: Collection[int]) -> Block | None:
    """The outermost row that is shown once and has the node at a place in it."""
    rows = (b for b in blocks if b.count > 1 and b.id not in opened and b.start <= place < b.stop)
    return next(rows, None)


def around(blocks: Sequence[Block], place: int, opened: Collection[int]) -> Block | None:
    """The innermost opened block round the node at a place of the sequence."""
    inner = [b for b in blocks if b.id in opened and b.start <= place < b.stop]
    return min(inner, key=lambda block: block.stop - block.start, default=None)


def to_open(blocks: Sequence[Block], places: Collection[int]) -> frozenset[int]:
    """The blocks that must be open for the nodes at these places to be seen."""
    return frozenset(b.id for b in blocks if any(b.start <= place < b.stop for place in places))


class _Where:
    """By place: the node `shown` for it, the place that comes `first` of those which are the same
    as it, and where the `outermost` row starts that is shown once and has it."""

    def __init__(
        self, nodes: Sequence[ShownNode], blocks: Sequence[Block], opened: frozenset[int]
    ) -> None:
        self.blocks = {block.id: block for block in blocks}
        self.shown = [node.id for node in nodes]
        self.first = list(range(len(nodes)))
        self.outermost = [-1] * len(nodes)
        self._rows: list[Block] = []
        self._opened = opened
        self._inside: defaultdict[int | None, list[Block]] = defaultdict(list)
        for block in blocks:
            self._inside[block.parent].append(block)
        for row in self._inside[None]:
            self._enter_row(row)

    def repeats(self) -> tuple[Repeat, ...]:
        return tuple(
            Repeat(
                row.id,
                row.count,
                tuple(dict.fromkeys(self.shown[row.start : row.stop])),
                row.id in self._opened,
            )
            for row in self._rows
        )

    def part(self, block: Block) -> tuple[int, int]:
        """Which block of its row one is, and of how many."""
        return block.number, 1 if block.parent is None else self.blocks[block.parent].count

    def _enter_row(self, row: Block) -> None:
        blocks = self._inside[row.id]
        self._rows.append(row)
        if row.id in self._opened:
            for block in blocks:
                self._enter(block)
            return
        if blocks:
            self._enter(blocks[0], whole=True)
        period = (row.stop - row.start) // row.count
        for place in range(row.start, row.stop):
            like = row.start + (place - row.start) % period
            self.first[place] = self.first[like]
            stands = -1 - len(self.blocks) - self.first[like]
            self.shown[place] = self.shown[like] if self.shown[like] < 0 else stands
            self.outermost[place] = row.start

    def _enter(self, block: Block, whole: bool = False) -> None:
        if whole or block.id in self._opened:
            for row in self._inside[block.id]:
                self._enter_row(row)
        else:
            self.shown[block.start : block.stop] = [block.id] * (block.stop - block.start)


def _shown(
    key: int, members: Sequence[ShownNode], inputs: tuple[int, ...], where: _Where
) -> ShownNode:
    """What is drawn for these nodes."""
    first = members[0]
    if key == first.id:
        return first if inputs == first.inputs else replace(first, inputs=inputs)
    block = where.blocks.get(key)
    whole = members if block is None else members[: block.stop - block.start]
    return ShownNode(
        id=key,
        name=first.name,
        kind=_commonest(whole) if block else first.kind,
        output=whole[-1].output if block else first.output,
        inputs=inputs,
        operators=tuple(dict.fromkeys(op for node in members for op in node.operators)),
        folded=tuple(node.id for node in members),
        constant=first.constant,
        part=where.part(block) if block else None,
    )


def _commonest(nodes: Sequence[ShownNode]) -> str:
    kinds = [node.kind for node in nodes]
    return max(dict.fromkeys(kinds), key=kinds.count)
