"""Which tasks lag behind others of their class and size."""

from __future__ import annotations

import math

import pytest

from engine.allocation.forecast import headrooms

Row = tuple[int, str, float, float]


def level(count: int, op_class: str = "conv") -> list[Row]:
    """Tasks of one size that all run at 1 TFLOP/s."""
    return [(index, op_class, 1e9, 1e-3) for index in range(count)]


def test_tasks_that_are_alike_have_no_more_to_gain_than_each_other() -> None:
    assert headrooms(level(5)) == pytest.approx(dict.fromkeys(range(5), 1.0))


def test_the_slow_one_takes_as_many_times_longer_as_it_does_than_the_line() -> None:
    found = headrooms([*level(9), (9, "conv", 1e9, 2e-3)])
    assert found[9] == pytest.approx(2**0.9)
    assert found[0] == pytest.approx(2**-0.1)


def test_larger_tasks_that_are_faster_for_their_size_are_not_held_against_small_ones() -> None:
    rows = [(index, "conv", 10.0**index, 10.0 ** (index / 2)) for index in range(6, 14)]
    assert headrooms(rows) == pytest.approx(dict.fromkeys(range(6, 14), 1.0), abs=0.05)


def test_other_classes_are_no_peers_and_few_tasks_draw_no_line() -> None:
    assert headrooms([*level(4), (4, "pool", 1e9, 1.0)]) == {}


@pytest.mark.parametrize(("flops", "latency_s"), [(0.0, 1e-3), (1e9, 0.0), (1e9, math.inf)])
def test_a_task_without_flops_or_latency_is_left_out(flops: float, latency_s: float) -> None:
    found = headrooms([*level(5), (5, "conv", flops, latency_s)])
    assert sorted(found) == [0, 1, 2, 3, 4]


def test_no_task_is_expected_to_gain_more_than_four_times_as_much() -> None:
    found = headrooms([*level(9), (9, "conv", 1e9, 1.0)])
    assert found[9] == 4.0
    assert min(found.values()) >= 0.25
