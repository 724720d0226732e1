"""Plans in stages: no buffer is written over while anything may still need it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.deploy.plan import (
    Lifetime,
    apart,
    make_plan,
    peak_bytes,
    place,
    sequential,
    with_stages,
)
from engine.records.schedule import Stage, Strategy
from engine.records.task import TensorSpec, byte_size
from engine.tasks.dataflow import Dataflow, Step
from tests.engine.deploy.flows import Machine, flows, joined, orders, stages_of, unread
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network

SPEC = TensorSpec((4,), "float32")


def plan_of(flow: Dataflow, stages: Any = None) -> dict[str, Any]:
    """A plan with an output name for each output."""
    return make_plan(flow, tuple(f"y{i}" for i in range(len(flow.outputs))), stages)


def flow_of(*steps: tuple[tuple[int, ...], tuple[int, ...]], outputs: tuple[int, ...]) -> Dataflow:
    """A program over values of one size; value 0 is its input."""
    flow = Dataflow()
    flow.add(SPEC, "input", name="x")
    flow.inputs = (0,)
    for read, written in steps:
        for value in written:
            assert flow.add(SPEC, "intermediate") == value
        flow.steps.append(Step("f", read, written))
    flow.outputs = outputs
    return flow


def users_of(flow: Dataflow) -> dict[int, list[int]]:
    """The steps that write and read each intermediate; -1 reads the outputs, after all."""
    users: dict[int, list[int]] = {}
    for index, step in enumerate(flow.steps):
        users |= {value: [index] for value in step.outputs}
        for root in map(flow.root, step.inputs):
            if root in users:
                users[root].append(index)
    for root in map(flow.root, flow.outputs):
        if root in users:
            users[root].append(-1)
    return users


BRANCHES = flow_of(
    ((0,), (1,)), ((1,), (2,)), ((0,), (3,)), ((3,), (4,)), ((2, 4), (5,)), outputs=(5,)
)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_who_shares_a_storage_is_done_with_before_the_other_is_written(data: st.DataObject) -> None:
    flow = data.draw(flows())
    stages = data.draw(stages_of(flow))
    plan = plan_of(flow, stages)
    users = users_of(flow)
    turns = {
        step: (stage, group, position)
        for stage, groups in enumerate(stages)
        for group, steps in enumerate(groups)
        for position, step in enumerate(steps)
    }

    def done(one: int, other: int) -> bool:
        """Whether every user of a value has surely ended when the other is written."""
        stage, group, position = turns[users[other][0]]
        return all(
            user in turns
            and (turns[user][0] < stage or (turns[user][:2] == (stage, group)))
            and turns[user] < (stage, group, position)
            for user in users[one]
        )

    for one, other in itertools.combinations(users, 2):
        if plan["buffers"][one]["storage"] == plan["buffers"][other]["storage"]:
            assert done(one, other) or done(other, one)


@settings(deadline=None)
@given(st.data())
def test_in_whatever_order_groups_run_nothing_is_written_over(data: st.DataObject) -> None:
    flow = data.draw(flows())
    stages = data.draw(stages_of(flow))
    plan = plan_of(flow, stages)
    assert plan["stages"] == stages
    Machine(flow, plan).run(data.draw(orders(stages)))


@settings(deadline=None)
@given(st.data())
def test_parts_of_one_buffer_may_be_written_side_by_side_and_stay(data: st.DataObject) -> None:
    base = data.draw(flows())
    free = unread(base)
    assume(free)
    parts = data.draw(st.permutations(free))
    flow, writers = joined(base, sorted(parts[: data.draw(st.integers(1, 4))]))
    count = len(base.steps)
    stages = [*data.draw(stages_of(base)), [[count]], [[count + 1]]]
    names = tuple(f"y{i}" for i in range(len(flow.outputs)))
    plan = make_plan(flow, names, stages, writers)
    assert (
        with_stages(json.loads(json.dumps(make_plan(flow, names, None, writers))), stages) == plan
    )
    Machine(flow, plan).run(data.draw(orders(stages)))


def test_what_reads_a_whole_runs_after_all_that_write_a_part() -> None:
    flow, writers = joined(
        flow_of(((0,), (1,)), ((0,), (2,)), ((0,), (3,)), outputs=(3,)), parts=(0, 1)
    )
    make_plan(flow, ("y", "z"), [[[0], [1]], [[2], [3], [4]]], writers)
    with pytest.raises(ValueError, match="Step 4 reads what step 1 writes too late"):
        make_plan(flow, ("y", "z"), [[[0]], [[1], [2, 3], [4]]], writers)


@settings(deadline=None)
@given(st.data())
def test_a_plan_in_other_stages_is_the_one_that_would_have_been_made(data: st.DataObject) -> None:
    flow = data.draw(flows())
    stages = data.draw(stages_of(flow))
    assert with_stages(plan_of(flow), stages) == plan_of(flow, stages)
    read_back = json.loads(json.dumps(plan_of(flow, stages)))
    assert with_stages(read_back, sequential(len(flow.steps))) == plan_of(flow)


@settings(deadline=None)
@given(flows())
def test_one_step_after_another_takes_no_more_memory_than_by_intervals(flow: Dataflow) -> None:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, step in enumerate(flow.steps):
        for root in map(flow.root, (*step.outputs, *step.inputs)):
            first.setdefault(root, index)
            last[root] = index
    last |= {flow.root(value): len(flow.steps) for value in flow.outputs}
    intervals = [
        Lifetime(root, byte_size(flow.values[root].spec), first[root], last[root])
        for root in first
        if flow.values[root].kind == "intermediate"
    ]
    plan = plan_of(flow)
    assert plan["storage_bytes"] == list(place(intervals).sizes)
    whole = [[list(range(len(flow.steps)))]]
    assert peak_bytes(plan_of(flow, whole)) == peak_bytes(plan) == sum(place(intervals).sizes)


@settings(deadline=None)
@given(st.data())
def test_buffers_apart_are_never_written_over_and_views_stay_with_their_root(
    data: st.DataObject,
) -> None:
    flow = data.draw(flows())
    stages = data.draw(stages_of(flow))
    plan = apart(plan_of(flow, stages))
    Machine(flow, plan).run(data.draw(orders(stages)))
    owners = [
        buffer["storage"]
        for buffer in plan["buffers"]
        if buffer and "storage" in buffer and "root" not in buffer
    ]
    assert sorted(owners) == list(range(len(plan["storage_bytes"])))
    assert peak_bytes(plan) >= peak_bytes(plan_of(flow))


def test_groups_side_by_side_share_no_storage_but_later_stages_do() -> None:
    assert peak_bytes(plan_of(BRANCHES)) == 3 * 16
    plan = plan_of(BRANCHES, [[[0, 1], [2, 3]], [[4]]])
    storages = [buffer.get("storage") for buffer in plan["buffers"]]
    assert not {storages[1], storages[2]} & {storages[3], storages[4]}
    assert storages[5] in {storages[1], storages[3]}
    assert peak_bytes(plan) == 4 * 16


def test_a_group_reuses_what_it_alone_has_used_up() -> None:
    chain = flow_of(((0,), (1,)), ((1,), (2,)), ((2,), (3,)), ((0,), (4,)), outputs=(3, 4))
    plan = plan_of(chain, [[[0, 1, 2], [3]]])
    storages = [buffer.get("storage") for buffer in plan["buffers"]]
    assert storages[3] == storages[1]
    assert storages[4] not in storages[:4]


def test_what_another_group_still_reads_is_not_written_over() -> None:
    flow = flow_of(((0,), (1,)), ((1,), (2,)), ((1,), (3,)), ((3,), (4,)), outputs=(2, 4))
    plan = plan_of(flow, [[[0]], [[1], [2, 3]]])
    storages = [buffer.get("storage") for buffer in plan["buffers"]]
    assert len({*storages[1:]}) == 4


def test_stages_of_a_schedule_serve_as_well_as_lists() -> None:
    lists = [[[0, 1], [2, 3]], [[4]]]
    schedule = [
        Stage(Strategy.CONCURRENT, ((0, 1), (2, 3))),
        Stage(Strategy.CONCURRENT, ((4,),)),
    ]
    assert plan_of(BRANCHES, schedule) == plan_of(BRANCHES, lists)


@pytest.mark.parametrize(
    ("stages", "reason"),
    [
        ([[[0, 1], [2, 3]]], "miss step 4"),
        ([[[0, 1], [2, 3]], [[4], [0]]], "hold step 0, of 5, wrongly"),
        ([[[0, 1], [2, 3]], [[4, 5]]], "hold step 5, of 5, wrongly"),
        ([[[0, 1], [2, 3]], [[4, -1]]], "hold step -1, of 5, wrongly"),
        ([[[0], [1], [2, 3]], [[4]]], "Step 1 reads what step 0 writes too late"),
        ([[[1, 0], [2, 3]], [[4]]], "Step 1 reads what step 0 writes too late"),
        ([[[4]], [[0, 1], [2, 3]]], "Step 4 reads what step 1 writes too late"),
        ([], "miss step 0"),
    ],
)
def test_stages_that_do_not_fit_are_refused(stages: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        plan_of(BRANCHES, stages)


def test_a_plan_of_the_first_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format 1"):
        with_stages(plan_of(BRANCHES) | {"format": 1}, [])


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_a_network_without_stages_is_a_stage_for_each_step(name: str) -> None:
    flow = network(name).program.dataflow
    plan = plan_of(flow)
    assert plan["format"] == 2
    assert [list(map(list, groups)) for groups in plan["stages"]] == [
        [[step]] for step in range(len(flow.steps))
    ]
