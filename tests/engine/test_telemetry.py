"""What a person opens is nobody else's business."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.models.build import conv_relu_model, save

ROOT = Path(__file__).parents[2]
STARTS = {
    "a process of ours": "import engine.models.reference",
    "a program that uses the engine": "import engine",
    "the command line": "import app.cli.main",
}
OPEN = "; import sys, onnxruntime; onnxruntime.InferenceSession(sys.argv[1])"


@pytest.mark.parametrize("start", STARTS)
def test_onnx_runtime_tells_nobody_what_it_opens_and_leaves_no_trace(
    start: str, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    places = {name: str(tmp_path / name) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME")}
    for place in places.values():
        Path(place).mkdir()
    silencers = (
        "CI",
        "GITHUB_ACTIONS",
        "TF_BUILD",
        "ORT_RUNNING_UNIT_TESTS",
        "ORT_DISABLE_TELEMETRY",
    )
    environment = {key: value for key, value in os.environ.items() if key not in silencers}
    command = [sys.executable, "-c", STARTS[start] + OPEN, str(model)]
    subprocess.run(command, cwd=ROOT, env=environment | places, check=True)
    left = [path for place in places.values() for path in Path(place).rglob("*")]
    assert left == []
