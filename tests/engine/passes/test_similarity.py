"""How alike design spaces are, by each metric."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.similarity import (
    DEFAULT_METRIC,
    DEFAULT_THRESHOLD,
    METRICS,
    candidates_in_common,
    find_metric,
    similarity_matrix,
    what_survives,
)
from engine.records.errors import UsageError
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from tests.engine.passes.made_up_spaces import matmuls, published_vector, tile

extents = st.integers(1, 300)
each_metric = pytest.mark.parametrize("metric", METRICS)


def choice(*values: float) -> Knob:
    """A categorical."""
    return Knob("unroll", KnobKind.CATEGORICAL, choices=values)


def similarity(one: DesignSpace, other: DesignSpace, metric: str = DEFAULT_METRIC) -> float:
    """Of two spaces."""
    return float(similarity_matrix([one, other], metric)[0, 1])


def made(*sketches: Sketch, op_class: str = "conv2d") -> DesignSpace:
    """A space."""
    return DesignSpace(0, op_class, sketches)


# The published metric


def test_the_published_metric_gives_the_published_similarities() -> None:
    _, spaces = published_vector()
    matrix = similarity_matrix(spaces, "jaccard")
    pairs = [matrix[i, j] for i in range(4) for j in range(i + 1, 4)]
    assert pairs == pytest.approx([0.333, 0.667, 0.222, 0.250, 0.083, 0.333], abs=5e-4)
    sums = matrix.sum(axis=1)
    assert sums.tolist() == pytest.approx([2.222, 1.667, 2.250, 1.639], abs=5e-4)


@given(extents, extents, st.integers(2, 4), st.sampled_from([0, 4, 64]))
@settings(deadline=None)
def test_candidates_in_common_are_those_of_the_sets(
    one: int, other: int, parts: int, innermost: int
) -> None:
    from engine.passes.factors import tiles

    sets = [{t[1:] for t in tiles(extent, parts, innermost)} for extent in (one, other)]
    knobs = [tile("N", extent, parts, innermost) for extent in (one, other)]
    wanted = len(sets[0] & sets[1]) / len(sets[0] | sets[1])
    assert candidates_in_common(*knobs) == pytest.approx(wanted)


@pytest.mark.parametrize("compare", [metric.compare for metric in METRICS.values()])
def test_categoricals_share_their_common_choices(compare: object) -> None:
    assert callable(compare)
    assert compare(choice(0, 16, 64), choice(16, 64, 512)) == 0.5
    assert compare(choice(0), choice(1)) == 0.0
    assert compare(choice(), choice()) == 1.0


# What a replay keeps


@given(extents, extents, st.integers(2, 5), st.sampled_from([0, 4, 64]))
@settings(deadline=None)
def test_what_survives_is_a_share_and_the_same_both_ways(
    one: int, other: int, parts: int, innermost: int
) -> None:
    knobs = [tile("N", extent, parts, innermost) for extent in (one, other)]
    found = what_survives(*knobs)
    assert 0.0 < found <= 1.0
    assert found == what_survives(*reversed(knobs))
    assert (found == 1.0) == (one == other)


@pytest.mark.parametrize(
    ("donor", "nearer", "further"),
    [
        (56, 28, 13),  # a prime leaves no factor whole
        (56, 28, 7),
        (64, 128, 1024),
        (64, 128, 65),
        (64, 48, 47),
    ],
)
def test_more_survives_where_extents_share_more_factors(
    donor: int, nearer: int, further: int
) -> None:
    knob, near, far = (tile("N", extent, 4, 64) for extent in (donor, nearer, further))
    assert what_survives(knob, near) > what_survives(knob, far)


def test_a_loop_with_too_many_tiles_is_compared_by_coarser_ones() -> None:
    many = [tile("N", extent, 5) for extent in (2**10 * 3 * 7**2, 2**11 * 3 * 7**2)]
    assert 0.8 < what_survives(*many) < 1.0


def test_a_loop_without_a_known_extent_is_like_no_other() -> None:
    assert what_survives(tile("N", 0), tile("N", 8)) == 0.0
    assert what_survives(tile("N", 0), tile("N", 0)) == 1.0


# Matrices


@each_metric
@given(st.lists(st.tuples(extents, extents, extents), max_size=6))
@settings(deadline=None)
def test_a_matrix_is_symmetric_with_ones_on_its_diagonal(
    metric: str, shapes: list[tuple[int, int, int]]
) -> None:
    _, spaces = matmuls(shapes)
    matrix = similarity_matrix(spaces, metric)
    assert matrix.shape == (len(shapes), len(shapes))
    assert (matrix == matrix.T).all()
    assert (np.diag(matrix) == 1.0).all()
    assert ((matrix >= 0.0) & (matrix <= 1.0)).all()


@each_metric
def test_spaces_that_cannot_replay_have_no_similarity(metric: str) -> None:
    knobs = (tile("N", 8), choice(0, 16))
    base = made(Sketch("a", knobs), Sketch("b", ()))
    other_class = made(*base.sketches, op_class="conv2d_relu")
    other_structure = made(Sketch("a", knobs), Sketch("c", ()))
    fewer = made(Sketch("a", knobs))
    nothing = made()
    for other in (other_class, other_structure, fewer, nothing):
        assert similarity(base, other, metric) == 0.0
    assert similarity(nothing, nothing, metric) == 0.0
    assert similarity(base, base, metric) == 1.0


@each_metric
def test_the_order_of_sketches_does_not_matter(metric: str) -> None:
    first, second = Sketch("a", (tile("N", 8),)), Sketch("b", (tile("M", 6),))
    other = (Sketch("a", (tile("N", 16),)), Sketch("b", (tile("M", 6),)))
    straight = similarity(made(first, second), made(*other), metric)
    assert straight == similarity(made(second, first), made(*other), metric)
    assert 0.0 < straight < 1.0


@each_metric
def test_knobs_that_differ_in_name_parts_or_limit_share_nothing(metric: str) -> None:
    base = made(Sketch("a", (tile("N", 8, 2, 64),)))
    for knob in (tile("M", 8, 2, 64), tile("N", 8, 3, 64), tile("N", 8, 2, 0), choice(8)):
        assert similarity(base, made(Sketch("a", (knob,))), metric) == 0.0


def test_spaces_without_knobs_are_one() -> None:
    assert similarity(made(Sketch("a", ())), made(Sketch("a", ()))) == 1.0


def test_metrics_are_named_and_have_a_threshold() -> None:
    assert find_metric(DEFAULT_METRIC).threshold == DEFAULT_THRESHOLD
    for name, metric in METRICS.items():
        assert metric.name == name
        assert 0.0 < metric.threshold < 1.0
        assert metric.title and metric.description.endswith(".")
    with pytest.raises(UsageError, match=r"There is no metric 'x'.*Choose one of: replay"):
        find_metric("x")
