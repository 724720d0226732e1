"""The plan: places of all tensors, as JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engine.deploy.plan import make_plan, weight_places
from engine.records.task import TensorSpec, byte_size
from engine.tasks.dataflow import Dataflow, Step
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network


def plan(name: str) -> dict[str, Any]:
    """The plan of a network."""
    model = network(name)
    return make_plan(model.program.dataflow, tuple(name for name, _ in model.prepared.outputs))


@pytest.mark.parametrize(
    ("shape", "dtype", "size"),
    [
        ((2, 3), "float32", 24),
        ((), "float64", 8),
        ((0, 5), "int64", 0),
        ((7,), "bool", 7),
        ((3,), "float16", 6),
        ((3,), "bfloat16", 6),
        ((3,), "float8_e4m3fn", 3),
        ((3,), "int4", 2),
        ((5,), "uint8", 5),
    ],
)
def test_bytes_of_a_tensor(shape: tuple[int, ...], dtype: str, size: int) -> None:
    assert byte_size(TensorSpec(shape, dtype)) == size


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_every_networks_plan_is_complete_json(name: str) -> None:
    found = json.loads(json.dumps(plan(name)))
    assert found == plan(name)
    touched = {i for _, args in found["steps"] for i in args}
    touched |= {item["buffer"] for item in found["inputs"] + found["outputs"]}
    for index in touched:
        buffer = found["buffers"][index]
        places = {"input", "storage", "weights"} & set(buffer)
        assert len(places) == 1
        assert buffer["bytes"] == byte_size(TensorSpec(tuple(buffer["shape"]), buffer["dtype"]))
        if "storage" in buffer:
            assert buffer["bytes"] <= found["storage_bytes"][buffer["storage"]]
        if "weights" in buffer:
            assert buffer["weights"] % 64 == 0
            assert buffer["weights"] + buffer["bytes"] <= found["weights_bytes"]


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_no_step_writes_over_what_is_still_needed(name: str) -> None:
    """Run the plan over storages that remember whose value they hold."""
    found = plan(name)
    flow = network(name).program.dataflow
    holds: dict[Any, int] = {}

    def place(value: int) -> Any:
        buffer = found["buffers"][value]
        return next((k, buffer[k]) for k in ("input", "storage", "weights") if k in buffer)

    for value in flow.values:
        if value.kind != "intermediate" and found["buffers"][value.id]:
            holds[place(value.id)] = value.id
    for step in flow.steps:
        assert all(holds[place(i)] == flow.root(i) for i in step.inputs)
        assert len({place(i) for i in (*step.inputs, *step.outputs)}) == len(
            {flow.root(i) for i in (*step.inputs, *step.outputs)}
        )
        holds.update({place(i): i for i in step.outputs})
    assert all(holds[place(i)] == flow.root(i) for i in flow.outputs)


def test_a_view_shares_its_roots_place() -> None:
    found = plan("reshaped_input")
    output = found["buffers"][found["outputs"][0]["buffer"]]
    assert output["input"] == 0
    assert output["shape"] == [3, 4]


def test_an_input_that_nothing_reads_still_is_one() -> None:
    found = plan("unused_input")
    assert [item["name"] for item in found["inputs"]] == ["x", "u"]


def test_constants_that_nothing_reads_take_no_room() -> None:
    flow = Dataflow()
    used, unused = (
        flow.add(TensorSpec((3,), "float32"), "constant", data=np.zeros(3)) for _ in range(2)
    )
    flow.outputs = (used,)
    assert weight_places(flow) == {used: 0}
    assert make_plan(flow, ("y",))["buffers"][unused] is None
    assert make_plan(flow, ("y",))["weights_bytes"] == 64


def test_a_chain_of_kernels_takes_turns_in_two_storages() -> None:
    flow = Dataflow()
    spec = TensorSpec((4,), "float32")
    values = [flow.add(spec, "input", name="x")]
    for _ in range(6):
        values.append(flow.add(spec, "intermediate"))
        flow.steps.append(Step("f", (values[-2],), (values[-1],)))
    flow.inputs, flow.outputs = (values[0],), (values[-1],)
    assert make_plan(flow, ("y",))["storage_bytes"] == [16, 16]
