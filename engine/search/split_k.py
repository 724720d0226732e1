"""Sums of products split over blocks of a GPU (split-K), where results alone are too few for it.

A layer of one image has few results and long sums. Tiles of results, which TVM's rule makes, then
leave most multiprocessors idle. Here parts of each sum are computed side by side, as more results
would be, and a second kernel adds the parts up in the place of what follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.search.joined_sums import extents_by_kind, with_joined_sums
from engine.search.own_rules import rule_of

_MOST_RESULTS = 1 << 18
"""16 for each thread of a block of 128, and one block for each of some 130 multiprocessors."""
SHORTEST = 64
"""Products of a sum: halves of a shorter one are not worth their shared memory."""
_INNERMOST = 64  # TVM's own bound for tiles on a GPU
_LANES = (1, 2, 3, 4)  # of a fetch into shared memory, at most 16 bytes
_BYTES = 16
_WARP, _MOST_THREADS = 32, 1024
_STRUCTURE = "SSSRRSRS"  # TVM's own on a GPU
_BINDS = ("blockIdx.x", "vthread.x", "threadIdx.x")


def with_split_k(rules: list[Any]) -> list[Any]:
    """TVM's rules for a GPU with one that splits sums, before its tiles."""
    return [rule_of(whole_and_split), *with_joined_sums(rules)]


def whole_and_split(sch: Any, block: Any) -> list[Any]:
    """The schedule as it is and, where that may pay, one with sums in parts."""
    sums = long_sums(sch, block)
    if sums is None:
        return [sch]
    other = sch.copy()
    _split(other, block, sums)
    return [sch, other]


@dataclass(frozen=True, slots=True)
class Sums:
    """The extents of a block's loops, first those over its results, then those over its sums."""

    results: tuple[int, ...]
    terms: tuple[int, ...]

    @property
    def place(self) -> int:
        """Of the longest loop over sums, among all."""
        return len(self.results) + self.terms.index(max(self.terms))


def long_sums(sch: Any, block: Any) -> Sums | None:
    """A block's loops where it is a sum of products that may gain by parts."""
    results, terms = extents_by_kind(sch, block)
    if not results or not terms or 0 in results + terms or len(sch.get(block).reads) < 2:
        return None
    if sum(extent > 1 for extent in results) < 2:  # which reads its operands once
        return None
    if math.prod(results) > _MOST_RESULTS or math.prod(terms) < SHORTEST:
        return None
    return Sums(tuple(results), tuple(terms))


def _split(sch: Any, block: Any, sums: Sums) -> None:
    """TVM's tiles of a GPU, with every part of a sum in blocks of threads of its own.

    Number and tiles of the parts are one choice, whose product is the loop's extent.
    """
    loop = sch.get_loops(block)[sums.place]
    parts, *tile = sch.sample_perfect_tile(loop, 1 + _STRUCTURE.count("R"), _INNERMOST)
    block, outer, loops = in_parts(sch, block, sums, parts)
    tiles: list[list[Any]] = [[] for _ in _STRUCTURE]
    for index, loop in enumerate(loops):
        kind = "S" if index < len(sums.results) else "R"
        levels = [level for level, letter in enumerate(_STRUCTURE) if letter == kind]
        known = index == sums.place
        factors = tile if known else sch.sample_perfect_tile(loop, len(levels), _INNERMOST)
        for level, made in zip(levels, sch.split(loop, factors), strict=True):
            tiles[level].append(made)
    tiles[0].insert(0, outer)
    sch.reorder(*chain.from_iterable(tiles))
    for level, axis in enumerate(_BINDS):
        fused = sch.fuse(*tiles[level])
        sch.bind(fused, axis)
        tiles[level] = [fused]
    sch.annotate(block, "meta_schedule.tiling_structure", _STRUCTURE)
    sch.annotate(block, "meta_schedule.thread_extent_low_inclusive", _WARP)
    sch.annotate(block, "meta_schedule.thread_extent_high_inclusive", _MOST_THREADS)
    sch.reverse_compute_at(sch.cache_write(block, 0, "local"), tiles[2][-1], True)
    for index in range(len(sch.get(block).reads)):
        _fetch(sch, block, index, tiles[3][-1])


def in_parts(sch: Any, block: Any, sums: Sums, parts: Any) -> tuple[Any, Any, list[Any]]:
    """Split the longest loop of sums into so many parts: the block that computes them, its loop
    over them, and its other loops."""
    outer, _ = sch.split(sch.get_loops(block)[sums.place], [parts, None])
    block = sch.rfactor(outer, 0)
    loops = list(sch.get_loops(block))
    return block, loops.pop(sums.place), loops


def _fetch(sch: Any, block: Any, index: int, loop: Any) -> None:
    """Have the threads of a block fetch an operand's tile into shared memory together."""
    region = sch.get(block).reads[index]
    lanes = [lane for lane in _LANES if lane * region.source.dtype.itemsize <= _BYTES]
    fetched = sch.cache_read(block, index, "shared", [block])
    sch.compute_at(fetched, loop, True)
    sch.fuse(*sch.get_loops(fetched)[-len(region.region) :])
    width = sch.sample_categorical(lanes, [1.0 / len(lanes)] * len(lanes))
    sch.annotate(fetched, "meta_schedule.cooperative_fetch", width)
