"""Opening a model in several shapes: one list of tasks, whose weights add the shapes up."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.history.figure import figure_of
from engine.history.history import History
from engine.interface.shape_sets import parse_shape_set, with_shapes
from engine.jobs.opening.handed_over import Shared
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.opening.opening import open_source
from engine.jobs.verifying.whole import keep_each, mean_of
from engine.project.repository import Project
from engine.records.errors import ProjectError, ShapeError
from engine.records.snapshot import UNTUNED
from engine.records.source import ModelSource
from engine.records.trial import Measured
from engine.targets.targets import resolve
from tests.engine.models.build import model, save


def pooled_model() -> ModelProto:
    """x (batch, length, 4) -> MatMul, Relu -> mean over length -> MatMul -> y (batch, 2): what
    follows the mean is the same for each length."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((4, 8), np.float32),
        "v": rng.standard_normal((8, 2), np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("ReduceMean", ["r"], ["m"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["m", "v"], ["y"]),
    ]
    inputs = [("x", TensorProto.FLOAT, ("batch", "length", 4))]
    return model(nodes, inputs, [("y", TensorProto.FLOAT, ("batch", 2))], weights)


def opened(folder: Path, shape: str) -> OpenedModel:
    source = ModelSource("file", str(save(pooled_model(), folder / "m.onnx")))
    return open_source(with_shapes(source, parse_shape_set([shape])), resolve("cpu"))


def stored(model: OpenedModel, path: Path) -> Project:
    return Project.create(
        path,
        model.source,
        model_name="m",
        target=model.program.target.text,
        target_title="cpu",
        tvm_version="0",
        tasks=model.program.tasks,
        operators=model.program.operators,
        further=[one.program.operators for one in model.others],
        file_nodes=model.file_nodes,
    )


@pytest.fixture(scope="module")
def pooled(tmp_path_factory: pytest.TempPathFactory) -> OpenedModel:
    return opened(tmp_path_factory.mktemp("set"), "x=1x{6*3,10}x4")


def test_equal_workloads_of_several_shapes_are_one_task_of_their_added_weights(
    pooled: OpenedModel, tmp_path: Path
) -> None:
    alone = [opened(tmp_path, f"x=1x{length}x4").program for length in (6, 10)]
    expected: dict[str, int] = {}
    constants: dict[str, tuple[int, ...]] = {}
    for program, frequency in zip(alone, (3, 1), strict=True):
        for task in program.tasks:
            constants[task.fingerprint] = program.weights[task.index]
            weight = expected.get(task.fingerprint, 0) + frequency * task.weight
            expected[task.fingerprint] = weight
    tasks = pooled.program.tasks
    assert {task.fingerprint: task.weight for task in tasks} == expected
    for one in pooled.each:
        which = zip(one.program.tasks, one.program.weights, strict=True)
        assert {task.fingerprint: weights for task, weights in which} == constants
    assert len(tasks) < sum(len(program.tasks) for program in alone)
    assert max(task.weight for task in tasks) == 4  # what both shapes have
    assert len({task.name for task in tasks}) == len(tasks)
    assert [task.index for task in tasks] == list(range(len(tasks)))


def test_each_program_of_a_set_knows_its_kernels_by_the_common_tasks(pooled: OpenedModel) -> None:
    first, second = pooled.each
    assert first.program.tasks == second.program.tasks
    assert [one.prepared.inputs[0][1].shape for one in pooled.each] == [(1, 6, 4), (1, 10, 4)]
    for one in pooled.each:
        for operator in one.program.operators:
            if operator.task is not None:
                assert operator.name == one.program.tasks[operator.task].name
                assert operator.output == one.program.tasks[operator.task].args[-1]
    assert all(pooled.kernel_of(task.index) for task in pooled.program.tasks)


def test_weights_that_shapes_have_in_common_are_in_memory_once(tmp_path: Path) -> None:
    shared, large = Shared(), np.ones(1 << 15, np.float32)
    assert shared.shared(large) is shared.shared(large.copy())
    assert shared.shared(large) is not shared.shared(large.reshape(2, -1))
    assert shared.shared(large) is not shared.shared(large.view(np.int32))


def test_a_project_of_a_set_keeps_its_shapes_and_shows_each_alone(
    pooled: OpenedModel, tmp_path: Path
) -> None:
    with stored(pooled, tmp_path / "p.tune") as project:
        pass
    with Project.open(tmp_path / "p.tune", read_only=True) as project:
        snapshot = project.snapshot()
        assert project.source == pooled.source
    assert [(one.label, one.frequency) for one in snapshot.shapes] == [
        ("x=1x6x4", 3),
        ("x=1x10x4", 1),
    ]
    assert [one.operators for one in snapshot.shapes] == [
        one.program.operators for one in pooled.each
    ]
    assert snapshot.operators == pooled.program.operators
    counts = [one.occurrences() for one in snapshot.shapes]
    for task in snapshot.tasks:
        assert task.weight == 3 * counts[0][task.index] + counts[1][task.index]
    second = snapshot.of_shape(1)
    assert [task.weight for task in second.tasks] == [
        counts[1][task.index] for task in snapshot.tasks
    ]
    assert second.shapes == () and second.operators == snapshot.shapes[1].operators


def test_latencies_of_a_set_are_means_by_frequency_and_each_shape_has_its_own(
    pooled: OpenedModel, tmp_path: Path
) -> None:
    with stored(pooled, tmp_path / "p.tune") as project:
        project.set_untuned(None, {task.index: 1e-3 for task in pooled.program.tasks})
        events: list[object] = []
        kernels = ((0, 1e-4), (1, 2e-4))
        found = [Measured(1e-3, kernels=kernels), Measured(5e-3, kernels=kernels)]
        kept = keep_each(project, events.append, UNTUNED, found)
        snapshot = project.snapshot()
    assert kept.latency_s == pytest.approx(2e-3)
    assert figure_of(snapshot).latency_s == pytest.approx(2e-3)
    assert [figure_of(snapshot.of_shape(place)).latency_s for place in (0, 1)] == [1e-3, 5e-3]
    assert [snapshot.of_shape(place).measured[UNTUNED].kernels for place in (0, 1)] == [kernels] * 2
    history = History(snapshot)
    calls = [sum(one.occurrences().values()) for one in snapshot.shapes]
    mean_s = (3 * calls[0] + calls[1]) / 4 * 1e-3
    assert history.now_s() == pytest.approx(mean_s) == history.untuned_s()
    assert history.model_curve().latency_s.tolist() == pytest.approx([mean_s])
    assert sum(history.shares().values()) == pytest.approx(1.0)


def test_kernels_of_one_shape_do_not_take_the_place_of_anothers(
    pooled: OpenedModel, tmp_path: Path
) -> None:
    with stored(pooled, tmp_path / "p.tune") as project:
        for key in ("a" * 16, "b" * 16):
            found = [Measured(1e-3, kernels=((place, 1e-4),)) for place in (0, 1)]
            keep_each(project, lambda event: None, key, found)
        snapshot = project.snapshot()
    for place in (0, 1):
        measured = snapshot.of_shape(place).measured
        assert {kind[0]: one.kernels for kind, one in measured.items()} == {
            "a": (),
            "b": ((place, 1e-4),),
        }


def test_a_mean_is_as_disturbed_as_the_worst_and_knows_no_more_than_all() -> None:
    quiet, loud = Measured(1.0, 0.1, 0.0, 0.9, 5.0), Measured(3.0, None, 0.8, 2.5, 7.0)
    found = mean_of([quiet, loud], [1, 3])
    assert (found.latency_s, found.spread_s, found.load, found.at) == (2.5, None, 0.8, 7.0)
    assert found.sum_s == pytest.approx(2.1)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("disturbance", [{"spread_s": 1.0}, {"load": 0.9}, {"throttled": True}])
def test_one_disturbed_shape_disturbs_the_mean(place: int, disturbance: dict[str, Any]) -> None:
    quiet = Measured(1.0, 0.0, 0.0, 0.9, 5.0)
    found = [quiet] * 3
    assert not mean_of(found, [1, 1, 1]).disturbed
    found[place] = replace(quiet, **disturbance)
    assert found[place].disturbed and mean_of(found, [1, 1, 1]).disturbed


def test_a_shape_that_the_model_does_not_take_is_refused_as_ever(tmp_path: Path) -> None:
    with pytest.raises(ShapeError, match="x"):
        opened(tmp_path, "x=1x{6,10}x5")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("more", [{"shapes": {"x": [1, 6, 4]}}]),  # the first again
        ("more", [{"shapes": {"y": [1, 6, 4]}}]),
        ("more", [{"shapes": {}}]),
        ("more", [{"shapes": {"x": [1, 7, 4]}, "frequency": 0}]),
        ("more", [{"shapes": {"x": [1, -7, 4]}}]),
        ("more", [{"shapes": {"x": [1, n, 4]}} for n in range(10, 90)]),
        ("more", [3]),
        ("more", {"x": 3}),
        ("frequency", "many"),
    ],
)
def test_a_stored_set_that_is_none_is_damage(
    pooled: OpenedModel, tmp_path: Path, key: str, value: object
) -> None:
    stored(pooled, tmp_path / "p.tune").close()
    db = sqlite3.connect(tmp_path / "p.tune")
    with db:
        (text,) = db.execute("SELECT source FROM project").fetchone()
        changed = json.dumps({**json.loads(text), key: value})
        db.execute("UPDATE project SET source = ?", [changed])
    db.close()
    with pytest.raises(ProjectError):
        Project.open(tmp_path / "p.tune", read_only=True)


def test_a_stored_operator_of_a_shape_that_there_is_none_of_is_damage(
    pooled: OpenedModel, tmp_path: Path
) -> None:
    stored(pooled, tmp_path / "p.tune").close()
    db = sqlite3.connect(tmp_path / "p.tune")
    with db:
        db.execute("UPDATE operators SET id = id + 10000000 WHERE id >= 10000000")
    db.close()
    with pytest.raises(ProjectError):
        Project.open(tmp_path / "p.tune", read_only=True).snapshot()
