"""Compiled programs compute what ONNX Runtime does, untuned and with records."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.records.errors import ExportError
from engine.tasks.extract import extract
from engine.tasks.lower import lower
from tests.engine.deploy.compiled import assert_agrees, compiled, first_records, output_names
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import cpu, network
from tests.engine.tasks.test_dataflow import relax

TUNED = [
    "conv_bias_relu",
    "residual",
    "depthwise",
    "dense",
    "concat",
    "split",
    "quantised",
    "scan_and_dense",
    "half",
]


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_an_untuned_network_agrees_with_onnx_runtime(name: str, tmp_path: Path) -> None:
    model = network(name)
    executor = compiled(model, {}, tmp_path)
    for seed in (1, 2):  # the second run meets what the first left in its buffers
        assert_agrees(model, executor, seed)


@pytest.mark.parametrize("name", TUNED)
def test_a_network_with_records_agrees_with_onnx_runtime(name: str, tmp_path: Path) -> None:
    model = network(name)
    executor = compiled(model, first_records(model), tmp_path)
    for seed in (1, 2):
        assert_agrees(model, executor, seed)


def steps(folder: Path) -> list[str]:
    """Names of the kernels of a compiled folder."""
    return [name for name, _ in json.loads((folder / "plan.json").read_text())["steps"]]


@pytest.mark.parametrize("name", ["conv_bias_relu", "dense", "scan_and_dense"])
def test_prepacked_weights_are_rewritten_once_and_not_in_every_run(
    name: str, tmp_path: Path
) -> None:
    model = network(name)
    compiled(model, first_records(model), tmp_path)
    assert any("prepacked" in kernel for kernel in steps(tmp_path))
    assert not any("weight_prepack" in kernel for kernel in steps(tmp_path))
    assert len(steps(tmp_path)) == len(model.program.dataflow.steps)


def test_a_part_of_the_tasks_may_have_records(tmp_path: Path) -> None:
    model = network("dense")
    some = {0: first_records(model)[0]}
    assert_agrees(model, compiled(model, some, tmp_path))
    assert sum("prepacked" in kernel for kernel in steps(tmp_path)) == 1


def test_one_record_serves_every_operator_of_its_task(tmp_path: Path) -> None:
    model = network("twin_convs")
    assert_agrees(model, compiled(model, first_records(model), tmp_path))
    assert len(steps(tmp_path)) == 4


def test_compiling_leaves_the_program_as_it_was(tmp_path: Path) -> None:
    model = network("dense")
    before = str(model.program.module)
    compiled(model, first_records(model), tmp_path)
    assert str(model.program.module) == before


def test_only_what_is_needed_is_written(tmp_path: Path) -> None:
    compiled(network("dense"), {}, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"module.so", "plan.json", "weights.bin"}
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert (tmp_path / "weights.bin").stat().st_size <= plan["weights_bytes"]


def test_a_record_that_does_not_apply_is_refused_with_a_sentence(tmp_path: Path) -> None:
    softmax = network("attention")
    trace = first_records(softmax)[softmax.program.task_of["softmax1"]]
    with pytest.raises(ExportError) as caught:
        compile_program(network("dense").program, {0: trace}, ("y",), tmp_path)
    assert caught.value.what.startswith("TVM cannot compile the model: ")
    assert "\n" not in caught.value.what
    assert caught.value.todo


@pytest.mark.parametrize("trace", ["", "{}", "[]", "nonsense"])
def test_a_damaged_record_is_refused_with_a_sentence(trace: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="TVM cannot compile the model"):
        compile_program(network("dense").program, {0: trace}, ("y",), tmp_path)


@pytest.mark.parametrize("kind", ["Unroll", "Vectorize"])
@pytest.mark.parametrize(("steps", "nested"), [(1 << 20, 0), (2**31 - 1, 0), (512, 512)])
def test_a_record_that_writes_out_steps_without_end_is_refused(
    kind: str, steps: int, nested: int, tmp_path: Path
) -> None:
    """LLVM would take minutes and gigabytes, in the process of the console."""
    first = ["GetSBlock", [], ["matmul", "main"], ["b0"]]
    loops = ["GetLoops", ["b0"], [], ["l0", "l1", "l2"]]
    split = ["Split", ["l2", "None", steps], [True, False], ["l3", "l4"]]
    more = ["Split", ["l1", "None", nested], [True, False], ["l5", "l6"]] if nested else None
    written = [["Unroll", ["l6"], [], []]] if more else []
    end = [*written, [kind, ["l4"], [], []]]
    trace = json.dumps([[first, loops, split, *([more] if more else []), *end], []])
    model = network("dense")
    task = next(task for task in model.program.tasks if task.op_class.startswith("matmul"))
    with pytest.raises(ExportError, match=rf"the schedule of {task.name} "):
        compile_program(model.program, {task.index: trace}, output_names(model), tmp_path)


def test_a_missing_linker_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.measure.linker.find_linker", lambda *_: None)
    model = network("concat")
    with pytest.raises(ExportError, match="No linker"):
        compile_program(model.program, {}, output_names(model), tmp_path)


def test_a_program_without_kernels_compiles_to_nothing(tmp_path: Path) -> None:
    program = extract(relax("return x"), cpu())
    assert program.tasks == ()
    assert program.operators == ()
    compile_program(program, {}, ("y",), tmp_path)
    values = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(PlanExecutor(tmp_path).run({"x": values})["y"], values)


def test_tensors_without_elements_are_computed_too(tmp_path: Path) -> None:
    body = "with R.dataflow():\n    y = R.concat((R.exp(x), x), axis=1)\n    R.output(y)\nreturn y"
    none, twice = 'R.Tensor((0, 3), "float32")', 'R.Tensor((0, 6), "float32")'
    program = extract(lower(relax(body, f"x: {none}", twice), cpu()), cpu())
    compile_program(program, {}, ("y",), tmp_path)
    found = PlanExecutor(tmp_path).run({"x": np.zeros((0, 3), np.float32)})["y"]
    assert found.shape == (0, 6)
