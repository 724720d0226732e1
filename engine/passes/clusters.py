"""Tasks into clusters, and a person's changes to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from engine.passes.similarity import (
    DEFAULT_METRIC,
    DEFAULT_THRESHOLD,
    Floats,
    find_metric,
    similarity_matrix,
)
from engine.passes.work import work
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import UsageError
from engine.records.sentences import Sentence
from engine.records.space import DesignSpace
from engine.records.task import Task

Bools = NDArray[np.bool_]
_ROUNDS = 200  # of exchanges; each lowers the loss, and a dozen is much
_WORTH = 0.05  # of all importance: what another representative must save


def cluster(
    tasks: Sequence[Task],
    spaces: Sequence[DesignSpace],
    metric: str = DEFAULT_METRIC,
    threshold: float = DEFAULT_THRESHOLD,
    matrix: Floats | None = None,
) -> Clustering:
    """The clusters of tasks whose similarity to a representative is at least `threshold`.

    `spaces` and the rows of `matrix`, which is worked out where it is not given, are in the order
    of `tasks`; the clusters name tasks by their index. What comes out does not depend on that
    order. At a threshold of 0 everything shares that can. Takes milliseconds with the matrix.
    """
    find_metric(metric)
    if not 0.0 <= threshold <= 1.0:
        raise UsageError(
            Sentence("A threshold of {threshold:g} is no share.", threshold=threshold),
            "Give 0 to 1.",
        )
    if matrix is None:
        matrix = similarity_matrix(spaces, metric)
    order = sorted(range(len(tasks)), key=lambda place: _content(tasks[place], spaces[place]))
    known = matrix[np.ix_(order, order)]
    importance = _importance([tasks[place] for place in order])
    cover = clique_cover if metric == "jaccard" else star_cover
    chosen = cover(known, threshold, importance)
    groups: dict[int, list[int]] = {}
    for place, representative in zip(order, chosen, strict=True):
        groups.setdefault(tasks[order[representative]].index, []).append(tasks[place].index)
    return Clustering(metric, threshold, _sorted(groups))


def move(clustering: Clustering, task: int, to_representative: int, matrix: Floats) -> Clustering:
    """The same with a task in another representative's cluster, or alone where that is itself.

    `matrix` has the similarities by the tasks' indices. A cluster that loses its representative
    is represented by the member that is most similar to the others. UsageError where the other's
    schedules cannot replay on the task.
    """
    old = _cluster_of(clustering, task)
    if to_representative == task:
        if len(old.members) == 1:
            return clustering
        return _changed(clustering, (old,), (*_without(old, task, matrix), Cluster(task, (task,))))
    target = _cluster_of(clustering, to_representative)
    if target.representative != to_representative:
        raise UsageError(
            Sentence(
                "Task {to_representative} represents no cluster.",
                to_representative=to_representative,
            ),
            "Choose a representative.",
        )
    if target is old:
        return clustering
    if matrix[task, to_representative] <= 0.0:
        raise UsageError(
            Sentence(
                "The schedules of task {to_representative} cannot replay on task {task}.",
                to_representative=to_representative,
                task=task,
            ),
            "Choose a cluster of the same operators and structure.",
        )
    grown = Cluster(to_representative, tuple(sorted((*target.members, task))))
    return _changed(clustering, (old, target), (*_without(old, task, matrix), grown))


def represent(clustering: Clustering, task: int) -> Clustering:
    """The same with the task as the representative of its cluster."""
    old = _cluster_of(clustering, task)
    if old.representative == task:
        return clustering
    return _changed(clustering, (old,), (Cluster(task, old.members),))


def _cluster_of(clustering: Clustering, task: int) -> Cluster:
    for found in clustering.clusters:
        if task in found.members:
            return found
    raise UsageError(
        Sentence("There is no task {task} in the clusters.", task=task), "Choose one that is there."
    )


def _without(old: Cluster, task: int, matrix: Floats) -> tuple[Cluster, ...]:
    """A cluster without one member; none where it was the only one."""
    members = tuple(member for member in old.members if member != task)
    if not members:
        return ()
    if old.representative != task:
        return (Cluster(old.representative, members),)
    sums = matrix[np.ix_(members, members)].sum(axis=0)
    return (Cluster(members[int(np.argmax(sums))], members),)


def _changed(
    clustering: Clustering, gone: tuple[Cluster, ...], new: tuple[Cluster, ...]
) -> Clustering:
    kept = [found for found in clustering.clusters if found not in gone]
    clusters = tuple(sorted((*kept, *new), key=lambda found: found.members))
    return replace(clustering, clusters=clusters, edited=True)


def _sorted(groups: dict[int, list[int]]) -> tuple[Cluster, ...]:
    clusters = [Cluster(representative, tuple(sorted(g))) for representative, g in groups.items()]
    return tuple(sorted(clusters, key=lambda found: found.members))


def _importance(tasks: Sequence[Task]) -> Floats:
    """What a share of each task's speed is worth: its untuned latency, or where not all are
    measured its work. On a GPU one does not tell the other: convolutions of equal work take from
    28 to 420 us untuned in ResNet-50."""
    known = [task.untuned_latency_s for task in tasks]
    if all(latency_s is not None and latency_s > 0 for latency_s in known):
        return np.array([task.weight * (task.untuned_latency_s or 0.0) for task in tasks])
    return np.array([task.weight * work(task) for task in tasks], dtype=np.float64)


def _content(task: Task, space: DesignSpace) -> tuple[object, ...]:
    """An order of tasks by what they are. A name may depend on the order, and comes last."""
    return (
        task.op_class,
        [[(knob.name, knob.extent, knob.choices) for knob in s.knobs] for s in space.sketches],
        [(spec.dtype, spec.shape) for spec in task.args],
        task.fingerprint,
        task.weight,
        task.flops,
        task.name,
    )


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
