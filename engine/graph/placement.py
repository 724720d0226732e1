"""Where nodes stand across: near their neighbours, in order, never overlapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from engine.graph.layering import Grid

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
