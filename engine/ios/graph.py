"""The operators of a program as a DAG, with sets of operators as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: Iterable[int]) -> int:
    """The set of these operators."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


@dataclass(frozen=True, slots=True)
class OperatorGraph:
    """Operators 0 to n - 1, numbered in an order in which they may run.

    All tuples hold one mask an operator: `before` and `after` its direct neighbours, `above` and
    `below` all that it waits for and all that waits for it.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    above: tuple[int, ...]
    below: tuple[int, ...]

    @staticmethod
    def of(edges: Iterable[tuple[int, int]], n: int) -> OperatorGraph:
        """A graph of n operators. Raises ValueError where an edge does not lead upwards."""
        before, after = [0] * n, [0] * n
        for first, last in edges:
            if not 0 <= first < last < n:
                raise ValueError(f"the edge from {first} to {last} is in no order of {n} operators")
            before[last] |= 1 << first
            after[first] |= 1 << last
        above, below = [0] * n, [0] * n
        for operator in range(n):
            for other in bits(before[operator]):
                above[operator] |= above[other] | 1 << other
        for operator in reversed(range(n)):
            for other in bits(after[operator]):
                below[operator] |= below[other] | 1 << other
        return OperatorGraph(tuple(before), tuple(after), tuple(above), tuple(below))

    @property
    def n(self) -> int:
        """How many operators there are."""
        return len(self.before)

    @property
    def all(self) -> int:
        """The set of all operators."""
        return (1 << self.n) - 1

    def levels(self) -> list[list[int]]:
        """The operators by the number of others on the longest path that leads to them."""
        levels: list[list[int]] = []
        level_of: list[int] = []
        for operator, before in enumerate(self.before):
            level = 1 + max((level_of[other] for other in bits(before)), default=-1)
            level_of.append(level)
            if level == len(levels):
                levels.append([])
            levels[level].append(operator)
        return levels

    def width(self) -> int:
        """d: the most operators of which none waits for another.

        By Dilworth's theorem as many as the fewest chains that cover all operators, which is n less
        the largest matching of operators with ones that wait for them.
        """
        if not any(self.below):
            return self.n
        import numpy as np
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        pairs = [(a, b) for a, below in enumerate(self.below) for b in bits(below)]
        rows, columns = np.array(pairs, np.int32).T
        waits = csr_array((np.ones(len(pairs), np.int8), (rows, columns)), (self.n, self.n))
        return self.n - int((maximum_bipartite_matching(waits, "column") >= 0).sum())

    def part(self, operators: Iterable[int]) -> OperatorGraph:
        """The graph of some operators, given in ascending order and numbered anew."""
        number = {operator: place for place, operator in enumerate(operators)}
        edges = [
            (place, number[other])
            for operator, place in number.items()
            for other in bits(self.after[operator])
            if other in number
        ]
        return OperatorGraph.of(edges, len(number))

    def groups(self, stage: int) -> list[int]:
        """The connected components of a set of operators, by their first operator."""
        found = []
        while stage:
            group, border = 0, stage & -stage
            while border:
                group |= border
                touched = 0
                for operator in bits(border):
                    touched |= self.before[operator] | self.after[operator]
                border = touched & stage & ~group
            found.append(group)
            stage &= ~group
        return found
