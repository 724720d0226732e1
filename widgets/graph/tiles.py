"""The plane in tiles, so that a repaint, a click or a change concerns few nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF

from engine.graph.layering import Edge
from engine.graph.layout import Layout, Point
from widgets.graph.painter import Node

ACROSS, DOWN = 2400.0, 1200.0

Place = tuple[int, int]


class Tiles:
    """Nodes by tile, and what is at a point."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes: defaultdict[Place, list[Node]] = defaultdict(list)
        for node in nodes:
            self.nodes[self.place(node)].append(node)

    def place(self, node: Node) -> Place:
        """The tile that a node belongs to."""
        centre = node.body.center()
        return tile_at(centre.x(), centre.y())

    def at(self, point: QPointF) -> Node | None:
        """The node under a point; its tile may be the next one."""
        across, down = tile_at(point.x(), point.y())
        near = ((across + x, down + y) for y in (0, -1, 1) for x in (0, -1, 1))
        nodes = (node for place in near for node in self.nodes.get(place, ()))
        return next((node for node in nodes if node.body.contains(point)), None)


def tile_at(x: float, y: float) -> Place:
    """The tile that a point lies in."""
    return int(x // ACROSS), int(y // DOWN)


def edges_by_tile(layout: Layout) -> Iterator[list[Sequence[Point]]]:
    """The polylines that begin in each tile."""
    tiles: defaultdict[Place, list[Sequence[Point]]] = defaultdict(list)
    for points in layout.edges.values():
        tiles[tile_at(*points[0])].append(points)
    yield from tiles.values()


def edge_at(layout: Layout, point: QPointF, reach: float) -> Edge | None:
    """The edge whose line passes a point nearest, within `reach`."""
    best, found = reach, None
    x, y = point.x(), point.y()
    for edge, points in layout.edges.items():
        if points[0][1] - reach <= y <= points[-1][1] + reach:
            distance = min(_distance(x, y, *start, *end) for start, end in pairwise(points))
            if distance <= best:
                best, found = distance, edge
    return found


def _distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """From a point to a line between two others."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    along = 0.0 if not length else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length))
    return float(((x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2) ** 0.5)
