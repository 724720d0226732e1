"""Reading a slot's scores back, whatever a stranger's file holds there."""

from __future__ import annotations

from typing import Any

import pytest

from engine.allocation.policies.registry import POLICIES
from engine.allocation.scores import decision_cost, stuck_tasks, terms_of
from engine.records.snapshot import SlotInfo
from tests.replayed import folded, replayed_events


def test_columns_become_terms_by_task() -> None:
    scores = {"tasks": {"task": [4, 2], "ucb": [0.5, None], "slots": [1, 3]}, "slots": 9}
    assert terms_of(scores) == {4: {"ucb": 0.5, "slots": 1.0}, 2: {"slots": 3.0}}


def test_numbers_by_task_become_terms() -> None:
    assert terms_of({"gradient_s": {"3": 1e-3, "x": 2.0}}) == {3: {"gradient_s": 1e-3}}


@pytest.mark.parametrize(
    "scores",
    [
        {"tasks": 3}, {"tasks": {}}, {"tasks": {"task": 1}}, {"tasks": {"ucb": [1.0]}},
        {"tasks": {"task": [1], "ucb": [1.0, 2.0]}}, {"tasks": {"task": ["1"], "ucb": [1.0]}},
        {"tasks": {"task": [1], "ucb": [float("nan")]}}, {"tasks": {"task": [1], "ucb": [True]}},
        {"tasks": {"task": [1], "ucb": [10**400]}}, {"g": {"²": 1.0}}, {"g": {"1": "x"}},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_left_out(scores: dict[str, Any]) -> None:
    assert not any(terms_of(scores).values())


def test_the_tasks_that_left_are_told_or_unknown() -> None:
    assert stuck_tasks({"stuck": [3, "x", 5]}) == frozenset({3, 5})
    assert stuck_tasks({"stuck": 3}) is None
    assert stuck_tasks({}) is None


def test_the_cost_of_decisions_is_their_sum_over_the_time() -> None:
    slots = [SlotInfo(n, 1, 0, 0.0, "", {"decision_s": cost}) for n, cost in ((1, 0.1), (2, 0.3))]
    cost = decision_cost([*slots, SlotInfo(3, 1, 0, 0.0)], 40.0)
    assert cost is not None
    assert [cost.mean_s, cost.share] == pytest.approx([0.2, 0.01])
    assert decision_cost([SlotInfo(3, 1, 0, 0.0)], 40.0) is None
    assert decision_cost(slots, 0.0) is None


@pytest.mark.parametrize("policy", ["dynatune", "softmax", "gradient", "ansor"])
def test_the_scores_that_policies_write_are_read_back(policy: str) -> None:
    assert policy in POLICIES
    slots = folded(replayed_events(policy)).slots
    weighed = {task: terms for slot in slots for task, terms in terms_of(slot.scores).items()}
    key = {"dynatune": "ucb", "softmax": "probability"}.get(policy, "gradient_s")
    assert all(key in terms for terms in weighed.values())
    assert len(weighed) >= 3
