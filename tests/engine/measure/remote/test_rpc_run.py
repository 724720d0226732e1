"""Runs of the engine on remote devices, whose servers are killed in the middle of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from app.cli.reports import export_reply
from engine.history.figure import figure_of
from engine.jobs import devices
from engine.measure import spread_runner
from engine.measure.remote.given import VARIABLE
from engine.measure.remote.rpc_runner import RpcRunner
from engine.project.repository import Project
from engine.records.addresses import place
from engine.records.errors import ExportError, TuningError, UsageError
from engine.records.events import Message, TrialDone
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
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


def left_out_rightly(
    console: Console, lab: Lab, there: dict[str, Any], alone: dict[str, Any], folder: Path
) -> None:
    """An export without its device is the same but for what needs that, which it says."""
    where = place(lab.tracker.address)
    said = (
        "The export was never run: it was not measured, and its outputs were not compared with "
        f"those of ONNX Runtime. No server of run is known at {where}."
    )
    assert alone["left_out"] == said and there["left_out"] == ""
    told = [event.text for event in console.of(Message) if isinstance(event, Message)]
    assert told.count(said) == 1
    assert (alone["latency_s"], alone["max_abs_diff"], alone["draws"]) == (None, None, [])
    assert (alone["latency_runs"], alone["board"]) == (0, None)
    assert alone["tasks"] == there["tasks"]
    for name in ("plan.json", "executor.py", "run.py"):
        assert (folder / "alone" / name).read_bytes() == (folder / "out" / name).read_bytes()
    assert json.loads((folder / "alone" / "manifest.json").read_text())["left_out"] == said
    text = export_reply("tiny.tune", "alone", alone).text
    assert "not measured: its device was not there" in text and said in text
    done = subprocess.run(
        [sys.executable, "run.py"],
        cwd=folder / "alone",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


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
    served.close()
    figure = figure_of(console.engine.snapshot().result(10))
    alone = console.engine.export(tmp_path / "alone").result(120)
    left_out_rightly(console, lab, manifest, alone, tmp_path)
    assert figure_of(console.engine.snapshot().result(10)) == figure
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert snapshot.runs[0].state is RunState.FINISHED
    assert len(snapshot.trials) == 5
    assert all(trial.error is None for trial in snapshot.trials)
    assert all(trial.board and trial.board.answer_ms for trial in snapshot.trials)
    assert manifest["board"]["answer_ms"] > 0
    assert snapshot.untuned_latency_s is not None
    assert snapshot.reference_latency_s is None
    assert lab.address("run").key in snapshot.target
    assert not [event for event in console.of(Message) if "lost." in str(event)]
    served.close()


@pytest.mark.long
def test_a_run_spreads_over_two_devices_and_goes_on_when_the_server_of_one_ends(
    console: Console, lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = partialmethod(RpcRunner.__init__, wait_s=6.0, return_s=0.5, context=lab.context)
    monkeypatch.setattr(RpcRunner, "__init__", brief)
    monkeypatch.setattr(devices, "_ROUNDS", 1)
    monkeypatch.setattr(spread_runner, "AGREE", 1e3)  # they share a processor
    address, path = str(lab.address("pair")), tmp_path / "tiny.tune"
    first, second = (lab.serve("pair") for _ in range(2))
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    console.engine.open_model(ModelSource("file", str(model)), address, path).result(60)
    search = replace(QUICK.search, model_every=4)
    settings = replace(QUICK, search=search, devices=f"{address},{address}")
    console.engine.start_run(settings).result(60)
    console.until(lambda event: "are spread over them" in str(event), 120)
    second.close()
    console.engine.wait().result(120)
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        snapshot, kept = project.snapshot(), project.devices()
        trained = [project.trained_to(task.index) for task in snapshot.tasks]
    assert snapshot.runs[0].state is RunState.FINISHED
    assert [trial.error for trial in snapshot.trials] == [None] * 6
    assert kept is not None
    assert kept.groups == ((address, f"{address} #2"),)
    assert {trial.protocol["device"] for trial in snapshot.trials} <= set(kept.groups[0])
    assert any(trained)
    first.close()


def test_a_run_for_a_board_that_nothing_here_links_for_ends_in_a_sentence_before_it_connects(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.measure.linker.find_linker", lambda machine="": None)
    monkeypatch.setenv(VARIABLE, "127.0.0.1:1")
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    target, path = "rpc://127.0.0.1:1/board raspberry-pi-4", tmp_path / "tiny.tune"
    console.engine.open_model(ModelSource("file", str(model)), target, path).result(60)
    console.engine.start_run(QUICK).result(60)
    with pytest.raises(TuningError, match="No linker for aarch64") as caught:
        console.engine.wait().result(60)
    assert "ziglang" in caught.value.todo
    with pytest.raises(ExportError, match="No linker for aarch64"):
        console.engine.export(tmp_path / "out").result(60)
