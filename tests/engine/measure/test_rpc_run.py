"""A run of the engine on a remote device, whose server is killed in the middle of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.events import Message, TrialDone
from engine.ios.found import IosOptions
from engine.jobs.settings import Budget, RunState
from engine.models.source import ModelSource
from engine.project.repository import Project
from tests.engine.jobs.support import QUICK, Console
from tests.engine.measure.rpc_lab import Lab
from tests.engine.models.build import conv_relu_model, save


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Console]:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    made = Console()
    yield made
    made.engine.shutdown()


def test_a_run_survives_its_server_and_its_export_is_checked_there(
    console: Console, lab: Lab, tmp_path: Path
) -> None:
    served = lab.serve("run")
    target, path = str(lab.address("run")), tmp_path / "tiny.tune"
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    console.engine.open_model(ModelSource("file", str(model)), target, path).result(60)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=5))).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    served.kill()
    console.engine.wait().result(120)
    manifest = console.engine.export(tmp_path / "out").result(120)
    assert manifest["max_abs_diff"] < 1e-3
    assert manifest["latency_s"] > 0
    with pytest.raises(UsageError, match="remote device"):
        console.engine.find_schedule(IosOptions()).result(60)
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert snapshot.runs[0].state is RunState.FINISHED
    assert len(snapshot.trials) == 5
    assert all(trial.error is None for trial in snapshot.trials)
    assert snapshot.untuned_latency_s is not None
    assert snapshot.reference_latency_s is None
    assert lab.address("run").key in snapshot.target
    assert not [event for event in console.of(Message) if "lost." in str(event)]
    served.close()
