"""A run over two GPUs, one of which is killed or goes away; exports and projects of the second."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.jobs import devices
from engine.measure.local_runner import LocalRunner
from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.events import Message
from engine.records.machine import cuda_devices, local_cuda
from engine.records.settings import Budget, SearchSettings
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.records.trial import ErrorKind
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import save, two_convs_model

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(len(cuda_devices()) < 2, reason="there are not two CUDA devices here"),
]

TRIALS = 48


@pytest.fixture
def console() -> Iterator[Console]:
    made = Console()
    yield made
    made.engine.shutdown()


@pytest.fixture
def runners(monkeypatch: pytest.MonkeyPatch) -> dict[str, LocalRunner]:
    """What measures for the next run, by device."""
    made: dict[str, LocalRunner] = {}

    class Known(LocalRunner):
        def __init__(self, device: str) -> None:
            made[device] = self
            super().__init__(device)

    monkeypatch.setattr(devices, "LocalRunner", Known)
    return made


def open_on(console: Console, folder: Path, device: str) -> Path:
    model = save(two_convs_model(32, 48), folder / "tiny.onnx")
    console.engine.open_model(ModelSource("file", str(model)), device, folder / "tiny.tune").result(
        120
    )
    return folder / "tiny.tune"


def spread(console: Console, path: Path, then: Callable[[], None]) -> Snapshot:
    """A run over both; `then` is called once eight trials are measured."""
    settings = replace(QUICK, budget=Budget(trials=TRIALS), search=SearchSettings(batch=8))
    console.engine.start_run(replace(settings, devices="cuda:0,cuda:1")).result(60)

    def later() -> None:
        end = time.monotonic() + 240
        while time.monotonic() < end:
            if len(console.engine.snapshot().result(30).trials) >= 8:
                then()
                return
            time.sleep(0.05)

    waiting = threading.Thread(target=later)
    waiting.start()
    console.engine.wait().result(300)
    waiting.join()
    console.drain()
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def devices_of(snapshot: Snapshot, since: int = 0) -> set[str]:
    measured = [trial for trial in snapshot.trials[since:] if trial.samples]
    return {str(trial.protocol["device"]) for trial in measured}


def test_a_killed_measuring_worker_costs_its_trial_alone(
    console: Console, tmp_path: Path, runners: dict[str, LocalRunner]
) -> None:
    path = open_on(console, tmp_path, "cuda:0")
    at: list[int] = []

    def kill() -> None:
        at.append(len(console.engine.snapshot().result(30).trials))
        for worker in tuple(runners["cuda:1"]._workers):
            worker._process.kill()

    snapshot = spread(console, path, kill)
    assert len(snapshot.trials) >= TRIALS
    assert devices_of(snapshot, at[0] + 2) == {"cuda:0", "cuda:1"}
    crashed = [trial for trial in snapshot.trials if trial.error is ErrorKind.RUN_CRASH]
    assert len(crashed) <= 2
    assert not any(trial.error is ErrorKind.DEVICE_LOST for trial in snapshot.trials)


def test_a_gpu_that_disappears_leaves_the_run_to_the_other(
    console: Console, tmp_path: Path, runners: dict[str, LocalRunner]
) -> None:
    path = open_on(console, tmp_path, "cuda:0")
    at: list[int] = []

    def vanish() -> None:
        runner = runners["cuda:1"]
        at.append(len(console.engine.snapshot().result(30).trials))
        runner._device = "cuda:7"  # where the next worker finds nothing
        for worker in tuple(runner._workers):
            worker._process.kill()

    snapshot = spread(console, path, vanish)
    assert len(snapshot.trials) >= TRIALS
    assert devices_of(snapshot, at[0] + 8) == {"cuda:0"}
    said = [event.text for event in console.events if isinstance(event, Message)]
    assert any("cuda:1 is lost" in text and "goes on with cuda:0" in text for text in said), said


def test_an_export_for_the_second_gpu_runs_on_it(console: Console, tmp_path: Path) -> None:
    open_on(console, tmp_path, "cuda:1")
    settings = replace(QUICK, budget=Budget(trials=8), search=SearchSettings(batch=8))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(300)
    manifest = console.engine.export(tmp_path / "out").result(300)
    assert manifest["device"] == "cuda:1"
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1])\n"
        "from executor import PlanExecutor\n"
        "told = json.load(open(sys.argv[1] + '/manifest.json'))\n"
        "made = PlanExecutor(sys.argv[1], told['device'])\n"
        "print(str(made._outputs[0][1].device))"
    )
    out = str(tmp_path / "out")
    assert ran("-c", program, out) == "cuda:1"
    assert "median latency" in ran(f"{out}/run.py")
    assert "median latency" in ran(f"{out}/run.py", "--device", "cuda:0")
    alone = ran(f"{out}/run.py", visible="0", fails=True)
    assert "There is no cuda:1 here" in alone
    assert "median latency" in ran(f"{out}/run.py", "--device", "cuda:0", visible="1")


def test_a_project_finds_its_gpu_by_its_uuid(console: Console, tmp_path: Path) -> None:
    path = open_on(console, tmp_path, "cuda:1")
    settings = replace(QUICK, budget=Budget(trials=8), search=SearchSettings(batch=8))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(300)
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        assert project.device_uuid == local_cuda(1).uuid
        before = len(project.snapshot().trials)
    program = (
        "import json, sys\n"
        "from engine.project.repository import Project\n"
        "from engine.targets.targets import resolve\n"
        "with Project.open(sys.argv[1], read_only=True) as project:\n"
        "    found = resolve(project.target, project.device, project.device_uuid)\n"
        "print(json.dumps([found.device, found.uuid]))"
    )
    for visible, device in (("0,1", "cuda:1"), ("1,0", "cuda:0"), ("1", "cuda:0")):
        found = json.loads(ran("-c", program, str(path), visible=visible))
        assert found == [device, local_cuda(1).uuid], visible
    ran("-m", "app", "resume", str(path), "--trials", "8", visible="1,0")
    with Project.open(path, read_only=True) as project:
        assert len(project.snapshot().trials) > before


def ran(*arguments: str, visible: str = "", fails: bool = False) -> str:
    """The last line that Python printed, with these GPUs visible."""
    environment = {**os.environ, **({"CUDA_VISIBLE_DEVICES": visible} if visible else {})}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False
    )
    if (done.returncode != 0) != fails:
        raise TuningError(done.stderr[-2000:], "")
    return (done.stderr if fails else done.stdout).strip().splitlines()[-1]
