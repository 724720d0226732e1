"""Sums split over blocks of a GPU that need not be here: where, and that they come to the same."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import pytest

from engine.passes.decisions import read_decisions
from engine.records.space import Sketch
from engine.search.replayer import Replayer
from engine.search.sketches import find_space
from engine.search.task_search import Candidate
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.search.schedules import (
    candidate,
    drawn_without_threads,
    is_split,
    kernels,
    run,
    source,
    spaces,
)
from tests.engine.search.test_replayer import CUDA
from tests.engine.tasks.networks import FLOAT, conv, conv_only, node, outputs, weight
from tests.engine.tasks.programs import program


@functools.cache
def network(name: str) -> Program:
    """One task that is a sum of products."""
    made = {
        "conv with what follows": lambda: model(
            [conv("x w b", "c"), node("Relu", "c", "y")],
            [("x", FLOAT, [1, 32, 8, 8])],
            outputs("y"),
            {"w": weight(16, 32, 3, 3), "b": weight(16)},
        ),
        "conv alone": lambda: conv_only([1, 96, 5, 5], [6, 96, 1, 1]),
        "matmul": lambda: model(
            [node("MatMul", "x w", "y")], [("x", FLOAT, [12, 96])], outputs("y"),
            {"w": weight(96, 20)},
        ),
        "large": lambda: conv_only([1, 64, 112, 112], [64, 64, 1, 1]),
        "short sums": lambda: conv_only([1, 16, 8, 8], [32, 16, 1, 1]),
        "one row": lambda: model(
            [node("MatMul", "x w", "y")], [("x", FLOAT, [1, 96])], outputs("y"),
            {"w": weight(96, 20)},
        ),
        "no sum": lambda: model([node("Relu", "x", "y")], [("x", FLOAT, [1, 64, 7, 7])],
                                outputs("y"), {}),
    }  # fmt: skip
    return program(made[name](), CUDA)


SPLIT = ("conv with what follows", "conv alone", "matmul")


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *((name, 1) for name in SPLIT),
        ("large", 0),
        ("short sums", 0),
        ("one row", 0),
        ("no sum", 0),
    ],
)
def test_long_sums_of_few_results_can_be_split(name: str, count: int) -> None:
    program = network(name)
    found = [is_split(space.trace) for space in spaces(program, *program.tasks)]
    assert sum(found) == count < len(found)


@functools.cache
def split_candidate(name: str) -> Candidate:
    """A random valid schedule with split sums, as a search would propose it."""
    found = network(name)
    (task,) = found.tasks
    return candidate(found, task, split_trace(found))


def split_trace(found: Program) -> Any:
    (trace,) = [space.trace for space in spaces(found, *found.tasks) if is_split(space.trace)]
    return trace


@pytest.mark.parametrize("name", SPLIT)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_split_sum_comes_to_the_same(name: str, seed: int) -> None:
    found = network(name)
    workload = found.workloads[found.tasks[0].index]
    made = drawn_without_threads(workload, split_trace(found), seed)
    assert "_rf" in made.script()
    np.testing.assert_allclose(run(made), run(workload), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", SPLIT)
def test_a_candidate_replays_the_same_and_has_two_kernels(name: str) -> None:
    found, made = network(name), split_candidate(name)
    (task,) = found.tasks
    replayer = Replayer(task, found.workloads[task.index], CUDA)
    assert "RFactor" in [item[0] for item in json.loads(made.trace)[0]]
    assert replayer.replay(made.trace).trace == made.trace
    text = source(made)
    assert kernels(text) == 2
    assert "__shared__" in text


def test_the_parts_are_a_choice_with_a_name() -> None:
    found = network("conv alone")
    (task,) = found.tasks
    space = find_space(task, found.workloads[task.index], CUDA)
    (split,) = [sketch for sketch in space.sketches if _parts(sketch)]
    assert [knob.extent for knob in split.knobs if knob.name == "tile conv2d_nchw loop 5"] == [96]
    chosen = read_decisions(split_candidate("conv alone").trace)
    assert "tile conv2d_nchw loop 5" in [decision.name for decision in chosen]


def _parts(sketch: Sketch) -> bool:
    return any("partial" in knob.name for knob in sketch.knobs)
