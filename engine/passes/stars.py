"""Clusters round representatives: few of them, each near enough to all its members."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_ROUNDS = 200  # of exchanges; each lowers the loss, and a dozen is much
_WORTH = 0.05  # of all importance: what another representative must save


def star_cover(similarity: Floats, threshold: float, importance: Floats) -> list[int]:
    """Each position's representative, of n.

    A greedy cover gives the fewest; then representatives are exchanged while that lowers the
    loss, which is the sum of importance x (1 / similarity - 1): the time lost, if a similarity is
    the share of speed that is left. Above a threshold of 0 more are added while each saves a
    twentieth of all importance: ResNet-50's costly convolutions are not much like each other. All
    similarities to a representative are at least `threshold`, and above 0. Members may be less
    alike among themselves: only the representative's schedules reach them. Ties go to the earlier
    position. O(n^2) an exchange.
    """
    if not len(similarity):
        return []
    near = (similarity >= threshold) & (similarity > 0.0)
    np.fill_diagonal(near, True)
    loss = np.full_like(similarity, np.inf)
    np.divide(1.0, similarity, out=loss, where=near)
    loss = importance[:, None] * (loss - 1.0)
    centres = _exchanged(loss, _needed(near, _greedy(near, similarity, importance), importance))
    if threshold > 0.0:
        centres = _exchanged(loss, _divided(loss, list(centres), float(importance.sum())))
    chosen = centres[np.argmin(loss[:, centres], axis=1)]
    chosen[centres] = centres
    return [int(centre) for centre in chosen]


def _greedy(near: Bools, similarity: Floats, importance: Floats) -> list[int]:
    """Again and again the one that covers most of what is left, in number, then in weight."""
    left = np.ones(len(near), dtype=bool)
    centres: list[int] = []
    while left.any():
        counts = near[left].sum(axis=0)
        worth = importance[left] @ (near * similarity)[left]
        centres.append(int(np.argmax(np.where(counts == counts.max(), worth, -1.0))))
        left &= ~near[:, centres[-1]]
    return centres


def _needed(near: Bools, centres: Sequence[int], importance: Floats) -> list[int]:
    """Without those whose members all have another centre, the least important first."""
    kept = list(centres)
    for centre in sorted(centres, key=lambda place: (importance[place], place)):
        others = [place for place in kept if place != centre]
        if others and near[:, others].any(axis=1).all():
            kept = others
    return kept


def _divided(loss: Floats, centres: Sequence[int], whole: float) -> list[int]:
    """More centres, while the next one saves enough."""
    kept = list(centres)
    while True:
        lost = loss[:, kept].min(axis=1)
        totals = np.minimum(lost[:, None], loss).sum(axis=0)
        new = int(np.argmin(totals))
        if new in kept or not lost.sum() - totals[new] >= _WORTH * whole > 0.0:
            return kept
        kept.append(new)


def _exchanged(loss: Floats, centres: Sequence[int]) -> NDArray[np.int64]:
    """Centres of which none can be exchanged for another position without a greater loss."""
    kept = sorted(centres)
    least = _total(loss, kept)
    for _ in range(_ROUNDS):
        best, gone, new = min(_exchanges(loss, kept))
        if not best < least * (1.0 - 1e-12):
            break
        least, kept = best, sorted({*kept, new} - {gone})
    return np.array(kept, dtype=np.int64)


def _exchanges(loss: Floats, centres: Sequence[int]) -> list[tuple[float, int, int]]:
    """The best exchange of each centre: the loss it leads to, who goes, who comes."""
    found = []
    for centre in centres:
        others = [place for place in centres if place != centre]
        alone = loss[:, others].min(axis=1) if others else np.full(len(loss), np.inf)
        totals = np.minimum(alone[:, None], loss).sum(axis=0)
        new = int(np.argmin(totals))
        found.append((float(totals[new]), centre, new))
    return found


def _total(loss: Floats, centres: Sequence[int]) -> float:
    return float(loss[:, list(centres)].min(axis=1).sum())
