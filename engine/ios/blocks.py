"""Where a graph falls into blocks that can be scheduled each by itself."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ios.graph import OperatorGraph, mask_of


@dataclass(frozen=True, slots=True)
class Block:
    """Some operators of a program, ascending, and their graph, which numbers them from 0."""

    operators: tuple[int, ...]
    graph: OperatorGraph

    @staticmethod
    def of(graph: OperatorGraph, operators: list[int]) -> Block:
        """The block of these operators of a graph."""
        ascending = tuple(sorted(operators))
        return Block(ascending, graph.part(ascending))


def whole(graph: OperatorGraph) -> Block:
    """All of a graph as one block."""
    return Block(tuple(range(graph.n)), graph)


def cut(graph: OperatorGraph) -> list[Block]:
    """The blocks of a graph, in the order in which they run.

    The cuts are where everything before waits for nothing that comes after, and everything after
    waits for all that came before: round each operator that every path passes, and between layers
    that are fully connected. A stage over a cut is connected, thus one sequence, so that no
    schedule is lost as long as a sequence takes as long in one stage as in several.
    """
    order = sorted(
        range(graph.n), key=lambda operator: (graph.above[operator].bit_count(), operator)
    )
    common = graph.all
    last_needs = []
    for operator in reversed(order):
        common &= graph.above[operator]
        last_needs.append(common)
    blocks, start = [], 0
    for end in range(1, graph.n + 1):
        if end == graph.n or last_needs[graph.n - 1 - end] == mask_of(order[:end]):
            blocks.append(Block.of(graph, order[start:end]))
            start = end
    return blocks


def halve(block: Block) -> tuple[Block, Block]:
    """Two blocks in place of one that is too large to search, cut between levels if there are any.

    The first waits for nothing of the second. Here schedules are lost: no stage runs over the cut.
    """
    graph = block.graph
    levels = graph.levels()
    order = [operator for level in levels for operator in level]
    ends = [0]
    for level in levels:
        ends.append(ends[-1] + len(level))
    middle = min(ends, key=lambda end: (abs(2 * end - graph.n), end))
    if middle in (0, graph.n):
        middle = graph.n // 2
    first, second = (
        [block.operators[operator] for operator in half]
        for half in (order[:middle], order[middle:])
    )
    return _half(block, first), _half(block, second)


def _half(block: Block, operators: list[int]) -> Block:
    ascending = tuple(sorted(operators))
    place = {operator: number for number, operator in enumerate(block.operators)}
    return Block(ascending, block.graph.part([place[operator] for operator in ascending]))
