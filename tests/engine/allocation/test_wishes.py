"""A person's wishes: pinned, skipped, and floors of slots, over any policy."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.allocation.policies.registry import POLICIES, make_policy
from engine.allocation.policies.round_robin import RoundRobin
from engine.allocation.policy import TaskView
from engine.allocation.wishes import Wishes, choose
from engine.records.errors import UsageError
from tests.engine.allocation.support import task

TASKS = [task(index) for index in range(4)]


def picks(wishes: Wishes, count: int, tasks: list[TaskView] | None = None) -> list[int]:
    """The next slots under round robin, each over before the next."""
    policy, views = RoundRobin(), list(tasks or TASKS)
    found = []
    for _ in range(count):
        choice = choose(policy, wishes, views)
        if choice is None:
            break
        found.append(choice.task)
        views[choice.task] = replace(views[choice.task], slots=views[choice.task].slots + 1)
    return found


def test_without_wishes_the_policy_decides() -> None:
    assert picks(Wishes(), 5) == [0, 1, 2, 3, 0]


def test_a_pinned_task_gets_every_slot_it_can_take() -> None:
    assert picks(Wishes(pinned=frozenset({2})), 3) == [2, 2, 2]
    busy = [replace(view, in_flight=view.index == 2) for view in TASKS]
    assert picks(Wishes(pinned=frozenset({2})), 1, busy) == [0]


def test_several_pinned_tasks_take_turns() -> None:
    assert picks(Wishes(pinned=frozenset({1, 3})), 4) == [1, 3, 1, 3]


def test_a_skipped_task_gets_nothing_and_nothing_else_means_none() -> None:
    assert picks(Wishes(skipped=frozenset({0, 2})), 4) == [1, 3, 1, 3]
    assert picks(Wishes(skipped=frozenset(range(4))), 4) == []


def test_floors_are_filled_before_the_policy_decides() -> None:
    assert picks(Wishes(floors={1: 2, 3: 1}), 5) == [1, 3, 1, 0, 1]


def test_finished_tasks_are_beyond_wishes() -> None:
    done = [replace(view, finished=view.index == 1) for view in TASKS]
    assert picks(Wishes(pinned=frozenset({1}), floors={1: 9}), 3, done) == [0, 2, 3]


def test_a_wish_that_decides_leaves_the_policys_state_alone() -> None:
    policy = RoundRobin()
    choose(policy, Wishes(), TASKS)
    before = policy.state()
    choice = choose(policy, Wishes(pinned=frozenset({3})), TASKS)
    assert choice is not None
    assert "pinned" in choice.reason
    assert policy.state() == before


def test_wishes_go_through_json() -> None:
    wishes = Wishes(frozenset({3, 1}), frozenset({2}), {0: 4, 5: 1})
    assert Wishes.from_dict(json.loads(json.dumps(wishes.as_dict()))) == wishes
    assert Wishes.from_dict({}) == Wishes()


@pytest.mark.parametrize(
    ("pinned", "skipped", "floors"),
    [({1}, {1}, {}), (set(), {1}, {1: 2}), (set(), set(), {1: -1})],
)
def test_wishes_that_contradict_each_other_are_refused(
    pinned: set[int], skipped: set[int], floors: dict[int, int]
) -> None:
    with pytest.raises(UsageError) as caught:
        Wishes(frozenset(pinned), frozenset(skipped), floors)
    assert caught.value.todo


# Tasks at the launch's floor


@pytest.mark.parametrize("name", [name for name, kind in POLICIES.items() if kind.live])
def test_no_policy_gives_a_slot_to_a_task_at_the_floor_before_the_others_are_done(
    name: str,
) -> None:
    policy = make_policy(name, {}, seed=1)
    short = task(0, [1e-6] * 4, at_floor=True, weight=1000)
    other = task(1, [1e-3] * 4)
    for _ in range(8):
        choice = choose(policy, Wishes(), [short, other])
        assert choice is not None and choice.task == 1
    waiting = [short, replace(other, in_flight=True, slots=2)]
    assert choose(policy, Wishes(), waiting) is None
    last = choose(policy, Wishes(), [short, replace(other, finished=True)])
    assert last is not None and last.task == 0


def test_a_wish_gives_slots_to_a_task_at_the_floor() -> None:
    views = [task(0, at_floor=True), task(1)]
    assert picks(Wishes(pinned=frozenset({0})), 2, views) == [0, 0]
    assert picks(Wishes(floors={0: 1}), 2, views) == [0, 1]
    assert picks(Wishes(skipped=frozenset({1})), 2, views) == [0, 0]
