"""Names of a model's inputs and outputs may hold any sign, and come back as they were."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import tvm
from onnx import TensorProto, helper

from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.jobs.opening.open_worker import open_here
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.engine.models.build import model, save

NAMES = ["gpu_0/data_0", "input.1", "0", "a b", "é", "x-y", "x:0", "int", "input_0", '"quoted"']


@pytest.mark.parametrize("name", NAMES)
def test_any_name_of_an_input_is_kept_and_none_reaches_the_kernels(
    name: str, tmp_path: Path
) -> None:
    nodes = [
        helper.make_node("Relu", [name], ["r"]),
        helper.make_node("Add", ["r", "input_1"], ["out/put"]),
    ]
    inputs = [(name, TensorProto.FLOAT, (4,)), ("input_1", TensorProto.FLOAT, (4,))]
    proto = model(nodes, inputs, [("out/put", TensorProto.FLOAT, (4,))])
    source = ModelSource("file", str(save(proto, tmp_path / "m.onnx")))
    opened = open_here(source, resolve("cpu"))
    odd = re.fullmatch(r"\w+", name, re.ASCII) is None
    if odd:
        texts = [tvm.ir.save_json(workload) for workload in opened.program.workloads]
        assert not any(f'"{name}"' in text for text in texts)
    compile_program(opened.program, {}, ("out/put",), tmp_path)
    executor = PlanExecutor(tmp_path)
    x = np.array([-1, 0, 1, 2], np.float32)
    found = executor.run({name: x, "input_1": x})
    np.testing.assert_allclose(found["out/put"], np.maximum(x, 0) + x)
