"""A layered drawing of a DAG, top to bottom, in plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.graph.layering import Edge, Grid, make_grid
from engine.graph.links import Digraph
from engine.graph.ordering import order_layers
from engine.graph.placement import place_across

Point = tuple[float, float]

GAP_ACROSS = 20.0
GAP_DOWN = 28.0
POINT_WIDTH = 4.0
STUB_LENGTH = GAP_DOWN / 2


@dataclass(frozen=True, slots=True)
class Stub:
    """An edge too long to draw: a short end below its source, another above its target."""

    source: int
    target: int
    leaves: tuple[Point, Point]
    enters: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of nodes, edges as polylines from source to target, the size of it all.

    The drawing starts at (0, 0); y grows downwards. `layers` are node ids, left to right.
    """

    positions: dict[int, Point]
    edges: dict[Edge, tuple[Point, ...]]
    stubs: tuple[Stub, ...]
    layers: tuple[tuple[int, ...], ...]
    width: float
    height: float


def layered_layout(
    graph: Digraph,
    sizes: Mapping[int, tuple[float, float]],
    *,
    cancelled: Callable[[], bool] | None = None,
) -> Layout:
    """Lay out `graph` for nodes of the given sizes (width, height).

    No two nodes overlap and every edge runs downwards. The same input gives the same drawing.
    Where `cancelled` starts to answer True, what is left of the polishing is skipped; the result
    is still valid. Raises ValueError where the graph has a cycle.
    """
    stop = cancelled or _never
    grid = make_grid(graph)
    order_layers(grid, stop)
    return _Drawing(grid, sizes, stop).layout()


class _Drawing:
    """A grid whose layers are ordered, on its way to coordinates."""

    def __init__(
        self, grid: Grid, sizes: Mapping[int, tuple[float, float]], stop: Callable[[], bool]
    ) -> None:
        self.grid = grid
        self.half = [sizes[node][1] / 2 for node in grid.nodes]
        widths = [sizes[node][0] for node in grid.nodes]
        widths += [POINT_WIDTH] * (len(grid.layer_of) - len(grid.nodes))
        x = place_across(grid, widths, GAP_ACROSS, stop)
        left = min((x[i] - width / 2 for i, width in enumerate(widths)), default=0.0)
        self.x = [value - left for value in x]
        self.width = max((self.x[i] + width / 2 for i, width in enumerate(widths)), default=0.0)
        self.rows = self._rows()

    def layout(self) -> Layout:
        """All coordinates by the graph's own node ids."""
        nodes, number = self.grid.nodes, {node: i for i, node in enumerate(self.grid.nodes)}
        return Layout(
            positions={node: self._centre(i) for i, node in enumerate(nodes)},
            edges={edge: self._polyline(chain) for edge, chain in self.grid.chains.items()},
            stubs=tuple(self._stub(edge, number) for edge in self.grid.cut),
            layers=tuple(
                tuple(nodes[i] for i in layer if self.grid.is_node(i)) for layer in self.grid.layers
            ),
            width=self.width,
            height=self.rows[-1][1] if self.rows else 0.0,
        )

    def _rows(self) -> list[tuple[float, float]]:
        """Top and bottom of each layer: as high as its highest node."""
        rows: list[tuple[float, float]] = []
        top = 0.0
        for layer in self.grid.layers:
            height = 2 * max(self.half[i] for i in layer if self.grid.is_node(i))
            rows.append((top, top + height))
            top += height + GAP_DOWN
        return rows

    def _centre(self, number: int) -> Point:
        top, bottom = self.rows[self.grid.layer_of[number]]
        return self.x[number], (top + bottom) / 2

    def _port(self, number: int, side: int) -> Point:
        """The middle of a node's upper (-1) or lower (1) edge."""
        x, y = self._centre(number)
        return x, y + side * self.half[number]

    def _polyline(self, chain: list[int]) -> tuple[Point, ...]:
        """From port to port; upright through the rows that the edge passes."""
        points = [self._port(chain[0], 1)]
        for number in chain[1:-1]:
            x, (top, bottom) = self.x[number], self.rows[self.grid.layer_of[number]]
            points += [(x, top), (x, bottom)]
        points.append(self._port(chain[-1], -1))
        return _without_needless(points)

    def _stub(self, edge: Edge, number: Mapping[int, int]) -> Stub:
        (x, bottom), (to_x, top) = self._port(number[edge[0]], 1), self._port(number[edge[1]], -1)
        leaves = ((x, bottom), (x, bottom + STUB_LENGTH))
        enters = ((to_x, top - STUB_LENGTH), (to_x, top))
        return Stub(edge[0], edge[1], leaves, enters)


def _without_needless(points: list[Point]) -> tuple[Point, ...]:
    """Drop points in the middle of an upright line."""
    kept = points[:1]
    for before, point, after in zip(points, points[1:], points[2:], strict=False):
        if not before[0] == point[0] == after[0]:
            kept.append(point)
    return (*kept, points[-1])


def _never() -> bool:
    return False
