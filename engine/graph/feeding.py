"""What a step without an owner serves: whatever its readers serve."""

from __future__ import annotations

from collections.abc import Sequence

Owners = frozenset[int]


def consumers_share(owners: Sequence[Owners], reads: Sequence[Sequence[int]]) -> list[Owners]:
    """`owners` where those that are empty take over the owners of all their readers.

    `reads` has for each step the places of the steps before it that it reads.
    """
    filled = list(owners)
    wanted: list[set[int]] = [set() for _ in owners]
    for place in range(len(filled) - 1, -1, -1):
        filled[place] = filled[place] or frozenset(wanted[place])
        for source in reads[place]:
            wanted[source] |= filled[place]
    return filled
