"""TVM's default schedules for kernels without a record, on a GPU that need not be there."""

from __future__ import annotations

import re
from typing import Any

import pytest
import tvm

from engine.deploy.untuned import untuned_kernel, with_default_schedules
from engine.records.precision import HALVES
from engine.records.source import Precision
from engine.search.task_search import TaskSearch
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.search import schedules
from tests.engine.search.searches import SETTINGS
from tests.engine.search.test_replayer import CUDA
from tests.engine.search.test_tensor_cores import program
from tests.engine.tasks.halves.lowered import lowered_on
from tests.engine.tasks.networks import FLOAT, node, outputs, weight


@pytest.mark.parametrize("precision", ["float32", "float16", "bfloat16", "tf32"])
def test_the_program_itself_is_not_scheduled(precision: Precision) -> None:
    """Else no trace would find the blocks of its kernel any more."""
    found = program(precision)
    whole = tvm.ir.save_json(found.module)
    before = [tvm.ir.save_json(workload) for workload in found.workloads]
    kernels = [untuned_kernel(found, task.index) for task in found.tasks]
    assert all("blockIdx.x" in kernel for kernel in kernels)
    assert "blockIdx.x" in tvm.ir.save_json(with_default_schedules(found.module, found))
    assert [tvm.ir.save_json(workload) for workload in found.workloads] == before
    assert tvm.ir.save_json(found.module) == whole


WIDTHS = (5, 24, 100, 384, 4096)
ROWS = 6


def norms(dtype: str) -> Program:
    """Layer normalisations of some widths, each between two products."""
    nodes, inputs = [], []
    weights: dict[str, Any] = {}
    for width in WIDTHS:
        names = {kind: f"{kind}{width}" for kind in "xanywvgb"}
        nodes += [
            node("MatMul", "{x} {w}".format(**names), names["a"]),
            node("LayerNormalization", "{a} {g} {b}".format(**names), names["n"], axis=-1),
            node("MatMul", "{n} {v}".format(**names), names["y"]),
        ]
        inputs.append((names["x"], FLOAT, [1, ROWS, 8]))
        weights |= {names["w"]: weight(8, width), names["v"]: weight(width, 8)}
        weights |= {names["g"]: weight(width), names["b"]: weight(width, seed=1)}
    proto = model(nodes, inputs, outputs(*(f"y{width}" for width in WIDTHS)), weights)
    return lowered_on(proto, dtype, CUDA)


@pytest.mark.parametrize("dtype", HALVES)
def test_a_layer_normalisation_of_any_width_is_one_launch_with_a_block_for_each_row(
    dtype: str,
) -> None:
    found = norms(dtype)
    tasks = [task for task in found.tasks if "layer_norm" in task.op_class]
    assert [task.args[0].dtype for task in tasks] == [dtype] * len(WIDTHS)
    assert [task.args[-1].dtype for task in tasks] == [dtype] * len(WIDTHS)
    for task in tasks:
        text = tvm.ir.load_json(untuned_kernel(found, task.index)).script()
        blocks = re.findall(r'thread_binding\(\D*(?:64\()?(\d+)\)?, thread="blockIdx.x"', text)
        assert blocks == [str(ROWS)], task.args
    task = tasks[-1]
    search = TaskSearch(task, found.workloads[task.index], CUDA, SETTINGS, 0)
    search.start()
    assert 1 in [schedules.kernels(schedules.source(one)) for one in search.propose()]
