"""Boards with AArch64, emulated: kernels are measured there, exports run there and answer rightly.

No time that is measured there says anything of a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto

from engine.deploy.compare import SINGLE, largest_difference
from engine.measure.linker import find_linker
from engine.measure.remote.given import VARIABLE
from engine.measure.remote.rpc_serving import RpcTracker
from engine.models.samples import load_sample
from engine.project.repository import Project
from engine.records.addresses import place
from engine.records.events import TrialDone
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
from engine.targets.cpu_features import told_instructions
from engine.targets.targets import resolve
from tests import emulated_board
from tests.benchmarks.networks.mobile_network import mobilenet_v3_like
from tests.emulated_board import Board
from tests.engine.jobs.support import QUICK, Console
from tests.engine.measure.rpc_lab import free_port
from tests.engine.models.build import conv_relu_model, save

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(emulated_board.missing()), reason=emulated_board.missing()),
    pytest.mark.skipif(not find_linker("aarch64"), reason="nothing here links for AArch64"),
]

MODELS: dict[str, Callable[[], ModelProto]] = {
    "squeezenet": lambda: load_sample("squeezenet"),
    "mobilenet_v3_like": mobilenet_v3_like,
}
# Qemu's processors that have what a preset's has; "max" has all that it knows.
CPUS = {
    "raspberry-pi-4": "cortex-a72",
    "raspberry-pi-5": "cortex-a76",
    "jetson-orin": "max",
    "graviton-2": "neoverse-n1",
    "graviton-3": "max",
}


@pytest.fixture
def tracker(monkeypatch: pytest.MonkeyPatch) -> Iterator[RpcTracker]:
    made = RpcTracker(port=free_port())
    monkeypatch.setenv(VARIABLE, place(made.address))
    yield made
    made.close()


@pytest.fixture
def console(
    tracker: RpcTracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Console]:
    """An engine that imports TVM when the tracker has done so: two threads would see half of it."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    made = Console()
    yield made
    made.engine.shutdown()


def answers_rightly(model: Path, folder: Path, board: Board, tmp_path: Path) -> None:
    """An export's own script there gives what ONNX Runtime does here."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model))
    random = np.random.default_rng(7)
    inputs = {
        item.name: random.standard_normal(item.shape).astype(np.float32)
        for item in session.get_inputs()
    }
    np.savez(tmp_path / "inputs.npz", **inputs)
    given, saved = str(tmp_path / "inputs.npz"), tmp_path / "outputs.npz"
    done = board.run(str(folder / "run.py"), given, "--save", str(saved))
    assert done.returncode == 0, done.stderr
    names = [item.name for item in session.get_outputs()]
    expected = dict(zip(names, session.run(None, inputs), strict=True))
    with np.load(saved) as found:
        largest_difference(dict(found), expected, SINGLE)


@pytest.mark.parametrize("name", MODELS)
def test_a_network_is_exported_here_and_answers_rightly_on_the_board(
    name: str, console: Console, tracker: RpcTracker, tmp_path: Path
) -> None:
    model = save(MODELS[name](), tmp_path / f"{name}.onnx")
    board, port = Board(), free_port()
    target = f"rpc://{place(tracker.address)}/pi raspberry-pi-4"
    with board.serving("pi", port, tracker.address[1]):
        path = tmp_path / f"{name}.tune"
        console.engine.open_model(ModelSource("file", str(model)), target, path).result(300)
        manifest = console.engine.export(tmp_path / "out").result(900)
    assert manifest["max_abs_diff"] < 1e-3
    assert manifest["instructions"] == ["asimd", "fp"]
    answers_rightly(model, tmp_path / "out", board, tmp_path)


@pytest.mark.parametrize("preset", CPUS)
def test_an_export_runs_on_its_board_and_is_refused_where_instructions_lack(
    preset: str, console: Console, tracker: RpcTracker, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    board, path = Board(CPUS[preset]), tmp_path / "tiny.tune"
    target = f"rpc://{place(tracker.address)}/{preset} {preset}"
    with board.serving(preset, free_port(), tracker.address[1]):
        console.engine.open_model(ModelSource("file", str(model)), target, path).result(60)
        manifest = console.engine.export(tmp_path / "out").result(600)
    assert manifest["instructions"] == told_instructions(resolve(target))
    answers_rightly(model, tmp_path / "out", board, tmp_path)
    if "asimddp" in manifest["instructions"]:
        refused = Board("cortex-a72").run(str(tmp_path / "out" / "run.py"))
        assert refused.returncode == 1
        assert "which this processor lacks. Export it again" in refused.stderr


def test_a_run_waits_for_its_board_and_goes_on(
    console: Console, tracker: RpcTracker, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    board, path, port = Board(), tmp_path / "tiny.tune", free_port()
    target = f"rpc://{place(tracker.address)}/pi raspberry-pi-4"
    with board.serving("pi", port, tracker.address[1]):
        console.engine.open_model(ModelSource("file", str(model)), target, path).result(60)
        console.engine.start_run(replace(QUICK, budget=Budget(trials=5))).result(60)
        console.until(lambda event: isinstance(event, TrialDone), 300)
    with board.serving("pi", port, tracker.address[1]):
        console.engine.wait().result(600)
        console.engine.export(tmp_path / "out").result(600)
    alone = console.engine.export(tmp_path / "alone").result(600)  # the board is off
    assert alone["latency_s"] is None and "No server of pi" in alone["left_out"]
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert all(trial.board for trial in snapshot.trials if trial.error is None)
    answers_rightly(model, tmp_path / "alone", board, tmp_path)
    assert snapshot.runs[0].state is RunState.FINISHED
    assert len([trial for trial in snapshot.trials if trial.error is None]) >= 4
    answers_rightly(model, tmp_path / "out", board, tmp_path)
