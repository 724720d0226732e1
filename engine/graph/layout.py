"""A layered drawing of a DAG, top to bottom, in plain numbers."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.graph.layering import Edge, Grid, make_grid
from engine.graph.links import Digraph

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


SWEEPS = 6
COUNTABLE = 20_000


def order_layers(grid: Grid, cancelled: Callable[[], bool]) -> None:
    """Reorder `grid.layers` in place, so that few edges cross.

    Ends early where no edge crosses another. Large graphs get the sweeps without the counting.
    """
    if all(len(layer) < 2 for layer in grid.layers):
        return
    place = [0] * len(grid.layer_of)
    for layer in grid.layers:
        _renumber(layer, place)
    counting = len(grid.layer_of) <= COUNTABLE
    best = _copy(grid.layers)
    fewest = count_crossings(grid, place) if counting else -1
    for sweep in range(SWEEPS):
        if fewest == 0 or cancelled():
            break
        _sweep(grid, place, downwards=sweep % 2 == 0)
        crossings = count_crossings(grid, place) if counting else -1
        if crossings < fewest or not counting:
            best, fewest = _copy(grid.layers), crossings
    grid.layers[:] = best


def count_crossings(grid: Grid, place: Sequence[int]) -> int:
    """How many pairs of edges cross, between every two adjacent layers."""
    crossings = 0
    for layer in grid.layers:
        if len(layer) < 2:
            continue
        seen: list[int] = []
        for node in layer:
            ends = sorted(place[below] for below in grid.down[node])
            crossings += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return crossings


def _sweep(grid: Grid, place: list[int], downwards: bool) -> None:
    """Sort every layer by the mean place of its neighbours in the layer just sorted."""
    neighbours = grid.up if downwards else grid.down
    for layer in grid.layers if downwards else reversed(grid.layers):
        if len(layer) < 2:
            continue
        centre = {}
        for node in layer:
            linked = neighbours[node]
            total = sum(place[other] for other in linked)
            centre[node] = total / len(linked) if linked else float(place[node])
        layer.sort(key=centre.__getitem__)
        _renumber(layer, place)


def _renumber(layer: Sequence[int], place: list[int]) -> None:
    for position, node in enumerate(layer):
        place[node] = position


def _copy(layers: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(layer) for layer in layers]


PASSES = 5  # odd: the last one runs downwards, so that branches hang straight


def place_across(
    grid: Grid, widths: Sequence[float], gap: float, cancelled: Callable[[], bool]
) -> list[float]:
    """Centres of all nodes and bend points, for the given widths, at least `gap` apart.

    Sweeps down and up move each layer to the mean of its neighbours; within a layer, the shift
    is the least-squares one that keeps order and distance (isotonic regression).
    """
    x = [0.0] * len(widths)
    for layer in grid.layers:
        for node, place in zip(layer, _offsets(layer, widths, gap), strict=True):
            x[node] = place
    for number in range(PASSES):
        if cancelled():
            break
        downwards = number % 2 == 0
        near, far = (grid.up, grid.down) if downwards else (grid.down, grid.up)
        for layer in grid.layers if downwards else reversed(grid.layers):
            wanted = [_mean(near[node] or far[node] or [node], x, grid.weights) for node in layer]
            if len(layer) == 1:
                x[layer[0]] = wanted[0]
            else:
                offsets = _offsets(layer, widths, gap)
                weights = [grid.weights[node] for node in layer]
                for node, place in zip(layer, settle(wanted, offsets, weights), strict=True):
                    x[node] = place
    return x


def settle(
    wanted: Sequence[float], offsets: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """The places nearest to `wanted` (weighted least squares) that keep at least the distances
    between `offsets`: pool neighbours that would come too close until none do.
    """
    blocks: list[tuple[float, float, int]] = []  # mean, weight, members
    for want, offset, own_weight in zip(wanted, offsets, weights, strict=True):
        mean, weight, members = want - offset, own_weight, 1
        while blocks and blocks[-1][0] > mean:
            before, before_weight, before_members = blocks.pop()
            mean = (mean * weight + before * before_weight) / (weight + before_weight)
            weight += before_weight
            members += before_members
        blocks.append((mean, weight, members))
    shifts = (mean for mean, _, members in blocks for _ in range(members))
    return [shift + offset for shift, offset in zip(shifts, offsets, strict=True)]


def _mean(linked: Sequence[int], x: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean of places."""
    if len(linked) == 1:
        return x[linked[0]]
    total = weight = 0.0
    for other in linked:
        total += weights[other] * x[other]
        weight += weights[other]
    return total / weight


def _offsets(layer: Sequence[int], widths: Sequence[float], gap: float) -> list[float]:
    """The centres of a layer that is packed as tightly as it may be."""
    offsets = [0.0]
    for before, node in pairwise(layer):
        offsets.append(offsets[-1] + (widths[before] + widths[node]) / 2 + gap)
    return offsets
