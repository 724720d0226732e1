"""Short sums that are computed where they are used, for a GPU that need not be here."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto

from engine.records.task import Task
from engine.search.task_search import TaskSearch
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.search.schedules import drawn_without_threads, kernels, run, source, spaces
from tests.engine.search.searches import SETTINGS
from tests.engine.search.test_replayer import CUDA
from tests.engine.tasks.networks import FLOAT, node, outputs
from tests.engine.tasks.programs import program


def one(kind: str, shape: list[int], **attributes: object) -> ModelProto:
    """A model of one operator."""
    made = outputs("y", kind=TensorProto.INT64 if kind == "ArgMax" else FLOAT)
    return model([node(kind, "x", "y", **attributes)], [("x", FLOAT, shape)], made, {})


SHORT = {
    "pooling": ("avg_pool2d", one("AveragePool", [1, 64, 14, 14], kernel_shape=[2, 2])),
    "overlapping windows": (
        "avg_pool2d",
        one("AveragePool", [1, 16, 9, 9], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    ),
    "normalisation": ("avg_pool3d", one("LRN", [1, 32, 13, 13], size=5)),
    "mean of channels": ("mean", one("ReduceMean", [1, 12, 10, 10], axes=[1], keepdims=1)),
}
LEFT = {
    "long": ("mean", one("GlobalAveragePool", [1, 64, 7, 7])),
    "used often": ("softmax", one("Softmax", [40, 10])),
    "of two results": ("strided_slice_isnan_argmax", one("ArgMax", [40, 10], axis=1)),
}


def task_of(name: str) -> tuple[Program, Task]:
    op_class, proto = (SHORT | LEFT)[name]
    found = program(proto, CUDA)
    return found, next(task for task in found.tasks if task.op_class.startswith(op_class))


def is_joined(script: str) -> bool:
    """Whether a sum is in a thread's registers."""
    return 'scope="local"' in script


def sources(name: str) -> list[str]:
    """The code of a search's first candidates, all of which build."""
    found, task = task_of(name)
    search = TaskSearch(task, found.workloads[task.index], CUDA, SETTINGS, 0)
    search.start()
    return [source(candidate) for candidate in search.propose()]


@pytest.mark.parametrize("name", SHORT)
def test_a_short_sum_is_part_of_one_kernel_that_builds(name: str) -> None:
    assert set(map(kernels, sources(name))) == {1}


@pytest.mark.parametrize("name", SHORT)
def test_it_comes_to_the_same(name: str) -> None:
    found, task = task_of(name)
    workload = found.workloads[task.index]
    for space in spaces(found, task):
        assert is_joined(space.mod.script())
        made = drawn_without_threads(workload, space.trace, 1)
        np.testing.assert_allclose(run(made), run(workload), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", LEFT)
def test_what_keeps_threads_busy_or_is_used_again_is_left(name: str) -> None:
    found, task = task_of(name)
    assert not any(is_joined(space.mod.script()) for space in spaces(found, task))
    assert sources(name)
