"""Weights that a schedule reorders give the same results, whatever axes have one element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.search.task_search import TaskSearch
from tests.engine.deploy.compiled import assert_agrees, compiled
from tests.engine.models.build import model
from tests.engine.search.searches import SETTINGS
from tests.engine.tasks.programs import opened

FLOAT = TensorProto.FLOAT


def product(
    kind: str, weights: tuple[int, ...], data: tuple[int, ...], **how: object
) -> ModelProto:
    """x -> one product with constant weights -> Relu -> y."""
    values = {"w": np.random.default_rng(0).standard_normal(weights, np.float32)}
    nodes = [
        helper.make_node(kind, ["x", "w"], ["c"], **how),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    return model(nodes, [("x", FLOAT, data)], [("y", FLOAT, None)], values)


SQUARE = (8, 8)
NETWORKS = {
    "transposed, one output": product(
        "ConvTranspose", (24, 1, 2, 2), (1, 24, *SQUARE), strides=[2, 2]
    ),
    "transposed, one input": product(
        "ConvTranspose", (1, 16, 2, 2), (1, 1, *SQUARE), strides=[2, 2]
    ),
    "transposed": product("ConvTranspose", (8, 32, 3, 3), (1, 8, *SQUARE), strides=[2, 2]),
    "one output": product("Conv", (1, 24, 3, 3), (1, 24, *SQUARE)),
    "one output, no window": product("Conv", (1, 24, 1, 1), (1, 24, *SQUARE)),
    "one input": product("Conv", (16, 1, 3, 3), (1, 1, *SQUARE)),
    "channel by channel": product("Conv", (24, 1, 3, 3), (1, 24, *SQUARE), group=24),
    "one column": product("MatMul", (24, 1), (6, 24)),
    "one row": product("MatMul", (24, 16), (1, 24)),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_every_schedule_computes_the_same(name: str, tmp_path: Path) -> None:
    found = opened(NETWORKS[name])
    program = found.program
    (task,) = (t for t in program.tasks if t.op_class.startswith(("conv", "matmul")))
    search = TaskSearch(task, program.workloads[task.index], program.target, SETTINGS, 0)
    search.start()
    for number, candidate in enumerate(search.propose()[:2]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert_agrees(found, compiled(found, {task.index: candidate.trace}, folder))


def test_weights_that_are_rearranged_before_their_sums_are_not_free() -> None:
    free = {
        name: [
            [int(place) for place in workload["main"].attrs["layout_free_buffers"]]
            for workload in opened(NETWORKS[name]).program.workloads
            if "layout_free_buffers" in workload["main"].attrs
        ]
        for name in ("transposed", "one row")
    }
    assert not any(1 in places for places in free["transposed"])
    assert any(1 in places for places in free["one row"])
