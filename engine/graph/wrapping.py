"""A deep drawing in columns side by side, read one after another, so that it fills a window."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from engine.graph.layout import GAP_DOWN, STUB_LENGTH, Layout, Point, Stub

WRAP_FROM = 2400.0  # a higher drawing cannot be read where all of it is shown
SHAPE = 2.4  # width to height of the whole
BETWEEN = 110.0  # of columns: room for the label of a frame


def wrapped(layout: Layout, sizes: Mapping[int, tuple[float, float]]) -> Layout:
    """The layout in as many columns as give it the shape of a window; as it is where it is not
    deep. Layers stay whole; an edge from one column to another is cut into two stubs."""
    columns = round(math.sqrt(SHAPE * layout.height / (layout.width + BETWEEN)))
    if layout.height < WRAP_FROM or columns < 2:
        return layout
    column_of = _columns(layout, columns)
    shift, width, height = _shifts(layout, sizes, column_of)

    def moved(point: Point, node: int) -> Point:
        across, down = shift[column_of[node]]
        return point[0] + across, point[1] + down

    whole = {e: p for e, p in layout.edges.items() if column_of[e[0]] == column_of[e[1]]}
    cut = [_stub(edge, points) for edge, points in layout.edges.items() if edge not in whole]
    stubs = (*layout.stubs, *cut)
    return replace(
        layout,
        positions={node: moved(point, node) for node, point in layout.positions.items()},
        edges={e: tuple(moved(p, e[0]) for p in points) for e, points in whole.items()},
        stubs=tuple(
            Stub(
                s.source,
                s.target,
                (moved(s.leaves[0], s.source), moved(s.leaves[1], s.source)),
                (moved(s.enters[0], s.target), moved(s.enters[1], s.target)),
            )
            for s in stubs
        ),
        width=width,
        height=height,
    )


def _columns(layout: Layout, count: int) -> dict[int, int]:
    """The column of each node: layers in their order, a like part of the height in each."""
    part = layout.height / count
    found: dict[int, int] = {}
    for layer in layout.layers:
        middle = layout.positions[layer[0]][1]
        found |= dict.fromkeys(layer, min(count - 1, int(middle / part)))
    return found


def _shifts(
    layout: Layout, sizes: Mapping[int, tuple[float, float]], column_of: Mapping[int, int]
) -> tuple[dict[int, Point], float, float]:
    """How far each column moves, and the size of the whole."""
    box: dict[int, list[float]] = {}  # left, right, top, bottom

    def widen(column: int, left: float, right: float, top: float, bottom: float) -> None:
        now = box.setdefault(column, [left, right, top, bottom])
        box[column] = [min(now[0], left), max(now[1], right), min(now[2], top), max(now[3], bottom)]

    for node, (x, y) in layout.positions.items():
        wide, high = sizes[node][0] / 2, sizes[node][1] / 2
        widen(column_of[node], x - wide, x + wide, y - high, y + high)
    for (source, target), points in layout.edges.items():
        if column_of[source] == column_of[target]:
            for x, y in points:
                widen(column_of[source], x, x, y, y)
    shift, left, height = dict[int, Point](), 0.0, 0.0
    for column in sorted(box):
        first, last, top, bottom = box[column]
        shift[column] = left - first, GAP_DOWN - top
        left += last - first + BETWEEN
        height = max(height, bottom - top + 2 * GAP_DOWN)
    return shift, left - BETWEEN, height


def _stub(edge: tuple[int, int], points: tuple[Point, ...]) -> Stub:
    (x, bottom), (to_x, top) = points[0], points[-1]
    leaves = ((x, bottom), (x, bottom + STUB_LENGTH))
    return Stub(*edge, leaves, ((to_x, top - STUB_LENGTH), (to_x, top)))
