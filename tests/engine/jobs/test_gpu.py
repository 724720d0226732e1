"""A run on a real CUDA device, from the ONNX file to the exported module."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.settings import Budget, SearchSettings
from engine.records.source import ModelSource, Precision
from engine.targets.targets import cuda_devices
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save, two_convs_model

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here"),
]


@pytest.fixture
def console() -> Iterator[Console]:
    made = Console()
    yield made
    made.engine.shutdown()


def test_a_model_is_tuned_exported_and_run_on_the_gpu(console: Console, tmp_path: Path) -> None:
    model = save(conv_relu_model(channels=32), tmp_path / "tiny.onnx")
    source = ModelSource("file", str(model))
    opened = console.engine.open_model(source, "cuda", tmp_path / "tiny.tune").result(120)
    assert opened.target.startswith("cuda")
    # A GPU refuses most schedules of a small convolution: a small population may hold none.
    settings = replace(QUICK, budget=Budget(trials=8), search=SearchSettings(batch=8))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(300)
    manifest = console.engine.export(tmp_path / "out").result(300)
    assert manifest["max_abs_diff"] < 1e-4
    assert manifest["coverage"] == pytest.approx(1.0)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "out" / "run.py")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", "").split(":")[0]},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "median latency" in done.stdout


@pytest.mark.parametrize("precision", ["float32", "tf32", "float16", "bfloat16"])
def test_a_model_is_right_in_every_precision(
    console: Console, tmp_path: Path, precision: Precision
) -> None:
    model = save(two_convs_model(32, 48), tmp_path / "tiny.onnx")
    source = replace(ModelSource("file", str(model)), precision=precision)
    console.engine.open_model(source, "cuda", tmp_path / "tiny.tune").result(120)
    # A slot for each task: the first one's may be a transpose.
    settings = replace(QUICK, budget=Budget(trials=40), search=SearchSettings(batch=8))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(300)
    manifest = console.engine.export(tmp_path / "out").result(300)
    assert manifest["precision"] == precision
    # The outputs go up to 170, where a step of float16 is 0.125, and one of bfloat16 is 1.
    most = {"float32": 1e-3, "bfloat16": 1.0}.get(precision, 0.125)
    assert manifest["max_abs_diff"] < most
    console.engine.close_project().result(30)
    with Project.open(tmp_path / "tiny.tune", read_only=True) as project:
        numbers = [trial.number for trial in project.snapshot().trials if trial.samples]
        traces = [project.trial(number).trace for number in numbers]
    on_tensor_cores = ["auto_tensorize" in trace for trace in traces]
    assert any(on_tensor_cores) == (precision != "float32")
