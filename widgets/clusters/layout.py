"""Places for the tasks of a model: near where their design spaces are alike, no two overlapping."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Floats: TypeAlias = NDArray[np.float64]

ASPECT = 1.7
GAP = 16.0
ROOM = 1.15
NEAREST, UNLIKE = 0.15, 1.4
SWEEPS = 400
WIDTHS = (1.0, 1.15, 1.3, 1.5, 1.75, 2.0)


def lay_out(matrix: Floats, sizes: Floats, stopped: Callable[[], bool] = lambda: False) -> Floats:
    """Centres (n, 2) of boxes `sizes` (n, 2), by their similarities (n, n) in [0, 1].

    Tasks that have nothing in common come in blocks of their own; within a block distances
    follow the similarity (Kamada and Kawai's springs). It depends on nothing else, so nothing
    moves when a threshold does. No two boxes overlap.
    """
    places = np.zeros((len(sizes), 2))
    blocks = families(matrix)
    for block in blocks:
        if stopped():
            return places
        chosen = np.ix_(block, block)
        places[block] = spread_out(_springs(matrix[chosen]), sizes[block])
    corners = [places[block] - sizes[block] / 2 for block in blocks]
    extents = np.array(
        [
            (places[block] + sizes[block] / 2).max(0) - corner.min(0)
            for block, corner in zip(blocks, corners, strict=True)
        ]
    ).reshape(-1, 2)
    for block, corner, offset in zip(blocks, corners, on_shelves(extents, GAP), strict=True):
        places[block] += offset - corner.min(0)
    return places


def families(matrix: Floats) -> list[list[int]]:
    """The tasks that are joined by similarities above zero, the largest family first."""
    import networkx as nx

    graph = nx.from_numpy_array(matrix > 0)
    found = [sorted(family) for family in nx.connected_components(graph)]
    return sorted(found, key=lambda family: (-len(family), family[0]))


def spread_out(places: Floats, sizes: Floats) -> Floats:
    """Unit places scaled to the boxes' area and pushed apart until no two overlap."""
    if len(places) == 1:
        return np.zeros((1, 2), np.float64)
    side = math.sqrt(float(sizes.prod(1).sum()) * ROOM)
    moved: Floats = places * (side / 2) * np.array([math.sqrt(ASPECT), 1 / math.sqrt(ASPECT)])
    room = (sizes[:, None] + sizes[None]) / 2
    for _ in range(SWEEPS):
        push = _pushes(moved, room)
        if not push.any():
            return moved
        moved = moved + push
    shelves: Floats = on_shelves(sizes, 0.0) + sizes / 2
    return shelves


def on_shelves(sizes: Floats, gap: float) -> Floats:
    """Upper left corners (n, 2) of boxes in rows, in their order, shaped like a screen in all."""
    if not len(sizes):
        return np.zeros((0, 2))
    least = max(math.sqrt(float((sizes + gap).prod(1).sum()) * ASPECT), float(sizes[:, 0].max()))
    tried = [_rows(sizes, gap, least * factor) for factor in WIDTHS]
    return min(tried, key=lambda corners: _height(corners, sizes))


def _rows(sizes: Floats, gap: float, width: float) -> Floats:
    """Boxes in rows of columns: what fits below the last box of its row stands there."""
    corners = np.zeros((len(sizes), 2))
    top = height = left = column = bottom = 0.0
    for number, (wide, high) in enumerate(sizes):
        if number and wide <= column and bottom + gap + high <= top + height:
            corners[number] = left, bottom + gap
            bottom += gap + high
            continue
        left = left + column + gap if number else 0.0
        if number and left + wide > width:
            left, top, height = 0.0, top + height + gap, 0.0
        corners[number] = left, top
        column, height, bottom = wide, max(height, high), top + high
    return corners


def _height(corners: Floats, sizes: Floats) -> float:
    """The height of a screen that shows all of it."""
    wide, high = (corners + sizes).max(0)
    return float(max(high, wide / ASPECT))


def _springs(matrix: Floats) -> Floats:
    """Places in about [-1, 1] whose distances follow 1 - similarity."""
    import networkx as nx

    count = len(matrix)
    if count < 3:
        return np.array([[0.0, 0.0], [1.0, 0.0]])[:count]
    lengths = np.where(matrix > 0, np.maximum(1 - matrix, NEAREST), UNLIKE)
    wanted = {i: {j: float(lengths[i, j]) for j in range(count)} for i in range(count)}
    graph = nx.complete_graph(count)
    found = nx.kamada_kawai_layout(graph, dist=wanted, weight=None, scale=1.0)
    return np.array([found[node] for node in range(count)])


def _pushes(places: Floats, room: Floats) -> Floats:
    """How far each box goes to leave those that it overlaps, along the shorter way out."""
    apart = places[:, None] - places[None]
    over = room - np.abs(apart)
    hits = (over > 1e-6).all(-1) & ~np.eye(len(places), dtype=bool)
    order = np.sign(np.subtract.outer(np.arange(len(places)), np.arange(len(places))))
    side = np.where(apart == 0, order[..., None], np.sign(apart))
    along_x = over[..., 0] < over[..., 1]
    axes = np.stack([hits & along_x, hits & ~along_x], -1)
    pushes: Floats = np.where(axes, side * (over + 0.5) / 2, 0.0).sum(1)
    return pushes
