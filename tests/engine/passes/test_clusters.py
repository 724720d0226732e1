"""Clusters: the published ones, ours, what holds for both, and a person's changes."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.clusters import clique_cover, cluster, move, represent, star_cover
from engine.passes.similarity import METRICS, Floats, similarity_matrix
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import UsageError
from engine.records.space import DesignSpace
from engine.records.task import Task
from tests.engine.passes.made_up_spaces import Given, matmul, matmuls, published_vector, space

sizes = st.sampled_from([1, 2, 3, 4, 6, 7, 8, 12, 13, 14, 16, 28, 56])
shapes = st.lists(st.tuples(sizes, sizes, sizes), max_size=12, unique=True)
thresholds = st.sampled_from([0.0, 0.01, 0.3, 0.6, 0.9, 1.0])
each_metric = pytest.mark.parametrize("metric", METRICS)


def groups(found: Clustering) -> list[tuple[int, tuple[int, ...]]]:
    """Representatives with their members."""
    return [(item.representative, item.members) for item in found.clusters]


def shuffled(given_: Given, seed: int) -> tuple[Given, list[int]]:
    """The same tasks in another order, with new indices; and each one's old index."""
    tasks, spaces = given_
    order = list(range(len(tasks)))
    random.Random(seed).shuffle(order)
    moved: list[Task] = [replace(tasks[old], index=new) for new, old in enumerate(order)]
    new_spaces: list[DesignSpace] = [
        replace(spaces[old], task=new) for new, old in enumerate(order)
    ]
    return (moved, new_spaces), order


def alike(*rows: tuple[float, ...]) -> Floats:
    """A similarity matrix out of its upper half."""
    matrix = np.eye(len(rows) + 1)
    for i, row in enumerate(rows):
        matrix[i, i + 1 :] = matrix[i + 1 :, i] = row
    return matrix


# The published clusters


def test_the_published_vector_is_one_cluster_round_the_third() -> None:
    tasks, spaces = published_vector()
    assert groups(cluster(tasks, spaces, "jaccard", 0.01)) == [(2, (0, 1, 2, 3))]


def test_a_task_in_two_cliques_goes_where_its_similarities_are_larger() -> None:
    similarity = alike((0.5, 0.4, 0.0, 0.0), (0.3, 0.0, 0.0), (0.6, 0.6), (0.1,))
    assert clique_cover(similarity, 0.01, np.ones(5)) == [0, 0, 2, 2, 2]


def test_more_cliques_than_the_limit_still_give_a_partition() -> None:
    size = 24  # groups of 3 without edges inside: 3^8 maximal cliques
    similarity = np.eye(size)
    for i in range(size):
        for j in range(size):
            if i // 3 != j // 3:
                similarity[i, j] = 0.5
    for most in (0, 1, 5):
        chosen = clique_cover(similarity, 0.01, np.ones(size), most)
        assert len(chosen) == size
        for place, representative in enumerate(chosen):
            assert chosen[representative] == representative
            assert place == representative or similarity[place, representative] > 0


def test_a_graph_with_far_too_many_cliques_ends() -> None:
    size = 90
    similarity = np.full((size, size), 0.5)
    for start in range(0, size, 3):
        similarity[start : start + 3, start : start + 3] = 0.0
    np.fill_diagonal(similarity, 1.0)
    assert len(clique_cover(similarity, 0.01, np.ones(size), most=300)) == size


# Ours


def test_few_representatives_cover_a_chain() -> None:
    chain = np.eye(7)
    for i in range(6):
        chain[i, i + 1] = chain[i + 1, i] = 0.8
    chosen = star_cover(chain, 0.6, np.ones(7))
    assert len(set(chosen)) == 3
    assert all(chain[place, centre] >= 0.6 for place, centre in enumerate(chosen))


def test_the_representative_is_where_the_least_time_is_lost() -> None:
    similarity = alike((0.7, 0.7), (0.7,))
    assert star_cover(similarity, 0.6, np.array([1.0, 1.0, 9.0])) == [2, 2, 2]
    assert star_cover(similarity, 0.6, np.array([1.0, 9.0, 1.0])) == [1, 1, 1]


@given(st.integers(2, 9), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_no_exchange_of_a_representative_would_lose_less_time(size: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    similarity = dice.uniform(0.3, 1.0, (size, size))
    similarity = np.maximum(similarity, similarity.T)
    np.fill_diagonal(similarity, 1.0)
    importance = dice.uniform(0.1, 9.0, size)
    loss = importance[:, None] * (1.0 / similarity - 1.0)
    loss[similarity < 0.6] = np.inf
    centres = set(star_cover(similarity, 0.6, importance))
    least = loss[:, sorted(centres)].min(axis=1).sum()
    for gone in centres:
        for new in range(size):
            other = sorted(centres - {gone} | {new})
            assert loss[:, other].min(axis=1).sum() >= least * (1 - 1e-9)


@pytest.mark.parametrize("cover", [star_cover, clique_cover])
def test_no_tasks_have_no_clusters(cover: object) -> None:
    assert callable(cover)
    assert cover(np.eye(0), 0.5, np.ones(0)) == []
    assert cluster([], []).clusters == ()


# Both


@each_metric
@given(shapes, thresholds, st.integers(0, 9))
@settings(deadline=None, max_examples=60)
def test_the_order_of_the_tasks_does_not_matter(
    metric: str, dims: list[tuple[int, int, int]], threshold: float, seed: int
) -> None:
    given_ = matmuls(dims)
    moved, order = shuffled(given_, seed)
    first = cluster(*given_, metric, threshold)
    second = cluster(*moved, metric, threshold)
    translated = {
        (order[item.representative], frozenset(order[member] for member in item.members))
        for item in second.clusters
    }
    assert translated == {(i.representative, frozenset(i.members)) for i in first.clusters}


@each_metric
@given(shapes, thresholds)
@settings(deadline=None, max_examples=60)
def test_clusters_are_a_partition_whose_members_can_replay(
    metric: str, dims: list[tuple[int, int, int]], threshold: float
) -> None:
    tasks, spaces = matmuls(dims)
    spaces = [
        replace(item, op_class="other" if item.task % 3 == 0 else item.op_class) for item in spaces
    ]
    matrix = similarity_matrix(spaces, metric)
    found = cluster(tasks, spaces, metric, threshold, matrix)
    members = [member for item in found.clusters for member in item.members]
    assert sorted(members) == list(range(len(tasks)))
    for item in found.clusters:
        assert item.representative in item.members
        assert list(item.members) == sorted(item.members)
        for member in item.dependants:
            assert matrix[member, item.representative] > 0
            assert matrix[member, item.representative] >= threshold


@given(shapes)
@settings(deadline=None, max_examples=30)
def test_everything_shares_at_0_and_only_equals_at_1(
    dims: list[tuple[int, int, int]],
) -> None:
    given_ = matmuls(dims)
    lowest, highest = cluster(*given_, threshold=0.0), cluster(*given_, threshold=1.0)
    assert len(lowest.clusters) == min(1, len(dims))  # all of them can replay on each other
    products = {(n, m) for n, m, _ in dims}
    assert len(highest.clusters) == len(products)  # k is no knob


def test_a_cluster_is_divided_where_one_representative_would_lose_much_time() -> None:
    matrix = alike((0.9, 0.9, 0.6), (0.9, 0.6), (0.6,))
    even, heavy = np.ones(4), np.array([1.0, 1.0, 1.0, 30.0])
    assert star_cover(matrix, 0.6, np.array([9.0, 9.0, 9.0, 0.1])) == [0, 0, 0, 0]
    assert star_cover(matrix, 0.6, even)[3] == 3
    assert star_cover(matrix, 0.6, heavy) == [0, 0, 0, 3]
    assert star_cover(matrix, 0.0, heavy) == [3, 3, 3, 3]  # everything shares that can


def test_untuned_latencies_say_what_matters_once_all_are_known() -> None:
    tasks, spaces = matmuls([(8, 8, 64), (16, 8, 64), (32, 8, 64), (64, 8, 64)])
    slow = [replace(task, untuned_latency_s=1e-3 if task.index == 1 else 1e-9) for task in tasks]
    partly = [replace(slow[0], untuned_latency_s=None), *slow[1:]]
    assert 1 in {item.representative for item in cluster(slow, spaces, threshold=0.3).clusters}
    assert groups(cluster(partly, spaces)) == groups(cluster(tasks, spaces))


@pytest.mark.parametrize("threshold", [-0.1, 1.01, float("nan")])
def test_a_threshold_outside_0_to_1_is_refused_with_a_sentence(threshold: float) -> None:
    with pytest.raises(UsageError, match="is no share"):
        cluster(*matmuls([(8, 8, 8)]), threshold=threshold)


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="no metric 'nearest'"):
        cluster(*matmuls([(8, 8, 8)]), "nearest")


def test_a_task_without_a_design_space_is_alone() -> None:
    tasks = [matmul(index, 8, 8) for index in range(3)]
    spaces = [space(tasks[0]), DesignSpace(1, "matmul", ()), space(tasks[2])]
    assert groups(cluster(tasks, spaces, threshold=0.0)) == [(0, (0, 2)), (1, (1,))]


def test_indices_need_not_be_positions() -> None:
    tasks, spaces = matmuls([(8, 8, 8), (8, 8, 16)])
    tasks = [replace(task, index=task.index + 5) for task in tasks]
    found = cluster(tasks, [replace(item, task=item.task + 5) for item in spaces])
    assert found.clusters[0].members == (5, 6)


# A person's changes

MATRIX = alike((0.9, 0.8, 0.0), (0.7, 0.0), (0.0,))
START = Clustering("replay", 0.6, (Cluster(0, (0, 1, 2)), Cluster(3, (3,))))


def test_a_task_can_become_its_own_cluster_and_go_back() -> None:
    alone = move(START, 2, 2, MATRIX)
    assert groups(alone) == [(0, (0, 1)), (2, (2,)), (3, (3,))]
    assert alone.edited
    assert move(alone, 2, 0, MATRIX) == replace(START, edited=True)


def test_a_representative_that_leaves_is_followed_by_the_most_similar_member() -> None:
    matrix = alike((0.9, 0.9, 0.9), (0.2, 0.8), (0.7,))
    start = Clustering("replay", 0.6, (Cluster(0, (0, 1, 2, 3)),))
    assert groups(move(start, 0, 0, matrix)) == [(0, (0,)), (3, (1, 2, 3))]


def test_the_last_member_that_moves_ends_its_cluster() -> None:
    alone = move(START, 2, 2, MATRIX)
    assert groups(move(alone, 2, 0, MATRIX)) == [(0, (0, 1, 2)), (3, (3,))]


def test_a_move_to_where_a_task_is_changes_nothing() -> None:
    assert move(START, 1, 0, MATRIX) is START
    assert move(START, 3, 3, MATRIX) is START
    assert represent(START, 0) is START


def test_a_move_where_no_schedule_can_replay_is_refused() -> None:
    with pytest.raises(UsageError, match="task 3 cannot replay on task 1"):
        move(START, 1, 3, MATRIX)


@pytest.mark.parametrize("target", [1, 9])
def test_a_move_to_what_represents_nothing_is_refused(target: int) -> None:
    with pytest.raises(UsageError, match=r"represents no cluster|no task 9"):
        move(START, 2, target, MATRIX)


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(UsageError, match="no task 7"):
        move(START, 7, 0, MATRIX)
    with pytest.raises(UsageError, match="no task 7"):
        represent(START, 7)


def test_another_member_can_represent_a_cluster() -> None:
    found = represent(START, 1)
    assert groups(found) == [(1, (0, 1, 2)), (3, (3,))]
    assert found.edited and (found.metric, found.threshold) == ("replay", 0.6)
