"""Static memory: which intermediates share a storage, because they never live together."""

from __future__ import annotations

from dataclasses import dataclass

Turn = tuple[int, int]  # a group of a stage, and a position in that group's sequence


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A buffer of `size` bytes that is live from stage `first` to stage `last`, both included.

    Groups of one stage run side by side, so a stage is shared by two buffers only where one
    group uses both, one after the other: `written` is the turn that first writes the buffer,
    `used` the last turn that touches it, None where several groups of that stage do.
    """

    id: int
    size: int
    first: int
    last: int
    written: Turn | None = None
    used: Turn | None = None

    def ends_before(self, other: Lifetime) -> bool:
        """Whether nothing touches this buffer any more when the other is first written."""
        if self.last != other.first:
            return self.last < other.first
        if self.used is None or other.written is None:
            return False
        return self.used[0] == other.written[0] and self.used[1] < other.written[1]


@dataclass(frozen=True, slots=True)
class Placement:
    """The storage of each buffer, and the size of each storage in bytes."""

    storage_of: dict[int, int]
    sizes: tuple[int, ...]


def place(lifetimes: list[Lifetime]) -> Placement:
    """Largest first, each into the first storage whose buffers are dead while it lives.

    Storages rather than offsets in one arena: TVM's kernels refuse a tensor whose byte offset
    is not zero. The order is greedy by size (Pisarchyk and Lee 2020, arXiv:2001.03288).
    """
    storages: list[list[Lifetime]] = []
    storage_of: dict[int, int] = {}
    for buffer in sorted(lifetimes, key=_order):
        free = (
            index
            for index, held in enumerate(storages)
            if all(buffer.ends_before(other) or other.ends_before(buffer) for other in held)
        )
        index = next(free, len(storages))
        if index == len(storages):
            storages.append([])
        storages[index].append(buffer)
        storage_of[buffer.id] = index
    return Placement(storage_of, tuple(held[0].size for held in storages))


def _order(buffer: Lifetime) -> tuple[int, int, Turn, int]:
    return -buffer.size, buffer.first, buffer.written or (0, 0), buffer.id
