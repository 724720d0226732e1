"""The wheel in a fresh environment, as a stranger would have it: pip, Python, mypy and a server."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.packing.wheel import WheelName, write_wheel
from engine.models.reference import random_inputs
from tests.engine.deploy.compiled import compiled
from tests.engine.deploy.packing.folders import exported, spec
from tests.engine.tasks.programs import network

pytestmark = pytest.mark.long

PAGE = Path(__file__).parents[4] / "resources" / "help" / "deploying.md"
PROGRAM = """
import numpy as np
import my_net

inputs: my_net.Inputs = {"i": np.arange(4), "b": np.ones((4, 1), np.bool)}
module = my_net.load()
outputs = module.run(inputs)
y: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]" = outputs["y"]
pool = module.pool(2)
assert (pool.run(inputs)["y"] == y).all()
bound = module.bind({}, {})
bound()
print(my_net.__version__, y.dtype, y.shape, outputs["less"].shape)
"""
WRONG = PROGRAM.replace('"i": np.arange(4)', '"i": 3').replace('outputs["y"]', 'outputs["z"]')


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has the wheel and a server, and nothing of this project."""
    folder = tmp_path_factory.mktemp("fresh")
    model, out = network("integers"), folder / "out"
    out.mkdir()
    compiled(model, {}, out)
    told = {
        kind: [spec(name, one.dtype, *one.shape) for name, one in items]
        for kind, items in (("inputs", model.prepared.inputs), ("outputs", model.prepared.outputs))
    }
    path = write_wheel(out, WheelName("My-Net", "1.0"), exported(out, **told))
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    made = str(folder / "venv" / "bin" / "python")
    subprocess.run(
        [made, "-m", "pip", "install", "-q", str(path), "fastapi", "uvicorn"], check=True
    )
    return made


def clean() -> dict[str, str]:
    """An environment that names nothing of this project."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def test_a_program_runs_with_it(python: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [python, "program.py"],
        cwd=tmp_path,
        env=clean(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1.0 float32 (4, 8) (4, 8)\n"), done.stderr


def test_mypy_reads_its_types(python: str, tmp_path: Path) -> None:
    def told(program: str) -> str:
        (tmp_path / "program.py").write_text(program)
        mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python]
        done = subprocess.run(
            [*mypy, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.stdout.replace('"', "'")

    assert told(PROGRAM).startswith("Success")
    wrong = told(WRONG)
    assert "'i'" in wrong
    assert "'z'" in wrong


@pytest.fixture
def server(python: str, tmp_path: Path) -> Iterator[str]:
    """The program of the help page, serving; its address."""
    section = PAGE.read_text().partition("## Behind FastAPI")[2]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    (tmp_path / "app.py").write_text(found.group(1))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python, "-m", "uvicorn", "app:app", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean()) as process:
        address = f"http://127.0.0.1:{port}/run"
        try:
            end = time.monotonic() + 60
            while not _listens(port) and time.monotonic() < end:
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def post(address: str, body: dict[str, Any]) -> Any:
    """What a server answers, as JSON."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_the_page_serves_many_callers_at_once_and_says_what_is_wrong(server: str) -> None:
    prepared = network("integers").prepared
    inputs = [random_inputs(prepared.inputs, seed) for seed in range(200)]
    bodies = [{name: array.tolist() for name, array in one.items()} for one in inputs]
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda body: post(server, body), bodies))
    for given, answer in zip(inputs, answers, strict=True):
        for name, array in prepared.reference_outputs(given).items():
            np.testing.assert_allclose(np.array(answer[name], array.dtype), array, rtol=1e-5)
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, bodies[0] | {"i": [1]})
    assert caught.value.code == 422
    caught.value.close()
