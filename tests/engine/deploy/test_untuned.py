"""TVM's default schedules for kernels without a record, on a GPU that need not be there."""

from __future__ import annotations

import pytest
import tvm

from engine.deploy.untuned import untuned_kernel, with_default_schedules
from engine.records.source import Precision
from tests.engine.search.test_tensor_cores import program


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
