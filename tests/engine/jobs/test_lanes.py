"""How many slots go on at once."""

from __future__ import annotations

import pytest

from engine.jobs.allocating import lanes_on
from engine.records.machine import TargetSpec


@pytest.mark.parametrize(("cores", "lanes"), [(1, 2), (4, 2), (8, 4), (16, 8), (64, 8)])
def test_half_of_a_gpus_cores_search_and_at_most_eight(cores: int, lanes: int) -> None:
    assert lanes_on(TargetSpec("cuda", "cuda", "cuda:0", cores), cores) == lanes


def test_a_cpu_has_two_lanes_whatever_its_cores() -> None:
    assert lanes_on(TargetSpec("llvm", "cpu", "cpu", 64), 64) == 2
