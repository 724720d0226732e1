"""What is told of a board over all trials."""

from __future__ import annotations

from typing import Any

import pytest

from engine.history.boards import BoardRange, board_range
from tests.engine.project.support import new_trial


def told(*states: dict[str, Any]) -> BoardRange | None:
    return board_range(new_trial(seed, protocol=state) for seed, state in enumerate(states))


def test_the_range_is_that_of_all_trials_that_know_it() -> None:
    assert told(
        {"answer_ms": 2.0, "celsius": 48, "throttled": False},
        {"answer_ms": 2.0, "celsius": 71, "mhz": 1500, "throttled": True},
        {"answer_ms": 2.0, "mhz": 1800},
        {"warmup": 2},
    ) == BoardRange(3, 1, (48, 71), (1500, 1800))


@pytest.mark.parametrize("states", [[], [{}], [{"answer_ms": 2.0}], [{"celsius": "hot"}]])
def test_nothing_is_told_where_nothing_is_known(states: list[dict[str, Any]]) -> None:
    assert told(*states) is None
