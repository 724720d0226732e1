"""Clusters out of all maximal cliques, as published; without the faults of the original."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# A graph of n tasks can have 3^(n/3) maximal cliques, 5e27 for 174 tasks. After this many, what no
# clique holds yet is taken greedily.
MOST_CLIQUES = 10_000


def clique_cover(
    similarity: Floats, threshold: float, importance: Floats, most: int = MOST_CLIQUES
) -> list[int]:
    """Each position's representative, of n; `importance` does not count here.

    A position in several maximal cliques goes to the one to whose members it has the largest sum
    of similarities; the representative has the largest sum in its cluster. Ties go to the earlier
    clique and position.
    """
    if not len(similarity):
        return []
    cliques = _cliques(similarity, threshold, most)
    held = np.zeros((len(similarity), len(cliques)), dtype=bool)
    for number, clique in enumerate(cliques):
        held[list(clique), number] = True
    home = np.argmax(np.where(held, similarity @ held, -1.0), axis=1)
    together = home[:, None] == home[None, :]
    sums = (similarity * together).sum(axis=0)
    return [int(np.argmax(np.where(row, sums, -1.0))) for row in together]


def _cliques(similarity: Floats, threshold: float, most: int) -> list[tuple[int, ...]]:
    """The maximal cliques, sorted, that cover all positions."""
    import networkx as nx

    edges = (similarity >= threshold) & (similarity > 0.0)
    np.fill_diagonal(edges, False)
    graph = nx.from_numpy_array(edges)
    found = [tuple(sorted(clique)) for clique in islice(nx.find_cliques(graph), most)]
    left = sorted(set(range(len(edges))).difference(*found))
    return sorted(found) + [_grown(edges, similarity, place) for place in left]


def _grown(edges: NDArray[np.bool_], similarity: Floats, start: int) -> tuple[int, ...]:
    """A maximal clique of a position, by the most similar one that fits."""
    clique = [start]
    fits = edges[start].copy()
    while fits.any():
        best = int(np.argmax(np.where(fits, similarity[start], -1.0)))
        clique.append(best)
        fits &= edges[best]
    return tuple(sorted(clique))
