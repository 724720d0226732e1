"""Kernels that write into a part of a larger tensor, and programs made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm

from engine.deploy import placing
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.deploy.placing import written_into
from engine.deploy.plan import with_stages
from engine.kernels.library import called
from engine.search.task_search import apply_trace
from engine.targets.targets import cuda_devices, resolve, to_tvm
from tests.engine.deploy.compiled import assert_agrees, compiled, first_records, output_names
from tests.engine.kernels.products import product
from tests.engine.models.build import joined_branches_model, two_convs_model
from tests.engine.tasks.programs import cpu, opened

BRANCHES = opened(joined_branches_model((3, 1, 3), widths=(8, 5, 16)))


def output_of(kernel: Any, arrays: list[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """What a kernel makes of a tensor of ones."""
    named = kernel.with_attr("global_symbol", "main")
    library = tvm.compile(tvm.IRModule({"main": named}), target=to_tvm(cpu()))
    out = tvm.runtime.tensor(np.ones(shape, np.float32))
    library["main"](*map(tvm.runtime.tensor, arrays), out)
    return np.asarray(out.numpy())


def test_a_librarys_call_writes_whole_tensors_only() -> None:
    with pytest.raises(ValueError, match="whole tensors"):
        written_into(called(product(), "cublaslt 0"), (12, 8), 0, 6)


@pytest.mark.parametrize("scheduled", [False, True])
@pytest.mark.parametrize(("axis", "offset"), [(3, 3), (3, 0), (1, 2), (0, 1)])
def test_a_kernel_writes_its_part_and_nothing_else(scheduled: bool, axis: int, offset: int) -> None:
    program = opened(two_convs_model(8, 8, size=4)).program
    index = next(task.index for task in program.tasks if task.op_class.startswith("conv2d"))
    kernel = program.workloads[index]["main"]
    if scheduled:
        trace = first_records(opened(two_convs_model(8, 8, size=4)))[index]
        kernel = apply_trace(program.workloads[index], trace).mod["main"]
    shapes = [tuple(int(n) for n in item.ty.shape) for item in kernel.params]
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape, np.float32) for shape in shapes[:-1]]
    whole = list(shapes[-1])
    whole[axis] += offset + 2
    part = tuple(
        slice(offset, offset + size) if place == axis else slice(None)
        for place, size in enumerate(shapes[-1])
    )
    wanted = np.ones(whole, np.float32)
    wanted[part] = output_of(kernel, arrays, shapes[-1])
    found = output_of(written_into(kernel, tuple(whole), axis, offset), arrays, tuple(whole))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("tuned", [False, True])
def test_a_program_has_no_kernel_for_what_is_written_in_place(tuned: bool, tmp_path: Path) -> None:
    executor = compiled(BRANCHES, first_records(BRANCHES) if tuned else {}, tmp_path)
    for seed in (1, 2):
        assert_agrees(BRANCHES, executor, seed)
    plan = json.loads((tmp_path / "plan.json").read_text())
    (idle,) = [name for name, buffers in plan["steps"] if not buffers]
    assert "concatenate" in idle
    ((whole, steps),) = plan["writers"].items()
    assert {plan["steps"][step][1][-1] for step in steps} == {int(whole)}
    assert idle not in [name for name, _ in executor.profile(1)]


def test_parts_may_be_written_side_by_side(tmp_path: Path) -> None:
    compiled(BRANCHES, {}, tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    (steps,) = plan["writers"].values()
    rest = [step for step in range(len(plan["steps"])) if step not in steps]
    before = [[[step]] for step in rest if step < max(steps)]
    after = [[[step]] for step in rest if step > max(steps)]
    executor = PlanExecutor(
        tmp_path, plan=with_stages(plan, [*before, [[step] for step in steps], *after])
    )
    assert_agrees(BRANCHES, executor)


def test_where_a_kernel_cannot_write_in_place_the_concatenation_has_a_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("no such buffer")

    monkeypatch.setattr(placing, "written_into", refuse)
    executor = compiled(BRANCHES, first_records(BRANCHES), tmp_path)
    assert_agrees(BRANCHES, executor)
    assert executor._plan["writers"] == {}
    assert len(executor.outputs()) == len(output_names(BRANCHES))


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
@pytest.mark.parametrize("tuned", [False, True])
def test_parts_are_written_in_place_on_a_gpu(tuned: bool, tmp_path: Path) -> None:
    model = opened(joined_branches_model((3, 1, 3), widths=(8, 4, 16)), resolve("cuda"))
    records = first_records(model) if tuned else {}
    compile_program(model.program, records, output_names(model), tmp_path)
    assert json.loads((tmp_path / "plan.json").read_text())["writers"]
    for seed in (1, 2):
        assert_agrees(model, PlanExecutor(tmp_path, "cuda:0"), seed)
