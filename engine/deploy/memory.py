"""Static memory: which intermediates share a storage, because they never live together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A buffer of `size` bytes that is live from step `first` to step `last`, both included."""

    id: int
    size: int
    first: int
    last: int


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
    for buffer in sorted(lifetimes, key=lambda item: (-item.size, item.first, item.id)):
        free = (
            index
            for index, held in enumerate(storages)
            if all(buffer.last < other.first or other.last < buffer.first for other in held)
        )
        index = next(free, len(storages))
        if index == len(storages):
            storages.append([])
        storages[index].append(buffer)
        storage_of[buffer.id] = index
    return Placement(storage_of, tuple(held[0].size for held in storages))
