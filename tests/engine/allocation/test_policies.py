"""What every allocation policy promises, whatever it prefers."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.allocation.policies.dynatune_paper import DynaTunePaper
from engine.allocation.policies.registry import DEFAULT_POLICY, POLICIES, make_policy
from engine.allocation.policy import Policy, TaskView
from engine.records.errors import UsageError

FEW_STEPS = {"steps": 20, "samples": 10}


def quick(name: str, seed: int) -> Policy:
    """A policy; one that samples does so briefly."""
    return make_policy(name, FEW_STEPS if name == DynaTunePaper.name else {}, seed)


each_policy = pytest.mark.parametrize("name", sorted(POLICIES))


def view(index: int, **changes: object) -> TaskView:
    """A task that may get a slot and has had two trials."""
    fresh = TaskView(
        index=index,
        weight=1 + index % 3,
        flops=1e6 * (index + 1),
        op_class=("conv2d", "matmul", "softmax")[index % 3],
        latencies=(3e-4 / (index + 1), 2e-4 / (index + 1)),
        untuned_s=4e-4,
        slots=1,
        in_flight=False,
        finished=False,
    )
    return dataclasses.replace(fresh, **changes)  # type: ignore[arg-type]


latencies = st.lists(st.one_of(st.floats(1e-7, 1.0), st.just(math.inf)), max_size=40)


@st.composite
def views(draw: st.DrawFn) -> list[TaskView]:
    """Tasks in every state a run can bring them to."""
    return [
        TaskView(
            index=index,
            weight=draw(st.integers(1, 20)),
            flops=draw(st.sampled_from([0.0, 1.0, 1e9])),
            op_class=draw(st.sampled_from(["conv2d", "matmul", "softmax"])),
            latencies=tuple(draw(latencies)),
            untuned_s=draw(st.one_of(st.none(), st.floats(1e-7, 1.0))),
            slots=draw(st.integers(0, 50)),
            in_flight=draw(st.booleans()),
            finished=draw(st.booleans()),
        )
        for index in range(draw(st.integers(0, 8)))
    ]


class Run:
    """A run in which every slot brings two made-up latencies."""

    def __init__(self, policy: Policy, tasks: int = 5, worth: Callable[[int], float] | None = None):
        self.policy = policy
        self._worth = worth or (lambda task: 1e-4 * (task + 1))
        self.views = [view(i, latencies=(), slots=0, untuned_s=None) for i in range(tasks)]

    def slots(self, count: int) -> list[int]:
        """The next slots' tasks."""
        return [self._slot() for _ in range(count)]

    def _slot(self) -> int:
        choice = self.policy.choose(self.views)
        assert choice is not None
        old = self.views[choice.task]
        best = self._worth(old.index) / (old.slots + 1)
        self.views[choice.task] = dataclasses.replace(
            old, slots=old.slots + 1, latencies=(*old.latencies, best, 1.1 * best)
        )
        return choice.task


@each_policy
@given(views(), st.integers(0, 2**31))
@settings(max_examples=30, deadline=None)
def test_only_an_open_task_is_chosen_and_one_always_is(
    name: str, tasks: list[TaskView], seed: int
) -> None:
    policy = quick(name, seed)
    for _ in range(3):
        choice = policy.choose(tasks)
        if any(task.open for task in tasks):
            assert choice is not None
            assert tasks[choice.task].open
        else:
            assert choice is None


@each_policy
@given(views())
@settings(max_examples=15, deadline=None)
def test_a_choice_says_why_and_its_scores_can_be_stored(name: str, tasks: list[TaskView]) -> None:
    choice = quick(name, 0).choose(tasks)
    if choice is not None:
        assert choice.reason
        assert "\n" not in choice.reason
        assert json.loads(json.dumps(choice.scores)) is not None


@each_policy
@given(views())
@settings(max_examples=15, deadline=None)
def test_the_views_are_left_as_they_were(name: str, tasks: list[TaskView]) -> None:
    before = copy.deepcopy(tasks)
    quick(name, 0).choose(tasks)
    assert tasks == before


@each_policy
@pytest.mark.parametrize(("seed", "before", "tasks"), [(0, 0, 3), (7, 1, 2), (2**31, 9, 4)])
def test_the_same_seed_makes_the_same_choices_also_from_stored_state(
    name: str, seed: int, before: int, tasks: int
) -> None:
    whole = Run(quick(name, seed), tasks)
    first = Run(quick(name, seed), tasks)
    assert first.slots(before) == whole.slots(before)
    stored = json.dumps(first.policy.state())
    second = Run(quick(name, seed), tasks)
    second.policy.restore(json.loads(stored))
    second.views = first.views
    assert second.slots(6) == whole.slots(6)


@each_policy
def test_a_state_does_not_change_with_the_policy_that_gave_it(name: str) -> None:
    run = Run(quick(name, 0))
    run.slots(3)
    state = run.policy.state()
    kept = copy.deepcopy(state)
    run.slots(3)
    assert state == kept


@each_policy
def test_an_empty_state_is_a_beginning(name: str) -> None:
    policy = quick(name, 0)
    policy.restore({})
    assert Run(policy).slots(8) == Run(quick(name, 0)).slots(8)


@each_policy
def test_a_single_task_gets_every_slot(name: str) -> None:
    assert Run(quick(name, 0), tasks=1).slots(20) == [0] * 20


@each_policy
def test_every_task_gets_a_slot_in_time(name: str) -> None:
    assert set(Run(quick(name, 0), tasks=4).slots(32)) == set(range(4))


@each_policy
def test_tasks_whose_every_trial_failed_are_no_dead_end(name: str) -> None:
    run = Run(quick(name, 0), worth=lambda _: math.inf)
    assert len(run.slots(30)) == 30


@each_policy
@pytest.mark.parametrize("untuned_s", [None, 0.0, math.inf, 1e-3])
def test_any_untuned_latency_is_taken(name: str, untuned_s: float | None) -> None:
    tasks = [view(0, untuned_s=untuned_s, latencies=()), view(1, untuned_s=untuned_s)]
    assert quick(name, 0).choose(tasks) is not None


@each_policy
def test_tasks_in_flight_are_left_out_until_they_are_back(name: str) -> None:
    policy = quick(name, 0)
    tasks: list[TaskView] = [view(i) for i in range(3)]
    chosen: list[int] = []
    while (choice := policy.choose(tasks)) is not None:
        chosen.append(choice.task)
        tasks[choice.task] = view(choice.task, in_flight=True)
    assert sorted(chosen) == [0, 1, 2]
    again = policy.choose([view(i, in_flight=i != 1) for i in range(3)])
    assert again is not None
    assert again.task == 1


@each_policy
def test_a_policy_has_a_name_a_title_and_options_for_a_form(name: str) -> None:
    kind = POLICIES[name]
    assert kind.name == name
    assert kind.title
    assert dataclasses.is_dataclass(kind.Options)
    assert dataclasses.asdict(kind.Options()) is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind.Options().anything = 1  # type: ignore[attr-defined]


@each_policy
def test_latencies_may_be_any_sequence(name: str) -> None:
    import numpy as np

    columns: Sequence[float] = np.array([1e-3, np.inf, 5e-4])  # type: ignore[assignment]
    tasks = [view(0, latencies=columns), view(1, latencies=[])]
    assert quick(name, 0).choose(tasks) is not None


@each_policy
def test_an_option_that_does_not_exist_is_refused_by_name(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_policy(name, {"no_such_thing": 1}, 0)
    assert "no_such_thing" in caught.value.what
    assert name in caught.value.what
    assert caught.value.todo


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        make_policy("dice", {}, 0)
    assert "'dice'" in caught.value.what
    assert DEFAULT_POLICY in caught.value.todo


@each_policy
@pytest.mark.parametrize("value", [None, "x", -1, 1.5, [1], 2**70], ids=str)
def test_a_stranger_s_state_that_makes_no_sense_is_left_out(name: str, value: object) -> None:
    policy = quick(name, 0)
    policy.restore({"draws": value, "last": value, "more": value})
    assert policy.choose([view(0), view(1)]) is not None


def test_round_robin_takes_turns_over_what_is_open() -> None:
    policy = make_policy("round-robin", {}, 0)
    assert Run(policy, tasks=3).slots(7) == [0, 1, 2, 0, 1, 2, 0]
    choice = policy.choose([view(0), view(1, finished=True), view(2)])
    assert choice is not None
    assert choice.task == 2
