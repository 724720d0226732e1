"""Candidates for tensor cores, in float16 and TF32, for a GPU that need not be here."""

from __future__ import annotations

import functools
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto

from engine.jobs.opening.open_worker import open_here
from engine.measure.build_worker import build_candidate
from engine.measure.runner import BuildRequest
from engine.passes.decisions import read_decisions
from engine.records.source import ModelSource, Precision
from engine.records.task import Task
from engine.search.replayer import NotReplayable, Replayer
from engine.search.sketches import find_space
from engine.search.task_search import (
    Candidate,
    TaskSearch,
    apply_trace,
    scheduled_module,
    trace_json,
)
from engine.search.tensor_cores import tensor_cores_of
from engine.search.trace_text import parse
from engine.targets.targets import to_tvm
from engine.tasks.extract import Program
from engine.tasks.tf32 import is_tf32
from tests.engine.models.build import model, save
from tests.engine.search import schedules
from tests.engine.search.searches import SETTINGS
from tests.engine.search.test_replayer import CUDA
from tests.engine.tasks.networks import conv, node, outputs, weight

PAIRS: list[tuple[Precision, str]] = [
    ("float16", "conv"),
    ("float16", "matmul"),
    ("bfloat16", "conv"),
    ("bfloat16", "matmul"),
    ("tf32", "conv"),
    ("tf32", "matmul"),
]


@functools.cache
def program(
    precision: Precision, channels: int = 16, size: int = 6, given: int = 16, groups: int = 1
) -> Program:
    """A convolution with a rectifier, and a matrix product of its rows."""
    rows, deep = size * size, channels
    nodes = [
        conv("x w b", "c", group=groups),
        node("Relu", "c", "r"),
        node("Reshape", "r shape", "f"),
        node("Transpose", "f", "t", perm=[1, 0]),
        node("MatMul", "t v", "m"),
        node("Softmax", "m", "y"),
    ]
    weights = {
        "w": weight(channels, given // groups, 3, 3),
        "b": weight(channels),
        "v": weight(deep, 24),
        "shape": np.array([channels, rows], np.int64),
    }
    proto = model(nodes, [("x", TensorProto.FLOAT, [1, given, size, size])], outputs("y"), weights)
    with tempfile.TemporaryDirectory() as folder:
        path = save(proto, Path(folder) / "model.onnx")
        source = replace(ModelSource("file", str(path)), precision=precision)
        return open_here(source, CUDA).program


def task_of(found: Program, kind: str) -> Task:
    """The task whose first operator is of a kind."""
    return next(task for task in found.tasks if task.op_class.startswith(kind))


@functools.cache
def candidate(precision: Precision, kind: str) -> Candidate:
    """A random valid schedule, as a search would propose it."""
    found = program(precision)
    task = task_of(found, kind)
    return schedules.candidate(found, task, schedules.spaces(found, task)[0].trace)


def test_a_source_without_tensor_cores_has_no_such_rules() -> None:
    found = program("float32")
    for task in found.tasks:
        assert tensor_cores_of(task, CUDA, found.workloads[task.index]) == ()
        assert not is_tf32(found.workloads[task.index])


@pytest.mark.parametrize(("precision", "kind"), PAIRS)
def test_a_candidate_uses_tensor_cores_and_replays_the_same(
    precision: Precision, kind: str
) -> None:
    found, made = program(precision), candidate(precision, kind)
    task = task_of(found, kind)
    workload = found.workloads[task.index]
    kinds = [item[0] for item in json.loads(made.trace)[0]]
    assert "Tensorize" in kinds
    assert Replayer(task, workload, CUDA).replay(made.trace).trace == made.trace
    assert scheduled_module(workload, made.trace)[0] == made.module


@pytest.mark.parametrize(("precision", "kind"), PAIRS)
def test_its_kernel_compiles_and_waits_before_it_reads_shared_memory(
    precision: Precision, kind: str
) -> None:
    lines = schedules.source(candidate(precision, kind)).splitlines()
    body = lines[next(at for at, line in enumerate(lines) if "main_kernel" in line) :]
    assert "mma.sync" in "\n".join(lines)
    writes = [at for at, line in enumerate(body) if "buf_dyn_shmem" in line and " = " in line]
    loads = [at for at, line in enumerate(body) if "tunewright_load_" in line]
    syncs = [at for at, line in enumerate(body) if "__syncthreads" in line]
    first = next(at for at in loads if any(write < at for write in writes))
    before = max(write for write in writes if write < first)
    assert any(before < sync < first for sync in syncs)


def test_its_design_space_is_known_to_the_passes() -> None:
    found = program("tf32")
    task = task_of(found, "conv")
    space = find_space(task, found.workloads[task.index], CUDA)
    assert space.sketches
    assert all(sketch.knobs for sketch in space.sketches)
    assert read_decisions(candidate("tf32", "conv").trace)


def test_a_worker_builds_it_without_parsing_intrinsics(tmp_path: Path) -> None:
    import tvm

    request = BuildRequest(
        candidate("float16", "conv").module,
        tvm.ir.save_json(to_tvm(CUDA)),
        str(tmp_path / "made.so"),
    )
    built = build_candidate(request)
    assert built.error is None, built.error_text
    assert (tmp_path / "made.so").stat().st_size


def test_tiles_of_another_extent_are_made_anew_from_the_same_decisions() -> None:
    """The layouts of a trace count with its own task's extents."""
    other = program("tf32", size=8)
    task = task_of(other, "conv")
    workload = other.workloads[task.index]
    trace = candidate("tf32", "conv").trace
    try:
        replayed = Replayer(task, workload, CUDA).replay(trace)
    except NotReplayable:
        return  # the postprocessors may refuse it; what it must not be is taken as it is
    layouts = [item for item in json.loads(trace)[0] if item[0] == "TransformLayout"]
    again = [item for item in json.loads(replayed.trace)[0] if item[0] == "TransformLayout"]
    assert layouts != again


def test_a_trace_that_rounds_is_not_applied_to_a_task_in_float32() -> None:
    rounded, exact = program("tf32"), program("float32")
    task = task_of(exact, "matmul")
    trace = candidate("tf32", "matmul").trace
    with pytest.raises(ValueError, match="rounds to TF32"):
        apply_trace(exact.workloads[task.index], trace)
    with pytest.raises(NotReplayable):
        Replayer(task, exact.workloads[task.index], CUDA).replay(trace)
    assert apply_trace(rounded.workloads[task_of(rounded, "matmul").index], trace)


def damaged(change: Any) -> str:
    """A trace of tiles with one of its index maps changed."""
    instructions, decisions = json.loads(candidate("tf32", "matmul").trace)
    found = [item for item in instructions if item[0] == "TransformLayout"][-1]
    found[1][1] = change(found[1][1])
    return json.dumps([instructions, decisions])


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"v', '"unknown'),
        lambda text: text.replace("prim.FloorDiv", "tirx.Call"),
        lambda text: text[:-2],
        lambda text: "{}",
    ],
)
def test_a_damaged_index_map_is_refused(change: Any) -> None:
    with pytest.raises(ValueError, match="damaged"):
        parse(damaged(change))


def test_a_task_that_the_rules_fail_on_keeps_its_plain_design_space(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(kinds: Any, rules: Any) -> list[Any]:
        raise RuntimeError("no such tiles")

    monkeypatch.setattr("engine.search.space.tensor_rules", fail)
    found = program("tf32")
    task = task_of(found, "matmul")
    search = TaskSearch(task, found.workloads[task.index], CUDA, SETTINGS, 0)
    search.start()
    made = search.propose()
    assert made
    assert not any("Tensorize" in one.trace for one in made)


def test_a_task_of_which_no_tile_is_valid_is_searched_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tvm.s_tir.meta_schedule import TuneContext

    found = program("float16")
    task = task_of(found, "matmul")
    search = TaskSearch(task, found.workloads[task.index], CUDA, SETTINGS, 0)
    search.start()
    with_tiles, generate = search._context, TuneContext.generate_measure_candidates

    def refuse_tiles(context: Any) -> Any:
        return None if context.same_as(with_tiles) else generate(context)

    monkeypatch.setattr(TuneContext, "generate_measure_candidates", refuse_tiles)
    made = search.propose()
    assert made
    assert not any("Tensorize" in one.trace for one in made)
    search.learn([(one, (1e-5,)) for one in made])
    assert search.propose()


@pytest.mark.parametrize("rows", [2, 96], ids=["neurons", "tiles"])
def test_no_candidate_in_bfloat16_has_vectors_of_three(rows: int) -> None:
    """TVM's code for CUDA has none of an odd number."""
    weights = {"v": weight(96, 48)}
    nodes = [node("MatMul", "x v", "m"), node("Relu", "m", "y")]
    proto = model(nodes, [("x", TensorProto.FLOAT, [rows, 96])], outputs("y"), weights)
    with tempfile.TemporaryDirectory() as folder:
        path = save(proto, Path(folder) / "model.onnx")
        found = open_here(ModelSource("file", str(path), precision="bfloat16"), CUDA).program
    task = task_of(found, "matmul")
    lengths = set[int]()
    for space in schedules.spaces(found, task):
        for item in json.loads(trace_json(space.trace))[0]:
            if item[0] == "SampleCategorical" and {1, 16} <= set(item[2][0]):
                lengths.update(int(value) for value in item[2][0])
    assert 4 in lengths
    assert 3 not in lengths
