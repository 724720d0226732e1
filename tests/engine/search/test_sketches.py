"""Design spaces as plain data: what they name, and that equal structures do replay."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from itertools import permutations
from typing import Any

import pytest
from onnx import ModelProto

from engine.passes.clusters import cluster
from engine.passes.fitting import fits
from engine.passes.similarity import similarity_matrix
from engine.records.errors import TuningError
from engine.records.space import DesignSpace, KnobKind
from engine.search.replayer import NotReplayable, Replayer
from engine.search.sketches import find_space, read_sketch
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.search.searches import find_task, make_search
from tests.engine.tasks.networks import IMAGE, conv, node, outputs, weight
from tests.engine.tasks.programs import network, program


def space_of(name: str, op_class: str) -> DesignSpace:
    """The design space of a task of the test networks."""
    found = network(name).program
    task = find_task(name, op_class)
    return find_space(task, found.workloads[task.index], found.target)


def convs() -> ModelProto:
    """Convolutions that differ in kernel, stride, channels and vector width."""
    nodes = [conv("x a", "1"), node("Relu", "1", "2")]
    nodes += [conv("2 b", "3", strides=[2, 2]), node("Relu", "3", "4")]
    nodes += [conv("4 c", "5", pads=[0, 0, 0, 0]), node("Relu", "5", "6")]
    nodes += [conv("6 d", "7"), node("Relu", "7", "8"), conv("8 e", "9"), node("Relu", "9", "y")]
    shapes = {"a": (64, 16, 3, 3), "b": (96, 64, 3, 3), "c": (64, 96, 1, 1), "d": (16, 64, 3, 3)}
    weights = {name: weight(*shape) for name, shape in shapes.items()}
    return model(nodes, [IMAGE], outputs("y"), weights | {"e": weight(48, 16, 3, 3)})


@functools.cache
def opened() -> tuple[Program, tuple[DesignSpace, ...]]:
    """That network with its design spaces."""
    found = program(convs())
    pairs = zip(found.tasks, found.workloads, strict=True)
    return found, tuple(find_space(task, workload, found.target) for task, workload in pairs)


# What a sketch says


def test_a_convolution_tiles_every_loop_and_chooses_its_unrolling() -> None:
    space = space_of("conv_bias_relu", "conv2d_add_relu")
    assert len(space.sketches) == 3
    assert len({sketch.structure for sketch in space.sketches}) == 3
    knobs = {knob.name: knob for knob in space.sketches[0].knobs}
    tiles = [knob for knob in knobs.values() if knob.kind is KnobKind.TILE]
    assert {name for name in knobs if "loop 2" in name} == {"tile conv2d_nhwc loop 2"}
    assert knobs["tile conv2d_nhwc loop 2"].extent == 8
    assert knobs["tile conv2d_nhwc loop 7"].extent == 16
    assert all(tile.parts >= 2 and tile.innermost == 64 for tile in tiles)
    assert knobs["unroll explicit of root"].choices == (0.0, 16.0, 64.0, 512.0)
    assert knobs["place of pad_temp"].kind is KnobKind.LOCATION


def test_names_are_unique_in_a_sketch() -> None:
    for name, op_class in (("attention", "softmax"), ("pools", "mean"), ("dense", "matmul")):
        for sketch in space_of(name, op_class).sketches:
            names = [knob.name for knob in sketch.knobs]
            assert len(set(names)) == len(names)
            assert not any(" b1" in f" {name}" or " l1" in f" {name}" for name in names)


def test_a_task_without_choices_has_a_sketch_without_knobs() -> None:
    (sketch,) = space_of("concat", "relu_concatenate").sketches
    assert sketch.knobs == ()
    assert sketch.structure


def test_the_space_is_the_same_in_another_process() -> None:
    code = (
        "from tests.engine.search.test_sketches import space_of; "
        "print(repr(space_of('dense', 'matmul_add_relu')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == repr(space_of("dense", "matmul_add_relu"))


def test_extents_decisions_and_numbers_of_annotations_are_not_structure() -> None:
    def text(extent: int, factor: int, unrolls: list[int], most: int, name: str = "c") -> str:
        instructions: list[Any] = [
            ["GetSBlock", [], [name, "main"], ["b0"]],
            ["GetLoops", ["b0"], [], ["l1"]],
            ["SamplePerfectTile", ["l1"], [2, 64], ["v2", "v3"]],
            ["Split", ["l1", "v2", "v3"], [True, False], ["l5", "l6"]],
            ["Annotate", ["b0", most], ["meta_schedule.parallel"], []],
            ["SampleCategorical", [], [unrolls, [0.5] * len(unrolls)], ["v4"]],
            ["Annotate", ["b0", "v4"], ["meta_schedule.unroll_explicit"], []],
        ]
        return json.dumps([instructions, [[2, [extent // factor, factor]], [5, 0]]])

    base = read_sketch(text(8, 2, [0, 16], 32))
    other = read_sketch(text(96, 4, [0, 64], 16))
    assert base.structure == other.structure
    assert [knob.name for knob in base.knobs] == ["tile c loop 1", "unroll explicit of c"]
    assert [knob.extent for knob in other.knobs] == [96, 0]
    assert read_sketch(text(8, 2, [0, 16], 32, "d")).structure != base.structure


def test_what_nothing_uses_is_no_structure_and_no_knob() -> None:
    used: list[Any] = [
        ["GetSBlock", [], ["c", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], ["l1"]],
        ["Parallel", ["l1"], [], []],
    ]
    unused: list[Any] = [
        ["GetSBlock", [], ["pad", "main"], ["b5"]],
        ["GetConsumers", ["b0"], [], ["b6"]],
        ["SampleCategorical", [], [[0, 1], [0.5, 0.5]], ["v7"]],
    ]
    renamed = json.loads(json.dumps(used).replace("b0", "b8").replace("l1", "l9"))
    sketches = [
        read_sketch(json.dumps([items, []]))
        for items in (used, [*used, *unused], [unused[0], *used], renamed)
    ]
    assert len({sketch.structure for sketch in sketches}) == 1
    assert all(sketch.knobs == () for sketch in sketches)


def test_traces_of_a_search_have_a_structure_of_their_space() -> None:
    space = space_of("dense", "matmul_add_relu")
    search = make_search("dense", "matmul_add_relu")
    search.start()
    known = {sketch.structure for sketch in space.sketches}
    for candidate in search.propose():
        (text, *_) = fits(candidate.trace, space)
        assert read_sketch(text).structure in known


def test_a_task_that_tvm_cannot_schedule_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no rule")

    monkeypatch.setattr("engine.search.task_search.space_generator", fail)
    with pytest.raises(TuningError, match="no design space for matmul: no rule"):
        space_of("dense", "matmul")


# Who can share


def test_traces_replay_wherever_tasks_are_similar() -> None:
    found, spaces = opened()
    matrix = similarity_matrix(spaces)
    pairs = [(i, j) for i, j in permutations(range(len(spaces)), 2) if matrix[i, j] > 0]
    assert pairs
    for donor, target in pairs:
        search = make_search_of(found, donor)
        replayer = Replayer(found.tasks[target], found.workloads[target], found.target)
        for candidate in search.propose()[:2]:
            for text in fits(candidate.trace, spaces[target]):
                assert replayer.replay(text).args[0] == found.tasks[target].args[0]


def test_a_padded_kernel_an_unpadded_one_and_other_vectors_do_not_share() -> None:
    found, spaces = opened()
    tasks = [task.index for task in found.tasks if task.op_class == "conv2d_relu"]
    padded, strided, point, narrow, _ = tasks
    matrix = similarity_matrix(spaces)
    assert matrix[padded, strided] > 0
    assert matrix[padded, point] == matrix[padded, narrow] == 0
    for item in cluster(found.tasks, spaces, threshold=0.0).clusters:
        assert len({found.tasks[member].op_class for member in item.members}) == 1


def test_a_trace_of_another_class_does_not_replay() -> None:
    found, _ = opened()
    conv_task = next(task for task in found.tasks if task.op_class == "conv2d_relu")
    search = make_search("dense", "matmul")
    search.start()
    replayer = Replayer(conv_task, found.workloads[conv_task.index], found.target)
    with pytest.raises(NotReplayable):
        replayer.replay(search.propose()[0].trace)


def make_search_of(found: Program, index: int) -> Any:
    """A started search over one of the tasks."""
    from engine.search.task_search import TaskSearch
    from tests.engine.search.searches import SETTINGS

    search = TaskSearch(found.tasks[index], found.workloads[index], found.target, SETTINGS, seed=0)
    search.start()
    return search
