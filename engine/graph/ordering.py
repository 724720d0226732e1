"""The order of nodes within each layer: barycentre sweeps that keep the fewest crossings."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence

from engine.graph.layering import Grid

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
