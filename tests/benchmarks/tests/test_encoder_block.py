"""The transformer block that recordings are made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.deploy.bench import bench
from engine.deploy.compile import compile_program
from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.models.reference import random_inputs
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.benchmarks.networks.encoder_block import encoder_block


def opened(folder: Path) -> OpenedModel:
    """A tiny block, imported for this CPU."""
    path = folder / "block.onnx"
    path.write_bytes(encoder_block(32, 2, 8, 64).SerializeToString())
    return open_here(ModelSource("file", str(path)), resolve("cpu"))


def test_the_same_seed_gives_the_same_block() -> None:
    first, second, third = (
        encoder_block(32, 2, 8, 64, seed).SerializeToString() for seed in (0, 0, 1)
    )
    assert first == second != third


def test_tvm_imports_the_block_and_its_outputs_agree_with_onnx_runtime(tmp_path: Path) -> None:
    model = opened(tmp_path)
    classes = [task.op_class for task in model.program.tasks]
    assert sum("matmul" in name for name in classes) >= 4
    assert "softmax" in classes
    names = tuple(name for name, _ in model.prepared.outputs)
    (tmp_path / "out").mkdir()
    compile_program(model.program, {}, names, tmp_path / "out")
    inputs = random_inputs(model.prepared.inputs, 0)
    found = bench(tmp_path / "out", "cpu", 1, inputs, seconds=0.01).outputs["y"]
    wanted = model.prepared.reference_outputs(inputs)["y"]
    assert wanted.shape == (1, 8, 32)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    assert wanted.std() > 0.1
